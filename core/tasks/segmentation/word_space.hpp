// Segmentation by words, joint with tagging or not: each character goes on with a word or begins one.
// structron/tasks/segmentation/words/space.py is the definition.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "search/search_space.hpp"
#include "tasks/segmentation/word_scorer.hpp"

namespace structron {

// What is given of a character: whether it begins a word.
enum WordDuty : uint8_t { kAnyDuty, kMustBeginWord, kMustContinueWord };

template <class Rows>
class WordSpace {
 public:
  using State = WordState;
  using Moves = std::vector<Move<State>>;
  static constexpr Offers kOffers{.unit_steps = true, .single_gold = true, .ready = true, .mixed = true};

  WordSpace(const WordProgram& program, Rows rows, float margin = 0)
      : layout_(program.layout()), scorer_(program, rows), margin_(margin), scores_(layout_.actions()) {}

  // The characters must stay where they are; gold, an action for each and the last, may be null when nothing
  // is watched. Of each character a duty may be given, which must stay, too.
  void text(std::span<const Character> characters, const uint16_t* gold,
            std::span<const uint8_t> duties = {}) {
    scorer_.text(characters);
    length_ = static_cast<uint32_t>(characters.size());
    gold_ = gold;
    duties_ = duties;
  }

  State initial() const {
    const auto none = static_cast<uint16_t>(layout_.tags);
    return {0, 0, 0, none, none, 0, 0};
  }
  uint32_t num_actions() const { return layout_.actions(); }
  int step(const State& s) const { return static_cast<int>(s.pos); }
  bool is_final(const State& s) const { return s.pos > length_ || length_ == 0; }

  State advance(const State& s, uint32_t action) const {
    State to = s;
    ++to.pos;
    if (action == layout_.finish()) return to;
    const Character& here = scorer_.text()[s.pos];
    if (action == WordLayout::kAppend) {
      to.w1 = longer(s.w1, here);
      return to;
    }
    const uint32_t tag = action <= layout_.tags ? action - 1 : action - layout_.first_sentence();
    return {to.pos, s.pos, s.begin, static_cast<uint16_t>(tag), s.t1, word_of(here), s.w1};
  }

  uint64_t merge_key(const State& s) const {
    return combine(combine(combine(Key{1} + s.begin, s.before), s.t1), s.t2);
  }
  uint32_t gold_action(const State& s) const { return gold_[s.pos]; }
  bool allows(const State& s, uint32_t action) const { return gold_ != nullptr && gold_[s.pos] == action; }

  const float* scores(const State& s) {
    const float* sums = scorer_.sums(s);
    float* scores = scores_.data();
    std::fill(scores_.begin(), scores_.end(), kImpossible);
    const uint32_t tags = layout_.tags;
    const float separate = sums[layout_.separate()];
    if (s.pos == length_) {
      scores[layout_.finish()] = sums[layout_.over()] + separate;
    } else {
      for (uint32_t t = 0; t < tags; ++t) scores[1 + t] = sums[t] + separate;
      if (s.pos > 0) {
        if (layout_.spaces || !scorer_.text()[s.pos].white)
          scores[WordLayout::kAppend] = sums[layout_.append(s.t1)] + sums[layout_.joined()];
        if (layout_.sentences)
          for (uint32_t t = 0; t < tags; ++t)
            scores[layout_.first_sentence() + t] = scores[1 + t] + sums[layout_.sentence()];
        if (!duties_.empty() && duties_[s.pos] != kAnyDuty) keep_to(duties_[s.pos]);
      }
    }
    if (margin_ != 0 && gold_ != nullptr)
      for (uint32_t a = 0; a < layout_.actions(); ++a)
        if (a != gold_[s.pos]) scores[a] += margin_;
    return scores;
  }
  // Items of one step, soon to be asked for in this order.
  void ready(std::span<const Item<State>> items) {
    if (!is_final(items.front().state)) scorer_.ready(items.size(), [&](size_t i) { return items[i].state; });
  }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() { scorer_.forget(); }

  // Phi(gold) - Phi(guess) of two paths of equal length; what is equal on both sides cancels unseen.
  void difference(const Moves& gold, const Moves& guess, Difference& delta) {
    for (size_t i = 0; i < gold.size(); ++i) {
      const State &g = gold[i].state, &z = guess[i].state;
      const bool same = gold[i].action == guess[i].action && g.t1 == z.t1;
      if (same && g == z) continue;
      scorer_.difference(g, gold[i].action, 1, same, delta);
      scorer_.difference(z, guess[i].action, -1, same, delta);
    }
  }

  // What is done with a character is a decision.
  uint32_t decisions(const Moves& gold, const Moves& guess, std::vector<uint32_t>& wrong) const {
    wrong.clear();
    for (uint32_t i = 0; i < gold.size(); ++i)
      if (gold[i].action != guess[i].action) wrong.push_back(i);
    return static_cast<uint32_t>(gold.size());
  }

  MixedAssignment mixed(const Moves& gold, const Moves& guess, std::span<const uint32_t> positions,
                        Difference& delta) {
    mixed_.clear();
    uint32_t wrong = 0;
    State state = initial();
    for (uint32_t i = 0; i < gold.size(); ++i) {
      const bool taken = !positions.empty() && positions.front() == i;
      if (taken) positions = positions.subspan(1);
      const uint32_t action = taken ? guess[i].action : gold[i].action;
      wrong += !allows(state, action);
      mixed_.push_back({state, action});
      state = advance(state, action);
    }
    difference(gold, mixed_, delta);
    return {wrong == 0, wrong};
  }

 private:
  void keep_to(uint8_t duty) {
    for (uint32_t a = 0; a < layout_.actions(); ++a)
      if (duty == (a == WordLayout::kAppend ? kMustBeginWord : kMustContinueWord)) scores_[a] = kImpossible;
  }

  WordLayout layout_;
  WordScorer<Rows> scorer_;
  float margin_;
  uint32_t length_ = 0;
  const uint16_t* gold_ = nullptr;
  std::span<const uint8_t> duties_;  // none, or one for each character
  std::vector<float> scores_;
  Moves mixed_;
};

}  // namespace structron
