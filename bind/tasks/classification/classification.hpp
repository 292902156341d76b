// What classifiers of every sort take from Python: inputs as users have them, and their labels.
#pragma once
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bind.hpp"
#include "labels.hpp"
#include "predictor.hpp"
#include "tasks/classification/counted.hpp"
#include "tasks/classification/decoder.hpp"
#include "text.hpp"

inline void check_value(double value) {
  if (!(std::fabs(value) <= 1e15))
    throw std::invalid_argument("a feature value is not a finite number, or beyond 1e15");
}

// A bag as it travels: keys, and a value for each.
inline bool is_bag(PyObject* x) {
  return PyTuple_Check(x) && NB_TUPLE_GET_SIZE(x) == 2 && !PyUnicode_Check(NB_TUPLE_GET_ITEM(x, 0));
}
template <class Add>
void read_bag(PyObject* x, Add&& add) {
  Array<structron::Key> keys;
  Array<float> values;
  if (!nb::try_cast(nb::handle(NB_TUPLE_GET_ITEM(x, 0)), keys) ||
      !nb::try_cast(nb::handle(NB_TUPLE_GET_ITEM(x, 1)), values) || keys.shape(0) != values.shape(0))
    throw nb::type_error("a bag must be an array of keys and one of as many values");
  for (size_t i = 0; i < keys.shape(0); ++i) {
    check_value(values.data()[i]);
    add(keys.data()[i], values.data()[i]);
  }
}

// One of many inputs that were counted together.
struct CountedBag {
  std::shared_ptr<const structron::CountedInputs> all;
  uint32_t input;

  size_t size() const { return (*all)[input].features.size(); }
  template <class Add>
  void each(Add&& add) const {
    const auto [features, counts] = (*all)[input];
    for (size_t i = 0; i < features.size(); ++i) add(all->keys()[features[i]], counts[i]);
  }
};

// text(s) for a text; add(key, value) for each feature of words, named features or a bag.
template <class Text, class Add>
void read_input(PyObject* x, structron::TextReader& reader, Text&& text, Add&& add) {
  if (PyUnicode_Check(x)) {
    text(utf8(x));
  } else if (is_bag(x)) {
    read_bag(x, add);
  } else if (nb::isinstance<CountedBag>(x)) {
    nb::cast<const CountedBag&>(nb::handle(x)).each(add);
  } else if (PyDict_Check(x)) {
    read_ready(x, [&](structron::Key key, float value) { add(key, value); });
  } else if (PyList_Check(x) || PyTuple_Check(x)) {
    reader.begin();
    each_of(x, "a list of words", [&](PyObject* word) {
      if (!PyUnicode_Check(word)) bad_token("a word must be a str", word);
      reader.word(utf8(word));
    });
    reader.finish([&](structron::Key key) { add(key, 1.0); });
  } else {
    bad_token("an input must be a str, a list of words, a dict of features or a bag", x);
  }
}

class Gold {
 public:
  Gold(const std::vector<std::string>& labels, bool many) : labels_(labels), many_(many) {}

  structron::Decisions decisions() const { return {labels_.size(), many_}; }
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
  nb::object output(const structron::Actions& actions) const {
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

// A predictor that gives the sums of all columns as well, input by input.
class Scorer : public Predictor {
 public:
  virtual nb::object scores(nb::handle xs, uint32_t threads) = 0;
};

// Loads one input into a decoder.
template <class Decoder>
void load_input(Decoder& decoder, nb::handle x) {
  structron::ClassificationInputs& inputs = decoder.inputs();
  if (PyUnicode_Check(x.ptr())) return inputs.add_text(utf8(x.ptr()));
  inputs.begin_counts();
  read_input(
      x.ptr(), inputs.reader(), [](std::string_view) {},
      [&](structron::Key key, double value) { inputs.add_count(key, value); });
}
template <class Decoder>
auto inputs_for(nb::handle xs) {
  return PythonInputs(xs, "X must be a list of inputs", "input", &load_input<Decoder>);
}

// The sums of all columns, input by input; sums(decoder, search) gives those of one.
template <class Decoder, class Sums>
nb::object sums_of(structron::Decoders<Decoder>& decoders, nb::handle xs, uint32_t threads, Sums&& sums) {
  std::vector<float> all;
  auto read = inputs_for<Decoder>(xs);
  decoders.template run<std::vector<float>>(
      read, structron::SearchOptions{}, threads,
      [&](Decoder& decoder, const auto& search, std::vector<float>& answer) {
        answer = sums(decoder, search);
      },
      [&](const std::vector<float>& answer) { all.insert(all.end(), answer.begin(), answer.end()); });
  return numpy_of(std::move(all));
}
