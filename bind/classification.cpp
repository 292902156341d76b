#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>

#include "bind.hpp"
#include "counts_out.hpp"
#include "labels.hpp"
#include "live.hpp"
#include "predicting.hpp"
#include "row_arrays.hpp"
#include "shared.hpp"
#include "tasks/classification/corpus.hpp"
#include "tasks/classification/decoder.hpp"
#include "tasks/classification/worker.hpp"
#include "text.hpp"

using namespace structron;

namespace {

constexpr size_t kBytes = ClassificationDecoder::kBytes;
using TemplateTuple = std::tuple<Key, bool, uint32_t>;

void check_value(double value) {
  if (!(std::fabs(value) <= 1e15))
    throw std::invalid_argument("a feature value is not a finite number, or beyond 1e15");
}

// A bag as it travels: keys, and a value for each.
bool is_bag(PyObject* x) {
  return PyTuple_Check(x) && PyTuple_GET_SIZE(x) == 2 && !PyUnicode_Check(PyTuple_GET_ITEM(x, 0));
}
template <class Add>
void read_bag(PyObject* x, Add&& add) {
  Array<Key> keys;
  Array<float> values;
  if (!nb::try_cast(nb::handle(PyTuple_GET_ITEM(x, 0)), keys) ||
      !nb::try_cast(nb::handle(PyTuple_GET_ITEM(x, 1)), values) || keys.shape(0) != values.shape(0))
    throw nb::type_error("a bag must be an array of keys and one of as many values");
  for (size_t i = 0; i < keys.shape(0); ++i) {
    check_value(values.data()[i]);
    add(keys.data()[i], values.data()[i]);
  }
}

// text(s) for a text; add(key, value) for each feature of words, named features or a bag.
template <class Text, class Add>
void read_input(PyObject* x, TextReader& reader, Text&& text, Add&& add) {
  if (PyUnicode_Check(x)) {
    text(utf8(x));
  } else if (is_bag(x)) {
    read_bag(x, add);
  } else if (PyDict_Check(x)) {
    read_ready(x, [&](Key key, float value) { add(key, value); });
  } else if (PyList_Check(x) || PyTuple_Check(x)) {
    reader.begin();
    each_of(x, "a list of words", [&](PyObject* word) {
      if (!PyUnicode_Check(word)) bad_token("a word must be a str", word);
      reader.word(utf8(word));
    });
    reader.finish([&](Key key) { add(key, 1.0); });
  } else {
    bad_token("an input must be a str, a list of words, a dict of features or a bag", x);
  }
}

std::vector<TextTemplate> templates_of(const std::vector<TemplateTuple>& tuples) {
  std::vector<TextTemplate> out;
  for (const auto& [base, characters, length] : tuples) out.push_back({base, characters, length});
  return out;
}

Tf tf_of(int code) {
  if (code < 0 || code > 2) throw nb::value_error("no such weighting");
  return static_cast<Tf>(code);
}

// Counts of the features of inputs before they are weighed, and of how many inputs each is a feature.
nb::tuple bags_of(const Vectorizer& vectorizer, nb::handle xs) {
  const WithoutCollector paused;
  const Sequence all(xs.ptr(), "X must be a list");
  TextReader reader = vectorizer.reader();
  Bag bag, folded;
  Counting counting;
  nb::list out;
  for (Py_ssize_t i = 0; i < all.size(); ++i) {
    bag.clear();
    const auto add = [&](Key key, double value) { bag.add(key, value); };
    try {
      read_input(
          all[i], reader,
          [&](std::string_view s) {
            bag.clear(s.size() / kBytes);
            reader.text(s, [&](Key key) { bag.add(key, 1.0); });
          },
          add);
    } catch (const nb::builtin_exception& e) {
      throw nb::builtin_exception(e.type(), ("input " + std::to_string(i + 1) + ": " + e.what()).c_str());
    } catch (const std::invalid_argument& e) {
      throw nb::value_error(("input " + std::to_string(i + 1) + ": " + e.what()).c_str());
    }
    if (vectorizer.options().bits == 0) {
      for (Key key : bag.keys()) counting.prefetch(key);
      for (size_t k = 0; k < bag.size(); ++k)
        if (bag.values()[k] != 0) counting.see(bag.keys()[k]);
    } else {
      folded.clear();
      for (size_t k = 0; k < bag.size(); ++k) folded.add(vectorizer.folded(bag.keys()[k]), bag.values()[k]);
      for (size_t k = 0; k < folded.size(); ++k)
        if (folded.values()[k] != 0) counting.see(folded.keys()[k]);
    }
    std::vector<float> values(bag.values().begin(), bag.values().end());
    out.append(nb::make_tuple(numpy_of(std::vector<Key>(bag.keys().begin(), bag.keys().end())),
                              numpy_of(std::move(values))));
  }
  return nb::make_tuple(out, counts_out(std::move(counting).give()));
}

class Gold {
 public:
  Gold(const std::vector<std::string>& labels, bool many) : labels_(labels), many_(many) {}

  Decisions decisions() const { return {labels_.size(), many_}; }
  const Labels& labels() const { return labels_; }

  void read(nb::handle y, std::vector<uint16_t>& out) const {
    out.clear();
    if (PyUnicode_Check(y.ptr())) bad_token("labels must be a list of str", y.ptr());
    if (many_) out.assign(labels_.size(), 0);
    each_of(y.ptr(), "labels must be a list of str", [&](PyObject* label) {
      const uint16_t id = labels_.id(label);
      many_ ? void(out[id] = 1) : out.push_back(id);
    });
    if (!many_ && out.size() != 1) throw nb::value_error("an input has one label, unless many may be right");
  }
  // What the actions say, as Python has it: a label, or a list of them.
  nb::object output(const Actions& actions) const {
    if (!many_) return labels_.objects()[actions.at(0)];
    std::vector<uint16_t> chosen;
    for (size_t i = 0; i < actions.size(); ++i)
      if (actions[i] == 1) chosen.push_back(static_cast<uint16_t>(i));
    return list_of(labels_.objects(), chosen);
  }

 private:
  Labels labels_;
  bool many_;
};

struct ClassifiedExamples {
  const Vectorizer& vectorizer;
  SharedWeights& weights;
  Gold gold;
  ClassificationCorpus packed;
  Packing packing;
  TextReader reader;
  Bag bag;
  std::vector<uint16_t> actions;

  ClassifiedExamples(const Vectorizer& v, SharedWeights& w, const std::vector<std::string>& labels, bool many)
      : vectorizer(v), weights(w), gold(labels, many), packed(gold.decisions(), w), reader(v.reader()) {
    if (w.columns() != gold.decisions().columns()) throw nb::value_error("the weights do not fit the labels");
  }

  // `scale`: by how much all values are multiplied.
  void add(nb::handle x, nb::handle y, double scale) {
    check_value(scale);
    const Packing::Change change(packing);
    gold.read(y, actions);
    bag.clear();
    // A bag has each key once, unless they are folded.
    const bool is_new = vectorizer.options().bits == 0 && is_bag(x.ptr());
    const auto put = [&](Key key, double value) {
      is_new ? bag.append(key, value) : bag.add(vectorizer.folded(key), value);
    };
    read_input(
        x.ptr(), reader,
        [&](std::string_view s) {
          bag.clear(s.size() / kBytes);
          reader.text(s, [&](Key key) { put(key, 1.0); });
        },
        put);
    vectorizer.weigh(bag);
    if (scale != 1) bag.scale(scale);
    const WithWeights alone(weights);
    packed.add(bag, actions);
  }
};

class LiveClassifier : public LiveOver<ClassificationWorker> {
 public:
  LiveClassifier(ClassifiedExamples& corpus, SharedWeights& weights, const SearchOptions& search, int update,
                 bool skip_correct, const Learner& learner)
      : LiveOver(weights, corpus.packed.examples(), options_of(search, update, skip_correct),
                 [&corpus, &weights, &learner, options = options_of(search, update, skip_correct)] {
                   return std::make_unique<ClassificationWorker>(corpus.packed, weights, options, learner);
                 }) {
    if (weights.columns() != corpus.packed.decisions().columns())
      throw nb::value_error("the weights do not fit the labels");
    corpus.packing.close();
  }
};

void load(ClassificationDecoder& decoder, nb::handle x) {
  if (PyUnicode_Check(x.ptr())) return decoder.add_text(utf8(x.ptr()));
  decoder.begin_counts();
  read_input(
      x.ptr(), decoder.reader(), [](std::string_view) {},
      [&](Key key, double value) { decoder.add_count(key, value); });
}
auto inputs(nb::handle xs) {
  return PythonInputs(xs, "X must be a list of inputs", "input", &load);
}

class FrozenClassifier {
 public:
  using Decoder = ClassificationDecoder;

  FrozenClassifier(const Vectorizer& vectorizer, const std::vector<std::string>& labels, bool many,
                   const RowArrays& rows)
      : gold_(labels, many),
        weights_(gold_.decisions().columns(), vectorizer.options().bits, spans_of(rows), LongRows::whole),
        decoders_([this, &vectorizer] {
          return std::make_unique<Decoder>(vectorizer, weights_, gold_.decisions());
        }) {}

  nb::list predict(nb::handle xs, const SearchOptions& how, uint32_t threads) {
    return best_of(decoders_, inputs(xs), how, threads, [&](const Actions& a) { return gold_.output(a); });
  }
  nb::list kbest(nb::handle xs, uint32_t k, const SearchOptions& how, uint32_t threads) {
    return kbest_of(decoders_, inputs(xs), k, how, threads,
                    [&](const Actions& a) { return gold_.output(a); });
  }
  // The sums of all columns, input by input.
  nb::object scores(nb::handle xs, uint32_t threads) {
    std::vector<float> all;
    auto read = inputs(xs);
    const uint32_t columns = gold_.decisions().columns();
    decoders_.run<std::vector<float>>(
        read, SearchOptions{}, threads,
        [&](Decoder& decoder, const auto&, std::vector<float>& answer) {
          const auto sums = decoder.sums().first(columns);
          answer.assign(sums.begin(), sums.end());
        },
        [&](const std::vector<float>& answer) { all.insert(all.end(), answer.begin(), answer.end()); });
    return numpy_of(std::move(all));
  }

  double decode_seconds() const { return decoders_.seconds(); }
  uint64_t evictions() const { return decoders_.evictions(); }

  nb::dict trace(nb::handle x, const nb::object& gold, const SearchOptions& how) {
    Decoders<Decoder>::Borrowed borrowed(decoders_);
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    load(decoder, x);
    std::vector<uint16_t> actions;
    if (!gold.is_none()) gold_.read(gold, actions);
    decoder.open(0, gold.is_none() ? nullptr : actions.data());
    nb::dict out = traced(decoder, how, !gold.is_none());
    decoder.space().input({}, nullptr);
    return out;
  }

 private:
  Gold gold_;
  Frozen weights_;
  Decoders<Decoder> decoders_;
};

}  // namespace

void bind_classification(nb::module_& m) {
  nb::class_<Vectorizer>(m, "Vectorizer")
      .def(
          "__init__",
          [](Vectorizer* self, const std::vector<TemplateTuple>& templates, bool lowered, int tf, bool idf,
             bool l2, bool intercept, int bits, Array<Key> keys, Array<uint32_t> times, uint32_t documents) {
            const Vectorizer::Options options{lowered, tf_of(tf), idf, l2, intercept, bits};
            new (self) Vectorizer(templates_of(templates), options, span_of(keys), span_of(times), documents);
          },
          nb::arg("templates"), nb::arg("lowered"), nb::arg("tf"), nb::arg("idf"), nb::arg("l2"),
          nb::arg("intercept"), nb::arg("bits"), nb::arg("keys"), nb::arg("times"), nb::arg("documents"))
      .def("bags", &bags_of, nb::arg("xs"))
      .def(
          "vector",
          [](const Vectorizer& vectorizer, nb::handle x) {
            TextReader reader = vectorizer.reader();
            Bag bag;
            const auto put = [&](Key key, double value) { bag.add(vectorizer.folded(key), value); };
            read_input(
                x.ptr(), reader,
                [&](std::string_view s) {
                  bag.clear(s.size() / kBytes);
                  reader.text(s, [&](Key key) { put(key, 1.0); });
                },
                put);
            vectorizer.weigh(bag);
            return nb::make_tuple(numpy_of(std::vector<Key>(bag.keys().begin(), bag.keys().end())),
                                  numpy_of(std::vector<double>(bag.values().begin(), bag.values().end())));
          },
          nb::arg("x"));

  nb::class_<ClassifiedExamples>(m, "ClassificationCorpus")
      .def(nb::init<const Vectorizer&, SharedWeights&, const std::vector<std::string>&, bool>(),
           nb::arg("vectorizer"), nb::arg("weights"), nb::arg("labels"), nb::arg("many"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add", &ClassifiedExamples::add, nb::arg("x"), nb::arg("y"), nb::arg("scale") = 1.0)
      .def_prop_ro("sentences", [](const ClassifiedExamples& c) { return c.packed.examples(); })
      .def_prop_ro("tokens", [](const ClassifiedExamples& c) { return c.packed.features(); });

  auto live = nb::class_<LiveClassifier>(m, "LiveClassifier");
  live.def(nb::init<ClassifiedExamples&, SharedWeights&, const SearchOptions&, int, bool, const Learner&>(),
           nb::arg("corpus"), nb::arg("weights"), nb::arg("search"), nb::arg("update"),
           nb::arg("skip_correct"), nb::arg("learner"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
           nb::keep_alive<1, 7>());
  offer_training<LiveClassifier>(live);

  auto frozen = nb::class_<FrozenClassifier>(m, "FrozenClassifier");
  frozen
      .def(nb::init<const Vectorizer&, const std::vector<std::string>&, bool, const RowArrays&>(),
           nb::arg("vectorizer"), nb::arg("labels"), nb::arg("many"), nb::arg("rows"), nb::keep_alive<1, 2>())
      .def("scores", &FrozenClassifier::scores, nb::arg("xs"), nb::arg("threads") = 1);
  offer_predicting<FrozenClassifier>(frozen, "x", "xs");
}
