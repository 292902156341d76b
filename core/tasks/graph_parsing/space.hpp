// Projective dependency trees as a forest: the items of Eisner (1996).
// structron/tasks/parsing/graph/space.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "forest_space.hpp"
#include "tasks/graph_parsing/scorer.hpp"
#include "tasks/parsing/oracle.hpp"

namespace structron {

enum class Shape : uint8_t { incomplete_right = 0, incomplete_left, complete_left, complete_right };

template <class Scorer>
class GraphSpace {
 public:
  using State = uint32_t;  // the outermost child of a complete item's head, or kNothing
  using Uses = std::vector<Use<State>>;
  static constexpr uint32_t kNothing = 0xFFFFFFFFu;
  static constexpr ForestOffers kOffers{.span = true, .loss = true, .mixed = true};

  struct Node {
    uint32_t begin, end;
    Shape shape;

    bool is_arc() const { return shape <= Shape::incomplete_left; }
    uint32_t head() const { return shape == Shape::incomplete_right ? begin : end; }
    uint32_t modifier() const { return shape == Shape::incomplete_right ? end : begin; }
  };

  GraphSpace(Scorer& scorer, bool single_root, float margin = 0)
      : scorer_(scorer),
        single_root_(single_root),
        second_(scorer.program().is_second_order()),
        margin_(margin) {}

  // The scorer has the sentence; gold may be null when nothing is watched.
  void sentence(uint32_t length, const GoldTree* gold) {
    gold_ = gold;
    if (length != length_ || nodes_.empty()) list_nodes(length);
    best_label_.clear();
  }

  uint32_t nodes() const { return static_cast<uint32_t>(nodes_.size()); }
  const Node& node(uint32_t n) const { return nodes_[n]; }
  uint32_t group(uint32_t n) const { return n; }
  std::array<uint32_t, 2> span(uint32_t n) const { return {nodes_[n].begin, nodes_[n].end}; }

  // For the k best all relations of an arc are of interest.
  void want_all_labels(bool all) { all_labels_ = all; }

  // The ways to cut an item into two. Of the relations of an arc the best is enough, and the gold one: no
  // state tells them apart.
  template <class F>
  void each_edge(uint32_t n, F&& f) {
    const Node item = nodes_[n];
    ForestEdge edge;
    if (item.begin == item.end) return f(edge);
    edge.arity = 2;
    if (!item.is_arc())
      return each_cut(item, [&](uint32_t left, uint32_t right) {
        edge.tails = {left, right};
        f(edge);
      });
    if (all_labels_)
      return each_cut(item, [&](uint32_t left, uint32_t right) {
        edge.tails = {left, right};
        for (edge.action = 0; edge.action < scorer_.labels(); ++edge.action) f(edge);
      });
    const uint32_t best = best_label(item.head(), item.modifier());
    const bool has_gold = gold_ != nullptr && gold_->head[item.modifier()] == item.head();
    const uint32_t right_one = has_gold ? gold_->label[item.modifier()] : best;
    each_cut(item, [&](uint32_t left, uint32_t right) {
      edge.tails = {left, right};
      edge.action = best;
      f(edge);
      if (right_one == best) return;
      edge.action = right_one;
      f(edge);
    });
  }
  bool join(uint32_t n, const ForestEdge& edge, const TailStates<State>&, State& made) const {
    const Node& item = nodes_[n];
    made = kNothing;
    if (second_ && !item.is_arc() && item.begin != item.end)
      made = item.shape == Shape::complete_right ? nodes_[edge.tails[0]].end : nodes_[edge.tails[1]].begin;
    return true;
  }
  float gain(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) {
    const Node& item = nodes_[n];
    const float wrong =
        item.is_arc() && margin_ != 0 && gold_ != nullptr && !is_gold(item, edge.action) ? margin_ : 0;
    return gold_gain(n, edge, states) + wrong;
  }
  float gold_gain(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) {
    const Node& item = nodes_[n];
    if (item.begin == item.end) return 0;
    float sum = item.is_arc() ? scorer_.arc(item.head(), item.modifier())[edge.action] : 0;
    each_other(n, edge, states,
               [&](PartKind kind, const PartWords& words) { sum += scorer_.other(kind, words); });
    return sum;
  }
  uint32_t merge_key(State s) const { return s; }
  bool allows(uint32_t n, const ForestEdge& edge, const TailStates<State>&) const {
    return gold_ != nullptr && (!nodes_[n].is_arc() || is_gold(nodes_[n], edge.action));
  }
  void weights_changed() {
    scorer_.forget();
    best_label_.clear();
  }

  // What both have cancels unseen.
  void difference(const Uses& gold, const Uses& guess, Difference& delta) {
    std::vector<bool> shared(guess.size());
    for (const Use<State>& use : gold) {
      size_t i = 0;
      while (i < guess.size() && (shared[i] || !(guess[i] == use))) ++i;
      if (i < guess.size()) {
        shared[i] = true;
      } else {
        put(use, 1, delta);
      }
    }
    for (size_t i = 0; i < guess.size(); ++i)
      if (!shared[i]) put(guess[i], -1, delta);
  }

  // How many words have another head or relation.
  double loss(const Uses& gold, const Uses& guess) const {
    arcs_of(gold, gold_arcs_);
    arcs_of(guess, guess_arcs_);
    double wrong = 0;
    for (uint32_t m = 1; m <= length_; ++m)
      wrong += gold_arcs_[m].head != kNothing && !(gold_arcs_[m] == guess_arcs_[m]);
    return wrong;
  }

  // Each word's head and relation is a decision.
  uint32_t decisions(const Uses& gold, const Uses& guess, std::vector<uint32_t>& wrong) const {
    arcs_of(gold, gold_arcs_);
    arcs_of(guess, guess_arcs_);
    wrong.clear();
    uint32_t number = 0;
    for (uint32_t m = 1; m <= length_; ++m) {
      if (gold_arcs_[m].head == kNothing || guess_arcs_[m].head == kNothing) continue;
      if (!(gold_arcs_[m] == guess_arcs_[m])) wrong.push_back(number);
      ++number;
    }
    return number;
  }
  // A head vector that need not be a tree: its parts are those that the vector has.
  MixedAssignment mixed(const Uses& gold, const Uses& guess, std::span<const uint32_t> positions,
                        Difference& delta) {
    arcs_of(gold, gold_arcs_);
    arcs_of(guess, guess_arcs_);
    mixed_arcs_.assign(length_ + 1, {});
    uint32_t number = 0, wrong = 0;
    for (uint32_t m = 1; m <= length_; ++m) {
      if (gold_arcs_[m].head == kNothing || guess_arcs_[m].head == kNothing) continue;
      const bool taken = !positions.empty() && positions.front() == number;
      if (taken) positions = positions.subspan(1);
      mixed_arcs_[m] = taken ? guess_arcs_[m] : gold_arcs_[m];
      wrong += gold_ == nullptr || gold_->head[m] != mixed_arcs_[m].head ||
               gold_->label[m] != mixed_arcs_[m].label;
      ++number;
    }
    for (const Use<State>& use : gold) put(use, 1, delta);
    put_vector(mixed_arcs_, -1, delta);
    return {wrong == 0, wrong};
  }

  struct ArcChoice {
    uint32_t head = kNothing, label = 0;
    bool operator==(const ArcChoice&) const = default;
  };
  // By modifier; no head where there is no arc.
  void arcs_of(const Uses& uses, std::vector<ArcChoice>& arcs) const {
    arcs.assign(length_ + 1, {});
    for (const Use<State>& use : uses)
      if (nodes_[use.node].is_arc())
        arcs[nodes_[use.node].modifier()] = {nodes_[use.node].head(), use.edge.action};
  }

 private:
  bool is_gold(const Node& item, uint32_t label) const {
    return gold_->head[item.modifier()] == item.head() && gold_->label[item.modifier()] == label;
  }

  uint32_t best_label(uint32_t head, uint32_t modifier) {
    if (best_label_.empty()) best_label_.assign(static_cast<size_t>(length_ + 1) * (length_ + 1), kNothing);
    uint32_t& best = best_label_[static_cast<size_t>(head) * (length_ + 1) + modifier];
    if (best != kNothing) return best;
    const float* scores = scorer_.arc(head, modifier);
    const bool augmented = margin_ != 0 && gold_ != nullptr;
    const uint32_t right = augmented && gold_->head[modifier] == head ? gold_->label[modifier] : kNothing;
    best = 0;
    float highest = 0;
    for (uint32_t l = 0; l < scorer_.labels(); ++l) {
      const float score = scores[l] + (augmented && l != right ? margin_ : 0);
      if (l == 0 || score > highest) {
        best = l;
        highest = score;
      }
    }
    return best;
  }

  // f(kind, words) for the siblings and grandchildren that a use of an edge brings together.
  template <class F>
  void each_other(uint32_t n, const ForestEdge& edge, const TailStates<State>& states, F&& f) const {
    if (!second_) return;
    const Node& item = nodes_[n];
    if (item.is_arc()) {
      const bool to_right = item.shape == Shape::incomplete_right;
      const State sibling = states[to_right ? 0 : 1], child = states[to_right ? 1 : 0];
      if (sibling != kNothing) f(PartKind::sibling, PartWords{item.head(), item.modifier(), sibling});
      if (child != kNothing) f(PartKind::grandchild, PartWords{item.head(), item.modifier(), child});
      return;
    }
    const bool to_right = item.shape == Shape::complete_right;
    const Node& arc = nodes_[edge.tails[to_right ? 0 : 1]];
    const State outer = states[to_right ? 1 : 0];
    if (outer != kNothing) f(PartKind::grandchild, PartWords{arc.head(), arc.modifier(), outer});
  }

  void put(const Use<State>& use, float value, Difference& delta) {
    const Node& item = nodes_[use.node];
    if (item.begin == item.end) return;
    if (item.is_arc()) put_arc(item.head(), item.modifier(), use.edge.action, value, delta);
    each_other(use.node, use.edge, use.states,
               [&](PartKind kind, const PartWords& words) { put_other(kind, words, value, delta); });
  }
  void put_arc(uint32_t head, uint32_t modifier, uint32_t label, float value, Difference& delta) {
    scorer_.each_feature(PartKind::arc, {head, modifier},
                         [&](uint32_t feature) { delta.push_back({feature, label, value}); });
  }
  void put_other(PartKind kind, const PartWords& words, float value, Difference& delta) {
    scorer_.each_feature(kind, words,
                         [&](uint32_t feature) { delta.push_back({feature, scorer_.labels(), value}); });
  }
  void put_vector(const std::vector<ArcChoice>& arcs, float value, Difference& delta) {
    for (uint32_t m = 1; m <= length_; ++m) {
      const uint32_t h = arcs[m].head;
      if (h == kNothing) continue;
      put_arc(h, m, arcs[m].label, value, delta);
      if (!second_) continue;
      const bool to_right = h < m;
      uint32_t sibling = kNothing, inside = kNothing, outside = kNothing;
      for (uint32_t w = 1; w <= length_; ++w) {
        if (arcs[w].head == h && w > std::min(h, m) && w < std::max(h, m))
          if (sibling == kNothing || to_right) sibling = w;  // the nearest to the modifier
        if (arcs[w].head != m) continue;
        const bool is_near = (w < m) == to_right;
        uint32_t& outermost = is_near ? inside : outside;
        // The outermost: on the left the first, on the right the last.
        if (outermost == kNothing || w > m) outermost = w;
      }
      if (sibling != kNothing) put_other(PartKind::sibling, {h, m, sibling}, value, delta);
      if (inside != kNothing) put_other(PartKind::grandchild, {h, m, inside}, value, delta);
      if (outside != kNothing) put_other(PartKind::grandchild, {h, m, outside}, value, delta);
    }
  }

  // f(left, right) for every cut of an item.
  template <class F>
  void each_cut(const Node& item, F&& f) const {
    const auto offer = [&](uint32_t left, uint32_t right) {
      if (left != kNothing && right != kNothing) f(left, right);
    };
    if (item.is_arc()) {
      for (uint32_t cut = item.begin; cut < item.end; ++cut)
        offer(number(item.begin, cut, Shape::complete_right),
              number(cut + 1, item.end, Shape::complete_left));
    } else if (item.shape == Shape::complete_right) {
      for (uint32_t cut = item.begin + 1; cut <= item.end; ++cut)
        offer(number(item.begin, cut, Shape::incomplete_right), number(cut, item.end, Shape::complete_right));
    } else {
      for (uint32_t cut = item.begin; cut < item.end; ++cut)
        offer(number(item.begin, cut, Shape::complete_left), number(cut, item.end, Shape::incomplete_left));
    }
  }

  uint32_t number(uint32_t begin, uint32_t end, Shape shape) const {
    return numbers_[(static_cast<size_t>(begin) * (length_ + 1) + end) * 4 + static_cast<size_t>(shape)];
  }
  // By width; of the root's items only those that a tree can use.
  void list_nodes(uint32_t n) {
    length_ = n;
    nodes_.clear();
    numbers_.assign(static_cast<size_t>(n + 1) * (n + 1) * 4, kNothing);
    const auto add = [&](uint32_t begin, uint32_t end, Shape shape) {
      numbers_[(static_cast<size_t>(begin) * (n + 1) + end) * 4 + static_cast<size_t>(shape)] =
          static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({begin, end, shape});
    };
    for (uint32_t width = 0; width <= n; ++width)
      for (uint32_t begin = 0; begin + width <= n; ++begin) {
        const uint32_t end = begin + width;
        if (width) add(begin, end, Shape::incomplete_right);
        if (width && begin) add(begin, end, Shape::incomplete_left);
        if (begin) add(begin, end, Shape::complete_left);
        if (begin || width == 0 || width == n || !single_root_) add(begin, end, Shape::complete_right);
      }
  }

  Scorer& scorer_;
  bool single_root_, second_, all_labels_ = false;
  float margin_;  // cost-augmented search: every wrong arc scores this much more
  const GoldTree* gold_ = nullptr;
  uint32_t length_ = 0;
  std::vector<Node> nodes_;
  std::vector<uint32_t> numbers_, best_label_;
  mutable std::vector<ArcChoice> gold_arcs_, guess_arcs_;
  std::vector<ArcChoice> mixed_arcs_;
};

}  // namespace structron
