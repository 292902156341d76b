#include "tasks/translation/language_model/language_model.hpp"

#include "bind.hpp"
#include "tasks/translation/language_model/kneser_ney.hpp"

using namespace structron;

namespace {

template <class T>
std::vector<T> copied(const Array<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

nb::tuple estimate(Array<uint32_t> words, Array<uint64_t> offsets, uint32_t vocabulary, uint32_t order) {
  NGrams found;
  {
    nb::gil_scoped_release free;
    found = KneserNey(span_of(words), span_of(offsets), vocabulary, order).take();
  }
  return nb::make_tuple(numpy_of(std::move(found.sizes)), numpy_of(std::move(found.words)),
                        numpy_of(std::move(found.first)), numpy_of(std::move(found.logprob)),
                        numpy_of(std::move(found.backoff)));
}

LanguageModel::State checked(const LanguageModel& model, uint64_t state) {
  if (!model.is_state(state)) throw nb::value_error("the model has no such state");
  return static_cast<LanguageModel::State>(state);
}

// The logarithm of each sentence's probability, ends included.
nb::object sentences(const LanguageModel& model, Array<uint32_t> words, Array<uint64_t> offsets) {
  std::vector<double> totals;
  {
    nb::gil_scoped_release free;
    for (size_t i = 0; i + 1 < offsets.shape(0); ++i) {
      const uint64_t begin = offsets.data()[i], end = offsets.data()[i + 1];
      if (begin > end || end > words.shape(0))
        throw std::invalid_argument("offsets do not rise or point too far");
      LanguageModel::State state = model.begin();
      double total = 0;
      for (uint64_t k = begin; k < end; ++k) total += model.score(state, words.data()[k], state);
      totals.push_back(total + model.end(state));
    }
  }
  return numpy_of(std::move(totals));
}

}  // namespace

void bind_language_model(nb::module_& m) {
  m.def("estimate_language_model", &estimate, nb::arg("words"), nb::arg("offsets"), nb::arg("vocabulary"),
        nb::arg("order"));
  nb::class_<LanguageModel>(m, "LanguageModel")
      .def(
          "__init__",
          [](LanguageModel* self, Array<uint64_t> sizes, Array<uint32_t> words, Array<uint32_t> first,
             Array<float> logprob, Array<float> backoff) {
            nb::gil_scoped_release free;
            new (self) LanguageModel(
                NGrams{copied(sizes), copied(words), copied(first), copied(logprob), copied(backoff)});
          },
          nb::arg("sizes"), nb::arg("words"), nb::arg("first"), nb::arg("logprob"), nb::arg("backoff"))
      .def_prop_ro("order", &LanguageModel::order)
      .def_prop_ro("words", &LanguageModel::words)
      .def_prop_ro("bytes", &LanguageModel::bytes)
      .def("begin", &LanguageModel::begin)
      .def(
          "score",
          [](const LanguageModel& model, uint64_t state, uint32_t word) {
            LanguageModel::State next = 0;
            const float score = model.score(checked(model, state), word, next);
            return nb::make_tuple(score, next);
          },
          nb::arg("state"), nb::arg("word"))
      .def(
          "end", [](const LanguageModel& model, uint64_t state) { return model.end(checked(model, state)); },
          nb::arg("state"))
      .def(
          "context",
          [](const LanguageModel& model, uint64_t state) {
            return numpy_of(model.context(checked(model, state)));
          },
          nb::arg("state"))
      .def("sentences", &sentences, nb::arg("words"), nb::arg("offsets"));
}
