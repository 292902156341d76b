// How many states exact search would keep of a source, counted before it begins.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "search/refusal.hpp"
#include "search/search_options.hpp"
#include "tasks/transduction/history.hpp"
#include "tasks/transduction/inventory.hpp"

namespace structron {

// So many states take some 200 MB, and a word a second.
inline constexpr size_t kMostExactStates = size_t{1} << 20;

// The states of all places of a source that differ in what templates look at; counting ends beyond `most`.
inline size_t exact_states(const Inventory& inventory, std::span<const Key> source, size_t most) {
  std::vector<std::vector<Emitted>> waiting(source.size() + 1);
  std::vector<std::unordered_set<Key>> seen(source.size() + 1);
  std::vector<uint32_t> actions;
  waiting[0].push_back(nothing_emitted());
  size_t states = 1;
  for (size_t at = 0; at < source.size(); ++at) {
    inventory.actions_at(source, at, actions);
    for (const Emitted& past : waiting[at])
      for (uint32_t a : actions) {
        const Emitted next = emitted_after(inventory, past, a);
        const size_t to = at + inventory.shape(a).consumes;
        if (!seen[to].insert(history_key(inventory, next)).second) continue;
        waiting[to].push_back(next);
        if (++states > most) return states;
      }
    std::vector<Emitted>().swap(waiting[at]);
    std::unordered_set<Key>().swap(seen[at]);
  }
  return states;
}

inline void check_exact(const SearchOptions& how, const Inventory& inventory, std::span<const Key> source) {
  if (how.width == 0 && exact_states(inventory, source, kMostExactStates) > kMostExactStates)
    refuse_exact("the outputs of a source of " + std::to_string(source.size()) + " symbols",
                 "more than a million states");
}

}  // namespace structron
