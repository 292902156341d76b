// Parsers whose beams have dynamic programming.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "predicting.hpp"
#include "row_arrays.hpp"
#include "tasks/parsing/parsing.hpp"

namespace {

using Worker = ParsingWorker<DPSearch<DPParseSpace<ParseScorer<LiveRows>>>>;

class LiveDPParser : public LiveOver<Worker> {
 public:
  LiveDPParser(Treebank& corpus, SharedWeights& weights, const SearchOptions& search, int update,
               bool skip_correct, const Learner& learner)
      : LiveDPParser(corpus, weights, options_of(search, update, skip_correct), learner) {}

 private:
  LiveDPParser(Treebank& corpus, SharedWeights& weights, TrainOptions options, const Learner& learner)
      : LiveOver<Worker>(checked_weights(weights, corpus), corpus.packed.sentences(), options,
                         make_worker<Worker>(corpus, weights, options, learner)) {}
};

class FrozenDPParser {
 public:
  FrozenDPParser(const ParseProgram& program, const std::vector<std::string>& names, int system,
                 bool single_root, const std::vector<std::pair<int, int>>& transitions, uint32_t swaps,
                 const RowArrays& rows, int bits, size_t room)
      : choice_(names, system, single_root, transitions, swaps),
        weights_(choice_.system.size(), bits, spans_of(rows), LongRows::whole),
        decoders_([this, &program, room] {
          return std::make_unique<DPParsingDecoder>(program, choice_.system, weights_, room);
        }) {}

  // Per sentence its tree and the score.
  nb::list best(nb::handle sentences, const SearchOptions& how, uint32_t threads) {
    return best_of(decoders_, parser_inputs<DPParsingDecoder>(sentences), how, threads,
                   [&](const std::pair<Tree, double>& best) {
                     return nb::make_tuple(pair_of(best.first, choice_.labels), best.second);
                   });
  }

  // How many derivations the beams hold of one sentence.
  double derivations(nb::handle sentence, const SearchOptions& how) {
    Decoders<DPParsingDecoder>::Borrowed borrowed(decoders_);
    GoldTree tree;
    open_one(borrowed[0], sentence, nb::none(), choice_.labels, false, tree);
    return borrowed[0].derivations(how);
  }

  nb::dict trace(nb::handle sentence, const nb::object& gold, const SearchOptions& how) {
    Decoders<DPParsingDecoder>::Borrowed borrowed(decoders_);
    GoldTree tree;
    open_one(borrowed[0], sentence, gold, choice_.labels, false, tree);
    return traced(borrowed[0], how, !gold.is_none());
  }

  double decode_seconds() const { return decoders_.seconds(); }
  uint64_t evictions() const { return decoders_.evictions(); }

 private:
  SystemChoice choice_;
  Frozen weights_;
  Decoders<DPParsingDecoder> decoders_;
};

}  // namespace

void bind_parsing_dp(nb::module_& m) {
  auto live = nb::class_<LiveDPParser>(m, "LiveDPParser");
  live.def(nb::init<Treebank&, SharedWeights&, const SearchOptions&, int, bool, const Learner&>(),
           nb::arg("corpus"), nb::arg("weights"), nb::arg("search"), nb::arg("update"),
           nb::arg("skip_correct"), nb::arg("learner"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
           nb::keep_alive<1, 7>());
  offer_training<LiveDPParser>(live);

  auto frozen = nb::class_<FrozenDPParser>(m, "FrozenDPParser");
  frozen
      .def(nb::init<const ParseProgram&, const std::vector<std::string>&, int, bool,
                    const std::vector<std::pair<int, int>>&, uint32_t, const RowArrays&, int, size_t>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
           nb::arg("transitions"), nb::arg("swaps"), nb::arg("rows"), nb::arg("bits") = 0,
           nb::arg("room") = size_t{1} << 20, nb::keep_alive<1, 2>())
      .def("best", &FrozenDPParser::best, nb::arg("sentences"), nb::arg("search"), nb::arg("threads") = 1)
      .def("derivations", &FrozenDPParser::derivations, nb::arg("sentence"), nb::arg("search"));
  offer_tracing<FrozenDPParser>(frozen, "sentence");
}
