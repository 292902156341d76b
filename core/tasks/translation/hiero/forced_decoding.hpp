// Gold without derivations, over a forest: all that yield a reference (Zhao, Huang, Mi & Ittycheriah 2014).
// structron/tasks/translation/hiero/forced_decoding.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/translation/hiero/layout.hpp"
#include "util/interrupt.hpp"

namespace structron {

// All parts of references, as a tree of words; a part is known by its node.
class ReferenceParts {
 public:
  static constexpr uint32_t kNothing = 0;

  explicit ReferenceParts(const std::vector<std::vector<Key>>& references) {
    for (const auto& r : references)
      for (size_t i = 0; i <= r.size(); ++i) {
        uint32_t node = kNothing;
        for (size_t j = i; j < r.size(); ++j) {
          if (i == 0) nodes_[node].is_beginning = true;
          node = enter(node, r[j]);
        }
        if (i == 0) nodes_[node].is_beginning = nodes_[node].is_whole = true;
      }
  }
  // What a part is with a word after it; kNone if that is no part.
  uint32_t after(uint32_t part, Key word) const {
    for (uint32_t c = nodes_[part].child; c != kNone; c = nodes_[c].sibling)
      if (nodes_[c].word == word) return c;
    return kNone;
  }
  uint32_t joined(uint32_t part, uint32_t more) const {
    if (more == kNothing || part == kNone) return part;
    part = joined(part, nodes_[more].parent);
    return part == kNone ? kNone : after(part, nodes_[more].word);
  }
  bool is_beginning(uint32_t part) const { return nodes_[part].is_beginning; }
  bool is_whole(uint32_t part) const { return nodes_[part].is_whole; }

 private:
  struct Node {
    Key word = 0;
    uint32_t parent = kNone, child = kNone, sibling = kNone;
    bool is_beginning = false, is_whole = false;
  };
  uint32_t enter(uint32_t part, Key word) {
    if (const uint32_t known = after(part, word); known != kNone) return known;
    const uint32_t made = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({word, part, kNone, nodes_[part].child});
    nodes_[part].child = made;
    return made;
  }
  std::vector<Node> nodes_{Node{}};
};

class HieroGold {
 public:
  static constexpr uint32_t kCap = 4096;

  HieroGold(const SentenceRules& rules, const HieroLayout& layout,
            const std::vector<std::vector<Key>>& references, bool prefix, uint32_t cap)
      : parts_(references) {
    Search search{rules, layout, parts_, cap, {}, {}, {}};
    search.up();
    const uint32_t goal = layout.nodes() - 1;
    for (uint32_t piece : search.found[goal])
      if (parts_.is_whole(piece)) alive_.push_back(key(goal, piece));
    reachable_ = !alive_.empty();
    words_ = reachable_ ? layout.words() : 0;
    for (uint32_t at = goal; alive_.empty() && prefix && at-- > 0 && layout.is_beginning(at);) {
      for (uint32_t piece : search.found[at]) alive_.push_back(key(at, piece));
      words_ = alive_.empty() ? 0 : layout.end_of(at);
    }
    down(search.arcs);
  }

  bool reachable() const { return reachable_; }
  uint32_t words() const { return words_; }
  const ReferenceParts& parts() const { return parts_; }
  // Whether a node that says this part of a reference, or for source sides has this rule, is gold.
  bool has(uint32_t node, uint32_t piece) const {
    return std::binary_search(alive_.begin(), alive_.end(), key(node, piece));
  }

  // What an edge makes of the pieces of its tails; kNone if that is in no reference.
  static uint32_t said(const SentenceRules& rules, const HieroLayout& layout, const ReferenceParts& parts,
                       uint32_t node, const std::array<uint32_t, kMostTails>& pieces, uint32_t arity) {
    if (!layout.is_beginning(node)) {
      uint32_t part = ReferenceParts::kNothing;
      for (uint32_t token : rules.target(pieces[0])) {
        part = token >= kGapToken ? parts.joined(part, pieces[1 + token - kGapToken])
                                  : parts.after(part, rules.tokens()[token].key);
        if (part == kNone) return kNone;
      }
      return part;
    }
    uint32_t part = arity == 0 ? ReferenceParts::kNothing : pieces[0];
    if (arity == 2) part = parts.joined(part, pieces[1]);
    return part != kNone && parts.is_beginning(part) ? part : kNone;
  }

 private:
  struct Arc {
    uint32_t node, piece, arity;
    std::array<uint32_t, kMostTails> tails, pieces;
  };

  static uint64_t key(uint32_t node, uint32_t piece) { return uint64_t{node} << 32 | piece; }

  // What every node can say of the references, in the order in which it is found.
  struct Search {
    const SentenceRules& rules;
    const HieroLayout& layout;
    const ReferenceParts& parts;
    uint32_t cap;
    std::vector<std::vector<uint32_t>> found;
    std::vector<Arc> arcs;
    Pulse pulse = {};

    void up() {
      found.resize(layout.nodes());
      for (uint32_t node = 0; node < found.size(); ++node)
        layout.each_edge(node, [&](const ForestEdge& edge) {
          if (layout.is_pattern(node)) return put({node, edge.action, 0, {}, {}});
          Arc arc{node, 0, edge.arity, edge.tails, {}};
          combine_all(arc, 0);
        });
    }
    void combine_all(Arc& arc, uint32_t k) {
      pulse();
      if (k == arc.arity) {
        arc.piece = said(rules, layout, parts, arc.node, arc.pieces, arc.arity);
        if (arc.piece != kNone) put(arc);
        return;
      }
      // A rule with a word that no reference has is of no use, whatever is in its gaps.
      for (uint32_t piece : found[arc.tails[k]]) {
        arc.pieces[k] = piece;
        if (k > 0 || layout.is_beginning(arc.node) || is_spoken(piece)) combine_all(arc, k + 1);
      }
    }
    bool is_spoken(uint32_t option) const {
      const auto target = rules.target(option);
      return std::all_of(target.begin(), target.end(), [&](uint32_t token) {
        return token >= kGapToken ||
               parts.after(ReferenceParts::kNothing, rules.tokens()[token].key) != kNone;
      });
    }
    void put(const Arc& arc) {
      std::vector<uint32_t>& here = found[arc.node];
      if (layout.is_pattern(arc.node) || std::find(here.begin(), here.end(), arc.piece) == here.end()) {
        if (here.size() == cap) return;
        here.push_back(arc.piece);
      }
      arcs.push_back(arc);
    }
  };

  // Keeps what leads to an end.
  void down(const std::vector<Arc>& arcs) {
    std::vector<std::vector<uint32_t>> by_node;
    const auto mark = [&](uint32_t node, uint32_t piece) {
      if (by_node.size() <= node) by_node.resize(node + 1ull);
      std::vector<uint32_t>& there = by_node[node];
      if (std::find(there.begin(), there.end(), piece) == there.end()) there.push_back(piece);
    };
    for (uint64_t end : alive_) mark(static_cast<uint32_t>(end >> 32), static_cast<uint32_t>(end));
    Pulse pulse;
    for (size_t a = arcs.size(); a-- > 0;) {
      pulse();
      const Arc& arc = arcs[a];
      if (arc.node >= by_node.size()) continue;
      const std::vector<uint32_t>& there = by_node[arc.node];
      if (std::find(there.begin(), there.end(), arc.piece) == there.end()) continue;
      for (uint32_t k = 0; k < arc.arity; ++k) mark(arc.tails[k], arc.pieces[k]);
    }
    alive_.clear();
    for (uint32_t node = 0; node < by_node.size(); ++node)
      for (uint32_t piece : by_node[node]) alive_.push_back(key(node, piece));
    std::sort(alive_.begin(), alive_.end());
  }

  ReferenceParts parts_;
  std::vector<uint64_t> alive_;  // nodes with pieces, sorted
  bool reachable_ = false;
  uint32_t words_ = 0;
};

}  // namespace structron
