// A tree that was found.
#pragma once
#include <compare>
#include <cstdint>
#include <vector>

#include "tasks/parsing/transitions.hpp"

namespace structron {

struct Tree {
  std::vector<uint16_t> heads, labels;

  explicit Tree(uint32_t length = 0) : heads(length), labels(length) {}
  auto operator<=>(const Tree&) const = default;
  void put(const Attached& arc) {
    if (arc.dependent == 0) return;
    heads[arc.dependent - 1] = static_cast<uint16_t>(arc.head);
    labels[arc.dependent - 1] = arc.label;
  }
};

}  // namespace structron
