#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "learn/training.hpp"
#include "search/beam_search.hpp"
#include "shared.hpp"
#include "tasks/explicit/space.hpp"
#include "trace_out.hpp"

using namespace structron;

namespace {

using DensePairs = std::vector<std::pair<uint32_t, float>>;  // index, value
using ArcTuple = std::tuple<uint32_t, uint32_t, uint32_t, bool, std::vector<std::pair<Key, float>>>;

template <bool Ranked>
class Graph {
 public:
  using Space = ExplicitSpace<Ranked>;

  Graph(SharedWeights& weights, std::vector<int> steps, std::vector<uint32_t> merge_keys,
        const std::vector<ArcTuple>& arcs, uint32_t actions, std::vector<double> futures,
        const std::vector<DensePairs>& dense)
      : weights_(weights),
        space_(std::move(steps), std::move(merge_keys), arcs_of(arcs, dense, weights), actions, weights,
               std::move(futures)) {}

  nb::tuple train(const SearchOptions& search, int update, const Learner& learner, bool skip_correct) {
    const WithWeights alone(weights_);
    Counts c;
    space_.set_margin(learner.margin());
    ViolationFixer<Watched<BeamSearch<Space>>> fixer(weights_, learner,
                                                     {search, static_cast<Update>(update), skip_correct});
    fixer.example(space_, c);
    return nb::make_tuple(c.examples, c.steps, c.errors, c.updates, c.invalid, c.early);
  }

  nb::dict trace(const SearchOptions& options, float margin) {
    const WithWeights alone(weights_);
    space_.set_margin(margin);
    Watched<BeamSearch<Space>> w(options);
    w.run(space_, true);
    nb::dict out = trace_out(trace_of(w, space_));
    nb::list choices;
    for (int u = 0; u < 8; ++u) choices.append(choose(static_cast<Update>(u), w.bins));
    out["choices"] = choices;
    return out;
  }

  // (actions, score) of the k best outputs.
  nb::list kbest(uint32_t k, const SearchOptions& options) {
    const WithWeights alone(weights_);
    space_.set_margin(0);
    BeamSearch<Space> search(for_kbest(options, k));
    search.run(space_);
    nb::list out;
    if (search.rows.empty()) return out;
    std::vector<Move<uint32_t>> moves;
    const auto row = search.rows.back();
    for (uint32_t i = row.begin; i < row.end && i - row.begin < k; ++i) {
      path_to(search.items, search.items[i], moves);
      nb::list actions;
      for (const auto& move : moves) actions.append(move.action);
      out.append(nb::make_tuple(actions, search.items[i].score));
    }
    return out;
  }

 private:
  static std::vector<Arc> arcs_of(const std::vector<ArcTuple>& tuples, const std::vector<DensePairs>& dense,
                                  SharedWeights& weights) {
    if (!dense.empty() && dense.size() != tuples.size())
      throw nb::value_error("arcs and their dense features differ in number");
    const WithWeights alone(weights);
    std::vector<Arc> arcs;
    for (const auto& [from, action, to, good, features] : tuples) {
      Arc a{from, action, to, good, {}};
      for (const auto& [key, value] : features) a.features.push_back({weights.intern(key), 0, value});
      if (!dense.empty())
        for (const auto& [index, value] : dense[arcs.size()]) {
          if (index >= weights.dense()) throw nb::value_error("no such dense feature");
          a.features.push_back({kDense, index, value});
        }
      arcs.push_back(std::move(a));
    }
    return arcs;
  }

  SharedWeights& weights_;
  Space space_;
};

template <bool Ranked>
void offer_graph(nb::module_& m, const char* name) {
  using Bound = Graph<Ranked>;
  nb::class_<Bound>(m, name)
      .def(nb::init<SharedWeights&, std::vector<int>, std::vector<uint32_t>, const std::vector<ArcTuple>&,
                    uint32_t, std::vector<double>, const std::vector<DensePairs>&>(),
           nb::arg("weights"), nb::arg("steps"), nb::arg("merge_keys"), nb::arg("arcs"), nb::arg("actions"),
           nb::arg("futures") = std::vector<double>(), nb::arg("dense") = std::vector<DensePairs>{},
           nb::keep_alive<1, 2>())
      .def("train", &Bound::train, nb::arg("search"), nb::arg("update"), nb::arg("learner"),
           nb::arg("skip_correct") = false)
      .def("trace", &Bound::trace, nb::arg("search"), nb::arg("margin") = 0.0f)
      .def("kbest", &Bound::kbest, nb::arg("k"), nb::arg("search"));
}

}  // namespace

void bind_explicit(nb::module_& m) {
  offer_graph<false>(m, "Graph");
  offer_graph<true>(m, "RankedGraph");
}
