// What every task's trainer offers to Python, over workers of that task (core/learn/batch.hpp). Threads may
// share a trainer, and trainers their weights: each call waits until the weights are free.
#pragma once
#include <utility>

#include "bind.hpp"
#include "found.hpp"
#include "learn/batch.hpp"
#include "shared.hpp"
#include "trace_out.hpp"

template <class Worker>
class LiveOver {
 public:
  LiveOver(SharedWeights& weights, uint32_t examples, structron::TrainOptions options,
           typename structron::Batches<Worker>::Make make)
      : weights_(weights), examples_(examples), options_(options), batches_(weights, std::move(make)) {
    batches_.check_lengths(examples);
  }

  // Trains on these examples, in this order; the examples of a batch are decoded with the same weights.
  nb::tuple run(Array<uint32_t> order, uint32_t batch, uint32_t threads) {
    const auto listed = checked(order);
    if (batch > 1 && options_.update == structron::Update::laso)
      throw nb::value_error("laso updates while it searches and cannot wait for a batch; use batch 1");
    const WithWeights alone(weights_);
    structron::Counts c;
    {
      nb::gil_scoped_release free;
      batches_.run(listed, batch, threads, c);
    }
    return nb::make_tuple(c.examples, c.steps, c.errors, c.updates, c.invalid, c.early);
  }

  // What an update on these examples would fix, by the features' keys: it can be made elsewhere.
  nb::tuple find(Array<uint32_t> examples, Array<uint32_t> numbers, uint32_t threads) {
    const auto listed = checked(examples);
    if (numbers.shape(0) != listed.size()) throw nb::value_error("examples and numbers differ in length");
    const std::vector<uint32_t> named(numbers.data(), numbers.data() + numbers.shape(0));
    const WithWeights alone(weights_);
    weights_.keep_keys();
    structron::Counts c;
    structron::FoundArrays out;
    {
      nb::gil_scoped_release free;
      batches_.find(listed, threads, c, [&](uint32_t i, auto found, const auto& noted) {
        out.put(named[i], found, noted, weights_);
      });
    }
    return nb::make_tuple(nb::make_tuple(c.examples, c.steps, c.errors, c.updates, c.invalid, c.early),
                          arrays_of(std::move(out)));
  }

  nb::dict trace(uint32_t example) {
    if (example >= examples_) throw nb::index_error("no such example");
    const WithWeights alone(weights_);
    Worker& worker = batches_.first();
    worker.open(example);
    return watched_out<typename Worker::Watched>(worker.space(), options_.search, true);
  }

  double waited() const {
    const WithWeights alone(weights_);
    return batches_.waited();
  }
  double changing() const {
    const WithWeights alone(weights_);
    return batches_.changing();
  }

 private:
  // A copy: an array may be written to while it is learned from.
  std::vector<uint32_t> checked(const Array<uint32_t>& order) const {
    std::vector<uint32_t> listed(order.data(), order.data() + order.shape(0));
    for (uint32_t example : listed)
      if (example >= examples_) throw nb::index_error("no such example");
    return listed;
  }

  SharedWeights& weights_;
  uint32_t examples_;
  structron::TrainOptions options_;
  structron::Batches<Worker> batches_;
};

// How to train, from plain numbers.
inline structron::TrainOptions options_of(const structron::SearchOptions& search, int update,
                                          bool skip_correct) {
  if (update < 0 || update > 7) throw nb::value_error("no such update method");
  return {search, static_cast<structron::Update>(update), skip_correct};
}

// The methods of a trainer, each with the same name in every task.
template <class Live, class Class>
void offer_training(Class& bound) {
  bound.def("run", &Live::run, nb::arg("order"), nb::arg("batch") = 1, nb::arg("threads") = 1)
      .def("find", &Live::find, nb::arg("examples"), nb::arg("numbers"), nb::arg("threads") = 1)
      .def_prop_ro("waited_seconds", &Live::waited)
      .def_prop_ro("change_seconds", &Live::changing)
      .def("trace", &Live::trace);
}
