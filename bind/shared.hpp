// What several threads may hold at once, and who may touch it when. Each has one lock of its own:
//
// - weights: whoever reads or changes them, alone (WithWeights);
// - a corpus: whoever packs into it, alone, until the first trainer has it; then nobody changes it (Packing);
// - an aligner: whoever calls it, alone (bind/tasks/transduction/alignment.cpp);
// - decoders: nobody, since each call borrows its own; the lock of core/search/decoders.hpp is held only for
// that.
//
// A corpus is locked before its weights. Whoever waits for either lets go of the interpreter's lock
// meanwhile.
#pragma once
#include "guards.hpp"
#include "weights/weights.hpp"

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
  Packing() = default;
  Packing(const Packing&) = delete;
  Packing& operator=(const Packing&) = delete;

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
