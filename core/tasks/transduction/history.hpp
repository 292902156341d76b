// What features see of a derivation, and how an action changes that.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tasks/transduction/inventory.hpp"

namespace structron {

// The last target symbols and pairs, newest first.
struct Emitted {
  std::array<uint16_t, kTargets + 1> targets;  // one more than is looked at: no gap before the actions
  std::array<uint32_t, kActions> actions;
  bool operator==(const Emitted& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
};
static_assert(std::has_unique_object_representations_v<Emitted>);

inline Emitted nothing_emitted() {
  Emitted past;
  past.targets.fill(kNoSymbol);
  past.actions.fill(kNone);
  return past;
}

template <class Each, size_t N>
void shift(std::array<Each, N>& history, uint32_t order, Each newest, Each none) {
  if (order == 0) return;
  std::copy_backward(history.begin(), history.end() - 1, history.end());
  history[0] = newest;
  if (order < history.size()) history[order] = none;
}

inline Emitted emitted_after(const Inventory& inventory, Emitted past, uint32_t action) {
  for (uint16_t symbol : inventory.emits(action))
    shift(past.targets, inventory.target_order(), symbol, kNoSymbol);
  shift(past.actions, inventory.action_order(), action, kNone);
  return past;
}

// Equal where all templates see the same.
inline uint64_t history_key(const Inventory& inventory, const Emitted& past) {
  Key key = 1;
  for (uint32_t i = 0; i < inventory.target_order(); ++i) key = combine(key, past.targets[i]);
  for (uint32_t i = 0; i < inventory.action_order(); ++i) key = combine(key, past.actions[i]);
  return key;
}

}  // namespace structron
