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

#include "tasks/inventory.hpp"

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
  const uint32_t n = static_cast<uint32_t>(source.size()), m = static_cast<uint32_t>(reference.size());
  const uint32_t far = 8 * n + m + 1;  // no pair emits more than eight symbols
  const size_t width = m + size_t{1};
  std::vector<uint32_t> cost((n + 1) * width, far), actions;
  std::vector<Back> back((n + 1) * width);
  // Levenshtein's distance of what is emitted and a part of the reference; both are short.
  const auto edits = [](std::span<const uint16_t> a, std::span<const uint16_t> b) {
    uint32_t row[9];
    for (uint32_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (uint32_t i = 1; i <= a.size(); ++i) {
      uint32_t corner = row[0];
      row[0] = i;
      for (uint32_t j = 1; j <= b.size(); ++j) {
        const uint32_t up = row[j];
        row[j] = std::min({up + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1])});
        corner = up;
      }
    }
    return row[b.size()];
  };
  cost[0] = 0;
  for (uint32_t i = 0; i <= n; ++i) {
    inventory.actions_at(source, i, actions);
    for (uint32_t j = 0; j <= m; ++j) {
      const uint32_t here = cost[i * width + j];
      if (here == far) continue;
      if (j < m && here + 1 < cost[i * width + j + 1]) {
        cost[i * width + j + 1] = here + 1;
        back[i * width + j + 1] = {i, j, kNone};
      }
      for (uint32_t a : actions) {
        const std::span<const uint16_t> emitted = inventory.emits(a);
        for (uint32_t passed = 0; passed <= emitted.size() && j + passed <= m; ++passed) {
          const size_t to = (i + inventory.shape(a).consumes) * width + j + passed;
          const uint32_t price = here + edits(emitted, reference.subspan(j, passed));
          if (price < cost[to]) {
            cost[to] = price;
            back[to] = {i, j, a};
          }
        }
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
