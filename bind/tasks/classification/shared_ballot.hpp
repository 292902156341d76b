// The weight vectors of a training, which a trainer writes and Python reads.
#pragma once
#include "guards.hpp"
#include "tasks/classification/ballot.hpp"

struct SharedBallot : structron::Ballot {
  mutable Lock lock;
};

class WithBallot : public Alone {
 public:
  explicit WithBallot(const SharedBallot& ballot) : Alone(ballot.lock, "the votes") {}
};
