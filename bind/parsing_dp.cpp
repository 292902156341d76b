// Parsers whose beams have dynamic programming.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "parsing.hpp"
#include "predicting.hpp"
#include "tasks/parsing/dp_space.hpp"
#include "trace_out.hpp"

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
                         [&corpus, &weights, options, &learner] {
                           return std::make_unique<Worker>(corpus, weights, options, learner);
                         }) {}

  static SharedWeights& checked_weights(SharedWeights& weights, Treebank& corpus) {
    if (weights.actions() != corpus.choice.system.size())
      throw nb::value_error("weights and transitions differ in number");
    corpus.packing.close();
    return weights;
  }
};

// What one thread needs to parse on its own.
class DPParsingHand {
 public:
  using Scorer = ParseScorer<FrozenRows>;
  using Space = DPParseSpace<Scorer>;
  using Search = DPSearch<Space>;

  DPParsingHand(const ParseProgram& program, const Transitions& system, const Frozen& weights, size_t room)
      : system_(system),
        oracle_(system_, false),
        laid_(program, room),
        scorer_(program, FrozenRows(weights), true),
        space_(system_, oracle_, scorer_) {}

  Space& space() { return space_; }
  uint32_t length() const { return system_.length(); }
  uint64_t& evictions() { return laid_.evictions(); }
  void begin_batch() { laid_.begin_batch(); }
  void lay_down(nb::handle sentence) { laid_.lay_down(sentence); }
  void open(uint32_t k, const GoldTree* gold = nullptr) {
    scorer_.sentence(laid_.words(k));
    space_.sentence(laid_.words(k), laid_.length(k), gold);
  }

 private:
  Transitions system_;
  ParseOracle oracle_;
  LaidSentences laid_;
  Scorer scorer_;
  Space space_;
};

class FrozenDPParser {
 public:
  using Space = DPParsingHand::Space;
  using Moves = std::vector<Move<ParseState>>;

  FrozenDPParser(const ParseProgram& program, const std::vector<std::string>& names, int system,
                 bool single_root, const std::vector<std::pair<int, int>>& transitions, uint32_t swaps,
                 Array<Key> keys, Array<uint32_t> offsets, Array<uint16_t> actions, Array<float> weights,
                 int bits, size_t room)
      : choice_(names, system, single_root, transitions, swaps),
        weights_(choice_.system.size(), bits, {keys.data(), keys.shape(0)},
                 {offsets.data(), offsets.shape(0)}, {actions.data(), actions.shape(0)},
                 {weights.data(), weights.shape(0)}, true),
        predicting_([this, &program, room] {
          return std::make_unique<DPParsingHand>(program, choice_.system, weights_, room);
        }) {}

  // Per sentence its tree and the score.
  nb::list best(nb::handle sentences, const SearchOptions& how, uint32_t threads) {
    nb::list out;
    using Best = std::pair<Tree, double>;
    predicting_.run<Best>(
        sentences, "X must be a list of sentences", "sentence", how, threads,
        [&](DPParsingHand& hand, const DPSearch<Space>& search, Best& best) {
          best = {Tree(hand.length()), 0.0};
          if (search.rows.empty()) return;
          Moves moves;
          search.path(hand.space(), search.rows.back().begin, moves);
          for (const auto& m : moves) best.first.put(hand.space().system().attached(m.state, m.action));
          best.second = search.items[search.rows.back().begin].score;
        },
        [&](const Best& best) { out.append(nb::make_tuple(best.first.pair(choice_.labels), best.second)); });
    return out;
  }

  // How many derivations the beams hold of one sentence.
  double derivations(nb::handle sentence, const SearchOptions& how) {
    Predicting<DPParsingHand>::Lent lent(predicting_);
    DPParsingHand& hand = lent[0];
    hand.begin_batch();
    hand.lay_down(sentence);
    hand.open(0);
    DPSearch<Space> search(how);
    search.count_ways();
    search.start({0.0, hand.space().initial(), kRoot, 0, false});
    while (search.advance(hand.space())) {
    }
    return search.ways();
  }

  nb::dict trace(nb::handle sentence, const nb::object& gold, const SearchOptions& how) {
    Predicting<DPParsingHand>::Lent lent(predicting_);
    DPParsingHand& hand = lent[0];
    hand.begin_batch();
    hand.lay_down(sentence);
    hand.open(0);
    GoldTree tree;
    if (!gold.is_none()) {
      tree = gold_of(gold, hand.length(), choice_);
      hand.open(0, &tree);
    }
    return watched_out<DPParsingHand::Search>(hand.space(), how, !gold.is_none());
  }

  double decode_seconds() const { return predicting_.seconds(); }
  uint64_t evictions() const { return predicting_.evictions(); }

 private:
  SystemChoice choice_;
  Frozen weights_;
  Predicting<DPParsingHand> predicting_;
};

}  // namespace

void bind_parsing_dp(nb::module_& m) {
  auto live = nb::class_<LiveDPParser>(m, "LiveDPParser");
  live.def(nb::init<Treebank&, SharedWeights&, const SearchOptions&, int, bool, const Learner&>(),
           nb::arg("corpus"), nb::arg("weights"), nb::arg("search"), nb::arg("update"),
           nb::arg("skip_correct"), nb::arg("learner"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
           nb::keep_alive<1, 7>());
  offer_training<LiveDPParser>(live);

  nb::class_<FrozenDPParser>(m, "FrozenDPParser")
      .def(nb::init<const ParseProgram&, const std::vector<std::string>&, int, bool,
                    const std::vector<std::pair<int, int>>&, uint32_t, Array<Key>, Array<uint32_t>,
                    Array<uint16_t>, Array<float>, int, size_t>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
           nb::arg("transitions"), nb::arg("swaps"), nb::arg("keys"), nb::arg("offsets"), nb::arg("actions"),
           nb::arg("weights"), nb::arg("bits") = 0, nb::arg("room") = size_t{1} << 20, nb::keep_alive<1, 2>())
      .def("best", &FrozenDPParser::best, nb::arg("sentences"), nb::arg("search"), nb::arg("threads") = 1)
      .def("derivations", &FrozenDPParser::derivations, nb::arg("sentence"), nb::arg("search"))
      .def("trace", &FrozenDPParser::trace, nb::arg("sentence"), nb::arg("gold").none(), nb::arg("search"))
      .def_prop_ro("decode_seconds", &FrozenDPParser::decode_seconds)
      .def_prop_ro("evictions", &FrozenDPParser::evictions);
}
