// The nodes of Eisner's forest for one sentence: what can be built from the arcs that there may be.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/forest/forest_space.hpp"
#include "tasks/graph_parsing/scorer.hpp"
#include "util/interrupt.hpp"
#include "weights/key_table.hpp"

namespace structron {

// The order in which the items from one word to another are listed.
enum class Shape : uint8_t {
  arc_right = 0,
  incomplete_right,
  arc_left,
  incomplete_left,
  complete_left,
  complete_right
};
inline constexpr size_t kShapes = 6;

struct GraphItem {
  uint16_t begin, end;
  Shape shape;

  bool is_arc() const { return shape == Shape::arc_right || shape == Shape::arc_left; }
  bool is_incomplete() const { return shape == Shape::incomplete_right || shape == Shape::incomplete_left; }
  bool to_right() const {
    return shape == Shape::arc_right || shape == Shape::incomplete_right || shape == Shape::complete_right;
  }
  uint32_t head() const { return to_right() ? begin : end; }
  uint32_t modifier() const { return to_right() ? end : begin; }
};

class GraphChart {
 public:
  explicit GraphChart(bool single_root) : single_root_(single_root) {}

  uint32_t nodes() const { return static_cast<uint32_t>(items_.size()); }
  const GraphItem& operator[](uint32_t node) const { return items_[node]; }
  bool is_pruned() const { return is_pruned_; }

  // Whether a tree can be built.
  bool is_whole() const {
    const GraphItem& last = items_.back();
    return last.shape == Shape::complete_right && last.begin == 0 && last.end == length_;
  }

  // By width.
  void sentence(uint32_t length, std::span<const PossibleArc> arcs) {
    const size_t every = static_cast<size_t>(length) * length;
    is_pruned_ = arcs.size() < every;
    list(length, arcs);
  }

  // f(edge) for the ways to cut an item that is no arc.
  template <class F>
  void each_edge(uint32_t n, ForestEdge& edge, F&& f) const {
    const GraphItem item = items_[n];
    if (item.is_incomplete()) {
      edge.arity = 3;
      edge.tails[1] = n - 1;  // the arc stands before it
      for (uint32_t cut = item.begin; cut < item.end; ++cut)
        offer(item.begin, cut, Shape::complete_right, 0, cut + 1, item.end, Shape::complete_left, 2, edge, f);
      return;
    }
    edge.arity = 2;
    if (item.shape == Shape::complete_right) {
      for (uint32_t cut = item.begin + 1u; cut <= item.end; ++cut)
        offer(item.begin, cut, Shape::incomplete_right, 0, cut, item.end, Shape::complete_right, 1, edge, f);
    } else {
      for (uint32_t cut = item.begin; cut < item.end; ++cut)
        offer(item.begin, cut, Shape::complete_left, 0, cut, item.end, Shape::incomplete_left, 1, edge, f);
    }
  }

 private:
  uint32_t number(uint32_t begin, uint32_t end, Shape shape) const {
    return numbers_[(static_cast<size_t>(begin) * (length_ + 1) + end) * kShapes +
                    static_cast<size_t>(shape)];
  }
  template <class F>
  void offer(uint32_t begin, uint32_t end, Shape shape, uint32_t first, uint32_t from, uint32_t to,
             Shape other, uint32_t second, ForestEdge& edge, F&& f) const {
    edge.tails[first] = number(begin, end, shape);
    if (edge.tails[first] == kNone) return;
    edge.tails[second] = number(from, to, other);
    if (edge.tails[second] != kNone) f(edge);
  }
  bool can(uint32_t begin, uint32_t end, Shape shape) const {
    const auto known = [&](uint32_t b, uint32_t e, Shape s) { return number(b, e, s) != kNone; };
    if (shape == Shape::incomplete_right) {
      for (uint32_t cut = begin; cut < end; ++cut)
        if (known(begin, cut, Shape::complete_right) && known(cut + 1, end, Shape::complete_left))
          return true;
    } else if (shape == Shape::complete_right) {
      for (uint32_t cut = begin + 1; cut <= end; ++cut)
        if (known(begin, cut, Shape::incomplete_right) && known(cut, end, Shape::complete_right)) return true;
    } else {
      for (uint32_t cut = begin; cut < end; ++cut)
        if (known(begin, cut, Shape::complete_left) && known(cut, end, Shape::incomplete_left)) return true;
    }
    return false;
  }

  void list(uint32_t n, std::span<const PossibleArc> arcs) {
    length_ = n;
    items_.clear();
    numbers_.assign(static_cast<size_t>(n + 1) * (n + 1) * kShapes, kNone);
    if (is_pruned_) {
      allowed_.assign(static_cast<size_t>(n + 1) * (n + 1), 0);
      for (const PossibleArc& a : arcs) allowed_[static_cast<size_t>(a.head) * (n + 1) + a.modifier] = 1;
    }
    const auto allowed = [&](uint32_t head, uint32_t modifier) {
      return !is_pruned_ || allowed_[static_cast<size_t>(head) * (n + 1) + modifier];
    };
    const auto add = [&](uint32_t begin, uint32_t end, Shape shape) {
      numbers_[(static_cast<size_t>(begin) * (n + 1) + end) * kShapes + static_cast<size_t>(shape)] =
          static_cast<uint32_t>(items_.size());
      items_.push_back({static_cast<uint16_t>(begin), static_cast<uint16_t>(end), shape});
    };
    for (uint32_t width = 0; width <= n; ++width)
      for (uint32_t begin = 0; begin + width <= n; ++begin) {
        pulse_();
        const uint32_t end = begin + width;
        if (width) {
          const bool right = allowed(begin, end), left = begin && allowed(end, begin);
          if ((right || left) && can(begin, end, Shape::incomplete_right)) {
            if (right) {
              add(begin, end, Shape::arc_right);
              add(begin, end, Shape::incomplete_right);
            }
            if (left) {
              add(begin, end, Shape::arc_left);
              add(begin, end, Shape::incomplete_left);
            }
          }
        }
        if (begin && (!width || can(begin, end, Shape::complete_left))) add(begin, end, Shape::complete_left);
        const bool is_used = begin || width == 0 || width == n || !single_root_;
        if (is_used && (!width || can(begin, end, Shape::complete_right)))
          add(begin, end, Shape::complete_right);
      }
  }

  bool single_root_, is_pruned_ = false;
  uint32_t length_ = 0;
  std::vector<GraphItem> items_;
  std::vector<uint32_t> numbers_;  // [begin][end][shape]
  std::vector<uint8_t> allowed_;   // [head][modifier]
  Pulse pulse_;
};

}  // namespace structron
