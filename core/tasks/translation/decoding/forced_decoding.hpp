// Gold without derivations: all that yield one of the references (Yu, Huang, Mi & Zhao 2013).
//
// structron/tasks/translation/decoding/forced_decoding.py is the definition. The references are kept as a
// tree of their prefixes, a node of which says what was said so far. A point is what is covered, where the
// last phrase ended, and a node; the points that lie on the way to an end are kept.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "tasks/translation/decoding/coverage.hpp"
#include "tasks/translation/phrases/options.hpp"
#include "util/hash.hpp"
#include "util/interrupt.hpp"

namespace structron {

class PhraseGold {
 public:
  static constexpr uint32_t kCap = 4096;  // points that cover equally many words

  PhraseGold(const SentenceOptions& options, const std::vector<std::vector<Key>>& references, uint32_t limit,
             bool prefix, uint32_t cap = kCap) {
    nodes_.push_back({0, kNone, kNone});
    std::vector<uint32_t> ends;
    for (const auto& r : references) ends.push_back(add(r));
    taken_.assign(options.size() / 64 + 1, 0);
    find_points(options, ends, limit, prefix, cap);
  }

  // Whether some derivation yields a whole reference.
  bool reachable() const { return reachable_; }
  // How many source words gold covers at its end; 0 if there is no gold.
  uint32_t words() const { return words_; }
  bool takes(uint32_t option) const { return taken_[option / 64] >> (option % 64) & 1; }

  // Where the references are after this option; kNone if none goes on so.
  uint32_t after(uint32_t node, const SentenceOptions& options, uint32_t option) const {
    for (uint32_t token : options.target(option)) {
      node = child(node, options.tokens()[token].key);
      if (node == kNone) return kNone;
    }
    return node;
  }
  bool passes(const Coverage& covered, uint32_t end, uint32_t node) const {
    if (alive_.empty()) return false;
    const Key key = key_of(covered, end, node);
    for (size_t i = key >> 8 & (alive_.size() - 1);; i = (i + 1) & (alive_.size() - 1)) {
      if (alive_[i] == key) return true;
      if (alive_[i] == 0) return false;
    }
  }

 private:
  struct Node {
    Key word;
    uint32_t child, sibling;
  };
  struct Point {
    Coverage covered;
    uint32_t end, node;
  };
  struct Way {
    uint32_t from, option, to;
  };

  // Never 0, which is an empty place.
  static Key key_of(const Coverage& covered, uint32_t end, uint32_t node) {
    return combine(combine(covered.window, Key{covered.gap} << 32 | end), node) | 1;
  }

  uint32_t child(uint32_t node, Key word) const {
    uint32_t c = nodes_[node].child;
    while (c != kNone && nodes_[c].word != word) c = nodes_[c].sibling;
    return c;
  }
  uint32_t add(const std::vector<Key>& reference) {
    uint32_t node = 0;
    for (Key word : reference) {
      uint32_t next = child(node, word);
      if (next == kNone) {
        next = static_cast<uint32_t>(nodes_.size());
        nodes_.push_back({word, kNone, nodes_[node].child});
        nodes_[node].child = next;
      }
      node = next;
    }
    return node;
  }

  void find_points(const SentenceOptions& options, const std::vector<uint32_t>& ends, uint32_t limit,
                   bool prefix, uint32_t cap) {
    uint32_t n = static_cast<uint32_t>(options.source().size());
    std::vector<Point> points{{{}, 0, 0}};
    std::vector<Way> ways;
    std::vector<std::vector<uint32_t>> stacks(n + 1);
    stacks[0].push_back(0);
    go_forth(options, limit, cap, points, ways, stacks);
    std::vector<uint8_t> lives(points.size(), 0);
    for (uint32_t p : stacks[n]) lives[p] = std::find(ends.begin(), ends.end(), points[p].node) != ends.end();
    const auto any = [&] {
      return std::any_of(stacks[n].begin(), stacks[n].end(), [&](uint32_t p) { return lives[p] != 0; });
    };
    reachable_ = any();
    while (prefix && !any() && n > 1) {
      --n;
      for (uint32_t p : stacks[n]) lives[p] = points[p].covered.gap == n;
    }
    words_ = any() ? n : 0;
    for (size_t w = ways.size(); w-- > 0;) {
      if (!lives[ways[w].to]) continue;
      lives[ways[w].from] = 1;
      taken_[ways[w].option / 64] |= uint64_t{1} << (ways[w].option % 64);
    }
    keep(points, lives);
  }

  // By words covered, the points that can be reached, in the order in which they are found.
  void go_forth(const SentenceOptions& options, uint32_t limit, uint32_t cap, std::vector<Point>& points,
                std::vector<Way>& ways, std::vector<std::vector<uint32_t>>& stacks) const {
    std::unordered_map<Key, uint32_t> known;
    for (auto& stack : stacks)
      for (size_t i = 0; i < stack.size(); ++i) {
        hear();
        const Point from = points[stack[i]];
        const uint32_t number = stack[i];
        options.each_span(from.covered, from.end, limit,
                          [&](uint32_t start, uint32_t end, uint32_t first, uint32_t last) {
                            const Coverage covered = from.covered.with(start, end);
                            auto& to = stacks[covered.words()];
                            for (uint32_t o = first; o < last; ++o) {
                              const uint32_t node = after(from.node, options, o);
                              if (node == kNone) continue;
                              const Key key = key_of(covered, end, node);
                              auto at = known.find(key);
                              if (at == known.end()) {
                                if (to.size() == cap) continue;
                                const uint32_t fresh = static_cast<uint32_t>(points.size());
                                at = known.emplace(key, fresh).first;
                                points.push_back({covered, end, node});
                                to.push_back(fresh);
                              }
                              ways.push_back({number, o, at->second});
                            }
                          });
      }
  }

  void keep(const std::vector<Point>& points, const std::vector<uint8_t>& lives) {
    size_t alive = 0;
    for (uint8_t l : lives) alive += l;
    if (alive == 0) return;
    alive_.assign(std::bit_ceil(alive * 2), 0);
    for (size_t p = 0; p < points.size(); ++p) {
      if (!lives[p]) continue;
      const Key key = key_of(points[p].covered, points[p].end, points[p].node);
      size_t i = key >> 8 & (alive_.size() - 1);
      while (alive_[i] != 0) i = (i + 1) & (alive_.size() - 1);
      alive_[i] = key;
    }
  }

  std::vector<Node> nodes_;
  std::vector<Key> alive_;       // keys of points, by open addressing
  std::vector<uint64_t> taken_;  // one bit for each option: some gold derivation uses it
  bool reachable_ = false;
  uint32_t words_ = 0;
};

}  // namespace structron
