#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <set>
#include <string>
#include <unordered_map>

#include "beam_search.hpp"
#include "bind.hpp"
#include "counts_out.hpp"
#include "labels.hpp"
#include "live.hpp"
#include "predicting.hpp"
#include "shared.hpp"
#include "tasks/tagging/frozen_scorer.hpp"
#include "tasks/tagging/live_scorer.hpp"
#include "text.hpp"
#include "trace_out.hpp"
#include "training.hpp"

using namespace structron;

namespace {

using ArrayU8 = Array<uint8_t>;
using ArrayU32 = Array<uint32_t>;

TagRules rules_of(const nb::object& after, const nb::object& end, uint32_t tags) {
  TagRules rules;
  if (after.is_none()) return rules;
  const auto a = nb::cast<ArrayU8>(after), e = nb::cast<ArrayU8>(end);
  if (a.shape(0) != static_cast<size_t>(tags + 1) * tags || e.shape(0) != tags)
    throw nb::value_error("the rules do not fit the labels");
  rules.after.assign(a.data(), a.data() + a.shape(0));
  rules.end.assign(e.data(), e.data() + e.shape(0));
  return rules;
}

// Where features come ready there are no words.
void check_ready(bool ready, const Program& program, bool has_dictionary) {
  if (ready && (program.reads_words() || has_dictionary))
    throw nb::value_error("ready features leave no words for templates or a dictionary to read");
}

struct Corpus {
  SharedWeights& weights;
  TaggingCorpus packed;
  Labels labels;
  bool ready;
  Packing packing;

  Corpus(const Program& program, SharedWeights& shared, const std::vector<std::string>& names,
         bool ready_features)
      : weights(shared), packed(made(program, shared)), labels(names), ready(ready_features) {
    check_ready(ready, program, false);
  }

  // Features become rows of the weights while words are packed.
  static TaggingCorpus made(const Program& program, SharedWeights& weights) {
    const WithWeights alone(weights);
    return TaggingCorpus(program, weights);
  }

  void add(nb::handle sentence, nb::handle tags) {
    const Sequence x(sentence.ptr(), "a sentence must be a list of tokens");
    const Sequence y(tags.ptr(), "the labels of a sentence must be a list of str");
    if (x.size() != y.size())
      throw nb::value_error(
          (std::to_string(x.size()) + " tokens but " + std::to_string(y.size()) + " labels").c_str());
    const Packing::Change change(packing);
    const WithWeights alone(weights);
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

  nb::tuple counts() {
    const WithWeights alone(weights);
    return counts_out(packed.counts());
  }
  void keep(Array<Key> keys) {
    const Packing::Change change(packing);
    const WithWeights alone(weights);
    packed.keep({keys.data(), keys.shape(0)});
  }
};

using Dictionary = std::unordered_map<Key, std::vector<uint16_t>>;

// keys[r] (hash of the word) may take tags[offsets[r] .. offsets[r + 1]].
Dictionary dictionary_of(Array<Key> keys, ArrayU32 offsets, Array<uint16_t> tags, uint32_t all) {
  Dictionary d;
  if (keys.shape(0) == 0) return d;
  if (offsets.shape(0) != keys.shape(0) + 1)
    throw nb::value_error("the dictionary's arrays do not fit together");
  for (size_t r = 0; r < keys.shape(0); ++r) {
    const uint32_t from = offsets.data()[r], to = offsets.data()[r + 1];
    if (from >= to || to > tags.shape(0)) throw nb::value_error("the dictionary's rows are out of order");
    std::vector<uint16_t> row(tags.data() + from, tags.data() + to);
    for (size_t i = 0; i < row.size(); ++i)
      if (row[i] >= all || (i && row[i] <= row[i - 1]))
        throw nb::value_error("the dictionary's tags are out of order");
    d[keys.data()[r]] = std::move(row);
  }
  return d;
}

// How many tags these labels have in all; at least one each.
uint32_t tags_of(const Labels& labels, uint32_t each) {
  const uint64_t all = uint64_t{labels.size()} * each;
  if (each < 1 || all >= 0xFFFF) throw nb::value_error("so many sub-labels cannot be");
  return static_cast<uint32_t>(all);
}

// What one thread needs to train on its own.
template <class Tags>
struct TaggingWorker {
  using Space = TaggingSpace<LiveScorer, Tags>;
  using Search = BeamSearch<Space>;

  TaggingWorker(const TaggingCorpus& corpus, Weights& weights, const TagRules& rules,
                const std::vector<std::vector<uint16_t>>& open, const TrainOptions& options,
                const Learner& learner, Tags tags)
      : packed(corpus),
        naming(weights, true),
        scorer(corpus, weights, naming),
        tagging(scorer, rules, corpus.program().order(), learner.margin(), tags),
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
  Trainer<Watched<Search>> trainer;
};

uint32_t features_of(const SharedWeights& weights) {
  const WithWeights alone(weights);
  return weights.features();
}

struct TaggingRules {
  TagRules rules;
  std::vector<std::vector<uint16_t>> open;  // by word of the corpus; empty: every tag

  TaggingRules(Corpus& corpus, uint32_t tags, const nb::object& after, const nb::object& end,
               Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags)
      : rules(rules_of(after, end, tags)) {
    corpus.packing.close();
    check_ready(corpus.ready, corpus.packed.program(), dict_keys.shape(0) != 0);
    if (dict_keys.shape(0) == 0) return;
    const Dictionary d = dictionary_of(dict_keys, dict_offsets, dict_tags, tags);
    const Lexicon& words = corpus.packed.words();
    open.resize(words.size());
    for (uint32_t w = 0; w < words.size(); ++w)
      if (const auto it = d.find(words.hash(w)); it != d.end()) open[w] = it->second;
  }
};

template <class Tags, class... TagOptions>
class LiveTagging : TaggingRules, public LiveOver<TaggingWorker<Tags>> {
 public:
  LiveTagging(Corpus& corpus, SharedWeights& weights, const nb::object& after, const nb::object& end,
              Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags,
              const SearchOptions& search, int update, bool skip_correct, const Learner& learner,
              TagOptions... tag_options)
      : TaggingRules(corpus, tags_of(corpus.labels, Tags{tag_options...}.each), after, end, dict_keys,
                     dict_offsets, dict_tags),
        LiveOver<TaggingWorker<Tags>>(
            weights, corpus.packed.sentences(), options_of(search, update, skip_correct),
            [this, &corpus, &weights, &learner, options = options_of(search, update, skip_correct),
             tags = Tags{tag_options...}] {
              return std::make_unique<TaggingWorker<Tags>>(corpus.packed, weights, rules, open, options,
                                                           learner, tags);
            }) {
    if (weights.actions() != tags_of(corpus.labels, Tags{tag_options...}.each))
      throw nb::value_error("the weights do not fit the labels");
    check_exact(search, weights.actions(), corpus.packed.program().order());
    if (features_of(weights) < features_of(corpus.weights))
      throw nb::value_error("the weights do not have the features of the corpus");
    if (const Substructures* jj = learner.substructures())
      for (uint32_t s = 0; s < corpus.packed.sentences(); ++s)
        if (corpus.packed.length(s) > jj->longest())
          throw nb::value_error(("all_subsets is for outputs of at most " + std::to_string(jj->longest()) +
                                 " parts, and sentence " + std::to_string(s + 1) + " has " +
                                 std::to_string(corpus.packed.length(s)) + "; use other sub-structures")
                                    .c_str());
  }
};

// What one thread needs to predict on its own: the words it has met are its own, too.
template <class Tags>
class TaggingHand {
 public:
  using Space = TaggingSpace<FrozenScorer, Tags>;
  using Search = BeamSearch<Space>;

  TaggingHand(const Program& program, const Frozen& weights, const Dictionary& dictionary,
              const TagRules& rules, bool ready, size_t room, Tags tags)
      : ready_(ready),
        scorer_(program, weights, dictionary, room),
        space_(scorer_, rules, program.order(), 0, tags) {}

  Space& space() { return space_; }
  uint32_t length() const { return length_; }
  uint64_t& evictions() { return scorer_.evictions(); }

  void begin_batch() {
    scorer_.begin_batch();
    begin_.assign(1, 0);
  }
  void lay_down(nb::handle sentence) {
    const Py_ssize_t n = each_of(sentence.ptr(), "a sentence must be a list of tokens", [&](PyObject* token) {
      if (ready_) {
        read_ready(token, [&](Key k, float v) { scorer_.add_ready(k, v); });
      } else {
        read_words(token, scorer_.program().columns(),
                   [&](int c, std::string_view w) { scorer_.add_word(c, w); });
      }
      scorer_.close_token();
    });
    begin_.push_back(begin_.back() + static_cast<uint32_t>(n));
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

template <class Tags, class... TagOptions>
class FrozenTagging {
 public:
  using Hand = TaggingHand<Tags>;
  using Space = typename Hand::Space;
  using Output = std::vector<uint16_t>;  // numbers of labels

  FrozenTagging(const Program& program, const std::vector<std::string>& names, bool ready, Array<Key> keys,
                ArrayU32 offsets, Array<uint16_t> actions, Array<float> weights, const nb::object& after,
                const nb::object& end, Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags,
                TagOptions... tag_options, int bits, size_t room)
      : tags_{tag_options...},
        labels_(names),
        rules_(rules_of(after, end, tags_of(labels_, tags_.each))),
        dictionary_(dictionary_of(dict_keys, dict_offsets, dict_tags, tags_of(labels_, tags_.each))),
        weights_(tags_of(labels_, tags_.each), bits, {keys.data(), keys.shape(0)},
                 {offsets.data(), offsets.shape(0)}, {actions.data(), actions.shape(0)},
                 {weights.data(), weights.shape(0)}),
        order_(program.order()),
        predicting_([this, &program, ready, room] {
          return std::make_unique<Hand>(program, weights_, dictionary_, rules_, ready, room, tags_);
        }) {
    check_ready(ready, program, !dictionary_.empty());
  }

  nb::list predict(nb::handle sentences, const SearchOptions& how, uint32_t threads) {
    check_exact(how, weights_.actions(), order_);
    nb::list out;
    predicting_.template run<Output>(
        sentences, "X must be a list of sentences", "sentence", how, threads,
        [&](Hand& hand, const BeamSearch<Space>& search, Output& labels) {
          check(hand, search);
          labels_to(search, search.rows.empty() ? kRoot : search.rows.back().begin, hand.length(), labels);
        },
        [&](const Output& labels) { out.append(list_of(labels)); });
    return out;
  }

  // Per sentence a list of (labels, score of their best tags), best first, all different.
  nb::list kbest(nb::handle sentences, uint32_t k, const SearchOptions& how, uint32_t threads) {
    check_exact(how, weights_.actions(), order_);
    nb::list out;
    using Best = std::vector<std::pair<Output, double>>;
    predicting_.template run<Best>(
        sentences, "X must be a list of sentences", "sentence", for_kbest(how, k), threads,
        [&](Hand& hand, const BeamSearch<Space>& search, Best& best) {
          check(hand, search);
          best.clear();
          if (search.rows.empty()) {
            best.push_back({{}, 0.0});
            return;
          }
          const auto row = search.rows.back();
          std::set<Output> known;
          for (uint32_t r = row.begin; r < row.end && best.size() < k; ++r) {
            Output labels;
            labels_to(search, r, hand.length(), labels);
            if (known.insert(labels).second) best.emplace_back(std::move(labels), search.items[r].score);
          }
        },
        [&](const Best& best) {
          nb::list one;
          for (const auto& [labels, score] : best) one.append(nb::make_tuple(list_of(labels), score));
          out.append(one);
        });
    return out;
  }

  double decode_seconds() const { return predicting_.seconds(); }
  uint64_t evictions() const { return predicting_.evictions(); }

  nb::dict trace(nb::handle sentence, const nb::object& gold, const SearchOptions& how) {
    check_exact(how, weights_.actions(), order_);
    typename Predicting<Hand>::Lent lent(predicting_);
    Hand& hand = lent[0];
    hand.begin_batch();
    hand.lay_down(sentence);
    Output labels;
    if (!gold.is_none()) {
      const Sequence g(gold.ptr(), "the labels of a sentence must be a list of str");
      for (Py_ssize_t i = 0; i < g.size(); ++i) labels.push_back(labels_.id(g[i]));
    }
    hand.open(0);
    if (!gold.is_none() && labels.size() != hand.length())
      throw nb::value_error("tokens and labels differ in number");
    hand.open(0, gold.is_none() ? nullptr : labels.data());
    return watched_out<typename Hand::Search>(hand.space(), how, !gold.is_none());
  }

 private:
  static void check(const Hand& hand, const BeamSearch<Space>& search) {
    if (search.rows.size() != hand.length()) throw std::runtime_error("search found no sequence of labels");
  }

  // The labels of the path that ends in this item.
  void labels_to(const BeamSearch<Space>& search, uint32_t at, uint32_t length, Output& labels) const {
    labels.resize(length);
    for (uint32_t i = length; i-- > 0; at = search.items[at].parent)
      labels[i] = static_cast<uint16_t>(tags_.label(search.items[at].action));
  }

  nb::object list_of(const Output& labels) const {
    const Py_ssize_t n = static_cast<Py_ssize_t>(labels.size());
    PyObject* list = PyList_New(n);
    if (list == nullptr) throw nb::python_error();
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject* label = labels_.object(labels[static_cast<size_t>(i)]);
      Py_INCREF(label);
      PyList_SET_ITEM(list, i, label);
    }
    return nb::steal<nb::object>(list);
  }

  [[no_unique_address]] Tags tags_;
  Labels labels_;
  TagRules rules_;
  Dictionary dictionary_;
  Frozen weights_;
  int order_;
  Predicting<Hand> predicting_;
};

// Both taggers of one kind of tags; tag_options: what makes the tags, by name.
template <class Tags, class... TagOptions, class... Named>
void offer_taggers(nb::module_& m, const char* live_name, const char* frozen_name, Named... tag_options) {
  using Live = LiveTagging<Tags, TagOptions...>;
  auto live = nb::class_<Live>(m, live_name);
  live.def(nb::init<Corpus&, SharedWeights&, const nb::object&, const nb::object&, Array<Key>, ArrayU32,
                    Array<uint16_t>, const SearchOptions&, int, bool, const Learner&, TagOptions...>(),
           nb::arg("corpus"), nb::arg("weights"), nb::arg("after").none(), nb::arg("end").none(),
           nb::arg("dict_keys"), nb::arg("dict_offsets"), nb::arg("dict_tags"), nb::arg("search"),
           nb::arg("update"), nb::arg("skip_correct"), nb::arg("learner"), tag_options...,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 12>());
  offer_training<Live>(live);

  using Frozen = FrozenTagging<Tags, TagOptions...>;
  nb::class_<Frozen>(m, frozen_name)
      .def(nb::init<const Program&, const std::vector<std::string>&, bool, Array<Key>, ArrayU32,
                    Array<uint16_t>, Array<float>, const nb::object&, const nb::object&, Array<Key>, ArrayU32,
                    Array<uint16_t>, TagOptions..., int, size_t>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("ready"), nb::arg("keys"), nb::arg("offsets"),
           nb::arg("actions"), nb::arg("weights"), nb::arg("after").none(), nb::arg("end").none(),
           nb::arg("dict_keys"), nb::arg("dict_offsets"), nb::arg("dict_tags"), tag_options...,
           nb::arg("bits") = 0, nb::arg("room") = size_t{64} << 20, nb::keep_alive<1, 2>())
      .def_prop_ro("decode_seconds", &Frozen::decode_seconds)
      .def_prop_ro("evictions", &Frozen::evictions)
      .def("predict", &Frozen::predict, nb::arg("sentences"), nb::arg("search"), nb::arg("threads") = 1)
      .def("kbest", &Frozen::kbest, nb::arg("sentences"), nb::arg("k"), nb::arg("search"),
           nb::arg("threads") = 1)
      .def("trace", &Frozen::trace, nb::arg("sentence"), nb::arg("gold").none(), nb::arg("search"));
}

}  // namespace

void bind_tagging(nb::module_& m) {
  nb::class_<Corpus>(m, "TaggingCorpus")
      .def(nb::init<const Program&, SharedWeights&, const std::vector<std::string>&, bool>(),
           nb::arg("program"), nb::arg("weights"), nb::arg("labels"), nb::arg("ready"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add", &Corpus::add)
      .def("counts", &Corpus::counts)
      .def("keep", &Corpus::keep)
      .def_prop_ro("sentences", [](const Corpus& c) { return c.packed.sentences(); })
      .def_prop_ro("tokens", [](const Corpus& c) { return c.packed.tokens(); });

  offer_taggers<ObservedTags>(m, "LiveTagger", "FrozenTagger");
  offer_taggers<HiddenTags, uint32_t>(m, "LiveHiddenTagger", "FrozenHiddenTagger", nb::arg("hidden"));
}
