#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <unordered_map>

#include "bind.hpp"
#include "counts_out.hpp"
#include "labels.hpp"
#include "live.hpp"
#include "predicting.hpp"
#include "tasks/tagging_frozen.hpp"
#include "tasks/tagging_live.hpp"
#include "text.hpp"
#include "trace_out.hpp"
#include "training.hpp"

using namespace structron;

namespace {

using ArrayU8 = Array<uint8_t>;
using ArrayU32 = Array<uint32_t>;

TagRules rules_of(const nb::object& after, const nb::object& end, uint32_t labels) {
  TagRules rules;
  if (after.is_none()) return rules;
  const auto a = nb::cast<ArrayU8>(after), e = nb::cast<ArrayU8>(end);
  if (a.shape(0) != static_cast<size_t>(labels + 1) * labels || e.shape(0) != labels)
    throw nb::value_error("the rules do not fit the labels");
  rules.after.assign(a.data(), a.data() + a.shape(0));
  rules.end.assign(e.data(), e.data() + e.shape(0));
  return rules;
}

struct Corpus {
  TaggingCorpus packed;
  Labels labels;
  bool ready;

  Corpus(const Program& program, Weights& weights, const std::vector<std::string>& names, bool ready_features)
      : packed(program, weights), labels(names), ready(ready_features) {}

  void add(nb::handle sentence, nb::handle tags) {
    const Sequence x(sentence.ptr(), "a sentence must be a list of tokens");
    const Sequence y(tags.ptr(), "the labels of a sentence must be a list of str");
    if (x.size() != y.size())
      throw nb::value_error(
          (std::to_string(x.size()) + " tokens but " + std::to_string(y.size()) + " labels").c_str());
    try {
      for (Py_ssize_t i = 0; i < x.size(); ++i) {
        const uint16_t label = labels.id(y[i]);
        if (ready) {
          read_ready(x[i], [&](Key k, float v) { packed.add_ready(k, v); });
        } else {
          read_words(x[i], packed.program().columns(),
                     [&](int c, std::string_view w) { packed.add_word(c, w); });
        }
        packed.close_token(label);
      }
    } catch (...) {
      packed.drop_sentence();
      throw;
    }
    packed.close_sentence();
  }
};

using Dictionary = std::unordered_map<Key, std::vector<uint16_t>>;

// keys[r] (hash of the word) may take tags[offsets[r] .. offsets[r + 1]].
Dictionary dictionary_of(Array<Key> keys, ArrayU32 offsets, Array<uint16_t> tags, uint32_t labels) {
  Dictionary d;
  if (keys.shape(0) == 0) return d;
  if (offsets.shape(0) != keys.shape(0) + 1)
    throw nb::value_error("the dictionary's arrays do not fit together");
  for (size_t r = 0; r < keys.shape(0); ++r) {
    const uint32_t from = offsets.data()[r], to = offsets.data()[r + 1];
    if (from >= to || to > tags.shape(0)) throw nb::value_error("the dictionary's rows are out of order");
    std::vector<uint16_t> row(tags.data() + from, tags.data() + to);
    for (size_t i = 0; i < row.size(); ++i)
      if (row[i] >= labels || (i && row[i] <= row[i - 1]))
        throw nb::value_error("the dictionary's tags are out of order");
    d[keys.data()[r]] = std::move(row);
  }
  return d;
}

// What one thread needs to train on its own.
struct TaggingWorker {
  using Space = TaggingSpace<LiveScorer>;

  TaggingWorker(const TaggingCorpus& corpus, Weights& weights, const TagRules& rules,
                const std::vector<std::vector<uint16_t>>& open, const TrainOptions& options,
                const Learner& learner)
      : packed(corpus),
        naming(weights, true),
        scorer(corpus, weights, naming),
        tagging(scorer, rules, corpus.program().order(), learner.margin()),
        trainer(weights, learner, options) {
    if (!open.empty()) scorer.set_dictionary(&open);
  }

  Space& space() { return tagging; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    scorer.sentence(sentence);
    tagging.sentence(packed.length(sentence), packed.gold(sentence));
  }

  const TaggingCorpus& packed;
  Naming naming;
  LiveScorer scorer;
  Space tagging;
  Trainer<Space> trainer;
};

struct TaggingRules {
  TagRules rules;
  std::vector<std::vector<uint16_t>> open;  // by word of the corpus; empty: every tag

  TaggingRules(const Corpus& corpus, const nb::object& after, const nb::object& end, Array<Key> dict_keys,
               ArrayU32 dict_offsets, Array<uint16_t> dict_tags)
      : rules(rules_of(after, end, corpus.labels.size())) {
    if (dict_keys.shape(0) == 0) return;
    const Dictionary d = dictionary_of(dict_keys, dict_offsets, dict_tags, corpus.labels.size());
    const Lexicon& words = corpus.packed.words();
    open.resize(words.size());
    for (uint32_t w = 0; w < words.size(); ++w)
      if (const auto it = d.find(words.hash(w)); it != d.end()) open[w] = it->second;
  }
};

class LiveTagger : TaggingRules, public LiveOver<TaggingWorker> {
 public:
  LiveTagger(Corpus& corpus, Weights& weights, const nb::object& after, const nb::object& end,
             Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags, uint32_t width,
             bool merge, int update, bool skip_correct, const Learner& learner)
      : TaggingRules(corpus, after, end, dict_keys, dict_offsets, dict_tags),
        LiveOver(
            weights, corpus.packed.sentences(), options_of(width, merge, update, skip_correct),
            [this, &corpus, &weights, &learner, options = options_of(width, merge, update, skip_correct)] {
              return std::make_unique<TaggingWorker>(corpus.packed, weights, rules, open, options, learner);
            }) {
    if (const Substructures* jj = learner.mixes())
      for (uint32_t s = 0; s < corpus.packed.sentences(); ++s)
        if (corpus.packed.length(s) > jj->longest())
          throw nb::value_error(("all_subsets is for outputs of at most " + std::to_string(jj->longest()) +
                                 " parts, and sentence " + std::to_string(s + 1) + " has " +
                                 std::to_string(corpus.packed.length(s)) + "; use other sub-structures")
                                    .c_str());
  }
};

// What one thread needs to predict on its own: the words it has met are its own, too.
class TaggingHand {
 public:
  using Space = TaggingSpace<FrozenScorer>;

  TaggingHand(const Program& program, const Frozen& weights, const Dictionary& dictionary,
              const TagRules& rules, bool ready, size_t room)
      : ready_(ready), scorer_(program, weights, dictionary, room), space_(scorer_, rules, program.order()) {}

  Space& space() { return space_; }
  uint32_t length() const { return length_; }

  void begin_batch() {
    scorer_.begin_batch();
    begin_.assign(1, 0);
  }
  void lay_down(nb::handle sentence) {
    const Sequence tokens(sentence.ptr(), "a sentence must be a list of tokens");
    for (Py_ssize_t i = 0; i < tokens.size(); ++i) {
      if (ready_) {
        read_ready(tokens[i], [&](Key k, float v) { scorer_.add_ready(k, v); });
      } else {
        read_words(tokens[i], scorer_.program().columns(),
                   [&](int c, std::string_view w) { scorer_.add_word(c, w); });
      }
      scorer_.close_token();
    }
    begin_.push_back(begin_.back() + static_cast<uint32_t>(tokens.size()));
  }
  void open(uint32_t k, const uint16_t* gold = nullptr) {
    length_ = begin_[k + 1] - begin_[k];
    scorer_.sentence(begin_[k], length_);
    space_.sentence(length_, gold);
  }

 private:
  bool ready_;
  FrozenScorer scorer_;
  Space space_;
  std::vector<uint32_t> begin_{0};
  uint32_t length_ = 0;  // of the sentence that is open
};

class FrozenTagger {
 public:
  using Space = TaggingHand::Space;
  using Tags = std::vector<uint16_t>;

  FrozenTagger(const Program& program, const std::vector<std::string>& names, bool ready, Array<Key> keys,
               ArrayU32 offsets, Array<uint16_t> actions, Array<float> weights, const nb::object& after,
               const nb::object& end, Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags,
               int bits, size_t room)
      : labels_(names),
        rules_(rules_of(after, end, labels_.size())),
        dictionary_(dictionary_of(dict_keys, dict_offsets, dict_tags, labels_.size())),
        weights_(labels_.size(), bits, {keys.data(), keys.shape(0)}, {offsets.data(), offsets.shape(0)},
                 {actions.data(), actions.shape(0)}, {weights.data(), weights.shape(0)}),
        predicting_([this, &program, ready, room] {
          return std::make_unique<TaggingHand>(program, weights_, dictionary_, rules_, ready, room);
        }) {}

  nb::list predict(nb::handle sentences, uint32_t width, bool merge, uint32_t threads) {
    nb::list out;
    std::vector<Tags> found(Predicting<TaggingHand>::kBatch * std::max(1u, threads));
    predicting_.run(
        sentences, "X must be a list of sentences", "sentence", {width, merge, 1}, threads,
        [&](uint32_t place, TaggingHand& hand, const Search<Space>& search) {
          check(hand, search);
          tags_of(search, search.rows.empty() ? kRoot : search.rows.back().begin, hand.length(),
                  found[place]);
        },
        [&](size_t n) {
          for (size_t i = 0; i < n; ++i) out.append(list_of(found[i]));
        });
    return out;
  }

  // Per sentence a list of (labels, score), best first.
  nb::list kbest(nb::handle sentences, uint32_t k, uint32_t width, bool merge, uint32_t threads) {
    nb::list out;
    std::vector<std::vector<std::pair<Tags, double>>> found(Predicting<TaggingHand>::kBatch *
                                                            std::max(1u, threads));
    predicting_.run(
        sentences, "X must be a list of sentences", "sentence", {width, merge, width == 0 ? k : 1}, threads,
        [&](uint32_t place, TaggingHand& hand, const Search<Space>& search) {
          check(hand, search);
          auto& best = found[place];
          best.clear();
          if (search.rows.empty()) {
            best.push_back({{}, 0.0});
            return;
          }
          const auto row = search.rows.back();
          for (uint32_t r = row.begin; r < row.end && best.size() < k; ++r) {
            best.push_back({{}, search.items[r].score});
            tags_of(search, r, hand.length(), best.back().first);
          }
        },
        [&](size_t n) {
          for (size_t i = 0; i < n; ++i) {
            nb::list one;
            for (const auto& [tags, score] : found[i]) one.append(nb::make_tuple(list_of(tags), score));
            out.append(one);
          }
        });
    return out;
  }

  double decode_seconds() const { return predicting_.seconds(); }

  nb::dict trace(nb::handle sentence, const nb::object& gold, uint32_t width, bool merge) {
    const Alone alone(predicting_.mutex());
    TaggingHand& hand = predicting_.first();
    hand.begin_batch();
    hand.lay_down(sentence);
    std::vector<uint16_t> tags;
    if (!gold.is_none()) {
      const Sequence g(gold.ptr(), "the labels of a sentence must be a list of str");
      for (Py_ssize_t i = 0; i < g.size(); ++i) tags.push_back(labels_.id(g[i]));
    }
    hand.open(0);
    if (!gold.is_none() && tags.size() != hand.length())
      throw nb::value_error("tokens and labels differ in number");
    hand.open(0, gold.is_none() ? nullptr : tags.data());
    Watched<Space> w({width, merge, 1});
    w.start(hand.space());
    while (w.advance(hand.space(), !gold.is_none())) {
    }
    return trace_out(w);
  }

 private:
  static void check(const TaggingHand& hand, const Search<Space>& search) {
    if (search.rows.size() != hand.length()) throw std::runtime_error("search found no sequence of labels");
  }

  static void tags_of(const Search<Space>& search, uint32_t at, uint32_t length, Tags& tags) {
    tags.resize(length);
    for (uint32_t i = length; i-- > 0; at = search.items[at].parent)
      tags[i] = static_cast<uint16_t>(search.items[at].action);
  }

  nb::object list_of(const Tags& tags) const {
    const Py_ssize_t n = static_cast<Py_ssize_t>(tags.size());
    PyObject* list = PyList_New(n);
    if (list == nullptr) throw nb::python_error();
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject* label = labels_.object(tags[static_cast<size_t>(i)]);
      Py_INCREF(label);
      PyList_SET_ITEM(list, i, label);
    }
    return nb::steal<nb::object>(list);
  }

  Labels labels_;
  TagRules rules_;
  Dictionary dictionary_;
  Frozen weights_;
  Predicting<TaggingHand> predicting_;
};

}  // namespace

void bind_tagging(nb::module_& m) {
  nb::class_<Corpus>(m, "TaggingCorpus")
      .def(nb::init<const Program&, Weights&, const std::vector<std::string>&, bool>(), nb::arg("program"),
           nb::arg("weights"), nb::arg("labels"), nb::arg("ready"), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>())
      .def("add", &Corpus::add)
      .def("counts", [](Corpus& c) { return counts_out(c.packed.counts()); })
      .def("keep", [](Corpus& c, Array<Key> keys) { c.packed.keep({keys.data(), keys.shape(0)}); })
      .def_prop_ro("sentences", [](const Corpus& c) { return c.packed.sentences(); })
      .def_prop_ro("tokens", [](const Corpus& c) { return c.packed.tokens(); });

  auto live = nb::class_<LiveTagger>(m, "LiveTagger");
  live.def(nb::init<Corpus&, Weights&, const nb::object&, const nb::object&, Array<Key>, ArrayU32,
                    Array<uint16_t>, uint32_t, bool, int, bool, const Learner&>(),
           nb::arg("corpus"), nb::arg("weights"), nb::arg("after").none(), nb::arg("end").none(),
           nb::arg("dict_keys"), nb::arg("dict_offsets"), nb::arg("dict_tags"), nb::arg("width"),
           nb::arg("merge"), nb::arg("update"), nb::arg("skip_correct"), nb::arg("learner"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 13>());
  offer_training<LiveTagger>(live);

  nb::class_<FrozenTagger>(m, "FrozenTagger")
      .def(nb::init<const Program&, const std::vector<std::string>&, bool, Array<Key>, ArrayU32,
                    Array<uint16_t>, Array<float>, const nb::object&, const nb::object&, Array<Key>, ArrayU32,
                    Array<uint16_t>, int, size_t>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("ready"), nb::arg("keys"), nb::arg("offsets"),
           nb::arg("actions"), nb::arg("weights"), nb::arg("after").none(), nb::arg("end").none(),
           nb::arg("dict_keys"), nb::arg("dict_offsets"), nb::arg("dict_tags"), nb::arg("bits") = 0,
           nb::arg("room") = size_t{64} << 20, nb::keep_alive<1, 2>())
      .def_prop_ro("decode_seconds", &FrozenTagger::decode_seconds)
      .def("predict", &FrozenTagger::predict, nb::arg("sentences"), nb::arg("width"), nb::arg("merge"),
           nb::arg("threads") = 1)
      .def("kbest", &FrozenTagger::kbest, nb::arg("sentences"), nb::arg("k"), nb::arg("width"),
           nb::arg("merge"), nb::arg("threads") = 1)
      .def("trace", &FrozenTagger::trace, nb::arg("sentence"), nb::arg("gold").none(), nb::arg("width"),
           nb::arg("merge"));
}
