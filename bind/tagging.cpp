#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <ctime>
#include <mutex>
#include <string>
#include <unordered_map>

#include "bind.hpp"
#include "guards.hpp"
#include "labels.hpp"
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

SearchOptions search_of(uint32_t width, bool merge) {
  return {width, merge, 1};
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

class LiveTagger {
 public:
  using Space = TaggingSpace<LiveScorer>;

  LiveTagger(Corpus& corpus, Weights& weights, const nb::object& after, const nb::object& end,
             Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags, uint32_t width,
             bool merge, int update, bool skip_correct, const Learner& learner)
      : corpus_(corpus),
        rules_(rules_of(after, end, corpus.labels.size())),
        scorer_(corpus.packed, weights),
        space_(scorer_, rules_, corpus.packed.program().order(), learner.margin()),
        options_{search_of(width, merge), static_cast<Update>(update), skip_correct},
        trainer_(weights, learner, options_) {
    if (update < 0 || update > 5) throw nb::value_error("no such update method");
    if (const Substructures* jj = learner.mixes())
      for (uint32_t s = 0; s < corpus.packed.sentences(); ++s)
        if (corpus.packed.length(s) > jj->longest())
          throw nb::value_error(("all_subsets is for outputs of at most " + std::to_string(jj->longest()) +
                                 " parts, and sentence " + std::to_string(s + 1) + " has " +
                                 std::to_string(corpus.packed.length(s)) + "; use other sub-structures")
                                    .c_str());
    if (dict_keys.shape(0) > 0) {
      const Dictionary d = dictionary_of(dict_keys, dict_offsets, dict_tags, corpus.labels.size());
      const Lexicon& words = corpus.packed.words();
      open_.resize(words.size());
      for (uint32_t w = 0; w < words.size(); ++w)
        if (const auto it = d.find(words.hash(w)); it != d.end()) open_[w] = it->second;
      scorer_.set_dictionary(&open_);
    }
  }

  // Trains on these sentences, in this order.
  nb::tuple run(ArrayU32 order) {
    Counts c;
    {
      nb::gil_scoped_release free;
      for (size_t i = 0; i < order.shape(0); ++i) {
        open(order.data()[i]);
        trainer_.example(space_, c);
      }
    }
    return nb::make_tuple(c.examples, c.steps, c.errors, c.updates, c.invalid, c.early);
  }

  nb::dict trace(uint32_t sentence) {
    open(sentence);
    Watched<Space> w(options_.search);
    w.start(space_);
    while (w.advance(space_, true)) {
    }
    return trace_out(w);
  }

 private:
  void open(uint32_t s) {
    if (s >= corpus_.packed.sentences()) throw nb::index_error("no such sentence");
    scorer_.sentence(s);
    space_.sentence(corpus_.packed.length(s), corpus_.packed.gold(s));
  }

  Corpus& corpus_;
  TagRules rules_;
  LiveScorer scorer_;
  Space space_;
  TrainOptions options_;
  Trainer<Space> trainer_;
  std::vector<std::vector<uint16_t>> open_;
};

class FrozenTagger {
 public:
  using Space = TaggingSpace<FrozenScorer>;

  FrozenTagger(const Program& program, const std::vector<std::string>& names, bool ready, Array<Key> keys,
               ArrayU32 offsets, Array<uint16_t> actions, Array<float> weights, const nb::object& after,
               const nb::object& end, Array<Key> dict_keys, ArrayU32 dict_offsets, Array<uint16_t> dict_tags,
               int bits, size_t room)
      : labels_(names),
        ready_(ready),
        rules_(rules_of(after, end, labels_.size())),
        dictionary_(dictionary_of(dict_keys, dict_offsets, dict_tags, labels_.size())),
        weights_(labels_.size(), bits, {keys.data(), keys.shape(0)}, {offsets.data(), offsets.shape(0)},
                 {actions.data(), actions.shape(0)}, {weights.data(), weights.shape(0)}),
        scorer_(program, weights_, dictionary_, room),
        space_(scorer_, rules_, program.order()) {}

  nb::list predict(nb::handle sentences, uint32_t width, bool merge) {
    nb::list out;
    Search<Space> search(search_of(width, merge));
    std::vector<uint16_t> tags;
    in_batches(
        sentences,
        [&](uint32_t length) {
          const uint32_t first = static_cast<uint32_t>(tags.size());
          tags.resize(first + length);
          decode(search);
          uint32_t at = search.rows.empty() ? kRoot : search.rows.back().begin;
          for (uint32_t i = length; i-- > 0; at = search.items[at].parent)
            tags[first + i] = static_cast<uint16_t>(search.items[at].action);
        },
        [&](const std::vector<uint32_t>& lengths) {
          uint32_t next = 0;
          for (uint32_t n : lengths) {
            out.append(list_of(tags.data() + next, n));
            next += n;
          }
          tags.clear();
        });
    return out;
  }

  // Per sentence a list of (labels, score), best first.
  nb::list kbest(nb::handle sentences, uint32_t k, uint32_t width, bool merge) {
    nb::list out;
    SearchOptions options = search_of(width, merge);
    if (width == 0) options.per_class = k;
    Search<Space> search(options);
    std::vector<std::vector<std::pair<std::vector<uint16_t>, double>>> found;
    in_batches(
        sentences,
        [&](uint32_t length) {
          decode(search);
          auto& best = found.emplace_back();
          if (search.rows.empty()) {
            best.push_back({{}, 0.0});
            return;
          }
          const auto row = search.rows.back();
          for (uint32_t r = row.begin; r < row.end && best.size() < k; ++r) {
            std::vector<uint16_t> tags(length);
            uint32_t at = r;
            for (uint32_t i = length; i-- > 0; at = search.items[at].parent)
              tags[i] = static_cast<uint16_t>(search.items[at].action);
            best.push_back({std::move(tags), search.items[r].score});
          }
        },
        [&](const std::vector<uint32_t>&) {
          for (const auto& best : found) {
            nb::list one;
            for (const auto& [tags, score] : best)
              one.append(nb::make_tuple(list_of(tags.data(), static_cast<uint32_t>(tags.size())), score));
            out.append(one);
          }
          found.clear();
        });
    return out;
  }

  // CPU time spent searching, from integers to integers, since the model was loaded.
  double decode_seconds() const { return decode_seconds_; }

  nb::dict trace(nb::handle sentence, const nb::object& gold, uint32_t width, bool merge) {
    const Alone alone(mutex_);
    scorer_.begin_batch();
    const uint32_t length = lay_down(sentence);
    std::vector<uint16_t> tags;
    if (!gold.is_none()) {
      const Sequence g(gold.ptr(), "the labels of a sentence must be a list of str");
      if (g.size() != static_cast<Py_ssize_t>(length))
        throw nb::value_error("tokens and labels differ in number");
      for (Py_ssize_t i = 0; i < g.size(); ++i) tags.push_back(labels_.id(g[i]));
    }
    open(0, length, gold.is_none() ? nullptr : tags.data());
    Watched<Space> w(search_of(width, merge));
    w.start(space_);
    while (w.advance(space_, !gold.is_none())) {
    }
    return trace_out(w);
  }

 private:
  // decode(length) is called without the interpreter's lock, flush(lengths) with it.
  template <class Decode, class Flush>
  void in_batches(nb::handle sentences, Decode&& decode_one, Flush&& flush) {
    const Alone alone(mutex_);
    const WithoutCollector paused;
    const Sequence all(sentences.ptr(), "X must be a list of sentences");
    constexpr Py_ssize_t kBatch = 64;
    std::vector<uint32_t> lengths;
    for (Py_ssize_t from = 0; from < all.size(); from += kBatch) {
      scorer_.begin_batch();
      lengths.clear();
      const Py_ssize_t to = std::min(all.size(), from + kBatch);
      for (Py_ssize_t s = from; s < to; ++s) {
        try {
          lengths.push_back(lay_down(all[s]));
        } catch (const nb::builtin_exception& e) {
          const std::string message = "sentence " + std::to_string(s + 1) + ": " + e.what();
          throw nb::builtin_exception(e.type(), message.c_str());
        }
      }
      {
        nb::gil_scoped_release free;
        const std::clock_t began = std::clock();
        uint32_t first = 0;
        for (uint32_t n : lengths) {
          open(first, n, nullptr);
          decode_one(n);
          first += n;
        }
        decode_seconds_ += static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
      }
      flush(lengths);
    }
  }

  uint32_t lay_down(nb::handle sentence) {
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
    return static_cast<uint32_t>(tokens.size());
  }

  void open(uint32_t first, uint32_t length, const uint16_t* gold) {
    length_ = length;
    scorer_.sentence(first, length);
    space_.sentence(length, gold);
  }

  void decode(Search<Space>& search) {
    search.start({0.0, space_.initial(), kRoot, 0, false});
    while (search.advance(space_)) {
    }
    if (search.rows.size() != length_) throw std::runtime_error("search found no sequence of labels");
  }

  nb::object list_of(const uint16_t* tags, uint32_t n) const {
    PyObject* list = PyList_New(n);
    if (list == nullptr) throw nb::python_error();
    for (uint32_t i = 0; i < n; ++i) {
      PyObject* label = labels_.object(tags[i]);
      Py_INCREF(label);
      PyList_SET_ITEM(list, i, label);
    }
    return nb::steal<nb::object>(list);
  }

  Labels labels_;
  bool ready_;
  TagRules rules_;
  Dictionary dictionary_;
  Frozen weights_;
  FrozenScorer scorer_;
  Space space_;
  uint32_t length_ = 0;  // of the sentence that is open
  double decode_seconds_ = 0;
  std::mutex mutex_;
};

}  // namespace

void bind_tagging(nb::module_& m) {
  nb::class_<Corpus>(m, "TaggingCorpus")
      .def(nb::init<const Program&, Weights&, const std::vector<std::string>&, bool>(), nb::arg("program"),
           nb::arg("weights"), nb::arg("labels"), nb::arg("ready"), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>())
      .def("add", &Corpus::add)
      .def("cut", [](Corpus& c, uint32_t times) { c.packed.cut(times); })
      .def_prop_ro("sentences", [](const Corpus& c) { return c.packed.sentences(); })
      .def_prop_ro("tokens", [](const Corpus& c) { return c.packed.tokens(); });

  nb::class_<LiveTagger>(m, "LiveTagger")
      .def(nb::init<Corpus&, Weights&, const nb::object&, const nb::object&, Array<Key>, ArrayU32,
                    Array<uint16_t>, uint32_t, bool, int, bool, const Learner&>(),
           nb::arg("corpus"), nb::arg("weights"), nb::arg("after").none(), nb::arg("end").none(),
           nb::arg("dict_keys"), nb::arg("dict_offsets"), nb::arg("dict_tags"), nb::arg("width"),
           nb::arg("merge"), nb::arg("update"), nb::arg("skip_correct"), nb::arg("learner"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 13>())
      .def("run", &LiveTagger::run)
      .def("trace", &LiveTagger::trace);

  nb::class_<FrozenTagger>(m, "FrozenTagger")
      .def(nb::init<const Program&, const std::vector<std::string>&, bool, Array<Key>, ArrayU32,
                    Array<uint16_t>, Array<float>, const nb::object&, const nb::object&, Array<Key>, ArrayU32,
                    Array<uint16_t>, int, size_t>(),
           nb::arg("program"), nb::arg("labels"), nb::arg("ready"), nb::arg("keys"), nb::arg("offsets"),
           nb::arg("actions"), nb::arg("weights"), nb::arg("after").none(), nb::arg("end").none(),
           nb::arg("dict_keys"), nb::arg("dict_offsets"), nb::arg("dict_tags"), nb::arg("bits") = 0,
           nb::arg("room") = size_t{64} << 20, nb::keep_alive<1, 2>())
      .def_prop_ro("decode_seconds", &FrozenTagger::decode_seconds)
      .def("predict", &FrozenTagger::predict, nb::arg("sentences"), nb::arg("width"), nb::arg("merge"))
      .def("kbest", &FrozenTagger::kbest, nb::arg("sentences"), nb::arg("k"), nb::arg("width"),
           nb::arg("merge"))
      .def("trace", &FrozenTagger::trace, nb::arg("sentence"), nb::arg("gold").none(), nb::arg("width"),
           nb::arg("merge"));
}
