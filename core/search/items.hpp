// What searches are made of: items with a way back, and the moves of a path.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace structron {

inline constexpr float kImpossible = -std::numeric_limits<float>::infinity();
inline constexpr double kLowest = -std::numeric_limits<double>::infinity();
inline constexpr uint32_t kRoot = 0xFFFFFFFFu;

// One action that can be taken, where its score stands, and how many steps on it leads.
struct Choice {
  uint32_t action, at, steps;
};
struct Choices {
  std::span<const Choice> all;
  const float* scores;
};

// Actions first, first + 1, ... that lead equally many steps on and have the same to come (`future`). No gain
// of action a is more than `most` + bounds[a - first]; without bounds nothing is known of it.
struct ActionGroup {
  uint32_t first, last, steps;
  double future, most;
  const float* bounds;
};

// One way to an item of a beam that keeps them all: merging leaves several.
struct MergedArc {
  uint32_t item, parent, action;
  float gain;
  double future;  // of the item, see Offers::future
};

template <class State>
struct Item {
  double score;
  State state;
  uint32_t parent;  // index among the items of its search, kRoot for the first
  uint32_t action;
  bool good;  // every action on its path is gold
};

// What gold, which is one derivation, is worth after its next action: the search that meets it says so.
struct GoldStep {
  uint32_t action;
  double score;
};

// One step of a path: where it was and what it did. A path is the derivation of a sequence space.
template <class State>
struct Move {
  State state;
  uint32_t action;
};

template <class State>
void path_to(const std::vector<Item<State>>& items, const Item<State>& last,
             std::vector<Move<State>>& moves) {
  moves.clear();
  for (const Item<State>* i = &last; i->parent != kRoot; i = &items[i->parent])
    moves.push_back({items[i->parent].state, i->action});
  std::reverse(moves.begin(), moves.end());
}

}  // namespace structron
