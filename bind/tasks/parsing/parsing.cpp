#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>

#include "counts_out.hpp"
#include "predictor.hpp"
#include "row_arrays.hpp"
#include "tasks/parsing/experts/tree_score.hpp"
#include "tasks/parsing/parsing.hpp"
#include "tasks/parsing/tree_predictor.hpp"

namespace {

using Live = ParseScorer<LiveRows>;

template <bool kSingleGold>
Trainer* trainer_for(Treebank& corpus, SharedWeights& weights, const TrainOptions& options,
                     const Learner& learner, bool dynamic) {
  using Worker = ParsingWorker<BeamSearch<ParseSpace<Live, kSingleGold>>>;
  return new Trainer(weights, corpus.packed.sentences(), options,
                     make_worker<Worker>(corpus, weights, options, learner, dynamic));
}

// With a dynamic oracle there are many derivations of gold, and so there are of trees not all of which is
// known.
Trainer* make_trainer(Treebank& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner, bool dynamic) {
  checked_weights(weights, corpus);
  return dynamic || corpus.packed.is_partial()
             ? trainer_for<false>(corpus, weights, options, learner, dynamic)
             : trainer_for<true>(corpus, weights, options, learner, dynamic);
}

class ParsingPredictor final : public PredictorWith<ParsingDecoder, TreePredictor> {
 public:
  ParsingPredictor(const ParseProgram& program, const std::vector<std::string>& names, int system,
                   bool single_root, const std::vector<std::pair<int, int>>& transitions, uint32_t swaps,
                   bool dynamic, const RowArrays& rows, int bits, size_t room)
      : choice_(names, system, single_root, transitions, swaps),
        weights_(choice_.system.size(), bits, spans_of(rows), LongRows::whole),
        make_([this, &program, dynamic, room](int sum_bits) {
          return std::make_unique<Decoder>(program, choice_.system, weights_, dynamic, room, sum_bits);
        }) {
    start([this] { return make_(10); });
  }

  std::unique_ptr<TreeExpert> expert() const override {
    return std::make_unique<TransitionExpert>(make_(12), choice_.system);
  }
  const Labels& relations() const override { return choice_.labels; }

  nb::list predict(nb::handle sentences, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), parser_inputs<ParsingDecoder>(sentences, choice_.labels), how, threads,
                   [&](const Tree& tree) { return pair_of(tree, choice_.labels); });
  }
  nb::list kbest(nb::handle sentences, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return kbest_of(decoders(), parser_inputs<ParsingDecoder>(sentences, choice_.labels), k, how, threads,
                    [&](const Tree& tree) { return pair_of(tree, choice_.labels); });
  }

  nb::dict trace(nb::handle sentence, const nb::object& gold, const SearchOptions& how) override {
    auto borrowed = borrow();
    borrowed[0].prepare(how);
    GoldTree tree;
    open_one(borrowed[0], sentence, gold, choice_.labels, choice_.system.system() == System::swap, tree);
    return traced(borrowed[0], how, !gold.is_none());
  }

 private:
  SystemChoice choice_;
  Frozen weights_;
  std::function<std::unique_ptr<Decoder>(int)> make_;
};

bool projective(nb::handle heads) {
  const Sequence all(heads.ptr(), "heads must be a list of int");
  check_length(all.size());
  std::vector<uint16_t> h;
  for (Py_ssize_t i = 0; i < all.size(); ++i) h.push_back(head_of(all[i], all.size()));
  return is_projective(h.data(), static_cast<uint32_t>(h.size()));
}

using PlaceTuple = std::tuple<int, int, int>;
using SightTuple = std::tuple<int, PlaceTuple, PlaceTuple, int, int, int, Key>;

ParseTemplate template_of(Key base, const std::vector<SightTuple>& atoms) {
  ParseTemplate t{base, {}};
  for (const auto& [sight, place, other, look, length, column, multiplier] : atoms) {
    if (sight < 0 || sight > static_cast<int>(Sight::distance))
      throw nb::value_error("there is no such atom");
    const auto [p, p1, p2] = place;
    const auto [q, q1, q2] = other;
    t.atoms.push_back({static_cast<Sight>(sight),
                       {p, {p1, p2}},
                       {q, {q1, q2}},
                       static_cast<Aspect>(look),
                       length,
                       column,
                       multiplier});
  }
  return t;
}

}  // namespace

void bind_parsing(nb::module_& m) {
  nb::class_<TokenColumns>(m, "TokenColumns")
      .def(nb::init<nb::tuple>(), nb::arg("columns"))
      .def("__len__", &TokenColumns::size);
  m.def("token_width", &token_width, nb::arg("sentence"),
        "How many columns the tokens of a list have, if all are tuples of as many str; else 0.");
  m.def("projective", &projective, nb::arg("heads"), "Whether no arcs cross, the root standing first.");

  nb::class_<ParseProgram>(m, "ParsingProgram")
      .def(
          "__init__",
          [](ParseProgram* self, const std::vector<std::pair<Key, std::vector<SightTuple>>>& templates,
             int columns, const WordClusters* clusters) {
            std::vector<ParseTemplate> read;
            for (const auto& [base, atoms] : templates) read.push_back(template_of(base, atoms));
            new (self) ParseProgram(read, columns, clusters);
          },
          nb::arg("templates"), nb::arg("columns"), nb::arg("clusters") = nb::none(), nb::keep_alive<1, 4>())
      .def_prop_ro("columns", &ParseProgram::columns);

  nb::class_<Treebank>(m, "ParsingCorpus")
      .def(nb::init<const ParseProgram&, const std::vector<std::string>&, int, bool,
                    const std::vector<std::pair<int, int>>&, uint32_t, int>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
           nb::arg("transitions"), nb::arg("swaps"), nb::arg("bits") = 0, nb::keep_alive<1, 2>())
      .def("add", &Treebank::add)
      .def("counts", [](Treebank& t) { return counts_out(t.packed.counts()); })
      .def("keep", &Treebank::keep)
      .def_prop_ro("sentences", [](const Treebank& c) { return c.packed.sentences(); })
      .def_prop_ro("tokens", [](const Treebank& c) { return c.packed.tokens(); });

  offer_trainer(m, "parsing_trainer", &make_trainer, nb::arg("dynamic"));
  m.def(
      "parsing_predictor",
      [](const ParseProgram& program, const std::vector<std::string>& labels, int system, bool single_root,
         const std::vector<std::pair<int, int>>& transitions, uint32_t swaps, bool dynamic,
         const RowArrays& rows, int bits, size_t room) -> Predictor* {
        return new ParsingPredictor(program, labels, system, single_root, transitions, swaps, dynamic, rows,
                                    bits, room);
      },
      nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
      nb::arg("transitions"), nb::arg("swaps"), nb::arg("dynamic"), nb::arg("rows"), nb::arg("bits") = 0,
      nb::arg("room") = size_t{1} << 20, nb::keep_alive<0, 1>());
}
