// Gold of a question: all derivations of its forms. structron/tasks/semantics/gold.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tasks/semantics/layout.hpp"
#include "util/interrupt.hpp"

namespace structron {

// A form as the productions of its tree, each before its parts.
using Preorder = std::vector<uint32_t>;

class HybridGold {
 public:
  HybridGold(const SemanticGrammar& grammar, const HybridLayout& layout, const std::vector<Preorder>& forms) {
    for (const Preorder& form : forms) {
      size_t at = 0;
      const uint32_t whole = take(grammar, form, at, 0);
      if (at != form.size()) throw std::invalid_argument("a form has more parts than slots");
      wholes_.push_back(whole);
    }
    list_ways();
    build(layout);
  }

  bool reachable() const { return !alive_.empty(); }
  bool has(uint32_t node, uint32_t state) const {
    return state != kNone && std::binary_search(alive_.begin(), alive_.end(), pack(node, state));
  }
  bool uses(uint32_t production) const { return production < begun_.size() && begun_[production] != kNone; }

  // The first node from here on that has a state, if there is one; `at` is where the last such search ended.
  uint32_t next(uint32_t node, size_t& at) const {
    if (at > 0 && (at > alive_.size() || alive_[at - 1] >> 32 >= node)) at = 0;
    while (at < alive_.size() && alive_[at] >> 32 < node) ++at;
    return at < alive_.size() ? static_cast<uint32_t>(alive_[at] >> 32) : kNone;
  }

  // What an edge makes of parts of the forms; kNone if that is none.
  uint32_t joined(const HybridLayout& layout, uint32_t node, const ForestEdge& edge,
                  const TailStates<uint32_t>& states) const {
    for (uint32_t k = 0; k < edge.arity; ++k)
      if (states[k] == kNone) return kNone;
    const HybridLayout::Place at = layout.place(node);
    switch (at.inner.kind) {
      case HybridLayout::kGoal:
      case HybridLayout::kSlot:
        return states[0];
      case HybridLayout::kClosed:
        if (edge.arity == 1 && at.inner.which == 0) return states[0];
        return edge.arity == 0 ? closed(begun(layout.production(at.inner.symbol)))
                               : closed(filled(begun(layout.production(at.inner.symbol)), 0, states[0]));
      default:
        break;
    }
    const bool is_full = at.inner.kind == HybridLayout::kFull;
    uint32_t state;
    if (edge.arity == 0) {
      state = begun(layout.production(at.inner.symbol));
    } else if (edge.arity == 2) {
      state = filled(states[0], which_slot(layout, edge.tails[1]), states[1]);
    } else if (layout.kind_of(edge.tails[0]) == HybridLayout::kSlot) {
      state = filled(begun(layout.production(at.inner.symbol)), which_slot(layout, edge.tails[0]), states[0]);
    } else {
      if (is_full && layout.kind_of(edge.tails[0]) == HybridLayout::kFull) return states[0];
      state = states[0];
    }
    return is_full ? closed(state) : state;
  }

 private:
  // States: parts of forms, and above them productions of which slots are filled.
  using Parts = std::vector<uint32_t>;
  static constexpr uint32_t kDeepest = 1000;

  static uint64_t pack(uint32_t node, uint32_t state) { return uint64_t{node} << 32 | state; }
  static uint32_t which_slot(const HybridLayout& layout, uint32_t node) {
    return layout.place(node).inner.which;
  }

  uint32_t take(const SemanticGrammar& grammar, const Preorder& form, size_t& at, uint32_t depth) {
    if (at >= form.size()) throw std::invalid_argument("a form has fewer parts than slots");
    if (depth > kDeepest) throw std::invalid_argument("a form is too deep");
    const uint32_t p = form[at++];
    if (p >= grammar.size()) throw std::invalid_argument("there is no such production");
    Parts parts;
    for (uint32_t s = 0; s < grammar.arity(p); ++s) parts.push_back(take(grammar, form, at, depth + 1));
    const auto [found, is_new] = parts_.try_emplace({p, parts}, static_cast<uint32_t>(parts_.size()));
    if (is_new) open_ways(p, parts, found->second);
    return found->second;
  }
  // The ways to get to a part, slot by slot.
  void open_ways(uint32_t p, const Parts& parts, uint32_t part) {
    const uint32_t arity = static_cast<uint32_t>(parts.size());
    Parts none(arity, kNone);
    opened(p, none);
    if (arity == 2) {
      opened(p, {parts[0], kNone});
      opened(p, {kNone, parts[1]});
    }
    for (uint32_t m = 0; m < arity; ++m) {
      none[m] = parts[m];
      opened(p, none);
    }
    completed_.push_back({opened(p, parts), part});
  }
  uint32_t opened(uint32_t p, const Parts& parts) {
    return opens_.try_emplace({p, parts}, kOpens + static_cast<uint32_t>(opens_.size())).first->second;
  }
  // What is asked for again and again, in order: how productions begin, are filled slot by slot, and close.
  void list_ways() {
    for (const auto& [open, number] : opens_) {
      const auto& [p, parts] = open;
      bool is_begin = true;
      for (uint32_t slot = 0; slot < parts.size(); ++slot) {
        if (parts[slot] == kNone) continue;
        is_begin = false;
        auto before = open;
        before.second[slot] = kNone;
        if (const auto found = opens_.find(before); found != opens_.end())
          filled_.push_back({{found->second, slot, parts[slot]}, number});
      }
      if (!is_begin) continue;
      if (begun_.size() <= p) begun_.resize(p + 1, kNone);
      begun_[p] = number;
    }
    std::sort(filled_.begin(), filled_.end());
    std::sort(completed_.begin(), completed_.end());
    opens_.clear();
    parts_.clear();
  }
  uint32_t begun(uint32_t p) const { return p < begun_.size() ? begun_[p] : kNone; }
  uint32_t filled(uint32_t open, uint32_t slot, uint32_t part) const {
    return found_in(filled_, std::array<uint32_t, 3>{open, slot, part});
  }
  uint32_t closed(uint32_t open) const { return found_in(completed_, open); }
  template <class From>
  static uint32_t found_in(const std::vector<std::pair<From, uint32_t>>& ways, const From& from) {
    const auto found = std::lower_bound(ways.begin(), ways.end(), std::pair{from, uint32_t{0}});
    return found == ways.end() || found->first != from ? kNone : found->second;
  }

  // Which states nodes can have, bottom-up; then, from the goal, those that lead to a whole form.
  void build(const HybridLayout& layout) {
    struct Arc {
      uint64_t made;
      std::array<uint64_t, 2> tails;
      uint32_t arity;
    };
    std::vector<std::vector<uint32_t>> found(layout.nodes());
    std::vector<Arc> arcs;
    Pulse pulse;
    for (uint32_t node = 0; node < layout.nodes(); ++node) {
      pulse();
      const HybridLayout::Place at = layout.place(node);
      if (at.inner.kind != HybridLayout::kGoal && !uses(layout.production(at.inner.symbol))) continue;
      layout.each_edge(node, [&](const ForestEdge& edge) {
        std::array<size_t, 2> ranks{};
        for (uint32_t k = 0; k < edge.arity; ++k)
          if (found[edge.tails[k]].empty()) return;
        for (;;) {
          pulse();
          TailStates<uint32_t> states{};
          Arc arc{0, {}, edge.arity};
          for (uint32_t k = 0; k < edge.arity; ++k) {
            states[k] = found[edge.tails[k]][ranks[k]];
            arc.tails[k] = pack(edge.tails[k], states[k]);
          }
          const uint32_t state = joined(layout, node, edge, states);
          if (state != kNone) {
            auto& here = found[node];
            if (std::find(here.begin(), here.end(), state) == here.end()) here.push_back(state);
            arc.made = pack(node, state);
            arcs.push_back(arc);
          }
          uint32_t k = edge.arity;
          while (k > 0 && ++ranks[k - 1] == found[edge.tails[k - 1]].size()) ranks[--k] = 0;
          if (k == 0) return;
        }
      });
    }
    std::unordered_set<uint64_t> alive;
    for (uint32_t state : found.back())
      if (std::find(wholes_.begin(), wholes_.end(), state) != wholes_.end())
        alive.insert(pack(layout.nodes() - 1, state));
    for (size_t a = arcs.size(); a-- > 0;)
      if (alive.contains(arcs[a].made))
        for (uint32_t k = 0; k < arcs[a].arity; ++k) alive.insert(arcs[a].tails[k]);
    alive_.assign(alive.begin(), alive.end());
    std::sort(alive_.begin(), alive_.end());
  }

  static constexpr uint32_t kOpens = 1u << 31;

  std::vector<uint32_t> wholes_;
  std::map<std::pair<uint32_t, Parts>, uint32_t> parts_, opens_;      // empty once all is listed
  std::vector<uint32_t> begun_;                                       // by production
  std::vector<std::pair<std::array<uint32_t, 3>, uint32_t>> filled_;  // by what is open, slot and part
  std::vector<std::pair<uint32_t, uint32_t>> completed_;
  std::vector<uint64_t> alive_;  // sorted
};

}  // namespace structron
