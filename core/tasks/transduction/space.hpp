// Monotone transduction: an action consumes source symbols and emits target symbols; the derivation is
// latent.
//
// structron/tasks/transduction.py is the definition.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "search/search_space.hpp"
#include "tasks/transduction/forced_decoding.hpp"
#include "tasks/transduction/history.hpp"
#include "tasks/transduction/inventory.hpp"
#include "tasks/transduction/scorer.hpp"

namespace structron {

template <class Rows>
class TransductionSpace {
 public:
  struct State {
    uint32_t pos;   // source symbols consumed
    uint32_t node;  // what was emitted, as a prefix of the references; kNone once it is none
    Emitted past;
  };
  using Moves = std::vector<Move<State>>;
  static constexpr Offers kOffers{
      .few_actions = true, .ready = true, .output_after = true, .gold_merge_key = true, .mixed = true};

  TransductionSpace(const Inventory& inventory, Rows rows, float margin = 0,
                    size_t room = TransductionScorer<Rows>::kManyClasses)
      : inventory_(inventory), scorer_(inventory, rows, room), margin_(margin) {}

  // The source must stay where it is; gold may be null when nothing is watched.
  void source(std::span<const Key> symbols, const ForcedDecoding* gold) {
    source_ = symbols;
    gold_ = gold;
    scorer_.source(symbols);
  }

  State initial() const { return {0, gold_ == nullptr ? kNone : 0, nothing_emitted()}; }
  uint64_t& evictions() { return scorer_.evictions(); }
  int step(const State& s) const { return static_cast<int>(s.pos); }
  bool is_final(const State& s) const { return s.pos >= source_.size(); }

  State advance(const State& s, uint32_t action) const {
    return {s.pos + inventory_.shape(action).consumes,
            s.node == kNone ? kNone : gold_->after(s.node, inventory_.emits(action)),
            emitted_after(inventory_, s.past, action)};
  }

  // Paths that have emitted the same symbols have the same key.
  Key output_after(Key before, uint32_t action) const {
    for (uint16_t symbol : inventory_.emits(action)) before = combine(before, symbol + Key{1});
    return before;
  }

  uint64_t merge_key(const State& s) const { return history_key(inventory_, s.past); }
  // What gold can still do depends on how far the reference is, too.
  uint64_t gold_merge_key(const State& s) const { return combine(merge_key(s), s.node); }

  bool allows(const State& s, uint32_t action) const {
    if (gold_ == nullptr || s.node == kNone) return false;
    const uint32_t node = gold_->after(s.node, inventory_.emits(action));
    return node != kNone && gold_->passes(s.pos + inventory_.shape(action).consumes, node);
  }

  // The actions there are, in increasing order, with their scores.
  Choices choices(const State& s) {
    open(s.pos);
    return scorer_.choices(s.past);
  }
  // Items of one step, soon to be asked for in this order.
  void ready(std::span<const Item<State>> items) {
    if (is_final(items.front().state)) return;
    open(items.front().state.pos);
    scorer_.ready(items.size(), [&](size_t i) { return items[i].state.past; });
  }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() { scorer_.close(); }

  // Phi(gold) - Phi(guess); where both take the same action after the same history nothing is left.
  void difference(const Moves& gold, const Moves& guess, Difference& delta) {
    size_t g = 0, z = 0;
    while (g < gold.size() || z < guess.size()) {
      const uint32_t at = g < gold.size() ? gold[g].state.pos : kNone,
                     other = z < guess.size() ? guess[z].state.pos : kNone;
      const bool both = at == other, same = both && gold[g].action == guess[z].action;
      if (!(same && gold[g].state.past == guess[z].state.past)) {
        if (at <= other) scorer_.difference(at, gold[g].state.past, gold[g].action, 1, same, delta);
        if (other <= at) scorer_.difference(other, guess[z].state.past, guess[z].action, -1, same, delta);
      }
      g += at <= other;
      z += other <= at;
    }
  }

  // What each does between two symbols at which both stop is a decision.
  uint32_t decisions(const Moves& gold, const Moves& guess, std::vector<uint32_t>& wrong) const {
    wrong.clear();
    uint32_t number = 0;
    each_segment(gold, guess, [&](std::span<const Move<State>> right, std::span<const Move<State>> other) {
      const bool same = std::equal(right.begin(), right.end(), other.begin(), other.end(),
                                   [](const auto& x, const auto& y) { return x.action == y.action; });
      if (!same) wrong.push_back(number);
      ++number;
    });
    return number;
  }

  MixedAssignment mixed(const Moves& gold, const Moves& guess, std::span<const uint32_t> positions,
                        Difference& delta) {
    mixed_.clear();
    MixedAssignment mixture{true, 0};
    State state = initial();
    uint32_t number = 0;
    each_segment(gold, guess, [&](std::span<const Move<State>> right, std::span<const Move<State>> other) {
      const bool taken = !positions.empty() && positions.front() == number;
      if (taken) positions = positions.subspan(1);
      for (const Move<State>& move : taken ? other : right) {
        mixture.is_gold = mixture.is_gold && allows(state, move.action);
        mixture.wrong_parts += !is_right(state.pos, move.action);
        mixed_.push_back({state, move.action});
        state = advance(state, move.action);
      }
      ++number;
    });
    difference(gold, mixed_, delta);
    return mixture;
  }

 private:
  // f(gold's moves, the guess's moves) between two symbols at which both stop; both end at the same one.
  template <class F>
  static void each_segment(const Moves& gold, const Moves& guess, F&& f) {
    const std::span<const Move<State>> right(gold), other(guess);
    for (size_t g = 0, z = 0; g < gold.size();) {
      const size_t from_g = g++, from_z = z++;
      // Past the end both have stopped.
      const auto at = [](const Moves& moves, size_t i) {
        return i < moves.size() ? moves[i].state.pos : kNone;
      };
      while (at(gold, g) != at(guess, z)) at(gold, g) < at(guess, z) ? ++g : ++z;
      f(right.subspan(from_g, g - from_g), other.subspan(from_z, z - from_z));
    }
  }

  void open(uint32_t pos) {
    if (scorer_.at() == pos) return;
    scorer_.open(pos);
    if (margin_ != 0 && gold_ != nullptr) demand_margin(pos);
  }

  // Cost-augmented search: an action that no gold derivation takes at this place scores this much more.
  void demand_margin(uint32_t pos) {
    gold_->nodes_at(pos, nodes_);
    scorer_.raise(margin_, [&](uint32_t action) { return !is_right_from(nodes_, pos, action); });
  }
  bool is_right(uint32_t pos, uint32_t action) {
    gold_->nodes_at(pos, nodes_);
    return is_right_from(nodes_, pos, action);
  }
  bool is_right_from(const std::vector<uint32_t>& nodes, uint32_t pos, uint32_t action) const {
    for (uint32_t node : nodes) {
      const uint32_t next = gold_->after(node, inventory_.emits(action));
      if (next != kNone && gold_->passes(pos + inventory_.shape(action).consumes, next)) return true;
    }
    return false;
  }

  const Inventory& inventory_;
  TransductionScorer<Rows> scorer_;
  float margin_;
  std::span<const Key> source_;
  const ForcedDecoding* gold_ = nullptr;
  std::vector<uint32_t> nodes_;
  Moves mixed_;
};

}  // namespace structron
