// Predicting from Python: lists of inputs in, lists of outputs out. The loop is in core/search/decoders.cpp.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "bind.hpp"
#include "guards.hpp"
#include "search/decoders.hpp"
#include "search/trace.hpp"
#include "text.hpp"
#include "trace_out.hpp"

// What predicts for a task, with weights that no longer change.
class Predictor {
 public:
  Predictor() = default;
  virtual ~Predictor() = default;
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  // The best output of each input, and lists of (output, score) of the k best that differ, best first.
  virtual nb::list predict(nb::handle inputs, const structron::SearchOptions& how, uint32_t threads) = 0;
  virtual nb::list kbest(nb::handle inputs, uint32_t k, const structron::SearchOptions& how,
                         uint32_t threads) = 0;
  // What a search leaves behind, watched from the gold side if there is gold.
  virtual nb::dict trace(nb::handle input, const nb::object& gold, const structron::SearchOptions& how) = 0;
  // CPU time spent searching.
  virtual double decode_seconds() const = 0;
  // How often there was no room for what had been met before.
  virtual uint64_t evictions() const = 0;
};

// One that sums over all outputs as well.
class SummingPredictor : public Predictor {
 public:
  // For each input the probability of each label of each token: one array, token by token.
  virtual nb::list marginals(nb::handle inputs, uint32_t threads) = 0;
  // For each input the logarithm of the probability of its gold labels; minus infinity if they are not
  // possible.
  virtual nb::list log_likelihoods(nb::handle inputs, nb::handle gold) = 0;
};

// A predictor with decoders of its task; `Face` is Predictor, or what a task makes of it.
template <class AnyDecoder, class Face = Predictor>
class PredictorWith : public Face {
 public:
  using Decoder = AnyDecoder;

  double decode_seconds() const final { return pool_->seconds(); }
  uint64_t evictions() const final { return pool_->evictions(); }

 protected:
  using Pool = structron::Decoders<Decoder>;

  // Comes last in a constructor: the first decoder is made at once.
  void start(typename Pool::Make make) { pool_.emplace(std::move(make)); }
  Pool& decoders() { return *pool_; }
  // One decoder, for a trace.
  typename Pool::Borrowed borrow() { return typename Pool::Borrowed(*pool_); }

 private:
  std::optional<Pool> pool_;
};

// Inputs as Python has them.
class InputList {
 public:
  InputList(nb::handle inputs, const char* what, const char* each) : all_(inputs.ptr(), what), each_(each) {}

  size_t size() const { return static_cast<size_t>(all_.size()); }
  uint64_t cost(size_t i) const;
  void search(const std::function<void()>& work) const;

 protected:
  nb::handle operator[](size_t i) const { return all_[static_cast<Py_ssize_t>(i)]; }
  // Throws again what is being handled, with the number of the input that it is about.
  [[noreturn]] void refuse(size_t i) const;

 private:
  const WithoutCollector paused_;
  const Sequence all_;
  const char* each_;
};

// The same with `read`, which loads one into a decoder.
template <class Read>
class PythonInputs : public InputList {
 public:
  PythonInputs(nb::handle inputs, const char* what, const char* each, Read read)
      : InputList(inputs, what, each), read_(std::move(read)) {}

  template <class Decoder>
  void load(Decoder& decoder, size_t i) const {
    try {
      read_(decoder, (*this)[i]);
    } catch (...) {
      refuse(i);
    }
  }

 private:
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
  return trace_out(structron::traced<typename Decoder::Watched>(decoder.space(), how, has_gold));
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
