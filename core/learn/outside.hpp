// A learner from outside: it gets differences as sparse arrays and answers with the change as another.
//
// Coordinates have numbers from 0 on, in the order in which they come up, so that what a learner remembers of
// each can be an array. structron/learners/own.py is the definition.
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "learn/hildreth.hpp"
#include "learn/learner.hpp"
#include "search/refusal.hpp"

namespace structron {

// Of each violation: where its part of the first two begins, excess, loss and example.
struct SparseDifferences {
  std::vector<uint32_t> at;
  std::vector<float> value;
  std::vector<uint64_t> offsets{0};
  std::vector<double> excess, loss;
  std::vector<uint32_t> example;
  uint32_t coordinates = 0;  // that have come up so far
};
struct SparseChange {
  std::span<const uint32_t> at;
  std::span<const float> value;
};

class OutsideLearner : public Learner {
 public:
  OutsideLearner(float margin, uint32_t constraints, bool close_calls)
      : margin_(margin), constraints_(constraints), close_calls_(close_calls) {}

  const Difference& change(std::span<const Violation> found, Difference& scratch, Made& made) const final {
    scratch.clear();
    ask(differences_of(found), [&](const SparseChange& answer) { take(answer, scratch); });
    each_example(found, [&](std::span<const Violation> of) { made.count(of[0], of[0].excess < 0); });
    return scratch;
  }
  float margin() const override { return margin_; }
  uint32_t constraints() const override { return constraints_; }
  bool close_calls() const override { return close_calls_; }

 protected:
  // Gives the answer to `take`, if there is one.
  using Take = std::function<void(const SparseChange&)>;
  virtual void ask(SparseDifferences found, const Take& take) const = 0;

 private:
  // What belongs to one coordinate of a violation is added up; what cancels out does not appear.
  SparseDifferences differences_of(std::span<const Violation> found) const {
    SparseDifferences out;
    for (const Violation& v : found) {
      const size_t from = out.at.size();
      ++violation_;
      for (const Part& p : v.delta) {
        Known& known = number(p);
        if (known.violation == violation_) {
          out.value[known.place] += p.value;
          continue;
        }
        known.violation = violation_;
        known.place = out.at.size();
        out.at.push_back(known.number);
        out.value.push_back(p.value);
      }
      size_t kept = from;
      for (size_t i = from; i < out.at.size(); ++i)
        if (out.value[i] != 0) {
          out.at[kept] = out.at[i];
          out.value[kept++] = out.value[i];
        }
      out.at.resize(kept);
      out.value.resize(kept);
      out.offsets.push_back(kept);
      out.excess.push_back(v.excess);
      out.loss.push_back(v.loss);
      out.example.push_back(v.example);
    }
    out.coordinates = static_cast<uint32_t>(all_.size());
    return out;
  }

  struct Known {
    uint32_t number;
    uint64_t violation = 0, place = 0;  // where it stands in the last violation that it came up in
  };
  Known& number(const Part& p) const {
    const auto [known, is_new] =
        numbers_.try_emplace(coordinate(p), Known{static_cast<uint32_t>(all_.size())});
    if (is_new) all_.push_back({p.feature, p.column, 0});
    return known->second;
  }

  void take(const SparseChange& answer, Difference& change) const {
    if (answer.at.size() != answer.value.size())
      throw ChoiceRefused(
          "learner: its change has coordinates and values of different length; return (at, value)");
    for (size_t i = 0; i < answer.at.size(); ++i) {
      if (answer.at[i] >= all_.size())
        throw ChoiceRefused(
            "learner: its change has a coordinate that has not come up; take those of found.at");
      if (!std::isfinite(answer.value[i]))
        throw ChoiceRefused(
            "learner: its change has a value that is not finite; look for a division by zero");
      change.push_back({all_[answer.at[i]].feature, all_[answer.at[i]].column, answer.value[i]});
    }
  }

  float margin_;
  uint32_t constraints_;
  bool close_calls_;
  mutable std::unordered_map<uint64_t, Known> numbers_;
  mutable Difference all_;  // by number
  mutable uint64_t violation_ = 0;
};

}  // namespace structron
