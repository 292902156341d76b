// The structured perceptron (Collins 2002): the change is the violation's own difference, with a step so many
// times that. Of several violations, each coordinate moves by the mean over those that it appears in, or by
// the mean over all (Zhao & Huang 2013). structron/reference/learners/learners.py is the definition.
#pragma once
#include <algorithm>
#include <vector>

#include "learn/hildreth.hpp"
#include "learn/learner.hpp"

namespace structron {

class Perceptron final : public Learner {
 public:
  explicit Perceptron(float margin = 0, float step = 1, bool mean = false, uint32_t guesses = 1)
      : margin_(margin), step_(step), mean_(mean), guesses_(guesses) {}

  const Difference& change(std::span<const Violation> found, Difference& scratch, Made& made) const override {
    if (guesses_ > 1) {
      std::vector<Violation> one_each;
      each_example(found, [&](std::span<const Violation> of) { one_each.push_back(mean_of(of)); });
      const Difference& moved = change_of(one_each, scratch, made);
      if (&moved != &scratch) scratch = moved;
      return scratch;
    }
    return change_of(found, scratch, made);
  }
  float margin() const override { return margin_; }
  uint32_t constraints() const override { return guesses_; }

 private:
  const Difference& change_of(std::span<const Violation> found, Difference& scratch, Made& made) const {
    for (const Violation& v : found) made.count(v, v.excess < 0);
    if (found.size() == 1 && step_ == 1) return found[0].delta;
    scratch.clear();
    if (found.size() > 1 && !mean_) {
      each_mean(found, scratch);
      return scratch;
    }
    const float share = step_ / static_cast<float>(found.size());
    for (const Violation& v : found)
      for (const Part& p : v.delta) scratch.push_back({p.feature, p.column, p.value * share});
    return scratch;
  }
  // The mean of those of one example that are violations; its first where none is.
  static Violation mean_of(std::span<const Violation> found) {
    Violation mean = found[0];
    mean.delta.clear();
    size_t used = 0;
    for (const Violation& v : found) used += v.excess >= 0;
    const float share = used == 0 ? 1.0f : 1.0f / static_cast<float>(used);
    for (const Violation& v : found) {
      if (used == 0 ? &v != &found[0] : v.excess < 0) continue;
      for (const Part& p : v.delta) mean.delta.push_back({p.feature, p.column, p.value * share});
    }
    return mean;
  }

  struct Entry {
    uint64_t at;
    uint32_t position;  // among all parts: what belongs together is added up in the order in which it came
    float value;
  };

  // A coordinate that cancels out within a violation does not appear in it.
  void each_mean(std::span<const Violation> found, Difference& out) const {
    std::vector<Entry> parts;
    std::vector<uint32_t> owner;
    for (uint32_t v = 0; v < found.size(); ++v)
      for (const Part& p : found[v].delta) {
        parts.push_back({coordinate(p), static_cast<uint32_t>(owner.size()), p.value});
        owner.push_back(v);
      }
    std::sort(parts.begin(), parts.end(), [](const Entry& x, const Entry& y) {
      return x.at != y.at ? x.at < y.at : x.position < y.position;
    });
    for (size_t i = 0; i < parts.size();) {
      const uint64_t at = parts[i].at;
      double total = 0;
      uint32_t in = 0;
      while (i < parts.size() && parts[i].at == at) {
        const uint32_t violation = owner[parts[i].position];
        double own = 0;
        for (; i < parts.size() && parts[i].at == at && owner[parts[i].position] == violation; ++i)
          own += parts[i].value;
        total += own;
        in += own != 0;
      }
      if (total != 0) out.push_back(part_of({at, step_ * total / in}));
    }
  }

  float margin_, step_;
  bool mean_;
  uint32_t guesses_;
};

}  // namespace structron
