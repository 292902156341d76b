// Transition systems: arc-standard, arc-eager, arc-hybrid, arc-standard with swap.
//
// The stack is a linked list whose tails are shared between states (Goldberg, Zhao & Huang 2013): a node
// never changes, a transition makes one or two new ones, and no arcs are copied. Root is no word on the
// stack: the last word left there is attached to it. structron/tasks/parsing/transitions/systems.py is the
// definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "util/hash.hpp"

namespace structron {

enum class System : int { arc_standard = 0, arc_eager = 1, arc_hybrid = 2, swap = 3 };

enum class Kind : uint8_t { shift = 0, reduce = 1, swap = 2, left = 3, right = 4, root = 5, idle = 6 };
inline constexpr int kKinds = 7;

struct Transition {
  Kind kind;
  uint16_t label;
};

inline constexpr uint16_t kNoLabel = 0xFFFF;
inline constexpr uint32_t kMostWords = 65000;
inline constexpr uint32_t kMostSwaps = 0xFFFF;  // states count them in sixteen bits

// A word on the stack, or at the front of the buffer, with what is known of its children. Node 0 is nothing.
struct Node {
  uint64_t left_set = 0, right_set = 0;  // labels of its children, one bit each (modulo 64)
  uint32_t below = 0;                    // the next node of the same list
  uint32_t child[4] = {0, 0, 0, 0};      // the last attached on the left and the one before, then right
  uint16_t child_label[4] = {kNoLabel, kNoLabel, kNoLabel, kNoLabel};
  uint16_t token = 0;         // from 1
  uint16_t label = kNoLabel;  // of the arc to its head, if it has one while still on the stack
  uint16_t left_count = 0, right_count = 0;
};

struct ParseState {
  uint32_t top = 0;    // node: the stack
  uint32_t front = 0;  // node: words ahead of `next` in the buffer, swapped back or with children
  uint32_t step = 0;
  uint16_t next = 1;  // the first word not yet seen
  uint16_t swaps = 0;
};

// What an action attaches; dependent 0: nothing.
struct Attached {
  uint32_t head = 0, dependent = 0;
  uint16_t label = kNoLabel;
};

class Transitions {
 public:
  Transitions(System system, bool single_root, uint32_t labels, std::vector<Transition> actions,
              uint32_t swaps_per_word)
      : system_(system),
        single_root_(single_root),
        swaps_per_word_(swaps_per_word),
        actions_(std::move(actions)) {
    if (static_cast<int>(system) < 0 || static_cast<int>(system) > 3)
      throw std::invalid_argument("no such transition system");
    if (actions_.empty() || actions_.size() > 0xFFF0) throw std::invalid_argument("there are no transitions");
    for (int k = 0; k <= kKinds; ++k) begin_[k] = 0;
    for (size_t a = 0; a < actions_.size(); ++a) {
      const int kind = static_cast<int>(actions_[a].kind);
      const bool bare = actions_[a].kind < Kind::left || actions_[a].kind == Kind::idle;
      if (kind < 0 || kind >= kKinds || (a > 0 && actions_[a - 1].kind > actions_[a].kind) ||
          (!bare && actions_[a].label >= labels))
        throw std::invalid_argument("the transitions are out of order");
      ++begin_[kind + 1];
    }
    for (int k = 0; k < kKinds; ++k) begin_[k + 1] += begin_[k];
    const bool eager = system == System::arc_eager, swap = system == System::swap;
    for (Kind k : {Kind::shift, Kind::right, Kind::root}) require(count(k) > 0);
    require(count(Kind::shift) == 1 && count(Kind::reduce) == (eager ? 1u : 0u) &&
            count(Kind::swap) == (swap ? 1u : 0u) && count(Kind::idle) == (swap ? 1u : 0u));
  }

  System system() const { return system_; }
  bool single_root() const { return single_root_; }
  uint32_t size() const { return static_cast<uint32_t>(actions_.size()); }
  const Transition& operator[](uint32_t a) const { return actions_[a]; }
  uint32_t begin(Kind k) const { return begin_[static_cast<int>(k)]; }
  uint32_t end(Kind k) const { return begin_[static_cast<int>(k) + 1]; }
  uint32_t count(Kind k) const { return end(k) - begin(k); }
  // The action of this kind and label; size() if there is none.
  uint32_t find(Kind k, uint16_t label) const {
    for (uint32_t a = begin(k); a < end(k); ++a)
      if (actions_[a].label == label || k < Kind::left) return a;
    return size();
  }

  void sentence(uint32_t length) {
    length_ = length;
    most_swaps_ = swaps_of(length);
    nodes_.resize(1);
    hashes_.resize(1);
  }
  // Signatures cost a little; only searches that merge need them.
  void keep_signatures(bool keep) { hashing_ = keep; }
  uint32_t length() const { return length_; }
  // All derivations are equally long: every word is pushed once and taken off once. With swap, what is not
  // used up by swaps is idled away, for nothing.
  uint32_t steps() const { return 2 * length_ + 2 * most_swaps_; }
  const Node& node(uint32_t i) const { return nodes_[i]; }
  bool buffer_empty(const ParseState& s) const { return s.front == 0 && s.next > length_; }
  // The first word of the buffer, 0 if it is empty.
  uint32_t buffer_word(const ParseState& s) const {
    return s.front ? nodes_[s.front].token : s.next <= length_ ? s.next : 0;
  }
  bool is_final(const ParseState& s) const { return s.step >= steps(); }

  // Which kinds of action are possible here, one bit each.
  uint32_t possible(const ParseState& s) const {
    const bool has_buffer = !buffer_empty(s);
    if (s.top == 0) return bit(has_buffer ? Kind::shift : Kind::idle);
    const Node& s0 = nodes_[s.top];
    if (system_ == System::arc_eager) return possible_eager(s, s0, has_buffer);
    uint32_t kinds = has_buffer ? bit(Kind::shift) : 0;
    if (system_ == System::arc_hybrid) {
      if (has_buffer) kinds |= bit(Kind::left);
      if (s0.below) kinds |= bit(Kind::right);
    } else if (s0.below) {
      kinds |= bit(Kind::left) | bit(Kind::right);
      if (system_ == System::swap && s.swaps < most_swaps_ && nodes_[s0.below].token < s0.token)
        kinds |= bit(Kind::swap);
    }
    if (!s0.below && (!single_root_ || !has_buffer)) kinds |= bit(Kind::root);
    return kinds;
  }

  Attached attached(const ParseState& s, uint32_t action) const {
    const auto [kind, label] = actions_[action];
    if (kind != Kind::left && kind != Kind::right && kind != Kind::root) return {};
    const uint32_t s0 = nodes_[s.top].token, s1 = nodes_[nodes_[s.top].below].token;
    if (kind == Kind::root) return {0, s0, label};
    const uint32_t b = buffer_word(s);
    if (kind == Kind::left) return joins_buffer(b) ? Attached{b, s0, label} : Attached{s0, s1, label};
    return system_ == System::arc_eager && b ? Attached{s0, b, label} : Attached{s1, s0, label};
  }

  ParseState advance(ParseState s, uint32_t action) {
    const auto [kind, label] = actions_[action];
    ++s.step;
    switch (kind) {
      case Kind::shift: {
        const Node first = take_front(s);  // changes s, before it is copied: compilers differ in the order
        return push(s, first, kNoLabel);
      }
      case Kind::reduce:
        s.top = nodes_[s.top].below;
        return s;
      case Kind::swap: {
        Node s0 = nodes_[s.top], s1 = nodes_[s0.below];
        s0.below = s1.below;
        s1.below = s.front;
        s.top = add(s0);
        s.front = add(s1);
        ++s.swaps;
        return s;
      }
      case Kind::left:
        return left(s, label);
      case Kind::right:
        return right(s, label);
      case Kind::root:
        s.top = nodes_[s.top].below;
        return s;
      case Kind::idle:
        break;
    }
    return s;
  }

  // The state with its topmost tree on the stack of another one.
  ParseState on_top_of(const ParseState& below, ParseState s) {
    if (nodes_[s.top].below == below.top) return s;
    Node n = nodes_[s.top];
    n.below = below.top;
    s.top = add(n);
    return s;
  }

  // Equal for states whose futures are equal.
  uint64_t signature(const ParseState& s) const {
    return combine(combine(hashes_[s.top].list, hashes_[s.front].list),
                   (static_cast<uint64_t>(s.swaps) << 32) | s.next);
  }

 private:
  // No two words are swapped twice, however many swaps a word may have.
  uint32_t swaps_of(uint32_t length) const {
    if (system_ != System::swap || length == 0) return 0;
    const uint64_t pairs = uint64_t{length} * (length - 1) / 2;
    return static_cast<uint32_t>(std::min({uint64_t{swaps_per_word_} * length, pairs, uint64_t{kMostSwaps}}));
  }
  static uint32_t bit(Kind k) { return 1u << static_cast<int>(k); }
  static void require(bool holds) {
    if (!holds) throw std::invalid_argument("the transitions do not fit the system");
  }
  bool joins_buffer(uint32_t b) const {
    return b && (system_ == System::arc_eager || system_ == System::arc_hybrid);
  }

  // When the buffer is empty, words without a head are attached to each other as in arc-standard, so that
  // one is left for the root (after Nivre & Fernandez-Gonzalez 2014, without their extra transition).
  uint32_t possible_eager(const ParseState&, const Node& s0, bool has_buffer) const {
    const bool headed = s0.label != kNoLabel;
    if (has_buffer)
      return bit(Kind::shift) | bit(Kind::right) | (headed ? bit(Kind::reduce) : bit(Kind::left));
    if (headed) return bit(Kind::reduce);
    if (!single_root_ || !s0.below) return bit(Kind::root);
    return bit(Kind::right) | (nodes_[s0.below].label == kNoLabel ? bit(Kind::left) : 0);
  }

  uint32_t add(const Node& n) {
    if (hashing_) {
      Key h = combine(n.token, (static_cast<Key>(n.label) << 32) | (static_cast<Key>(n.left_count) << 16) |
                                   n.right_count);
      for (int i = 0; i < 4; ++i) h = combine(combine(h, hashes_[n.child[i]].alone), n.child_label[i]);
      h = combine(combine(h, n.left_set), n.right_set);
      hashes_.push_back({h, combine(hashes_[n.below].list, h)});
    }
    nodes_.push_back(n);
    return static_cast<uint32_t>(nodes_.size()) - 1;
  }

  // The buffer's first word as a node, which is taken out of the buffer.
  Node take_front(ParseState& s) const {
    Node n;
    if (s.front) {
      n = nodes_[s.front];
      s.front = n.below;
    } else {
      n.token = s.next++;
    }
    return n;
  }
  ParseState push(ParseState s, Node n, uint16_t label) {
    n.below = s.top;
    n.label = label;
    s.top = add(n);
    return s;
  }

  static void attach(Node& head, int side, uint32_t child, uint16_t label) {
    head.child[side + 1] = head.child[side];
    head.child_label[side + 1] = head.child_label[side];
    head.child[side] = child;
    head.child_label[side] = label;
    (side ? head.right_set : head.left_set) |= uint64_t{1} << (label % 64);
    ++(side ? head.right_count : head.left_count);
  }

  ParseState left(ParseState s, uint16_t label) {
    if (joins_buffer(buffer_word(s))) {
      Node b = take_front(s);
      attach(b, 0, s.top, label);
      b.below = s.front;
      s.top = nodes_[s.top].below;
      s.front = add(b);
      return s;
    }
    Node s0 = nodes_[s.top];
    const uint32_t s1 = s0.below;
    attach(s0, 0, s1, label);
    s0.below = nodes_[s1].below;
    s.top = add(s0);
    return s;
  }

  ParseState right(ParseState s, uint16_t label) {
    if (system_ == System::arc_eager && !buffer_empty(s)) {
      const Node b = take_front(s);
      Node s0 = nodes_[s.top];
      Node leaf = b;
      leaf.below = 0;
      attach(s0, 2, add(leaf), label);
      s.top = add(s0);
      return push(s, b, label);
    }
    Node s1 = nodes_[nodes_[s.top].below];
    attach(s1, 2, s.top, label);
    s.top = add(s1);
    return s;
  }

  System system_;
  bool single_root_;
  uint32_t swaps_per_word_, length_ = 0, most_swaps_ = 0;
  std::vector<Transition> actions_;
  uint32_t begin_[kKinds + 1];
  bool hashing_ = false;
  std::vector<Node> nodes_ = std::vector<Node>(1);
  struct Hashes {
    Key alone = 0, list = 0;  // of a node and its children; and of all nodes below
  };
  std::vector<Hashes> hashes_ = std::vector<Hashes>(1);
};

}  // namespace structron
