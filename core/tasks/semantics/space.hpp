// Semantic parsing as a forest of hybrid trees. structron/tasks/semantics/space.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "learn/learner.hpp"
#include "search/forest/forest_space.hpp"
#include "tasks/semantics/gold.hpp"
#include "tasks/semantics/keys.hpp"
#include "tasks/semantics/layout.hpp"
#include "util/interrupt.hpp"
#include "weights/rows.hpp"
#include "weights/signed_keys.hpp"

namespace structron {

template <class Rows>
class HybridSpace {
 public:
  using State = uint32_t;  // the part of gold that an item is, or kNone
  using Uses = std::vector<Use<State>>;
  using T = SemanticTemplate;
  static constexpr ForestOffers kOffers{.span = true,
                                        .loss = true,
                                        .exhaustive_gold = true,
                                        .is_compared = true,
                                        .one_key = true,
                                        .next_gold = true};

  HybridSpace(const SemanticGrammar& grammar, Rows rows, float margin)
      : grammar_(grammar), rows_(rows), margin_(margin), layout_(grammar), keys_(grammar, question_) {}

  // gold may be null when nothing is watched.
  void read(const Question& question, const HybridGold* gold) {
    question_ = question;
    layout_.read(question_);
    gold_ = gold;
    gold_at_ = 0;
    is_stale_ = true;
    asked_.node = kNone;
  }
  const HybridLayout& layout() const { return layout_; }
  uint64_t& evictions() { return evictions_; }

  uint32_t nodes() const { return layout_.nodes(); }
  uint32_t group(uint32_t n) const { return layout_.group(n); }
  std::array<uint32_t, 2> span(uint32_t n) const { return layout_.span(n); }
  bool is_compared(uint32_t n) const { return layout_.is_goal(n) || layout_.is_closed(n); }
  uint32_t next_gold(uint32_t n) { return gold_ == nullptr ? kNone : gold_->next(n, gold_at_); }
  template <class F>
  void each_edge(uint32_t n, F&& f) {
    refresh();
    layout_.each_edge(n, f);
  }

  // f(edge, gain): what the edges of a node share is asked for once.
  template <class F>
  void each_scored_edge(uint32_t n, F&& f) {
    refresh();
    ask(n);
    const HybridLayout::Place& at = asked_.at;
    const uint32_t a = at.inner.symbol;
    const bool is_closed = at.inner.kind == HybridLayout::kClosed;
    const bool wrong = margin_ != 0 && gold_ != nullptr && is_closed && !gold_->uses(layout_.production(a));
    const float more = wrong ? margin_ : 0, closes = static_cast<float>(asked_.closing);
    float says = 0, first = 0, second = 0;
    if (at.inner.kind == HybridLayout::kFull || at.inner.kind == HybridLayout::kOpen)
      says = static_cast<float>(said_[size_t{a} * question_.length() + at.end - 1]);
    if (at.inner.kind == HybridLayout::kFull && layout_.is_exchangeable(a)) {
      second = static_cast<float>(orders_[size_t{a} * 2]);
      first = static_cast<float>(orders_[size_t{a} * 2 + 1]);
    }
    layout_.each_edge_and_how(n, [&](const ForestEdge& edge, HybridLayout::How how) {
      switch (how) {
        case HybridLayout::kPlain:
          return f(edge, 0.0f);
        case HybridLayout::kSays:
          return f(edge, says);
        case HybridLayout::kTakes:
          return f(edge, static_cast<float>(asked_.parts[layout_.symbol_of(edge.tails[0])] + asked_.closing) +
                             more);
        case HybridLayout::kCloses:
          return f(edge, closes + more);
        case HybridLayout::kFillsFirst:
          return f(edge, first);
        case HybridLayout::kFillsSecond:
          return f(edge, second);
      }
    });
  }

  bool join(uint32_t n, const ForestEdge& edge, const TailStates<State>& states, State& made) const {
    made = gold_ == nullptr ? kNone : gold_->joined(layout_, n, edge, states);
    return true;
  }
  float gain(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) const {
    const bool wrong = margin_ != 0 && gold_ != nullptr && layout_.is_closed(n) &&
                       !gold_->uses(layout_.production(layout_.symbol_of(n)));
    return gold_gain(n, edge, states) + (wrong ? margin_ : 0);
  }
  float gold_gain(uint32_t n, const ForestEdge& edge, const TailStates<State>&) const {
    if (n != asked_.node) ask(n);
    const HybridLayout::Place& at = asked_.at;
    double sum = 0;
    switch (at.inner.kind) {
      case HybridLayout::kGoal:
        break;
      case HybridLayout::kClosed:
        if (at.inner.which > 0) sum += asked_.parts[layout_.symbol_of(edge.tails[0])];
        sum += asked_.closing;
        break;
      case HybridLayout::kSlot:
        sum += asked_.parts[layout_.symbol_of(edge.tails[0])];
        break;
      default:
        if (layout_.says(edge)) {
          sum += said_[size_t{at.inner.symbol} * question_.length() + at.end - 1];
        } else if (orders(at, edge)) {
          sum += orders_[size_t{at.inner.symbol} * 2 + is_turned(edge)];
        }
    }
    return static_cast<float>(sum);
  }
  uint32_t merge_key(State) const { return 0; }
  uint32_t gold_merge_key(State s) const { return s; }
  bool allows(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) const {
    return gold_ != nullptr && gold_->has(n, gold_->joined(layout_, n, edge, states));
  }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() { is_stale_ = true; }

  // A form is right or wrong.
  double loss(const Uses&, const Uses&) const { return 1; }

  // Phi(gold) - Phi(guess); what both have is left out.
  void difference(const Uses& gold, const Uses& guess, Difference& delta) {
    found_.clear();
    collect(gold, 1);
    collect(guess, -1);
    add_difference(found_, rows_, delta);
  }

  // What form a derivation has, so that the whole can be told from its parts: a hash that does not see in
  // which order slots were filled.
  struct Output {
    static constexpr bool kTells = true;
    using Value = Key;
    const HybridSpace* space;

    Key of(const Use<State>& use, const std::array<Key, kMostTails>& tails) const {
      const HybridLayout& layout = space->layout_;
      const HybridLayout::Place at = layout.place(use.node);
      const auto begun = [&] { return combine(kBegun, layout.production(at.inner.symbol)); };
      const auto fill = [&](uint32_t tail, Key part) {
        return combine(layout.place(tail).inner.which + Key{1}, part);
      };
      switch (at.inner.kind) {
        case HybridLayout::kGoal:
        case HybridLayout::kSlot:
          return tails[0];
        case HybridLayout::kClosed:
          if (at.inner.which > 0) return begun() + combine(1, tails[0]);
          return use.edge.arity == 0 ? begun() : tails[0];
        default:
          break;
      }
      if (use.edge.arity == 0) return begun();
      if (use.edge.arity == 2) return tails[0] + fill(use.edge.tails[1], tails[1]);
      return layout.kind_of(use.edge.tails[0]) == HybridLayout::kSlot
                 ? begun() + fill(use.edge.tails[0], tails[0])
                 : tails[0];
    }
    static constexpr Key kBegun = 0x464F524D42454731ull;
  };

  // The form of a derivation.
  Preorder form_of(const Uses& uses) const {
    struct Unfolded {
      std::vector<Preorder> parts;  // slot by slot
      Preorder form;
    };
    std::vector<Unfolded> stack;
    for (const Use<State>& use : uses) {
      const HybridLayout::Place at = layout_.place(use.node);
      const uint32_t a = at.inner.symbol;
      std::vector<Unfolded> tails(std::make_move_iterator(stack.end() - use.edge.arity),
                                  std::make_move_iterator(stack.end()));
      stack.resize(stack.size() - use.edge.arity);
      Unfolded made;
      const auto close = [&] {
        made.form.assign(1, layout_.production(a));
        for (const Preorder& part : made.parts) made.form.insert(made.form.end(), part.begin(), part.end());
      };
      switch (at.inner.kind) {
        case HybridLayout::kGoal:
        case HybridLayout::kSlot:
          made = std::move(tails[0]);
          break;
        case HybridLayout::kClosed:
          if (at.inner.which > 0) {
            made.parts.push_back(std::move(tails[0].form));
          } else if (!tails.empty()) {
            made = std::move(tails[0]);
          }
          close();
          break;
        default:
          made.parts.resize(layout_.arity(a));
          for (uint32_t k = 0; k < use.edge.arity; ++k) {
            const HybridLayout::Place tail = layout_.place(use.edge.tails[k]);
            if (tail.inner.kind == HybridLayout::kSlot) {
              made.parts[tail.inner.which] = std::move(tails[k].form);
            } else {
              made.parts = std::move(tails[k].parts);
            }
          }
      }
      stack.push_back(std::move(made));
    }
    return stack.empty() ? Preorder() : std::move(stack.back().form);
  }

 private:
  // Whether an edge fills the last of two slots that take the same, and whether that is the first one.
  bool orders(const HybridLayout::Place& at, const ForestEdge& edge) const {
    return at.inner.kind == HybridLayout::kFull && edge.arity == 2 &&
           layout_.is_exchangeable(at.inner.symbol);
  }
  bool is_turned(const ForestEdge& edge) const { return layout_.which_of(edge.tails[1]) == 0; }
  // What all edges of a node share; they are asked for one after the other.
  struct Asked {
    uint32_t node = kNone;
    HybridLayout::Place at{};
    const double* parts = nullptr;  // of a slot, by symbol
    double closing = 0;
  };
  void ask(uint32_t n) const {
    const HybridLayout::Place at = layout_.place(n);
    const uint32_t a = at.inner.symbol;
    asked_ = {n, at, nullptr, 0};
    const bool is_closed = at.inner.kind == HybridLayout::kClosed, is_bare = is_closed && at.inner.which > 0;
    if (is_bare || at.inner.kind == HybridLayout::kSlot)
      asked_.parts = &parts_[size_t{layout_.slot(a, is_bare ? 0 : at.inner.which)} * layout_.symbols()];
    if (is_closed) asked_.closing = closing(a, at.begin, at.end, is_bare);
  }
  // What templates say of a production over a span.
  double closing(uint32_t a, uint32_t begin, uint32_t end, bool bare) const {
    const size_t n = question_.length() + 1, from = (size_t{a} * 2 + bare) * n;
    double sum = fixed_[size_t{a} * 2 + bare] + by_begin_[from + begin] + by_end_[from + end] +
                 inside_[from + end] - inside_[from + begin];
    for (const T* t : crossing_)
      each_key(*t, layout_.production(a), begin, end, bare,
               [&](Key key) { sum += static_cast<double>(weight(key)); });
    return sum;
  }
  template <class F>
  void each_key(const T& t, uint32_t p, uint32_t begin, uint32_t end, bool bare, F&& f) const {
    const Key key = keys_.of_span(t, p, begin, end, bare);
    if (t.atoms.back() != T::kIn && t.atoms.back() != T::kAny) return f(key);
    if (t.atoms.back() == T::kAny) begin = 0, end = question_.length();
    for (uint32_t i = begin; i < end; ++i) f(combine(key, question_.words[i]));
  }

  void collect(const Uses& uses, int sign) {
    const auto put = [&](Key key) { found_.push_back({rows_.folded(key), sign}); };
    for (const Use<State>& use : uses) {
      const HybridLayout::Place at = layout_.place(use.node);
      if (at.inner.kind == HybridLayout::kGoal) continue;
      const uint32_t p = layout_.production(at.inner.symbol);
      const auto of_part = [&](uint32_t slot) {
        keys_.each_of_part(p, slot, layout_.production(layout_.symbol_of(use.edge.tails[0])), put);
      };
      if (at.inner.kind == HybridLayout::kClosed) {
        if (at.inner.which > 0) of_part(0);
        for (const T& t : grammar_.templates(T::kOfSpan))
          each_key(t, p, at.begin, at.end, at.inner.which > 0, put);
      } else if (at.inner.kind == HybridLayout::kSlot) {
        of_part(at.inner.which);
      } else if (layout_.says(use.edge)) {
        keys_.each_of_word(p, at.end - 1, put);
      } else if (orders(at, use.edge)) {
        keys_.each_of_order(p, is_turned(use.edge), put);
      }
    }
  }

  // Tables of what all templates say, so that a sum over spans costs a few additions.
  void refresh() {
    if (!is_stale_) return;
    asked_.node = kNone;
    const uint32_t n = question_.length(), m = layout_.symbols();
    const double trust = static_cast<double>(rows_.dense(0));
    said_.assign(size_t{m} * n, 0);
    parts_.assign(size_t{layout_.slots()} * m, 0);
    fixed_.assign(size_t{m} * 2, 0);
    orders_.assign(size_t{m} * 2, 0);
    by_begin_.assign(size_t{m} * 2 * (n + 1), 0);
    by_end_ = inside_ = by_begin_;
    crossing_.clear();
    for (const T& t : grammar_.templates(T::kOfSpan))
      if (crosses(t)) crossing_.push_back(&t);
    for (uint32_t a = 0; a < m; ++a) {
      hear();
      const uint32_t p = layout_.production(a);
      if (grammar_[p].spoken)
        for (uint32_t i = 0; i < n; ++i) {
          double& sum = said_[size_t{a} * n + i];
          sum = trust * static_cast<double>(grammar_.associated(p, question_.words[i]));
          keys_.each_of_word(p, i, [&](Key key) { sum += static_cast<double>(weight(key)); });
        }
      for (uint32_t s = 0; s < layout_.arity(a); ++s)
        for (uint32_t c : layout_.fitting(layout_.slot(a, s))) {
          double& sum = parts_[size_t{layout_.slot(a, s)} * m + c];
          keys_.each_of_part(p, s, layout_.production(c),
                             [&](Key key) { sum += static_cast<double>(weight(key)); });
        }
      for (uint32_t turned = 0; grammar_.is_exchangeable(p) && turned < 2; ++turned)
        keys_.each_of_order(p, turned != 0, [&](Key key) {
          orders_[size_t{a} * 2 + turned] += static_cast<double>(weight(key));
        });
      for (uint32_t bare = 0; bare < (layout_.arity(a) == 1 ? 2u : 1u); ++bare)
        for (const T& t : grammar_.templates(T::kOfSpan))
          if (!crosses(t)) tabulate(t, a, bare != 0);
    }
    is_stale_ = false;
  }
  static bool sees_begin(const T& t) { return t.has(T::kFirst) || t.has(T::kBefore); }
  static bool sees_end(const T& t) { return t.has(T::kLast) || t.has(T::kAfter); }
  // Whether a template sees several things of a span at once, so that there is no table of it.
  static bool crosses(const T& t) {
    return (sees_begin(t) && sees_end(t)) ||
           ((sees_begin(t) || sees_end(t)) && (t.has(T::kIn) || t.has(T::kAny)));
  }
  void tabulate(const T& t, uint32_t a, bool bare) {
    const uint32_t n = question_.length(), p = layout_.production(a);
    const size_t from = (size_t{a} * 2 + bare) * (n + 1);
    const auto value = [&](uint32_t begin, uint32_t end) {
      return static_cast<double>(weight(keys_.of_span(t, p, begin, end, bare)));
    };
    if (sees_begin(t)) {
      for (uint32_t i = 0; i < n; ++i) by_begin_[from + i] += value(i, n);
    } else if (sees_end(t)) {
      for (uint32_t j = 1; j <= n; ++j) by_end_[from + j] += value(0, j);
    } else if (t.has(T::kIn)) {
      const Key key = keys_.of_span(t, p, 0, n, bare);
      double sum = 0;
      for (uint32_t i = 0; i < n; ++i) {
        sum += static_cast<double>(weight(combine(key, question_.words[i])));
        inside_[from + i + 1] += sum;
      }
    } else {
      each_key(t, p, 0, n, bare,
               [&](Key key) { fixed_[size_t{a} * 2 + bare] += static_cast<double>(weight(key)); });
    }
  }
  float weight(Key raw) const { return only_weight(rows_, raw); }

  const SemanticGrammar& grammar_;
  Rows rows_;
  float margin_;
  Question question_;
  HybridLayout layout_;
  SemanticKeys keys_;
  const HybridGold* gold_ = nullptr;
  size_t gold_at_ = 0;  // where gold was asked for last
  mutable Asked asked_;
  bool is_stale_ = true;
  std::vector<double> said_, parts_, fixed_, orders_, by_begin_, by_end_, inside_;
  std::vector<const T*> crossing_;
  SignedKeys found_;
  uint64_t evictions_ = 0;
};

}  // namespace structron
