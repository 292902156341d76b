// Stochastic gradients of regularised losses: the structured SVM, whose margin grows while it learns, and the
// conditional random field, whose temperature does. structron/reference/learners/gradient.py is the
// definition: what is learned is T w, and that only adds up.
#pragma once
#include <cstdint>

#include "learn/learner.hpp"

namespace structron {

class Gradient final : public Learner {
 public:
  // `examples`: how many there are in one pass.
  Gradient(bool sums, double c2, double step, double examples)
      : sums_(sums), first_(1 / step), more_(2 * c2 / examples) {}

  const Difference& change(std::span<const Violation> found, Difference& scratch, Made& made) const override {
    for (const Violation& v : found) made.count(v, v.excess < 0);
    if (found.size() == 1) return found[0].delta;
    scratch.clear();
    for (const Violation& v : found) scratch.insert(scratch.end(), v.delta.begin(), v.delta.end());
    return scratch;
  }
  float margin() const override { return sums_ ? 0.0f : static_cast<float>(first_); }
  bool grows() const override { return true; }
  double grown(uint64_t seen) const override { return first_ + more_ * static_cast<double>(seen); }
  bool sums() const override { return sums_; }

 private:
  bool sums_;
  double first_, more_;
};

}  // namespace structron
