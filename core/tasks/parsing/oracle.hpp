// Which transitions are gold: static oracles for every system, dynamic ones for arc-eager and arc-hybrid.
//
// A static oracle is a rule on states: one action, also on states that are not gold. A dynamic oracle
// (Goldberg & Nivre 2012, 2013) allows all actions after which no more gold arcs are out of reach than
// before. structron/tasks/parsing/transitions/oracles.py is the definition.
#pragma once
#include <cstdint>
#include <vector>

#include "tasks/parsing/transitions.hpp"

namespace structron {

// The head or relation of a word of which nobody knows it.
inline constexpr uint16_t kUnknown = 0xFFFF;

// A tree with what oracles ask of it; words count from 1.
struct GoldTree {
  std::vector<uint16_t> head, label;              // head 0: root
  std::vector<uint16_t> first_child, last_child;  // the outermost dependents, the word itself if none beyond
  std::vector<uint16_t> children;                 // how many
  std::vector<uint16_t> order, component;         // swap: place in the projective order; its component
  bool is_partial = false;                        // whether some head or relation is not known

  void set(const uint16_t* heads, const uint16_t* labels, uint32_t n, bool with_order) {
    head.assign(n + 1, 0);
    label.assign(n + 1, kNoLabel);
    first_child.resize(n + 1);
    last_child.resize(n + 1);
    children.assign(n + 1, 0);
    for (uint32_t i = 0; i <= n; ++i) first_child[i] = last_child[i] = static_cast<uint16_t>(i);
    is_partial = false;
    for (uint32_t i = 1; i <= n; ++i) {
      head[i] = heads[i - 1];
      label[i] = labels[i - 1];
      is_partial |= head[i] == kUnknown || label[i] == kUnknown;
      if (head[i] == kUnknown) continue;
      const uint16_t h = head[i];
      if (first_child[h] > i) first_child[h] = static_cast<uint16_t>(i);
      if (last_child[h] < i) last_child[h] = static_cast<uint16_t>(i);
      ++children[h];
    }
    if (with_order && !is_partial) {
      set_order();
      set_components();
    }
  }

 private:
  // The inorder walk of the tree, children by their place in the sentence (Nivre 2009).
  void set_order() {
    const uint32_t n = static_cast<uint32_t>(head.size()) - 1;
    std::vector<std::vector<uint16_t>> kids(n + 1);
    for (uint32_t i = 1; i <= n; ++i) kids[head[i]].push_back(static_cast<uint16_t>(i));
    order.assign(n + 1, 0);
    uint16_t next = 0;
    std::vector<std::pair<uint16_t, size_t>> path{{0, 0}};
    while (!path.empty()) {
      auto& [word, at] = path.back();
      if (at < kids[word].size() && (word == 0 || kids[word][at] < word)) {
        path.emplace_back(kids[word][at++], 0);
        continue;
      }
      if (order[word] == 0) order[word] = ++next;
      if (at < kids[word].size()) {
        path.emplace_back(kids[word][at++], 0);
      } else {
        path.pop_back();
      }
    }
  }

  // Maximal projective components: what arc-standard without swap can build (Nivre, Kuhlmann & Hall 2009).
  void set_components() {
    const uint32_t n = static_cast<uint32_t>(head.size()) - 1;
    std::vector<uint16_t> stack, missing = children, parent(n + 1, 0);
    for (uint32_t i = 1; i <= n; ++i) {
      stack.push_back(static_cast<uint16_t>(i));
      while (stack.size() > 1) {
        const uint16_t s0 = stack.back(), s1 = stack[stack.size() - 2];
        if (head[s1] == s0 && missing[s1] == 0) {
          stack.erase(stack.end() - 2);
          parent[s1] = s0;
          --missing[s0];
        } else if (head[s0] == s1 && missing[s0] == 0) {
          stack.pop_back();
          parent[s0] = s1;
          --missing[s1];
        } else {
          break;
        }
      }
    }
    component.assign(n + 1, 0);
    for (uint32_t i = 1; i <= n; ++i) {
      uint16_t top = static_cast<uint16_t>(i);
      while (parent[top]) top = parent[top];
      component[i] = top;
    }
  }
};

class ParseOracle {
 public:
  ParseOracle(const Transitions& system, bool dynamic) : system_(system), dynamic_(dynamic) {
    if (dynamic && system.system() != System::arc_eager && system.system() != System::arc_hybrid)
      throw std::invalid_argument("only arc-eager and arc-hybrid have a dynamic oracle");
  }

  bool dynamic() const { return dynamic_; }
  void sentence(const GoldTree* gold) { gold_ = gold; }
  bool has_gold() const { return gold_ != nullptr; }

  // The static oracle's action; size() of the system if it has none here.
  uint32_t action(const ParseState& s) const {
    const auto [kind, label] = rule(s);
    if (!(system_.possible(s) >> static_cast<int>(kind) & 1)) return system_.size();
    return system_.find(kind, label);
  }

  bool allows(const ParseState& s, uint32_t action_taken) const {
    if (gold_ == nullptr) return false;
    return dynamic_ ? loss(s, action_taken) == 0 : action(s) == action_taken;
  }

  // How many gold arcs the action puts out of reach, a wrong label counting as one.
  uint32_t loss(const ParseState& s, uint32_t action_taken) const {
    const Transition t = system_[action_taken];
    return system_.system() == System::arc_eager ? eager_loss(s, t) : hybrid_loss(s, t);
  }

 private:
  Transition rule(const ParseState& s) const {
    const GoldTree& g = *gold_;
    const uint32_t b = system_.buffer_word(s);
    if (s.top == 0) return {b ? Kind::shift : Kind::idle, kNoLabel};
    const Node& n0 = system_.node(s.top);
    const uint32_t s0 = n0.token, s1 = system_.node(n0.below).token;
    const auto left = [&](uint32_t w) { return Transition{Kind::left, g.label[w]}; };
    const auto right = [&](uint32_t w) { return Transition{Kind::right, g.label[w]}; };
    const Transition shift{Kind::shift, kNoLabel};
    // Whether a word has no dependents in the buffer any more.
    const auto complete = [&](uint32_t w) { return b == 0 || g.last_child[w] < b; };
    switch (system_.system()) {
      case System::arc_standard:
        if (s1 && g.head[s1] == s0) return left(s1);
        if (s1 && g.head[s0] == s1 && complete(s0)) return right(s0);
        break;
      case System::arc_hybrid:
        if (b && g.head[s0] == b) return left(s0);
        if (s1 && g.head[s0] == s1 && complete(s0)) return right(s0);
        break;
      case System::arc_eager: {
        const bool headed = n0.label != kNoLabel;
        if (b == 0) return headed ? Transition{Kind::reduce, kNoLabel} : Transition{Kind::root, g.label[s0]};
        if (!headed && g.head[s0] == b) return left(s0);
        if (g.head[b] == s0) return right(b);
        if (headed && ((g.head[b] && g.head[b] < s0) || g.first_child[b] < s0))
          return {Kind::reduce, kNoLabel};
        return shift;
      }
      case System::swap: {
        const auto done = [&](uint32_t node) {
          const Node& n = system_.node(node);
          return n.left_count + n.right_count == g.children[n.token];
        };
        if (s1 && g.head[s1] == s0 && done(n0.below)) return left(s1);
        if (s1 && g.head[s0] == s1 && done(s.top)) return right(s0);
        // Lazy: only what cannot be built first is swapped.
        if (s1 && g.order[s1] > g.order[s0] && (b == 0 || g.component[s0] != g.component[b]))
          return {Kind::swap, kNoLabel};
        if (b) return shift;
        return {Kind::root, g.label[s0]};
      }
    }
    if (s1 == 0 && g.head[s0] == 0 && (b == 0 || (!system_.single_root() && complete(s0))))
      return {Kind::root, g.label[s0]};
    return shift;
  }

  // Dependents of w that wait in the buffer.
  uint32_t dependents_ahead(uint32_t w, uint32_t b) const {
    uint32_t many = 0;
    if (b)
      for (uint32_t k = b; k <= gold_->last_child[w]; ++k) many += gold_->head[k] == w;
    return many;
  }
  // Words of the stack from this node down whose head is w and that have none yet; and whether h is there.
  uint32_t dependents_below(uint32_t node, uint32_t w) const {
    uint32_t many = 0;
    for (; node; node = system_.node(node).below)
      many += gold_->head[system_.node(node).token] == w && system_.node(node).label == kNoLabel;
    return many;
  }
  bool on_stack(uint32_t node, uint32_t h) const {
    for (; node; node = system_.node(node).below)
      if (system_.node(node).token == h) return true;
    return false;
  }

  uint32_t eager_loss(const ParseState& s, Transition t) const {
    const GoldTree& g = *gold_;
    const uint32_t b = system_.buffer_word(s), s0 = system_.node(s.top).token;
    switch (t.kind) {
      case Kind::shift:
        return (g.head[b] && on_stack(s.top, g.head[b])) + dependents_below(s.top, b);
      case Kind::reduce:
        return dependents_ahead(s0, b);
      case Kind::left:
        if (b == 0) return 1;  // an arc that a gold derivation never needs
        if (g.head[s0] == b) return (g.label[s0] != t.label) + dependents_ahead(s0, b);
        return (g.head[s0] > b || g.head[s0] == 0) + dependents_ahead(s0, b);
      case Kind::right: {
        if (b == 0) return 1;
        const uint32_t lost = dependents_below(s.top, b);
        if (g.head[b] == s0) return (g.label[b] != t.label) + lost;
        const bool in_reach =
            g.head[b] == 0 || g.head[b] > b || on_stack(system_.node(s.top).below, g.head[b]);
        return in_reach + lost;
      }
      case Kind::root:
        return g.head[s0] == 0 && g.label[s0] != t.label;
      default:
        return 0;
    }
  }

  uint32_t hybrid_loss(const ParseState& s, Transition t) const {
    const GoldTree& g = *gold_;
    const uint32_t b = system_.buffer_word(s), s0 = system_.node(s.top).token;
    const uint32_t under = s.top ? system_.node(s.top).below : 0, s1 = system_.node(under).token;
    switch (t.kind) {
      case Kind::shift: {
        // What is under the top can no longer get b as its dependent; nor, unless it stands alone, the root.
        const bool head_lost = g.head[b] == 0 ? s.top != 0 : on_stack(under, g.head[b]);
        return head_lost + dependents_below(s.top, b);
      }
      case Kind::left: {
        uint32_t lost = dependents_ahead(s0, b);
        if (g.head[s0] == b) return lost + (g.label[s0] != t.label);
        lost += g.head[s0] > b || (under ? g.head[s0] == s1 : g.head[s0] == 0);
        return lost;
      }
      case Kind::right: {
        uint32_t lost = dependents_ahead(s0, b);
        if (g.head[s0] == s1) return lost + (g.label[s0] != t.label);
        return lost + (b && g.head[s0] >= b);
      }
      case Kind::root: {
        const uint32_t lost = dependents_ahead(s0, b);
        if (g.head[s0] == 0) return lost + (g.label[s0] != t.label);
        return lost + (b && g.head[s0] >= b);
      }
      default:
        return 0;
    }
  }

  const Transitions& system_;
  bool dynamic_;
  const GoldTree* gold_ = nullptr;
};

}  // namespace structron
