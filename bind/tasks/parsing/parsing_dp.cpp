// Parsers whose beams have dynamic programming.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "predictor.hpp"
#include "row_arrays.hpp"
#include "tasks/parsing/parsing.hpp"

namespace {

Trainer* make_trainer(Treebank& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner) {
  using Worker = ParsingWorker<DPSearch<DPParseSpace<ParseScorer<LiveRows>>>>;
  checked_weights(weights, corpus);
  if (corpus.packed.is_partial())
    throw nb::value_error("search dp learns from trees that are known as a whole");
  return new Trainer(weights, corpus.packed.sentences(), options,
                     make_worker<Worker>(corpus, weights, options, learner));
}

class DPParsingPredictor final : public PredictorWith<DPParsingDecoder> {
 public:
  DPParsingPredictor(const ParseProgram& program, const std::vector<std::string>& names, int system,
                     bool single_root, const std::vector<std::pair<int, int>>& transitions, uint32_t swaps,
                     const RowArrays& rows, int bits, size_t room)
      : choice_(names, system, single_root, transitions, swaps),
        weights_(choice_.system.size(), bits, spans_of(rows), LongRows::whole) {
    start([this, &program, room] {
      return std::make_unique<Decoder>(program, choice_.system, weights_, room);
    });
  }

  nb::list predict(nb::handle sentences, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), parser_inputs<Decoder>(sentences, choice_.labels), how, threads,
                   [&](const std::pair<Tree, double>& best) { return pair_of(best.first, choice_.labels); });
  }
  // The beams hold many derivations together, so that only the best is known, whatever k is.
  nb::list kbest(nb::handle sentences, uint32_t, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), parser_inputs<Decoder>(sentences, choice_.labels), how, threads,
                   [&](const std::pair<Tree, double>& best) {
                     nb::list one;
                     one.append(nb::make_tuple(pair_of(best.first, choice_.labels), best.second));
                     return one;
                   });
  }

  // How many derivations the beams hold of one sentence.
  double derivations(nb::handle sentence, const SearchOptions& how) {
    auto borrowed = borrow();
    GoldTree tree;
    open_one(borrowed[0], sentence, nb::none(), choice_.labels, false, tree);
    return borrowed[0].derivations(how);
  }

  nb::dict trace(nb::handle sentence, const nb::object& gold, const SearchOptions& how) override {
    auto borrowed = borrow();
    GoldTree tree;
    open_one(borrowed[0], sentence, gold, choice_.labels, false, tree);
    return traced(borrowed[0], how, !gold.is_none());
  }

 private:
  SystemChoice choice_;
  Frozen weights_;
};

}  // namespace

void bind_parsing_dp(nb::module_& m) {
  offer_trainer(m, "dp_parsing_trainer", &make_trainer);
  nb::class_<DPParsingPredictor, Predictor>(m, "DPParsingPredictor")
      .def(nb::init<const ParseProgram&, const std::vector<std::string>&, int, bool,
                    const std::vector<std::pair<int, int>>&, uint32_t, const RowArrays&, int, size_t>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
           nb::arg("transitions"), nb::arg("swaps"), nb::arg("rows"), nb::arg("bits") = 0,
           nb::arg("room") = size_t{1} << 20, nb::keep_alive<1, 2>())
      .def("derivations", &DPParsingPredictor::derivations, nb::arg("sentence"), nb::arg("search"));
}
