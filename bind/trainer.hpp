// A trainer of any task. Threads may share a trainer, and trainers their weights: each call waits until the
// weights are free.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "learn/batch.hpp"
#include "shared.hpp"

class Trainer {
 public:
  Trainer(SharedWeights& weights, uint32_t examples, const structron::TrainOptions& options,
          structron::Batches::Make make);
  virtual ~Trainer() = default;
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // Trains on these examples, in this order; the examples of a batch are decoded with the same weights.
  virtual nb::tuple run(Array<uint32_t> order, uint32_t batch, uint32_t threads);
  // What an update on these examples would fix, by the features' keys: it can be made elsewhere.
  nb::tuple find(Array<uint32_t> examples, Array<uint32_t> numbers, uint32_t threads);
  // Asks a function of Python where to update; see structron/engine/outside.py.
  virtual void choose_with(nb::object ask);
  nb::dict trace(uint32_t example);
  double waited() const;
  double changing() const;

 protected:
  // A copy: an array may be written to while it is learned from.
  std::vector<uint32_t> checked(const Array<uint32_t>& order) const;

  SharedWeights& weights_;

 private:
  uint32_t examples_;
  structron::TrainOptions options_;
  structron::Batches batches_;
  std::unique_ptr<structron::Chooser> chooser_;
};

nb::tuple counts_of(const structron::Counts& counts);

// How to train, from plain numbers.
structron::TrainOptions options_of(const structron::SearchOptions& search, int update, bool skip_correct);

// A task's function that makes a trainer: of a corpus, the weights, what all tasks have, and what is the
// task's own (`names`: its arguments, by name).
template <class Corpus, class... Own, class... Names>
void offer_trainer(nb::module_& m, const char* name,
                   Trainer* (*make)(Corpus&, SharedWeights&, const structron::TrainOptions&,
                                    const structron::Learner&, Own...),
                   Names... names) {
  m.def(
      name,
      [make](Corpus& corpus, SharedWeights& weights, const structron::SearchOptions& search, int update,
             bool skip_correct, const structron::Learner& learner, Own... own) {
        return make(corpus, weights, options_of(search, update, skip_correct), learner, own...);
      },
      nb::arg("corpus"), nb::arg("weights"), nb::arg("search"), nb::arg("update"), nb::arg("skip_correct"),
      nb::arg("learner"), names..., nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(), nb::keep_alive<0, 6>());
}
