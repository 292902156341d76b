#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "bind.hpp"
#include "counts_out.hpp"
#include "labels.hpp"
#include "predictor.hpp"
#include "restricted.hpp"
#include "row_arrays.hpp"
#include "shared.hpp"
#include "tasks/tagging/decoder.hpp"
#include "tasks/tagging/dictionary.hpp"
#include "tasks/tagging/worker.hpp"
#include "text.hpp"
#include "text/gazetteers.hpp"
#include "trainer.hpp"

using namespace structron;

namespace {

using ArrayU8 = Array<uint8_t>;
using ArrayU32 = Array<uint32_t>;
using StoredArrays = std::tuple<ArrayU32, ArrayU32, ArrayU32, Array<Key>, Array<uint16_t>>;

TagRules rules_of(const nb::object& after, const nb::object& end, uint32_t tags) {
  if (after.is_none()) return {};
  return tag_rules(span_of(nb::cast<ArrayU8>(after)), span_of(nb::cast<ArrayU8>(end)), tags);
}

// One token into whatever takes words and ready features: a corpus, or a decoder.
template <class To>
void read_token(PyObject* token, bool ready, int columns, To& to) {
  if (ready) {
    read_ready(token, [&](Key key, float value) { to.add_ready(key, value); });
  } else {
    read_words(token, columns, [&](int column, std::string_view word) { to.add_word(column, word); });
  }
}

// What gazetteers say of the words of a sentence: columns after those that its tokens have.
class Marks {
 public:
  Marks(const Gazetteers* lists, const Program& program)
      : lists_(lists), columns_(program.columns() - (lists == nullptr ? 0 : lists->size())) {
    if (columns_ < 1) throw nb::value_error("there are more gazetteers than columns");
  }

  // The columns that tokens have.
  int columns() const { return columns_; }

  void sentence(nb::handle tokens) {
    if (lists_ == nullptr) return;
    words_.clear();
    next_ = 0;
    const auto add = [&](int column, std::string_view word) {
      if (column == 0) words_.push_back(word);
    };
    each_token(tokens, columns_, add, [] {});
    lists_->mark(words_, marks_);
  }
  // Those of the next token.
  template <class To>
  void add(To& to) {
    if (lists_ == nullptr) return;
    for (size_t g = 0; g < marks_.size(); ++g)
      to.add_word(columns_ + static_cast<int>(g), marks_[g].at(next_));
    ++next_;
  }

 private:
  const Gazetteers* lists_;
  int columns_;
  std::vector<std::string_view> words_;
  std::vector<std::vector<std::string_view>> marks_;
  size_t next_ = 0;
};

struct Corpus {
  SharedWeights& weights;
  TaggingCorpus packed;
  Labels labels;
  LabelSets sets{labels.size()};
  bool is_partial = false;  // whether some labels are not known
  bool ready;
  Marks marks;
  std::vector<uint8_t> allowed;  // which labels tokens with each duty may have; empty: there are no duties
  Packing packing;

  Corpus(const Program& program, SharedWeights& shared, const std::vector<std::string>& names,
         bool ready_features, const Gazetteers* gazetteers, const nb::object& labels_by_duty)
      : weights(shared),
        packed(made(program, shared)),
        labels(names),
        ready(ready_features),
        marks(gazetteers, program) {
    check_ready(ready, program, false);
    if (labels_by_duty.is_none()) return;
    const auto given = nb::cast<ArrayU8>(labels_by_duty);
    allowed.assign(given.data(), given.data() + given.shape(0));
  }

  // Features become rows of the weights while words are packed.
  static TaggingCorpus made(const Program& program, SharedWeights& weights) {
    const WithWeights alone(weights);
    return TaggingCorpus(program, weights);
  }

  // `duties`: those of its tokens, where there are any.
  void add(nb::handle sentence, nb::handle tags, const nb::object& duties) {
    const Sequence x(sentence.ptr(), "a sentence must be a list of tokens");
    const Sequence y(tags.ptr(), "the labels of a sentence must be a list of str");
    if (x.size() != y.size())
      throw nb::value_error(
          (std::to_string(x.size()) + " tokens but " + std::to_string(y.size()) + " labels").c_str());
    std::vector<uint8_t> own;
    if (!duties.is_none()) {
      const auto given = nb::cast<ArrayU8>(duties);
      own.assign(given.data(), given.data() + given.shape(0));
    }
    if (!own.empty() && own.size() != static_cast<size_t>(x.size()))
      throw nb::value_error("each token needs a duty");
    for (const uint8_t duty : own)
      if (duty != 0 && (size_t{duty} + 1) * labels.size() > allowed.size())
        throw nb::value_error("no such duty");
    const Packing::Change change(packing);
    const WithWeights alone(weights);
    if (!packed.has_words()) throw nb::value_error("a corpus that was restored takes no more sentences");
    try {
      marks.sentence(sentence);
      for (Py_ssize_t i = 0; i < x.size(); ++i) {
        const uint16_t label = known_label(labels, sets, y[i]);
        is_partial |= label >= labels.size();
        read_token(x[i], ready, marks.columns(), packed);
        marks.add(packed);
        packed.close_token(label, own.empty() ? uint8_t{0} : own[static_cast<size_t>(i)]);
      }
    } catch (...) {
      packed.drop_sentence();
      throw;
    }
    packed.close_sentence();
  }

  // Copies: (begin, ids_begin, ids, history_keys, labels).
  nb::tuple arrays() {
    const WithWeights alone(weights);
    if (ready) throw nb::value_error("ready features cannot be stored");
    const TaggingArrays all = packed.arrays();
    return nb::make_tuple(copied(all.begin), numpy_of(packed.ids_begin()), copied(all.ids),
                          copied(all.history_keys), copied(all.labels));
  }
  void restore(const StoredArrays& arrays) {
    const auto& [begin, ids_begin, ids, history_keys, gold] = arrays;
    const Packing::Change change(packing);
    const WithWeights alone(weights);
    // One more than there are labels: a token whose label is not known.
    packed.restore({span_of(begin), span_of(ids_begin), span_of(ids), span_of(history_keys), span_of(gold)},
                   labels.size() + 1);
    for (uint32_t s = 0; s < packed.sentences(); ++s)
      for (uint32_t i = 0; i < packed.length(s); ++i) is_partial |= packed.gold(s)[i] == sets.any();
  }
  template <class T>
  static nb::object copied(std::span<const T> values) {
    return numpy_of(std::vector<T>(values.begin(), values.end()));
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
    set_duties(rules, corpus.allowed, tags);
    corpus.packing.close();
    check_ready(corpus.ready, corpus.packed.program(), dict_keys.shape(0) != 0);
    if (dict_keys.shape(0) != 0 && !corpus.packed.has_words())
      throw nb::value_error("a corpus that was restored has no words for a dictionary");
    open = tags_of_words(dictionary_of(span_of(dict_keys), span_of(dict_offsets), span_of(dict_tags), tags),
                         corpus.packed.words());
  }
};

template <class Tags>
Trainer* trainer_for(Corpus& corpus, SharedWeights& weights, const TrainOptions& options,
                     const Learner& learner, const std::shared_ptr<TaggingRules>& rules, Tags tags) {
  return new Trainer(weights, corpus.packed.sentences(), options,
                     [&corpus, &weights, &learner, options, rules, tags]() -> std::unique_ptr<Worker> {
                       if (learner.sums() && !corpus.is_partial)
                         return worker_of<TaggingSummer<Tags>>(corpus.packed, weights, rules->rules,
                                                               rules->open, options, learner, tags);
                       return worker_of<TaggingWorker<Tags>>(corpus.packed, weights, rules->rules,
                                                             rules->open, options, learner, tags,
                                                             corpus.is_partial ? &corpus.sets : nullptr);
                     });
}

// `hidden`: of how many tags each label is the owner; one alone is the label itself.
Trainer* make_trainer(Corpus& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner, const nb::object& after, const nb::object& end,
                      Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags,
                      const std::optional<uint32_t>& hidden) {
  const uint32_t tags = tags_in_all(corpus.labels.size(), hidden.value_or(1));
  const auto rules =
      std::make_shared<TaggingRules>(corpus, tags, after, end, dict_keys, dict_offsets, dict_tags);
  std::unique_ptr<Trainer> made(
      hidden || corpus.is_partial
          ? trainer_for(corpus, weights, options, learner, rules, HiddenTags{hidden.value_or(1)})
          : trainer_for(corpus, weights, options, learner, rules, ObservedTags{}));
  if (weights.columns() != tags) throw nb::value_error("the weights do not fit the labels");
  check_exact(options.search, weights.columns(), corpus.packed.program().order());
  if (features_of(weights) < features_of(corpus.weights))
    throw nb::value_error("the weights do not have the features of the corpus");
  return made.release();
}

// Predicts, and sums over all outputs.
class SummingPredictor : public Predictor {
 public:
  // For each input the probability of each label of each token: one array, token by token.
  virtual nb::list marginals(nb::handle inputs, uint32_t threads) = 0;
  // For each input the logarithm of the probability of its gold labels; minus infinity if they are not
  // possible.
  virtual nb::list log_likelihoods(nb::handle inputs, nb::handle gold) = 0;
};

template <class Tags>
class TaggingPredictor final : public PredictorWith<TaggingDecoder<Tags>, SummingPredictor> {
 public:
  using Decoder = TaggingDecoder<Tags>;
  TaggingPredictor(const Program& program, const std::vector<std::string>& names, bool ready,
                   const RowArrays& rows, const nb::object& after, const nb::object& end,
                   Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags, Tags tags,
                   int bits, size_t room, const Gazetteers* gazetteers)
      : tags_(tags),
        labels_(names),
        rules_(rules_of(after, end, all())),
        dictionary_(dictionary_of(span_of(dict_keys), span_of(dict_offsets), span_of(dict_tags), all())),
        weights_(all(), bits, spans_of(rows), FrozenScorer::long_rows(all()), 0, Places::together),
        order_(program.order()),
        marks_(gazetteers, program) {
    this->start([this, &program, ready, room] {
      return std::make_unique<Decoder>(program, weights_, dictionary_, rules_, ready, room, tags_);
    });
    check_ready(ready, program, !dictionary_.empty());
  }

  nb::list predict(nb::handle sentences, const SearchOptions& how, uint32_t threads) override {
    check_exact(how, weights_.columns(), order_);
    return best_of(this->decoders(), inputs(sentences), how, threads,
                   [&](const LabelNumbers& l) { return names(l); });
  }
  nb::list kbest(nb::handle sentences, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    check_exact(how, weights_.columns(), order_);
    return kbest_of(this->decoders(), inputs(sentences), k, how, threads,
                    [&](const LabelNumbers& l) { return names(l); });
  }

  nb::dict trace(nb::handle sentence, const nb::object& gold, const SearchOptions& how) override {
    check_exact(how, weights_.columns(), order_);
    auto borrowed = this->borrow();
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    load(decoder, sentence);
    LabelNumbers labels;
    if (!gold.is_none()) {
      const Sequence g(gold.ptr(), "the labels of a sentence must be a list of str");
      for (Py_ssize_t i = 0; i < g.size(); ++i) labels.push_back(labels_.id(g[i]));
    }
    decoder.open(0);
    if (!gold.is_none() && labels.size() != decoder.length())
      throw nb::value_error("tokens and labels differ in number");
    decoder.open(0, gold.is_none() ? nullptr : labels.data());
    return traced(decoder, how, !gold.is_none());
  }

  nb::list marginals(nb::handle sentences, uint32_t threads) override {
    return answers_to(
        this->decoders(), inputs(sentences), SearchOptions{}, threads,
        [](Decoder& decoder, const auto&) { return decoder.marginals(); },
        [](const std::vector<float>& all) { return numpy_of(all); });
  }
  nb::list log_likelihoods(nb::handle sentences, nb::handle gold) override {
    const Sequence xs(sentences.ptr(), "X must be a list of sentences");
    const Sequence ys(gold.ptr(), "y must be a list of lists of labels");
    if (xs.size() != ys.size()) throw nb::value_error("X and y differ in length");
    auto borrowed = this->borrow();
    Decoder& decoder = borrowed[0];
    nb::list found;
    for (Py_ssize_t i = 0; i < xs.size(); ++i) {
      decoder.begin_batch();
      load(decoder, xs[i]);
      const Sequence y(ys[i], "the labels of a sentence must be a list of str");
      LabelNumbers labels;
      for (Py_ssize_t k = 0; k < y.size(); ++k) labels.push_back(labels_.id(y[k]));
      decoder.open(0);
      if (labels.size() != decoder.length()) throw nb::value_error("tokens and labels differ in number");
      decoder.open(0, labels.data());
      found.append(decoder.log_likelihood());
    }
    return found;
  }

 private:
  uint32_t all() const { return tags_in_all(labels_.size(), tags_.each); }
  nb::object names(const LabelNumbers& labels) const { return list_of(labels_.objects(), labels); }

  void load(Decoder& decoder, nb::handle given) const {
    const WithParts both(given);
    const nb::handle sentence = both.input;
    Marks marks = marks_;
    marks.sentence(sentence);
    const auto close = [&] {
      marks.add(decoder);
      decoder.close_token();
    };
    if (decoder.is_ready()) {
      each_of(sentence.ptr(), "a sentence must be a list of tokens", [&](PyObject* token) {
        read_ready(token, [&](Key key, float value) { decoder.add_ready(key, value); });
        close();
      });
    } else {
      const auto add = [&](int column, std::string_view word) { decoder.add_word(column, word); };
      each_token(sentence, marks.columns(), add, close);
    }
    decoder.close_sentence();
    if (both.is_restricted()) restrict_to(decoder, both.parts);
  }
  // Parts of a sentence are what is known of each token's label.
  void restrict_to(Decoder& decoder, nb::handle parts) const {
    LabelSets sets(labels_.size());
    std::vector<uint16_t> numbers;
    each_of(parts.ptr(), "what is given must be a list",
            [&](PyObject* known) { numbers.push_back(known_label(labels_, sets, known)); });
    decoder.restrict_to(sets, numbers);
  }
  auto inputs(nb::handle sentences) const {
    return PythonInputs(sentences, "X must be a list of sentences", "sentence",
                        [this](Decoder& decoder, nb::handle sentence) { load(decoder, sentence); });
  }

  [[no_unique_address]] Tags tags_;
  Labels labels_;
  TagRules rules_;
  TagDictionary dictionary_;
  Frozen weights_;
  int order_;
  Marks marks_;
};

SummingPredictor* make_predictor(const Program& program, const std::vector<std::string>& labels, bool ready,
                          const RowArrays& rows, const nb::object& after, const nb::object& end,
                          Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags, int bits,
                          size_t room, const Gazetteers* gazetteers, const std::optional<uint32_t>& hidden) {
  const auto make = [&](auto tags) -> SummingPredictor* {
    return new TaggingPredictor<decltype(tags)>(program, labels, ready, rows, after, end, dict_keys,
                                                dict_offsets, dict_tags, tags, bits, room, gazetteers);
  };
  return hidden ? make(HiddenTags{*hidden}) : make(ObservedTags{});
}

}  // namespace

void bind_tagging(nb::module_& m) {
  nb::class_<Corpus>(m, "TaggingCorpus")
      .def(nb::init<const Program&, SharedWeights&, const std::vector<std::string>&, bool, const Gazetteers*,
                    const nb::object&>(),
           nb::arg("program"), nb::arg("weights"), nb::arg("labels"), nb::arg("ready"),
           nb::arg("gazetteers") = nb::none(), nb::arg("allowed") = nb::none(), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>(), nb::keep_alive<1, 6>())
      .def("add", &Corpus::add, nb::arg("sentence"), nb::arg("tags"), nb::arg("duties") = nb::none())
      .def("arrays", &Corpus::arrays)
      .def("restore", &Corpus::restore)
      .def("counts", &Corpus::counts)
      .def("keep", &Corpus::keep)
      .def_prop_ro("sentences", [](const Corpus& c) { return c.packed.sentences(); })
      .def_prop_ro("tokens", [](const Corpus& c) { return c.packed.tokens(); });

  nb::class_<SummingPredictor, Predictor>(m, "SummingPredictor")
      .def("marginals", &SummingPredictor::marginals, nb::arg("inputs"), nb::arg("threads") = 1)
      .def("log_likelihoods", &SummingPredictor::log_likelihoods, nb::arg("inputs"), nb::arg("gold"));
  offer_trainer(m, "tagging_trainer", &make_trainer, nb::arg("after").none(), nb::arg("end").none(),
                nb::arg("dict_keys"), nb::arg("dict_offsets"), nb::arg("dict_tags"),
                nb::arg("hidden") = nb::none());
  m.def("tagging_predictor", &make_predictor, nb::arg("program"), nb::arg("labels"), nb::arg("ready"),
        nb::arg("rows"), nb::arg("after").none(), nb::arg("end").none(), nb::arg("dict_keys"),
        nb::arg("dict_offsets"), nb::arg("dict_tags"), nb::arg("bits") = 0,
        nb::arg("room") = size_t{64} << 20, nb::arg("gazetteers") = nb::none(),
        nb::arg("hidden") = nb::none(), nb::keep_alive<0, 1>(), nb::keep_alive<0, 12>());
}
