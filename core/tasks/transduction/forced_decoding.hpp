// Gold without derivations: all that yield one of the references (Yu, Huang, Mi & Zhao 2013).
//
// structron/tasks/forced_decoding.py is the definition. The references are kept as a tree of their prefixes:
// a node of it says what was emitted so far. A bit for each source place and node says whether some gold
// derivation passes there, so that gold never runs into a dead end.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/transduction/inventory.hpp"
#include "util/interrupt.hpp"

namespace structron {

class ForcedDecoding {
 public:
  ForcedDecoding(const Inventory& inventory, std::span<const Key> source,
                 const std::vector<std::vector<uint16_t>>& references) {
    nodes_.push_back({kNoSymbol, kNone, kNone});
    std::vector<uint32_t> ends;
    for (const auto& r : references) ends.push_back(add(r));
    find_passes(inventory, source, ends);
  }

  bool reachable() const { return passes(0, 0); }

  // Where the references are after these symbols; kNone if none goes on so.
  uint32_t after(uint32_t node, std::span<const uint16_t> emitted) const {
    for (uint16_t symbol : emitted) {
      node = child(node, symbol);
      if (node == kNone) return kNone;
    }
    return node;
  }
  bool passes(uint32_t place, uint32_t node) const {
    const size_t bit = static_cast<size_t>(place) * nodes_.size() + node;
    return passed_[bit / 64] >> (bit % 64) & 1;
  }
  // The nodes that gold derivations pass at a place.
  void nodes_at(uint32_t place, std::vector<uint32_t>& out) const {
    out.clear();
    const size_t begin = static_cast<size_t>(place) * nodes_.size(), end = begin + nodes_.size();
    for (size_t bit = begin; bit < end;) {
      const uint64_t rest = passed_[bit / 64] >> (bit % 64);
      if (rest == 0) {
        bit = (bit / 64 + 1) * 64;
        continue;
      }
      bit += static_cast<size_t>(std::countr_zero(rest));
      if (bit < end) out.push_back(static_cast<uint32_t>(bit - begin));
      ++bit;
    }
  }

 private:
  struct Node {
    uint16_t symbol;
    uint32_t child, sibling;
  };

  uint32_t child(uint32_t node, uint16_t symbol) const {
    uint32_t c = nodes_[node].child;
    while (c != kNone && nodes_[c].symbol != symbol) c = nodes_[c].sibling;
    return c;
  }
  uint32_t add(const std::vector<uint16_t>& reference) {
    uint32_t node = 0;
    for (uint16_t symbol : reference) {
      uint32_t next = symbol == kStrangeSymbol ? kNone : child(node, symbol);
      if (next == kNone) {
        next = static_cast<uint32_t>(nodes_.size());
        nodes_.push_back({symbol, kNone, nodes_[node].child});
        nodes_[node].child = next;
      }
      node = next;
    }
    return node;
  }
  void set(size_t place, uint32_t node, bool on) {
    const size_t bit = place * nodes_.size() + node;
    const uint64_t mask = uint64_t{1} << (bit % 64);
    passed_[bit / 64] = on ? passed_[bit / 64] | mask : passed_[bit / 64] & ~mask;
  }

  // Forth: what can be reached; back: what also leads to an end.
  void find_passes(const Inventory& inventory, std::span<const Key> source,
                   const std::vector<uint32_t>& ends) {
    const uint32_t n = static_cast<uint32_t>(source.size()), width = static_cast<uint32_t>(nodes_.size());
    passed_.assign((static_cast<size_t>(n) + 1) * width / 64 + 1, 0);
    set(0, 0, true);
    std::vector<uint32_t> actions;
    for (uint32_t i = 0; i < n; ++i) {
      hear();
      inventory.actions_at(source, i, actions);
      for (uint32_t node = 0; node < width; ++node) {
        if (!passes(i, node)) continue;
        for (uint32_t a : actions)
          if (const uint32_t next = after(node, inventory.emits(a)); next != kNone)
            set(i + inventory.shape(a).consumes, next, true);
      }
    }
    for (uint32_t node = 0; node < width; ++node)
      if (std::find(ends.begin(), ends.end(), node) == ends.end()) set(n, node, false);
    for (uint32_t i = n; i-- > 0;) {
      hear();
      inventory.actions_at(source, i, actions);
      for (uint32_t node = 0; node < width; ++node) {
        if (!passes(i, node)) continue;
        bool goes_on = false;
        for (size_t k = 0; k < actions.size() && !goes_on; ++k) {
          const uint32_t next = after(node, inventory.emits(actions[k]));
          goes_on = next != kNone && passes(i + inventory.shape(actions[k]).consumes, next);
        }
        if (!goes_on) set(i, node, false);
      }
    }
  }

  std::vector<Node> nodes_;
  std::vector<uint64_t> passed_;  // [source place][node], one bit each
};

// The output of some derivation that is nearest to a reference by edit distance.
inline std::vector<uint16_t> nearest_output(const Inventory& inventory, std::span<const Key> source,
                                            std::span<const uint16_t> reference, uint32_t& distance) {
  struct Back {
    uint32_t i, j, action;
  };
  struct Price {
    uint32_t price, origin;
  };
  const uint32_t n = static_cast<uint32_t>(source.size()), m = static_cast<uint32_t>(reference.size());
  const uint32_t far = 8 * n + m + 1;  // no pair emits more than eight symbols
  const size_t width = m + size_t{1};
  std::vector<uint32_t> cost((n + 1) * width, far), actions;
  std::vector<Back> back((n + 1) * width);
  std::vector<Price> now(width), next(width);
  cost[0] = 0;
  for (uint32_t i = 0; i <= n; ++i) {
    uint32_t* row = &cost[i * width];
    for (uint32_t j = 0; j < m; ++j) {
      if (row[j] + 1 >= row[j + 1]) continue;
      row[j + 1] = row[j] + 1;
      back[i * width + j + 1] = {i, j, kNone};
    }
    inventory.actions_at(source, i, actions);
    for (uint32_t a : actions) {
      hear();
      // Levenshtein's steps, one emitted symbol at a time.
      for (uint32_t j = 0; j <= m; ++j) now[j] = {row[j], j};
      for (uint16_t symbol : inventory.emits(a)) {
        for (uint32_t j = 0; j <= m; ++j) {
          Price best{now[j].price + 1, now[j].origin};
          if (j > 0) {
            const uint32_t same = now[j - 1].price + (symbol != reference[j - 1]);
            if (same <= best.price) best = {same, now[j - 1].origin};
            if (next[j - 1].price + 1 < best.price) best = {next[j - 1].price + 1, next[j - 1].origin};
          }
          next[j] = best;
        }
        now.swap(next);
      }
      const size_t to = (i + inventory.shape(a).consumes) * width;
      for (uint32_t j = 0; j <= m; ++j) {
        if (now[j].price >= cost[to + j]) continue;
        cost[to + j] = now[j].price;
        back[to + j] = {i, now[j].origin, a};
      }
    }
  }
  distance = cost[n * width + m];
  std::vector<uint16_t> out;
  for (uint32_t i = n, j = m; i || j;) {
    const Back b = back[i * width + j];
    if (b.action != kNone) {
      const std::span<const uint16_t> e = inventory.emits(b.action);
      out.insert(out.end(), e.rbegin(), e.rend());
    }
    i = b.i;
    j = b.j;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace structron
