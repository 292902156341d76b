// Dependency parsing by transitions: the search space of one sentence.
#pragma once
#include <bit>
#include <unordered_map>
#include <vector>

#include "learn/learner.hpp"
#include "search/search_space.hpp"
#include "tasks/parsing/oracle.hpp"
#include "tasks/parsing/scorer.hpp"

namespace structron {

// Single: gold is the static oracle's one derivation. Otherwise it is every derivation that the oracle
// allows.
template <class Scorer, bool Single>
class ParseSpace {
 public:
  using State = ParseState;
  static constexpr Offers kOffers{
      .unit_steps = true, .single_gold = Single, .numbered_keys = true, .forced = true};

  ParseSpace(Transitions& system, ParseOracle& oracle, Scorer& scorer, float margin = 0)
      : system_(system), oracle_(oracle), scorer_(scorer), margin_(margin) {}

  // The words are the scorer's current sentence; gold may be null when nothing is watched.
  void sentence(ParseWords, uint32_t length, const GoldTree* gold) {
    system_.sentence(length);
    oracle_.sentence(gold);
    numbers_.clear();
  }

  State initial() const { return {}; }
  uint32_t num_actions() const { return system_.size(); }
  State advance(const State& s, uint32_t action) { return system_.advance(s, action); }
  int step(const State& s) const { return static_cast<int>(s.step); }
  bool is_final(const State& s) const { return system_.is_final(s); }
  uint32_t gold_action(const State& s) const
    requires(Single)
  {
    return oracle_.action(s);
  }
  bool allows(const State& s, uint32_t action) const { return oracle_.allows(s, action); }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() { scorer_.weights_changed(); }
  const Transitions& system() const { return system_; }

  // The only action of a state; kNone if there are several.
  uint32_t forced(const State& s) const {
    const uint32_t kinds = system_.possible(s);
    if (!std::has_single_bit(kinds)) return kNone;
    const Kind kind = static_cast<Kind>(std::countr_zero(kinds));
    return system_.count(kind) == 1 ? system_.begin(kind) : kNone;
  }

  // States with equal futures are numbered as they come up.
  uint32_t merge_keys() const { return static_cast<uint32_t>(numbers_.size()); }
  uint32_t merge_key(const State& s) {
    return numbers_.try_emplace(system_.signature(s), static_cast<uint32_t>(numbers_.size())).first->second;
  }

  const float* scores(const State& s) {
    const uint32_t kinds = system_.possible(s);
    if (kinds == 1u << static_cast<int>(Kind::idle)) return idle();
    float* scores = scorer_.scores(system_, s);
    if (margin_ != 0 && oracle_.has_gold()) add_margin(s, kinds, scores);
    for (int k = 0; k < kKinds; ++k)
      if (!(kinds >> k & 1))
        std::fill(scores + system_.begin(static_cast<Kind>(k)), scores + system_.end(static_cast<Kind>(k)),
                  kImpossible);
    return scores;
  }

  // Phi(gold) - Phi(guess); what both have from the start cancels unseen.
  void difference(const std::vector<Move<State>>& gold, const std::vector<Move<State>>& guess,
                  Difference& delta) {
    size_t shared = 0;
    while (shared < gold.size() && shared < guess.size() && gold[shared].action == guess[shared].action)
      ++shared;
    for (size_t i = shared; i < gold.size(); ++i) put(gold[i], 1.0f, delta);
    for (size_t i = shared; i < guess.size(); ++i) put(guess[i], -1.0f, delta);
  }

 private:
  const float* idle() {
    idle_.assign(scorer_.stride(), kImpossible);
    idle_[system_.begin(Kind::idle)] = 0;
    return idle_.data();
  }

  // Cost-augmented search: every action that is not gold scores this much more.
  void add_margin(const State& s, uint32_t kinds, float* scores) {
    if (!oracle_.dynamic()) {
      const uint32_t gold = oracle_.action(s);
      for (uint32_t a = 0; a < system_.size(); ++a)
        if (a != gold) scores[a] += margin_;
      return;
    }
    for (uint32_t a = 0; a < system_.size(); ++a)
      if (kinds >> static_cast<int>(system_[a].kind) & 1 && !oracle_.allows(s, a)) scores[a] += margin_;
  }

  void put(const Move<State>& move, float value, Difference& delta) {
    if (system_[move.action].kind == Kind::idle) return;
    scorer_.each_feature(system_, move.state,
                         [&](uint32_t feature) { delta.push_back({feature, move.action, value}); });
  }

  Transitions& system_;
  ParseOracle& oracle_;
  Scorer& scorer_;
  float margin_;
  std::vector<float> idle_;
  std::unordered_map<Key, uint32_t> numbers_;
};

}  // namespace structron
