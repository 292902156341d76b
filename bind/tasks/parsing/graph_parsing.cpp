#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <type_traits>

#include "counts_out.hpp"
#include "predictor.hpp"
#include "row_arrays.hpp"
#include "tasks/graph_parsing/decoder.hpp"
#include "tasks/graph_parsing/heads/climbing_search.hpp"
#include "tasks/graph_parsing/heads/head_choice.hpp"
#include "tasks/graph_parsing/heads/head_decoder.hpp"
#include "tasks/graph_parsing/heads/head_worker.hpp"
#include "tasks/graph_parsing/heads/spanning_search.hpp"
#include "tasks/graph_parsing/heads/tree_summer.hpp"
#include "tasks/graph_parsing/tree_score.hpp"
#include "tasks/graph_parsing/worker.hpp"
#include "tasks/parsing/parsing.hpp"
#include "tasks/parsing/tree_predictor.hpp"

namespace {

// Place, offset, aspect, length, column, multiplier.
using AtomTuple = std::tuple<int, int, int, int, int, Key>;

using Templates = std::vector<std::pair<Key, std::vector<AtomTuple>>>;

std::vector<GraphTemplate> templates_of(const Templates& listed) {
  std::vector<GraphTemplate> found;
  for (const auto& [base, atoms] : listed) {
    GraphTemplate t{base, {}};
    for (const auto& [place, offset, aspect, length, column, multiplier] : atoms)
      t.atoms.push_back(
          {static_cast<PartPlace>(place), offset, static_cast<Aspect>(aspect), length, column, multiplier});
    found.push_back(std::move(t));
  }
  return found;
}

struct GraphTreebank {
  Labels labels;
  GraphCorpus packed;
  Packing packing;

  GraphTreebank(const GraphProgram& program, const std::vector<std::string>& names, bool single_root,
                int bits, const GraphPruner* pruner, bool crossing)
      : labels(names),
        packed(program, static_cast<uint32_t>(names.size()), single_root, bits, pruner, crossing) {}

  void add(nb::handle sentence, nb::handle tree) {
    add_tree(packed, packed.program().columns(), labels, packing, sentence, tree);
  }
  void keep(Array<Key> keys) {
    const Packing::Change change(packing);
    packed.keep({keys.data(), keys.shape(0)});
  }
};

class LearnedPruner {
 public:
  LearnedPruner(GraphTreebank& corpus, int bits, double rate) : choice_(corpus.packed, bits, rate) {
    corpus.packing.close();
  }
  void run(Array<uint32_t> order) {
    const Alone alone(lock_, "the pruner");
    const nb::gil_scoped_release release;
    choice_.run(span_of(order));
  }
  auto weights() {
    const Alone alone(lock_, "the pruner");
    return numpy_of(std::vector<float>(choice_.weights().begin(), choice_.weights().end()));
  }

 private:
  HeadChoice choice_;
  Lock lock_;
};

// A trainer, whatever its search; one that builds projective trees alone takes no others.
template <class Worker, bool kCrossing>
Trainer* make_trainer(GraphTreebank& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner) {
  if (weights.columns() != corpus.packed.labels() + 1)
    throw nb::value_error("the weights must have a column for each relation, and one more");
  if (corpus.packed.crossing() && !kCrossing)
    throw nb::value_error(
        "the corpus may have crossing arcs, which this search cannot build; use mst or swaps");
  if (corpus.packed.is_partial() && kCrossing)
    throw nb::value_error("a search for crossing arcs learns from trees that are known as a whole");
  corpus.packing.close();
  return new Trainer(weights, corpus.packed.sentences(), options,
                     [&corpus, &weights, &learner, options]() -> std::unique_ptr<structron::Worker> {
                       if constexpr (std::is_same_v<Worker, HeadWorker<SpanningSearch>>)
                         if (learner.sums())
                           return worker_of<SpanningSummer>(corpus.packed, weights, options, learner);
                       return worker_of<Worker>(corpus.packed, weights, options, learner);
                     });
}

// The arcs that a pruner leaves of the open sentence; None for all.
inline nb::object arcs_of(GraphDecoder& decoder) {
  if (!decoder.space().chart().is_pruned()) return nb::none();
  nb::list arcs;
  for (const PossibleArc& arc : decoder.arcs_left()) arcs.append(nb::make_tuple(arc.head, arc.modifier));
  return arcs;
}

// A predictor, whatever its search; others may ask the one with a chart.
template <class Decoder>
using FaceOf = std::conditional_t<std::is_same_v<Decoder, GraphDecoder>, TreePredictor, Predictor>;

template <class Decoder>
class GraphPredictor final : public PredictorWith<Decoder, FaceOf<Decoder>> {
 public:
  GraphPredictor(const GraphProgram& program, const std::vector<std::string>& names, bool single_root,
                 const RowArrays& rows, int bits, const GraphPruner* pruner, size_t room)
      : program_(program),
        labels_(names),
        weights_(labels_.size() + 1, bits, spans_of(rows), LongRows::whole),
        make_([this, single_root, pruner, room] {
          return std::make_unique<Decoder>(program_, labels_.size(), single_root, weights_, pruner, room);
        }) {
    this->start(make_);
  }

  std::unique_ptr<TreeExpert> expert() const {
    if constexpr (std::is_same_v<Decoder, GraphDecoder>)
      return std::make_unique<GraphExpert>(make_(), program_, weights_, labels_.size());
    else
      return nullptr;
  }
  const Labels& relations() const { return labels_; }

  nb::list predict(nb::handle sentences, const SearchOptions& how, uint32_t threads) override {
    return best_of(this->decoders(), parser_inputs<Decoder>(sentences, labels_), how, threads,
                   [&](const Tree& tree) { return pair_of(tree, labels_); });
  }
  nb::list kbest(nb::handle sentences, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return kbest_of(this->decoders(), parser_inputs<Decoder>(sentences, labels_), k, how, threads,
                    [&](const Tree& tree) { return pair_of(tree, labels_); });
  }
  nb::dict trace(nb::handle sentence, const nb::object& gold, const SearchOptions& how) override {
    auto borrowed = this->borrow();
    if constexpr (requires { borrowed[0].prepare(how); }) borrowed[0].prepare(how);
    GoldTree tree;
    open_one(borrowed[0], sentence, gold, labels_, false, tree);
    nb::dict found = traced(borrowed[0], how, !gold.is_none());
    if constexpr (requires { borrowed[0].arcs_left(); })  // a chart that is to be looked at
      found["arcs"] = arcs_of(borrowed[0]);
    return found;
  }

 private:
  const GraphProgram& program_;
  Labels labels_;
  Frozen weights_;
  typename Decoders<Decoder>::Make make_;
};

template <class Worker, class Decoder, bool kCrossing>
void offer_search(nb::module_& m, const char* trainer, const char* predictor) {
  offer_trainer(m, trainer, &make_trainer<Worker, kCrossing>);
  m.def(
      predictor,
      [](const GraphProgram& program, const std::vector<std::string>& labels, bool single_root,
         const RowArrays& rows, int bits, const GraphPruner* pruner, size_t room) -> Predictor* {
        return new GraphPredictor<Decoder>(program, labels, single_root, rows, bits, pruner, room);
      },
      nb::arg("program"), nb::arg("labels"), nb::arg("single_root"), nb::arg("rows"), nb::arg("bits") = 0,
      nb::arg("pruner") = nb::none(), nb::arg("room") = size_t{1} << 20, nb::keep_alive<0, 1>(),
      nb::keep_alive<0, 6>());
}

// The best tree of a table of scores, [modifier][head], and how many arcs were looked at for it.
nb::tuple spanning_tree(const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& scores,
                        bool single_root) {
  const size_t rows = scores.shape(0);
  if (rows == 0 || rows != scores.shape(1) || rows > 0xFFFF)
    throw nb::value_error("the scores must be a square: one row and one column for the root and each word");
  ChuLiuEdmonds trees;
  const std::vector<uint32_t>& heads = trees.best_tree(
      static_cast<uint32_t>(rows - 1), single_root,
      [&](uint32_t head, uint32_t modifier) { return scores.data()[modifier * rows + head]; });
  return nb::make_tuple(std::vector<uint32_t>(heads.begin() + 1, heads.end()), trees.looks());
}

}  // namespace

void bind_graph_parsing(nb::module_& m) {
  nb::class_<GraphProgram>(m, "GraphProgram")
      .def(
          "__init__",
          [](GraphProgram* self, const Templates& templates, int columns, const Templates& pruning,
             const WordClusters* clusters) {
            new (self) GraphProgram(templates_of(templates), templates_of(pruning), columns, clusters);
          },
          nb::arg("templates"), nb::arg("columns"), nb::arg("pruning") = Templates(),
          nb::arg("clusters") = nb::none(), nb::keep_alive<1, 5>())
      .def_prop_ro("columns", &GraphProgram::columns);

  nb::class_<GraphPruner>(m, "GraphPruner")
      .def(
          "__init__",
          [](GraphPruner* self, Array<float> weights, uint32_t heads, double ratio) {
            new (self) GraphPruner(span_of(weights), heads, ratio);
          },
          nb::arg("weights"), nb::arg("heads"), nb::arg("ratio"));

  nb::class_<GraphTreebank>(m, "GraphCorpus")
      .def(nb::init<const GraphProgram&, const std::vector<std::string>&, bool, int, const GraphPruner*,
                    bool>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("single_root") = true, nb::arg("bits") = 0,
           nb::arg("pruner") = nb::none(), nb::arg("crossing") = false, nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 6>())
      .def("add", &GraphTreebank::add)
      .def("counts", [](GraphTreebank& c) { return counts_out(c.packed.counts()); })
      .def("keep", &GraphTreebank::keep)
      .def("pruned",
           [](const GraphTreebank& c) {
             return nb::make_tuple(c.packed.pruned().arcs, c.packed.pruned().gold);
           })
      .def("arcs",
           [](const GraphTreebank& c, uint32_t sentence) {
             if (sentence >= c.packed.sentences()) throw nb::index_error("there is no such sentence");
             std::vector<std::pair<uint32_t, uint32_t>> found;
             for (const PossibleArc& arc : c.packed.arcs(sentence))
               found.emplace_back(arc.head, arc.modifier);
             return found;
           })
      .def_prop_ro("sentences", [](const GraphTreebank& c) { return c.packed.sentences(); })
      .def_prop_ro("tokens", [](const GraphTreebank& c) { return c.packed.tokens(); });

  nb::class_<LearnedPruner>(m, "HeadChoice")
      .def(nb::init<GraphTreebank&, int, double>(), nb::arg("corpus"), nb::arg("bits"), nb::arg("rate"),
           nb::keep_alive<1, 2>())
      .def("run", &LearnedPruner::run, nb::arg("order"))
      .def_prop_ro("weights", &LearnedPruner::weights);

  m.def("spanning_tree", &spanning_tree, nb::arg("scores"), nb::arg("single_root"));

  offer_search<GraphWorker, GraphDecoder, false>(m, "chart_trainer", "chart_predictor");
  offer_search<HeadWorker<SpanningSearch>, HeadDecoder<SpanningSearch>, true>(m, "spanning_trainer",
                                                                              "spanning_predictor");
  offer_search<HeadWorker<ClimbingSearch>, HeadDecoder<ClimbingSearch>, true>(m, "climbing_trainer",
                                                                              "climbing_predictor");
}
