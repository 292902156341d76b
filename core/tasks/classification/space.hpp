// Classification: one step, whose action is the label. Where there are two labels, or any number of labels
// may be right, the steps are decisions: no or yes, for one label each.
// structron/tasks/classification/space.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "search/search_space.hpp"
#include "weights/weights.hpp"

namespace structron {

// What labels are decided, and by which columns of weights.
struct Decisions {
  uint32_t labels;
  bool many;  // any number of labels may be right

  bool yes_or_no() const { return many || labels == 2; }
  uint32_t steps() const { return many ? labels : 1; }
  uint32_t actions() const { return yes_or_no() ? 2 : labels; }
  uint32_t columns() const { return many || labels != 2 ? labels : 1; }
};

// One example as integers.
struct Vector {
  std::span<const uint32_t> features;
  std::span<const float> values;
};

class ClassificationSpace {
 public:
  using State = uint32_t;  // decisions taken
  static constexpr Offers kOffers{.unit_steps = true, .single_gold = true, .numbered_keys = true};

  // `weights`: those that are learned; null where the sums come ready.
  ClassificationSpace(Decisions decisions, const Weights* weights, float margin)
      : decisions_(decisions),
        weights_(weights),
        margin_(margin),
        sums_((decisions.columns() + 3) / 4 * 4),
        scores_(std::max(decisions.actions(), 2u)) {}

  // Another input; gold, one action for each step, may be null when nothing is watched.
  void input(const Vector& x, const uint16_t* gold) {
    x_ = x;
    gold_ = gold;
    stale_ = true;
  }
  // The same with its sums, one for each column.
  std::span<float> ready(const uint16_t* gold) {
    input({}, gold);
    stale_ = false;
    return sums_;
  }

  std::span<const float> sums() const { return sums_; }

  State initial() const { return 0; }
  uint32_t num_actions() const { return decisions_.actions(); }
  State advance(State s, uint32_t) const { return s + 1; }
  int step(State s) const { return static_cast<int>(s); }
  bool is_final(State s) const { return s >= decisions_.steps(); }
  uint32_t merge_keys() const { return 1; }
  uint32_t merge_key(State) const { return 0; }
  uint32_t gold_action(State s) const { return gold_[s]; }
  bool allows(State s, uint32_t action) const { return gold_ != nullptr && gold_[s] == action; }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() { stale_ = weights_ != nullptr; }

  const float* scores(State s) {
    if (stale_) sum();
    const uint32_t n = decisions_.actions();
    if (decisions_.yes_or_no()) {
      scores_[0] = 0;
      scores_[1] = sums_[s];
    } else if (margin_ == 0) {
      return sums_.data();
    } else {
      std::copy_n(sums_.data(), n, scores_.data());
    }
    if (margin_ != 0 && gold_ != nullptr)
      for (uint32_t a = 0; a < n; ++a)
        if (a != gold_[s]) scores_[a] += margin_;
    return scores_.data();
  }

  // Feature by feature, so that all of it comes in order.
  void difference(const std::vector<Move<State>>& gold, const std::vector<Move<State>>& guess,
                  Difference& delta) const {
    if (!decisions_.yes_or_no()) {
      const uint32_t right = gold[0].action, wrong = guess[0].action;
      if (right == wrong) return;
      const float first = right < wrong ? 1.0f : -1.0f;
      const auto [low, high] = std::minmax(right, wrong);
      for (size_t i = 0; i < x_.features.size(); ++i) {
        delta.push_back({x_.features[i], low, first * x_.values[i]});
        delta.push_back({x_.features[i], high, -first * x_.values[i]});
      }
      return;
    }
    for (size_t i = 0; i < x_.features.size(); ++i)
      for (uint32_t s = 0; s < gold.size(); ++s)
        if (gold[s].action != guess[s].action)
          delta.push_back({x_.features[i], s, gold[s].action == 1 ? x_.values[i] : -x_.values[i]});
  }

 private:
  void sum() {
    std::fill(sums_.begin(), sums_.end(), 0.0f);
    constexpr size_t kAhead = 8;
    const size_t n = x_.features.size();
    for (size_t i = 0; i < n; ++i) {
      if (i + kAhead < n) weights_->prefetch_head(x_.features[i + kAhead]);
      if (i + kAhead / 2 < n) weights_->prefetch_row(x_.features[i + kAhead / 2]);
      weights_->add_row(x_.features[i], x_.values[i], sums_.data());
    }
    stale_ = false;
  }

  Decisions decisions_;
  const Weights* weights_;
  float margin_;  // cost-augmented search: every wrong action scores this much more
  std::vector<float> sums_, scores_;
  Vector x_;
  const uint16_t* gold_ = nullptr;
  bool stale_ = true;
};

}  // namespace structron
