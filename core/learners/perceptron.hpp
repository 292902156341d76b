// The structured perceptron (Collins 2002): the change is the violation's own difference; of several, the
// mean. With a step it is so many times that.
#pragma once
#include "learners/learner.hpp"

namespace structron {

class Perceptron final : public Learner {
 public:
  explicit Perceptron(float margin = 0, float step = 1) : margin_(margin), step_(step) {}

  const Difference& change(std::span<const Violation> found, Difference& scratch, Made& made) const override {
    for (const Violation& v : found) made.count(v, v.excess < 0);
    if (found.size() == 1 && step_ == 1) return found[0].delta;
    const float share = step_ / static_cast<float>(found.size());
    scratch.clear();
    for (const Violation& v : found)
      for (const Part& p : v.delta) scratch.push_back({p.feature, p.column, p.value * share});
    return scratch;
  }
  float margin() const override { return margin_; }

 private:
  float margin_, step_;
};

}  // namespace structron
