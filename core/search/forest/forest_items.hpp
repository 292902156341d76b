// What a search over a forest is made of: the ways to build a node, and where those with equal keys stand.
#pragma once
#include <array>
#include <cstdint>

#include "search/forest/forest_space.hpp"
#include "util/hash.hpp"
#include "weights/key_table.hpp"

namespace structron {

// A way to build a node.
template <class State>
struct ForestItem {
  double score;
  float gain;  // of the last edge; with the scores of the tails it is the score
  bool good;   // all its uses of edges are gold
  uint32_t node, rank;
  ForestEdge edge;
  std::array<uint32_t, kMostTails> tails;  // indices among the items
  State state;
};

// The items of a node, best first, as consecutive indices.
struct NodeItems {
  uint32_t first = 0, count = 0;

  uint32_t operator[](uint32_t rank) const { return first + rank; }
  uint32_t size() const { return count; }
  bool empty() const { return count == 0; }
};

// Where keys were put, forgotten all at once.
class PlacesByKey {
 public:
  void forget() {
    size_ = 0;
    if (++time_ != 0) return;
    slots_.reset(slots_.room());
    time_ = 1;
  }
  // The place of a key, kNone if it has none yet; valid until the next call.
  uint32_t& of(Key key) {
    if (slots_.at(key, time_).empty(time_)) {
      if (2 * ++size_ > slots_.room()) slots_.grow(time_);
      slots_.at(key, time_) = {key, time_, kNone};
    }
    return slots_.at(key, time_).place;
  }

 private:
  struct Slot {
    Key key = 0;
    uint32_t time = 0, place = kNone;
    bool empty(uint32_t now) const { return time != now; }
  };
  KeyTable<Slot> slots_{64};
  uint32_t time_ = 0;
  size_t size_ = 0;
};

}  // namespace structron
