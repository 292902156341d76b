// What features see of the items of a forest and of head vectors: siblings, grandchildren, relations, counts.
// structron/tasks/parsing/graph/space.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tasks/graph_parsing/keys.hpp"
#include "weights/key_table.hpp"

namespace structron {

// What features see of an item, in one number: of a complete item the outermost child of its head, the
// child's relation (from 1), the child before it and how many there are. 0 where nothing is seen.
struct SeenOfItem {
  uint32_t child = 0, relation = 0, before = 0, count = 0;

  static SeenOfItem of(uint64_t state) {
    return {static_cast<uint32_t>(state & 0xFFFF), static_cast<uint32_t>(state >> 16 & 0xFFFF),
            static_cast<uint32_t>(state >> 32 & 0xFFFF), static_cast<uint32_t>(state >> 48)};
  }
  uint64_t state() const {
    return uint64_t{child} | uint64_t{relation} << 16 | uint64_t{before} << 32 | uint64_t{count} << 48;
  }
};

// A word's head and relation; kNone where it has no head.
struct ArcChoice {
  uint32_t head = kNone, label = 0;
  bool operator==(const ArcChoice&) const = default;
};

class GraphParts {
 public:
  using State = uint64_t;                       // see SeenOfItem
  static constexpr uint32_t kMostChildren = 3;  // more are not told apart

  explicit GraphParts(const GraphProgram& program)
      : sees_child_(program.sees_child()),
        sees_relation_(program.sees_relation()),
        sees_before_(program.sees(PartPlace::second_sibling)),
        sees_count_(program.sees_count()),
        is_higher_(program.is_higher_order()) {}

  bool sees_relation() const { return sees_relation_; }
  bool is_higher_order() const { return is_higher_; }

  State arc(uint32_t label) const { return sees_relation_ ? SeenOfItem{.relation = label + 1}.state() : 0; }
  State incomplete(State arc, State own) const {
    const SeenOfItem before = SeenOfItem::of(own);
    SeenOfItem made = SeenOfItem::of(arc);
    if (sees_before_) made.before = before.child;
    if (sees_count_) made.count = std::min(before.count + 1, kMostChildren);
    return made.state();
  }
  State complete(uint32_t modifier, State incomplete) const {
    SeenOfItem made = SeenOfItem::of(incomplete);
    made.child = sees_child_ ? modifier : 0;
    return made.state();
  }
  static GraphPart sibling(uint32_t head, uint32_t modifier, State arc, State own) {
    const SeenOfItem seen = SeenOfItem::of(own);
    return {.head = head,
            .modifier = modifier,
            .sibling = seen.child,
            .second_sibling = seen.before,
            .modifier_relation = SeenOfItem::of(arc).relation,
            .sibling_relation = seen.relation,
            .head_count = seen.count};
  }
  static GraphPart grandchild(uint32_t head, uint32_t modifier, State arc, State children, uint32_t side) {
    const SeenOfItem seen = SeenOfItem::of(children);
    return {.head = head,
            .modifier = modifier,
            .child = seen.child,
            .modifier_relation = SeenOfItem::of(arc).relation,
            .child_relation = seen.relation,
            .modifier_count = seen.count,
            .side = side};
  }

  // What a word's own parts are made of: its arc, and what is seen of its siblings and of its children.
  struct OfWord {
    ArcChoice arc;
    State own = 0, near = 0, far = 0;
    bool operator==(const OfWord&) const = default;
  };
  OfWord of_word(const std::vector<ArcChoice>& arcs, uint32_t m) const {
    OfWord found{arcs[m]};
    const uint32_t h = arcs[m].head, n = static_cast<uint32_t>(arcs.size()) - 1;
    if (!is_higher_ || h == kNone) return found;
    found.own = side_of(arcs, h, h < m, m);
    found.near = side_of(arcs, m, h > m, n + 1);
    found.far = side_of(arcs, m, h < m, n + 1);
    return found;
  }
  // f(head, modifier, label) for its arc, g(kind, part) for the others.
  template <class F, class G>
  void each_of_word(uint32_t m, const OfWord& found, F&& f, G&& g) const {
    const uint32_t h = found.arc.head;
    if (h == kNone) return;
    f(h, m, found.arc.label);
    if (!is_higher_) return;
    const State its = arc(found.arc.label);
    g(PartKind::sibling, sibling(h, m, its, found.own));
    g(PartKind::grandchild, grandchild(h, m, its, found.near, 1));
    g(PartKind::grandchild, grandchild(h, m, its, found.far, 2));
  }
  // The parts of a head vector, whether it is a tree or not.
  template <class F, class G>
  void each(const std::vector<ArcChoice>& arcs, F&& f, G&& g) const {
    for (uint32_t m = 1; m < arcs.size(); ++m) each_of_word(m, of_word(arcs, m), f, g);
  }

 private:
  // What is seen of a word's children on one side, those nearer to it than `until`.
  State side_of(const std::vector<ArcChoice>& arcs, uint32_t head, bool to_right, uint32_t until) const {
    const uint32_t n = static_cast<uint32_t>(arcs.size()) - 1;
    State seen = 0;
    const auto add = [&](uint32_t w) {
      if (arcs[w].head == head) seen = complete(w, incomplete(arc(arcs[w].label), seen));
    };
    if (to_right) {
      for (uint32_t w = head + 1; w <= n && w < until; ++w) add(w);
    } else {
      for (uint32_t w = head; w-- > 1 && (until > n || w > until);) add(w);
    }
    return seen;
  }

  bool sees_child_, sees_relation_, sees_before_, sees_count_, is_higher_;
};

}  // namespace structron
