#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <set>
#include <string>

#include "beam_search.hpp"
#include "counts_out.hpp"
#include "parsing.hpp"
#include "predicting.hpp"
#include "trace_out.hpp"

namespace {

using Live = ParseScorer<LiveRows>;
using Ready = ParseScorer<FrozenRows>;

class LiveParser {
 public:
  LiveParser(Treebank& corpus, SharedWeights& weights, bool dynamic, const SearchOptions& search, int update,
             bool skip_correct, const Learner& learner) {
    if (weights.actions() != corpus.choice.system.size())
      throw nb::value_error("weights and transitions differ in number");
    corpus.packing.close();
    const TrainOptions options = options_of(search, update, skip_correct);
    dynamic ? start(many_, corpus, weights, options, learner)
            : start(single_, corpus, weights, options, learner);
  }

  nb::tuple run(Array<uint32_t> order, uint32_t batch, uint32_t threads) {
    return many_ ? many_->run(order, batch, threads) : single_->run(order, batch, threads);
  }
  nb::tuple find(Array<uint32_t> examples, Array<uint32_t> numbers, uint32_t threads) {
    return many_ ? many_->find(examples, numbers, threads) : single_->find(examples, numbers, threads);
  }
  nb::dict trace(uint32_t sentence) { return many_ ? many_->trace(sentence) : single_->trace(sentence); }
  double waited() const { return many_ ? many_->waited() : single_->waited(); }
  double changing() const { return many_ ? many_->changing() : single_->changing(); }

 private:
  template <class Worker>
  static void start(std::unique_ptr<LiveOver<Worker>>& live, const Treebank& corpus, SharedWeights& weights,
                    const TrainOptions& options, const Learner& learner) {
    live = std::make_unique<LiveOver<Worker>>(
        weights, corpus.packed.sentences(), options, [&corpus, &weights, options, &learner] {
          return std::make_unique<Worker>(corpus, weights, options, learner);
        });
  }

  std::unique_ptr<LiveOver<ParsingWorker<BeamSearch<ParseSpace<Live, true>>>>> single_;
  std::unique_ptr<LiveOver<ParsingWorker<BeamSearch<ParseSpace<Live, false>>>>> many_;
};

// What one thread needs to parse on its own.
class ParsingHand {
 public:
  using Space = ParseSpace<Ready, false>;
  using Search = BeamSearch<Space>;

  ParsingHand(const ParseProgram& program, const Transitions& system, const Frozen& weights, bool dynamic,
              size_t room)
      : system_(system),
        oracle_(system_, dynamic),
        laid_(program, room),
        greedy_(program, FrozenRows(weights), false),
        beam_(program, FrozenRows(weights), true),
        greedily_(system_, oracle_, greedy_),
        in_beams_(system_, oracle_, beam_) {}

  // Greedy search sees every state once: keeping sums would be for nothing.
  void prepare(const SearchOptions& options) {
    is_greedy_ = options.width == 1;
    system_.keep_signatures(options.merge);
  }
  Space& space() { return is_greedy_ ? greedily_ : in_beams_; }
  uint32_t length() const { return length_; }
  uint64_t& evictions() { return laid_.evictions(); }

  void begin_batch() { laid_.begin_batch(); }
  void lay_down(nb::handle sentence) { laid_.lay_down(sentence); }
  void open(uint32_t k, const GoldTree* gold = nullptr) {
    length_ = laid_.length(k);
    (is_greedy_ ? greedy_ : beam_).sentence(laid_.words(k));
    space().sentence(laid_.words(k), length_, gold);
  }

 private:
  Transitions system_;
  ParseOracle oracle_;
  LaidSentences laid_;
  Ready greedy_, beam_;
  Space greedily_, in_beams_;
  bool is_greedy_ = false;
  uint32_t length_ = 0;
};

class FrozenParser {
 public:
  using Space = ParsingHand::Space;

  FrozenParser(const ParseProgram& program, const std::vector<std::string>& names, int system,
               bool single_root, const std::vector<std::pair<int, int>>& transitions, uint32_t swaps,
               bool dynamic, Array<Key> keys, Array<uint32_t> offsets, Array<uint16_t> actions,
               Array<float> weights, int bits, size_t room)
      : choice_(names, system, single_root, transitions, swaps),
        weights_(choice_.system.size(), bits, {keys.data(), keys.shape(0)},
                 {offsets.data(), offsets.shape(0)}, {actions.data(), actions.shape(0)},
                 {weights.data(), weights.shape(0)}, true),
        predicting_([this, &program, dynamic, room] {
          return std::make_unique<ParsingHand>(program, choice_.system, weights_, dynamic, room);
        }) {}

  nb::list predict(nb::handle sentences, const SearchOptions& how, uint32_t threads) {
    nb::list out;
    predicting_.run<Tree>(
        sentences, "X must be a list of sentences", "sentence", how, threads,
        [&](ParsingHand& hand, const BeamSearch<Space>& search, Tree& tree) {
          tree = search.rows.empty() ? Tree{} : tree_of(search, hand, search.rows.back().begin);
        },
        [&](const Tree& tree) { out.append(tree.pair(choice_.labels)); });
    return out;
  }

  // Per sentence a list of (tree, score of the best derivation found), best first, all different.
  nb::list kbest(nb::handle sentences, uint32_t k, const SearchOptions& how, uint32_t threads) {
    nb::list out;
    using Best = std::vector<std::pair<Tree, double>>;
    predicting_.run<Best>(
        sentences, "X must be a list of sentences", "sentence", for_kbest(how, k), threads,
        [&](ParsingHand& hand, const BeamSearch<Space>& search, Best& best) {
          best.clear();
          if (search.rows.empty()) {
            best.push_back({Tree{}, 0.0});
            return;
          }
          const auto row = search.rows.back();
          std::set<Tree> known;
          for (uint32_t i = row.begin; i < row.end && best.size() < k; ++i) {
            Tree tree = tree_of(search, hand, i);
            if (known.insert(tree).second) best.emplace_back(std::move(tree), search.items[i].score);
          }
        },
        [&](const Best& best) {
          nb::list one;
          for (const auto& [tree, score] : best) one.append(nb::make_tuple(tree.pair(choice_.labels), score));
          out.append(one);
        });
    return out;
  }

  double decode_seconds() const { return predicting_.seconds(); }
  uint64_t evictions() const { return predicting_.evictions(); }

  nb::dict trace(nb::handle sentence, const nb::object& gold, const SearchOptions& how) {
    Predicting<ParsingHand>::Lent lent(predicting_);
    ParsingHand& hand = lent[0];
    hand.prepare(how);
    hand.begin_batch();
    hand.lay_down(sentence);
    hand.open(0);
    GoldTree tree;
    if (!gold.is_none()) {
      tree = gold_of(gold, hand.length(), choice_);
      hand.open(0, &tree);
    }
    return watched_out<ParsingHand::Search>(hand.space(), how, !gold.is_none());
  }

 private:
  static Tree tree_of(const BeamSearch<Space>& search, ParsingHand& hand, uint32_t at) {
    Tree t(hand.length());
    for (; search.items[at].parent != kRoot; at = search.items[at].parent) {
      const auto& item = search.items[at];
      t.put(hand.space().system().attached(search.items[item.parent].state, item.action));
    }
    return t;
  }

  SystemChoice choice_;
  Frozen weights_;
  Predicting<ParsingHand> predicting_;
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
  m.def("token_width", &token_width, nb::arg("sentence"),
        "How many columns the tokens of a list have, if all are tuples of as many str; else 0.");
  m.def("projective", &projective, nb::arg("heads"), "Whether no arcs cross, the root standing first.");

  nb::class_<ParseProgram>(m, "ParsingProgram")
      .def(
          "__init__",
          [](ParseProgram* self, const std::vector<std::pair<Key, std::vector<SightTuple>>>& templates,
             int columns) {
            std::vector<ParseTemplate> read;
            for (const auto& [base, atoms] : templates) read.push_back(template_of(base, atoms));
            new (self) ParseProgram(read, columns);
          },
          nb::arg("templates"), nb::arg("columns"))
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

  auto live = nb::class_<LiveParser>(m, "LiveParser");
  live.def(nb::init<Treebank&, SharedWeights&, bool, const SearchOptions&, int, bool, const Learner&>(),
           nb::arg("corpus"), nb::arg("weights"), nb::arg("dynamic"), nb::arg("search"), nb::arg("update"),
           nb::arg("skip_correct"), nb::arg("learner"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
           nb::keep_alive<1, 8>());
  offer_training<LiveParser>(live);

  nb::class_<FrozenParser>(m, "FrozenParser")
      .def(nb::init<const ParseProgram&, const std::vector<std::string>&, int, bool,
                    const std::vector<std::pair<int, int>>&, uint32_t, bool, Array<Key>, Array<uint32_t>,
                    Array<uint16_t>, Array<float>, int, size_t>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("system"), nb::arg("single_root"),
           nb::arg("transitions"), nb::arg("swaps"), nb::arg("dynamic"), nb::arg("keys"), nb::arg("offsets"),
           nb::arg("actions"), nb::arg("weights"), nb::arg("bits") = 0, nb::arg("room") = size_t{1} << 20,
           nb::keep_alive<1, 2>())
      .def("predict", &FrozenParser::predict, nb::arg("sentences"), nb::arg("search"), nb::arg("threads") = 1)
      .def("kbest", &FrozenParser::kbest, nb::arg("sentences"), nb::arg("k"), nb::arg("search"),
           nb::arg("threads") = 1)
      .def("trace", &FrozenParser::trace, nb::arg("sentence"), nb::arg("gold").none(), nb::arg("search"))
      .def_prop_ro("decode_seconds", &FrozenParser::decode_seconds)
      .def_prop_ro("evictions", &FrozenParser::evictions);
}
