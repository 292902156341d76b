// What several threads may hold at once: weights, and corpora that trainers learn from.
#pragma once
#include "guards.hpp"
#include "weights.hpp"

// Trainers, corpora and Python hold the same weights. Whoever reads or changes them does so alone.
struct SharedWeights : structron::Weights {
  using Weights::Weights;
  mutable Lock lock;
};

class WithWeights : public Alone {
 public:
  explicit WithWeights(const SharedWeights& weights) : Alone(weights.lock, "the weights") {}
};

// Trainers read a corpus without asking anyone, several at a time: from the first of them on it stays as it
// is.
class Packing {
 public:
  class Change : Alone {
   public:
    explicit Change(Packing& packing) : Alone(packing.lock_, "the corpus") {
      if (packing.is_over_)
        throw nb::value_error("a corpus that is learned from stays as it is; pack the rest into a new one");
    }
  };
  void close() {
    const Alone alone(lock_, "the corpus");
    is_over_ = true;
  }

 private:
  Lock lock_;
  bool is_over_ = false;
};
