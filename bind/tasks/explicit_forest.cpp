#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "learn/training.hpp"
#include "search/forest/watched_forest.hpp"
#include "shared.hpp"
#include "tasks/explicit/forest.hpp"
#include "trace_out.hpp"

using namespace structron;

namespace {

using UseTuple = std::tuple<int32_t, std::vector<std::pair<Key, float>>>;
// Node, tails, action, whether it is gold, and a use for each combination of keys of the tails.
using EdgeTuple = std::tuple<uint32_t, std::vector<uint32_t>, uint32_t, bool, std::vector<UseTuple>>;

class BoundForest {
 public:
  BoundForest(SharedWeights& weights, const std::vector<uint32_t>& groups,
              const std::vector<std::pair<uint32_t, uint32_t>>& spans, const std::vector<EdgeTuple>& edges,
              uint32_t keys)
      : weights_(weights),
        space_(groups, spans_of(spans), edges_of(edges, groups.size(), weights), keys, weights) {}

  nb::tuple train(const SearchOptions& search, int update, const Learner& learner, bool skip_correct) {
    const WithWeights alone(weights_);
    Counts c;
    space_.set_margin(learner.margin());
    ViolationFixer<WatchedForest<ExplicitForest>> fixer(weights_, learner,
                                                        {search, static_cast<Update>(update), skip_correct});
    fixer.example(space_, c);
    return nb::make_tuple(c.examples, c.steps, c.errors, c.updates, c.invalid, c.early);
  }

  // The bins, and for each node its items: (score, gain, action, tails as (node, rank), key, good).
  nb::dict trace(const SearchOptions& options, float margin) {
    const WithWeights alone(weights_);
    space_.set_margin(margin);
    WatchedForest<ExplicitForest> w(options);
    w.run(space_, true);
    nb::dict out = trace_out(trace_of(w, space_));
    nb::list choices;
    for (int u = 0; u < 7; ++u)
      choices.append(u == static_cast<int>(Update::laso) ? kNoViolation
                                                         : choose(static_cast<Update>(u), w.bins));
    out["choices"] = choices;
    return out;
  }

  // (actions, score) of the k best derivations of the goal.
  nb::list kbest(uint32_t k, const SearchOptions& options) {
    const WithWeights alone(weights_);
    space_.set_margin(0);
    ForestSearch<ExplicitForest> search(ForestSearch<ExplicitForest>::kbest_options(options, k));
    search.run(space_);
    nb::list out;
    ForestKBest<ForestSearch<ExplicitForest>>(search).each(
        space_.nodes() - 1, k, [&](const ExplicitForest::Uses& uses, double score) {
          nb::list actions;
          for (const auto& use : uses) actions.append(use.edge.action);
          out.append(nb::make_tuple(actions, score));
        });
    return out;
  }

 private:
  static std::vector<std::array<uint32_t, 2>> spans_of(
      const std::vector<std::pair<uint32_t, uint32_t>>& pairs) {
    std::vector<std::array<uint32_t, 2>> spans;
    for (const auto& [begin, end] : pairs) spans.push_back({begin, end});
    return spans;
  }
  static std::vector<std::vector<ExplicitEdge>> edges_of(const std::vector<EdgeTuple>& tuples, size_t nodes,
                                                         SharedWeights& weights) {
    const WithWeights alone(weights);
    std::vector<std::vector<ExplicitEdge>> edges(nodes);
    for (const auto& [node, tails, action, good, uses] : tuples) {
      if (node >= nodes || tails.size() > kMostTails)
        throw nb::value_error("an edge does not fit the forest");
      ExplicitEdge e{{}, good, {}};
      e.edge.arity = static_cast<uint32_t>(tails.size());
      e.edge.action = action;
      std::copy(tails.begin(), tails.end(), e.edge.tails.begin());
      for (const auto& [key, features] : uses) {
        ExplicitUse u{key, {}};
        for (const auto& [name, value] : features) u.features.emplace_back(weights.intern(name), value);
        e.uses.push_back(std::move(u));
      }
      edges[node].push_back(std::move(e));
    }
    return edges;
  }

  SharedWeights& weights_;
  ExplicitForest space_;
};

}  // namespace

void bind_explicit_forest(nb::module_& m) {
  nb::class_<BoundForest>(m, "Forest")
      .def(nb::init<SharedWeights&, const std::vector<uint32_t>&,
                    const std::vector<std::pair<uint32_t, uint32_t>>&, const std::vector<EdgeTuple>&,
                    uint32_t>(),
           nb::arg("weights"), nb::arg("groups"), nb::arg("spans"), nb::arg("edges"), nb::arg("keys"),
           nb::keep_alive<1, 2>())
      .def("train", &BoundForest::train, nb::arg("search"), nb::arg("update"), nb::arg("learner"),
           nb::arg("skip_correct") = false)
      .def("trace", &BoundForest::trace, nb::arg("search"), nb::arg("margin") = 0.0f)
      .def("kbest", &BoundForest::kbest, nb::arg("k"), nb::arg("search"));
}
