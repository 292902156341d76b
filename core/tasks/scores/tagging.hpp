// Sequences of labels whose scores come from outside: one for each position and label, and perhaps one for
// each two labels in a row. structron/reference/sequence/scored.py is the definition.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "search/search_space.hpp"

namespace structron {

class ScoredTagging {
 public:
  struct State {
    uint32_t position = 0, last = 0;  // the last label; their number at the start
  };
  using Moves = std::vector<Move<State>>;
  static constexpr Offers kOffers{
      .unit_steps = true, .single_gold = true, .numbered_keys = true, .merge_base = true};

  // `scores`: a row of labels for each position. `after`: a row for each label before, and for none; or
  // empty.
  ScoredTagging(std::span<const float> scores, std::span<const float> after, uint32_t labels, float margin)
      : all_(scores), after_(after), labels_(labels), margin_(margin), row_(labels) {}

  // The positions of one sequence, and its gold labels; none while it is only decoded.
  void input(uint32_t first, uint32_t length, std::span<const uint32_t> gold) {
    first_ = first;
    length_ = length;
    gold_ = gold;
  }

  State initial() const { return {0, labels_}; }
  uint32_t num_actions() const { return labels_; }
  State advance(State s, uint32_t label) const { return {s.position + 1, label}; }
  int step(State s) const { return static_cast<int>(s.position); }
  bool is_final(State s) const { return s.position == length_; }
  uint32_t merge_keys() const { return labels_ + 1; }
  uint32_t merge_key(State s) const { return after_.empty() ? 0 : s.last; }
  int64_t merge_base(State) const { return after_.empty() ? -1 : 0; }
  uint32_t gold_action(State s) const { return gold_.empty() ? 0 : gold_[s.position]; }
  bool allows(State s, uint32_t label) const { return !gold_.empty() && gold_[s.position] == label; }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() {}

  const float* scores(State s) {
    const float* from = all_.data() + static_cast<size_t>(first_ + s.position) * labels_;
    if (after_.empty() && margin_ == 0) return from;
    const float* before = after_.empty() ? nullptr : after_.data() + static_cast<size_t>(s.last) * labels_;
    for (uint32_t y = 0; y < labels_; ++y) row_[y] = from[y] + (before == nullptr ? 0 : before[y]);
    if (margin_ != 0 && !gold_.empty())
      for (uint32_t y = 0; y < labels_; ++y) row_[y] += y == gold_[s.position] ? 0 : margin_;
    return row_.data();
  }

  // Features are the scores' own places: a row of the first table, or one of the second after them all.
  void difference(const Moves& gold, const Moves& guess, Difference& delta) const {
    const uint32_t rows = static_cast<uint32_t>(all_.size() / labels_);
    for (const auto& [moves, sign] : {std::pair(&gold, 1.0f), std::pair(&guess, -1.0f)})
      for (const Move<State>& m : *moves) {
        delta.push_back({first_ + m.state.position, m.action, sign});
        if (!after_.empty()) delta.push_back({rows + m.state.last, m.action, sign});
      }
  }

 private:
  std::span<const float> all_, after_;
  uint32_t labels_;
  float margin_;
  std::vector<float> row_;
  uint32_t first_ = 0, length_ = 0;
  std::span<const uint32_t> gold_;
};

}  // namespace structron
