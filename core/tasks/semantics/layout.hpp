// Which node of a question's forest is what, and the edges that lead to it.
// structron/tasks/semantics/space.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "forest_space.hpp"
#include "tasks/semantics/grammar.hpp"

namespace structron {

class HybridLayout {
 public:
  enum Kind : uint8_t { kFull, kClosed, kSlot, kOpen, kGoal };
  static constexpr uint32_t kSay = 0, kName = 1;  // actions of edges without tails

  // A node inside of its span: `which` is a level, a slot, or how far an open production is filled.
  struct Inner {
    Kind kind;
    uint32_t symbol, which;
  };
  struct Place {
    Inner inner;
    uint32_t begin, end;
  };

  explicit HybridLayout(const SemanticGrammar& grammar) : grammar_(grammar) {
    for (uint32_t p = 0; p < grammar.size(); ++p)
      if (grammar[p].spoken) spoken_.push_back(p);
  }

  void read(const Question& question) {
    length_ = question.length();
    names_ = question.names;
    if (!is_laid_ || !names_.empty() || used_.size() != spoken_.size()) lay();
    inside_ = static_cast<uint32_t>(inner_.size());
    base_ = block_ = 0;
    const uint64_t all = uint64_t{length_} * (length_ + 1) / 2 * inside_ + 1;
    if (all > std::numeric_limits<uint32_t>::max() / 2)
      throw std::invalid_argument("a question of " + std::to_string(length_) + " words is too long");
    goal_ = static_cast<uint32_t>(all - 1);
    spans_.clear();
    first_of_size_.assign(length_ + 1, 0);
    for (uint32_t size = 1; size <= length_; ++size) {
      first_of_size_[size] = static_cast<uint32_t>(spans_.size());
      for (uint32_t i = 0; i + size <= length_; ++i) spans_.push_back({i, i + size});
    }
  }

  uint32_t length() const { return length_; }
  uint32_t nodes() const { return goal_ + 1; }
  uint32_t symbols() const { return static_cast<uint32_t>(used_.size()); }
  uint32_t production(uint32_t symbol) const { return used_[symbol]; }
  uint32_t arity(uint32_t symbol) const { return arity_[symbol]; }
  uint32_t slots() const { return slots_; }
  // The slot of a symbol among all.
  uint32_t slot(uint32_t symbol, uint32_t which) const { return first_slot_[symbol] + which; }
  const std::vector<uint32_t>& fitting(uint32_t slot) const { return fitting_[slot]; }

  Place place(uint32_t n) const {
    if (n == goal_) return {{kGoal, 0, 0}, 0, length_};
    // The nodes of a span are asked for one after the other, and divisions are slow.
    if (n - base_ >= inside_) {
      block_ = n / inside_;
      base_ = block_ * inside_;
    }
    const auto& span = spans_[block_];
    return {inner_[n - base_], span[0], span[1]};
  }
  std::array<uint32_t, 2> span(uint32_t n) const {
    return n == goal_ ? std::array<uint32_t, 2>{0, length_} : spans_[n / inside_];
  }
  bool is_closed(uint32_t n) const { return n != goal_ && inner(n).kind == kClosed; }
  bool is_goal(uint32_t n) const { return n == goal_; }
  uint32_t group(uint32_t n) const {
    if (!is_closed(n)) return n;
    const uint32_t at = within(n);
    return n - at + first_of_level_[inner_[at].which];
  }
  // The symbol of a closed node, whichever its level, and the slot of a slot's node.
  uint32_t symbol_of(uint32_t n) const { return inner(n).symbol; }
  uint32_t which_of(uint32_t n) const { return inner(n).which; }
  // Whether a symbol has two slots, and types do not tell which part is for which.
  bool is_exchangeable(uint32_t symbol) const { return is_exchangeable_[symbol]; }
  Kind kind_of(uint32_t n) const { return n == goal_ ? kGoal : inner(n).kind; }
  // Whether the last word of a node is said by its production, if this edge leads to it.
  bool says(const ForestEdge& edge) const {
    if (edge.arity != 1) return edge.arity == 0;
    const Kind kind = kind_of(edge.tails[0]);
    return kind == kFull || kind == kOpen;
  }

  // What an edge does to its node, which decides how it is scored.
  enum How : uint8_t { kPlain, kSays, kTakes, kCloses, kFillsFirst, kFillsSecond };

  template <class F>
  void each_edge(uint32_t n, F&& f) const {
    each_edge_and_how(n, [&](const ForestEdge& edge, How) { f(edge); });
  }
  // f(edge, how)
  template <class F>
  void each_edge_and_how(uint32_t n, F&& f) const {
    const Place at = place(n);
    const uint32_t a = at.inner.symbol, i = at.begin, j = at.end, which = at.inner.which;
    const bool spoken = at.inner.kind != kGoal && is_spoken_[a];
    switch (at.inner.kind) {
      case kGoal:
        for (uint32_t s = 0; length_ > 0 && s < symbols(); ++s)
          if (grammar_.is_start(used_[s]))
            each_level(s, [&](uint32_t l) { f(one(closed(0, length_, s, l)), kPlain); });
        return;
      case kFull:
        if (spoken) full_edges(i, j, a, f);
        return;
      case kClosed:
        closed_edges(i, j, a, which, f);
        return;
      case kSlot:
        for (uint32_t c : fitting_[slot(a, which)])
          each_level(c, [&](uint32_t level) { f(one(closed(i, j, c, level)), kTakes); });
        return;
      case kOpen:
        if (spoken) open_edges(i, j, a, which, f);
        return;
    }
  }

 private:
  void lay() {
    used_ = spoken_;
    for (const NamedSpan& name : names_) used_.push_back(name.production);
    std::sort(used_.begin(), used_.end());
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    const uint32_t m = symbols();
    arity_.resize(m);
    is_spoken_.resize(m);
    is_exchangeable_.resize(m);
    first_slot_.resize(m);
    slots_ = 0;
    for (uint32_t a = 0; a < m; ++a) {
      arity_[a] = grammar_.arity(used_[a]);
      is_spoken_[a] = grammar_[used_[a]].spoken;
      is_exchangeable_[a] = grammar_.is_exchangeable(used_[a]);
      first_slot_[a] = slots_;
      slots_ += arity_[a];
    }
    fitting_.assign(slots_, {});
    for (uint32_t a = 0; a < m; ++a)
      for (uint32_t s = 0; s < arity_[a]; ++s)
        for (uint32_t c = 0; c < m; ++c)
          if (grammar_.fits(used_[a], s, used_[c])) fitting_[slot(a, s)].push_back(c);
    inner_.clear();
    for (uint32_t a = 0; a < m; ++a) inner_.push_back({kFull, a, 0});
    first_of_level_.assign(grammar_.chain() + 1, 0);
    closed_.assign(size_t{m} * (grammar_.chain() + 1), 0);
    for (uint32_t level = 0; level <= grammar_.chain(); ++level) {
      first_of_level_[level] = static_cast<uint32_t>(inner_.size());
      for (uint32_t a = 0; a < m; ++a)
        if (level == 0 || arity_[a] == 1) {
          closed_[level * m + a] = static_cast<uint32_t>(inner_.size());
          inner_.push_back({kClosed, a, level});
        }
    }
    first_inner_slot_ = static_cast<uint32_t>(inner_.size());
    for (uint32_t a = 0; a < m; ++a)
      for (uint32_t s = 0; s < arity_[a]; ++s) inner_.push_back({kSlot, a, s});
    first_open_.resize(m);
    for (uint32_t a = 0; a < m; ++a) {
      first_open_[a] = static_cast<uint32_t>(inner_.size());
      const uint32_t ways = arity_[a] == 0 ? 0 : arity_[a] < 3 ? arity_[a] + 1 : arity_[a];
      for (uint32_t filled = 0; filled < ways; ++filled) inner_.push_back({kOpen, a, filled});
    }
    is_laid_ = true;
  }

  // Which of the nodes of its span a node is.
  uint32_t within(uint32_t n) const { return n - base_ < inside_ ? n - base_ : n % inside_; }
  const Inner& inner(uint32_t n) const { return inner_[within(n)]; }
  uint32_t base(uint32_t i, uint32_t j) const { return (first_of_size_[j - i] + i) * inside_; }
  uint32_t full(uint32_t i, uint32_t j, uint32_t a) const { return base(i, j) + a; }
  uint32_t closed(uint32_t i, uint32_t j, uint32_t a, uint32_t level) const {
    return base(i, j) + closed_[level * symbols() + a];
  }
  uint32_t slot_node(uint32_t i, uint32_t j, uint32_t a, uint32_t s) const {
    return base(i, j) + first_inner_slot_ + slot(a, s);
  }
  uint32_t open(uint32_t i, uint32_t j, uint32_t a, uint32_t filled) const {
    return base(i, j) + first_open_[a] + filled;
  }
  static ForestEdge one(uint32_t tail) { return {{tail}, 1, kSay}; }

  template <class F>
  void each_level(uint32_t a, F&& f) const {
    f(0u);
    if (arity_[a] == 1)
      for (uint32_t level = 1; level <= grammar_.chain(); ++level) f(level);
  }
  template <class F>
  void full_edges(uint32_t i, uint32_t j, uint32_t a, F& f) const {
    const uint32_t arity = arity_[a];
    if (arity == 0 && j == i + 1) f(ForestEdge{{}, 0, kSay}, kSays);
    if (j > i + 1) {
      f(one(full(i, j - 1, a)), kSays);
      if (arity == 1) f(one(open(i, j - 1, a, 1)), kSays);
    }
    if (arity == 2) {
      filled_edges(i, j, a, 1, 1, kFillsSecond, f);
      filled_edges(i, j, a, 2, 0, kFillsFirst, f);
    } else if (arity > 0) {
      filled_edges(i, j, a, arity - 1, arity - 1, kPlain, f);
    }
  }
  template <class F>
  void closed_edges(uint32_t i, uint32_t j, uint32_t a, uint32_t level, F& f) const {
    if (level > 0) {
      for (uint32_t c : fitting_[slot(a, 0)])
        if (level == 1 || arity_[c] == 1) f(one(closed(i, j, c, level - 1)), kTakes);
      return;
    }
    if (is_spoken_[a]) f(one(full(i, j, a)), kCloses);
    for (const NamedSpan& name : names_)
      if (name == NamedSpan{i, j, used_[a]}) {
        f(ForestEdge{{}, 0, kName}, kCloses);
        return;
      }
  }
  template <class F>
  void open_edges(uint32_t i, uint32_t j, uint32_t a, uint32_t filled, F& f) const {
    const bool is_bare = arity_[a] == 1 && filled == 1;
    if (filled == 0 && j == i + 1) f(ForestEdge{{}, 0, kSay}, kSays);
    if (j > i + 1 && !is_bare) f(one(open(i, j - 1, a, filled)), kSays);
    if (filled == 0) return;
    const uint32_t before = arity_[a] < 3 ? 0 : filled - 1, s = filled - 1;
    if (before == 0) f(one(slot_node(i, j, a, s)), kPlain);
    if (!is_bare) filled_edges(i, j, a, before, s, kPlain, f);
  }
  // One more slot filled, by a part that ends here.
  template <class F>
  void filled_edges(uint32_t i, uint32_t j, uint32_t a, uint32_t before, uint32_t s, How how, F& f) const {
    for (uint32_t k = i + 1; k < j; ++k)
      f(ForestEdge{{open(i, k, a, before), slot_node(k, j, a, s)}, 2, kSay}, how);
  }

  const SemanticGrammar& grammar_;
  std::vector<uint32_t> spoken_, used_, arity_, first_slot_, closed_, first_of_level_, first_open_;
  std::vector<uint8_t> is_spoken_, is_exchangeable_;
  std::vector<std::vector<uint32_t>> fitting_;
  std::vector<Inner> inner_;
  std::vector<std::array<uint32_t, 2>> spans_;
  std::vector<uint32_t> first_of_size_;
  std::vector<NamedSpan> names_;
  uint32_t length_ = 0, goal_ = 0, slots_ = 0, first_inner_slot_ = 0;
  uint32_t inside_ = 0;  // nodes of a span
  // The first node of the span that was asked for last, and the number of that span.
  mutable uint32_t base_ = 0, block_ = 0;
  bool is_laid_ = false;
};

}  // namespace structron
