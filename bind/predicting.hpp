// Predicting from Python: lists of inputs in, lists of outputs out. The loop is in core/search/decoders.hpp.
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include "bind.hpp"
#include "guards.hpp"
#include "search/decoders.hpp"
#include "text.hpp"
#include "trace_out.hpp"

// Inputs as Python has them. `read` loads one into a decoder.
template <class Read>
class PythonInputs {
 public:
  PythonInputs(nb::handle inputs, const char* what, const char* each, Read read)
      : all_(inputs.ptr(), what), each_(each), read_(std::move(read)) {}

  size_t size() const { return static_cast<size_t>(all_.size()); }
  // By length, as far as an input tells it; what is no sequence is refused when it is loaded.
  uint64_t cost(size_t i) const {
    const Py_ssize_t length = PyObject_Length(all_[static_cast<Py_ssize_t>(i)]);
    if (length < 0) PyErr_Clear();
    return static_cast<uint64_t>(std::max<Py_ssize_t>(0, length));
  }
  template <class Decoder>
  void load(Decoder& decoder, size_t i) const {
    const auto name = [&](const char* what) {
      return std::string(each_) + " " + std::to_string(i + 1) + ": " + what;
    };
    try {
      read_(decoder, nb::handle(all_[static_cast<Py_ssize_t>(i)]));
    } catch (const nb::builtin_exception& e) {
      throw nb::builtin_exception(e.type(), name(e.what()).c_str());
    } catch (const std::invalid_argument& e) {
      throw nb::value_error(name(e.what()).c_str());
    }
  }
  template <class Work>
  void search(Work&& work) const {
    nb::gil_scoped_release free;
    work();
  }

 private:
  const WithoutCollector paused_;
  const Sequence all_;
  const char* each_;
  Read read_;
};

// Per input what out(answer) makes of got(decoder, search).
template <class Decoder, class Read, class Got, class Out>
nb::list answers_to(structron::Decoders<Decoder>& decoders, PythonInputs<Read>&& inputs,
                    const structron::SearchOptions& how, uint32_t threads, Got&& got, Out&& out) {
  using Search = typename structron::Decoders<Decoder>::Search;
  using Answer = decltype(got(std::declval<Decoder&>(), std::declval<const Search&>()));
  nb::list all;
  decoders.template run<Answer>(
      inputs, how, threads,
      [&](Decoder& decoder, const Search& search, Answer& answer) { answer = got(decoder, search); },
      [&](const Answer& answer) { all.append(out(answer)); });
  return all;
}

// The best output of each input, and lists of (output, score) of the k best that differ, best first.
template <class Decoder, class Read, class Out>
nb::list best_of(structron::Decoders<Decoder>& decoders, PythonInputs<Read>&& inputs,
                 structron::SearchOptions how, uint32_t threads, Out&& out) {
  how.scores = false;
  return answers_to(
      decoders, std::move(inputs), how, threads,
      [](Decoder& decoder, const auto& search) { return decoder.best(search); }, out);
}
template <class Decoder, class Read, class Out>
nb::list kbest_of(structron::Decoders<Decoder>& decoders, PythonInputs<Read>&& inputs, uint32_t k,
                  const structron::SearchOptions& how, uint32_t threads, Out&& out) {
  return answers_to(
      decoders, std::move(inputs), Decoder::Search::kbest_options(how, k), threads,
      [k](Decoder& decoder, const auto& search) { return decoder.kbest(search, k); },
      [&](const auto& best) {
        nb::list one;
        for (const auto& [output, score] : best) one.append(nb::make_tuple(out(output), score));
        return one;
      });
}

// What a search leaves behind on the input that a decoder has open.
template <class Decoder>
nb::dict traced(Decoder& decoder, const structron::SearchOptions& how, bool has_gold) {
  return watched_out<typename Decoder::Watched>(decoder.space(), how, has_gold);
}

// A list of names by their numbers.
template <class Names, class Numbers>
nb::object list_of(const Names& names, const Numbers& numbers) {
  PyObject* list = PyList_New(static_cast<Py_ssize_t>(numbers.size()));
  if (list == nullptr) throw nb::python_error();
  for (size_t i = 0; i < numbers.size(); ++i) {
    PyObject* name = names[numbers[i]].ptr();
    Py_INCREF(name);
    NB_LIST_SET_ITEM(list, static_cast<Py_ssize_t>(i), name);
  }
  return nb::steal<nb::object>(list);
}

// The methods of a predictor, each with the same name in every task; the inputs are called as the task calls
// them, one and many.
template <class Frozen, class Class>
void offer_tracing(Class& bound, const char* one) {
  bound.def("trace", &Frozen::trace, nb::arg(one), nb::arg("gold").none(), nb::arg("search"))
      .def_prop_ro("decode_seconds", &Frozen::decode_seconds)
      .def_prop_ro("evictions", &Frozen::evictions);
}
template <class Frozen, class Class>
void offer_predicting(Class& bound, const char* one, const char* many) {
  bound.def("predict", &Frozen::predict, nb::arg(many), nb::arg("search"), nb::arg("threads") = 1)
      .def("kbest", &Frozen::kbest, nb::arg(many), nb::arg("k"), nb::arg("search"), nb::arg("threads") = 1);
  offer_tracing<Frozen>(bound, one);
}
