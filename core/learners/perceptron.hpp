// The structured perceptron (Collins 2002): the change is the violation's own difference.
#pragma once
#include <cstdint>
#include <vector>

namespace structron {

// One coordinate of Phi(gold) - Phi(guess).
struct Part {
  uint32_t feature, action;
  float value;
};
using Difference = std::vector<Part>;

struct Violation {
  Difference delta;  // Phi(gold) - Phi(guess); coordinates may repeat
  double excess = 0;
  double loss = 0;
};

// A learner maps a violation to a sparse change of the weights and touches nothing.
struct Perceptron {
  const Difference& change(const Violation& v) const { return v.delta; }
};

}  // namespace structron
