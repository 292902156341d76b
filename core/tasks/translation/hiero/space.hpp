// Hierarchical phrase-based translation as a forest. structron/tasks/translation/hiero/space.py is the
// definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "search/forest/forest_space.hpp"
#include "tasks/translation/hiero/forced_decoding.hpp"
#include "tasks/translation/hiero/rule_keys.hpp"
#include "tasks/translation/hiero/settings.hpp"
#include "tasks/translation/language_model/contexts.hpp"
#include "weights/rows.hpp"
#include "weights/signed_keys.hpp"

namespace structron {

template <class Rows>
class HieroSpace {
 public:
  // What is said, by number, and above it the part of the reference that it is; of source sides, the rule.
  using State = uint64_t;
  using Uses = std::vector<Use<State>>;
  static constexpr ForestOffers kOffers{
      .span = true, .loss = true, .exhaustive_gold = true, .is_compared = true};
  // There are many ways to say the same: so many times its places are tried for a node.
  static constexpr uint32_t kPatience = 2;

  HieroSpace(const Rulebook& book, const HieroSettings& settings, Rows rows, float margin)
      : settings_(settings),
        rows_(rows),
        margin_(margin),
        rules_(book, settings.span_limit),
        keys_of_(settings.templates, rules_, layout_),
        contexts_(book.model(), {}, rows),
        kept_(book.model().order() - 1) {}

  // gold may be null when nothing is watched; `left` as SentenceRules takes it.
  void source(std::span<const Key> words, const HieroGold* gold, const RulesLeft* left = nullptr,
              uint32_t least = 1) {
    rules_.read(words, left, least);
    layout_.read(rules_);
    gold_ = gold;
    contexts_.clear(rules_.tokens());
    nothing_ = contexts_.number({});
    begin_ = contexts_.begin();
    said_.clear();
    left_words_.clear();
    numbers_.clear();
    measure();
    keys_of_.read();
    last_node_ = kNone;
    is_stale_ = true;
  }
  // Of a pattern's state.
  static uint32_t rule_of(State s) { return static_cast<uint32_t>(s); }
  const SentenceRules& rules() const { return rules_; }
  const HieroLayout& layout() const { return layout_; }
  uint64_t& evictions() { return evictions_; }

  uint32_t nodes() const { return layout_.nodes(); }
  uint32_t group(uint32_t n) const { return n; }
  std::array<uint32_t, 2> span(uint32_t n) const { return layout_.span(n); }
  bool is_compared(uint32_t n) const { return !layout_.is_pattern(n); }
  template <class F>
  void each_edge(uint32_t n, F&& f) {
    refresh();
    layout_.each_edge(n, f);
  }

  bool join(uint32_t n, const ForestEdge& edge, const TailStates<State>& states, State& made) {
    if (layout_.is_pattern(n)) {
      made = edge.action;
      return true;
    }
    made = walk(n, edge, states);
    return true;
  }
  float gain(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) {
    const bool wrong =
        margin_ != 0 && gold_ != nullptr && layout_.is_pattern(n) && !gold_->has(n, edge.action);
    return gold_gain(n, edge, states) + (wrong ? margin_ : 0);
  }
  float gold_gain(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) {
    if (layout_.is_pattern(n)) return static_cast<float>(own_[edge.action]);
    if (!is_last(n, edge, states)) walk(n, edge, states);
    double sum = static_cast<double>(dense_[HieroDense::kModel]) * last_spoken_;
    if (layout_.is_beginning(n)) {
      if (edge.arity == 2) sum += static_cast<double>(dense_[HieroDense::kGlue]);
    } else if (keys_of_.looks_around()) {
      sum += around(n, rule_of(states[0]));
    }
    return static_cast<float>(sum);
  }
  uint64_t merge_key(State s) const { return s & 0xFFFFFFFFu; }
  uint64_t gold_merge_key(State s) const { return s; }
  bool allows(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) {
    if (gold_ == nullptr) return false;
    if (layout_.is_pattern(n)) return gold_->has(n, edge.action);
    const uint32_t piece = is_last(n, edge, states) ? last_piece_ : piece_after(n, edge, states);
    return piece != kNone && gold_->has(n, piece);
  }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() { is_stale_ = true; }

  // Source words that the guess translates by rules which gold does not use there.
  double loss(const Uses& gold, const Uses& guess) const {
    std::vector<bool> taken(gold.size());
    double wrong = 0;
    for (const Use<State>& use : guess) {
      if (layout_.is_pattern(use.node) || layout_.is_beginning(use.node)) continue;
      size_t i = 0;
      while (i < gold.size() &&
             (taken[i] || gold[i].node != use.node || rule_of(gold[i].states[0]) != rule_of(use.states[0])))
        ++i;
      if (i < gold.size()) {
        taken[i] = true;
      } else {
        wrong += rules_.option(rule_of(use.states[0])).source_words;
      }
    }
    return wrong;
  }

  // Phi(gold) - Phi(guess); what both have is left out.
  void difference(const Uses& gold, const Uses& guess, Difference& delta) {
    forget_sparse();
    const HieroDense::Vector right = features(gold, 1), wrong = features(guess, -1);
    if (!settings_.frozen) add_dense_difference(right, wrong, settings_.scale, delta);
    add_difference(keys_, rows_, delta);
  }
  // The dense features of a derivation, not scaled; its sparse ones are put beside the others.
  HieroDense::Vector features(const Uses& uses, int sign) {
    HieroDense::Vector f{};
    const auto put = [&](Key key) { keys_.push_back({rows_.folded(key), sign}); };
    for (const Use<State>& use : uses) {
      if (layout_.is_pattern(use.node)) {
        add_own(use.edge.action, f);
        keys_of_.each_own(use.edge.action, put);
        continue;
      }
      walk(use.node, use.edge, use.states);
      f[HieroDense::kModel] += last_spoken_;
      if (layout_.is_beginning(use.node)) {
        f[HieroDense::kGlue] += use.edge.arity == 2;
      } else {
        keys_of_.each_around(use.node, rule_of(use.states[0]), put);
      }
    }
    return f;
  }
  // What was put beside the others so far.
  void forget_sparse() { keys_.clear(); }

  // What is said, so that the whole can be told from its parts: a hash of the words, and what it is to be
  // multiplied with when words come after it.
  struct Hash {
    Key sum = 0, power = 1;
    auto operator<=>(const Hash&) const = default;
    void add(const Hash& more) {
      sum = sum * more.power + more.sum;
      power *= more.power;
    }
  };
  struct Output {
    static constexpr bool kTells = true;
    using Value = Hash;
    const HieroSpace* space;

    Hash of(const Use<State>& use, const std::array<Hash, kMostTails>& tails) const {
      const HieroSpace& s = *space;
      if (s.layout_.is_pattern(use.node)) return {use.edge.action + Key{1}, 1};
      Hash made;
      if (s.layout_.is_beginning(use.node)) {
        for (uint32_t k = 0; k < use.edge.arity; ++k) made.add(tails[k]);
        return made;
      }
      for (uint32_t token : s.rules_.target(rule_of(use.states[0])))
        made.add(token >= kGapToken ? tails[1 + token - kGapToken]
                                    : Hash{combine(token + Key{1}, kPhraseStart), kPowerOfWord});
      return made;
    }
  };

  // Tokens of what a derivation says.
  void words_of(const Uses& uses, std::vector<uint32_t>& words) {
    std::vector<std::vector<uint32_t>> stack;
    for (const Use<State>& use : uses) {
      std::vector<uint32_t> made;
      if (!layout_.is_pattern(use.node)) {
        const size_t first = stack.size() - use.edge.arity;
        if (layout_.is_beginning(use.node)) {
          for (size_t k = first; k < stack.size(); ++k)
            made.insert(made.end(), stack[k].begin(), stack[k].end());
        } else {
          for (uint32_t token : rules_.target(rule_of(use.states[0]))) {
            if (token < kGapToken) {
              made.push_back(token);
            } else {
              const std::vector<uint32_t>& gap = stack[first + 1 + (token - kGapToken)];
              made.insert(made.end(), gap.begin(), gap.end());
            }
          }
        }
        stack.resize(first);
      }
      stack.push_back(std::move(made));
    }
    words = stack.empty() ? std::vector<uint32_t>() : std::move(stack.back());
  }

 private:
  // What is said of a span: its first words, as many as the language model looks back, and what it said of
  // these alone; and the context after the last. Of a beginning only that.
  struct Said {
    uint32_t first, count;  // among left_words_
    uint32_t context;
    double alone;
  };

  static uint32_t piece_of(State s) { return static_cast<uint32_t>(s >> 32); }

  uint32_t piece_after(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) const {
    std::array<uint32_t, kMostTails> pieces{};
    const uint32_t spans_from = layout_.is_beginning(n) ? 0 : 1;
    if (spans_from == 1) pieces[0] = rule_of(states[0]);
    for (uint32_t k = spans_from; k < edge.arity; ++k) {
      pieces[k] = piece_of(states[k]);
      if (pieces[k] == kNone) return kNone;
    }
    return HieroGold::said(rules_, layout_, gold_->parts(), n, pieces, edge.arity);
  }

  // What an edge makes of its tails; what the language model says of it beside them is in last_spoken_.
  State walk(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) {
    const bool is_beginning = layout_.is_beginning(n);
    uint32_t context = is_beginning ? begin_ : nothing_;
    double spoken = 0;
    first_words_.clear();
    const auto say_span = [&](State s) {
      const Said said = said_[rule_of(s)];
      spoken -= said.alone;
      for (uint32_t k = 0; k < said.count; ++k) {
        const uint32_t token = left_words_[said.first + k];
        const Spoken& word = contexts_.say(context, token);
        spoken += static_cast<double>(word.spoken);
        context = word.next;
        if (first_words_.size() < kept_) first_words_.push_back(token);
      }
      if (said.count == kept_) context = said.context;
    };
    if (is_beginning) {
      if (edge.arity == 2) context = said_[rule_of(states[0])].context;
      if (edge.arity > 0) say_span(states[edge.arity - 1]);
      if (layout_.end_of(n) == layout_.words())
        spoken += static_cast<double>(contexts_.say(context, Contexts<Rows>::kEnd).spoken);
      first_words_.clear();
    } else {
      const uint32_t option = rule_of(states[0]);
      spoken -= runs_[option];
      for (uint32_t token : rules_.target(option)) {
        if (token >= kGapToken) {
          say_span(states[1 + token - kGapToken]);
          continue;
        }
        const Spoken& word = contexts_.say(context, token);
        spoken += static_cast<double>(word.spoken);
        context = word.next;
        if (first_words_.size() < kept_) first_words_.push_back(token);
      }
    }
    last_node_ = n;
    last_edge_ = edge;
    last_states_ = states;
    last_spoken_ = spoken;
    last_piece_ = gold_ == nullptr ? kNone : piece_after(n, edge, states);
    return State{last_piece_} << 32 | number(is_beginning, context);
  }
  // What was walked last is often asked for once more.
  bool is_last(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) const {
    return n == last_node_ && edge == last_edge_ && states == last_states_;
  }
  uint32_t number(bool is_beginning, uint32_t context) {
    Key key = combine(context, is_beginning ? kNone : static_cast<Key>(first_words_.size()));
    for (uint32_t token : first_words_) key = combine(key, token);
    const uint32_t found = numbers_.of(key);
    if (found == said_.size()) {
      double alone = 0;
      uint32_t at = nothing_;
      for (uint32_t token : first_words_) {
        const Spoken& word = contexts_.say(at, token);
        alone += static_cast<double>(word.spoken);
        at = word.next;
      }
      said_.push_back({static_cast<uint32_t>(left_words_.size()), static_cast<uint32_t>(first_words_.size()),
                       context, alone});
      left_words_.insert(left_words_.end(), first_words_.begin(), first_words_.end());
    }
    return found;
  }

  // What of rules does not depend on weights.
  void measure() {
    const uint32_t n = rules_.options();
    runs_.assign(n, 0);
    for (uint32_t o = 0; o < n; ++o) {
      Context context = contexts_.nothing();
      for (uint32_t token : rules_.target(o)) {
        if (token >= kGapToken) {
          context = contexts_.nothing();
          continue;
        }
        float spoken = 0;
        context = contexts_.after(context, token, spoken);
        runs_[o] += static_cast<double>(spoken);
      }
    }
  }
  void refresh() {
    if (!is_stale_) return;
    is_stale_ = false;
    for (uint32_t i = 0; i < HieroDense::kSize; ++i) dense_[i] = settings_.scale * rows_.dense(i);
    contexts_.forget();
    contexts_.weigh(dense_[HieroDense::kModel]);
    known_around_.clear();
    around_values_.clear();
    last_node_ = kNone;
    own_.assign(rules_.options(), 0);
    for (uint32_t o = 0; o < own_.size(); ++o) {
      HieroDense::Vector f{};
      add_own(o, f);
      for (uint32_t i = 0; i < HieroDense::kSize; ++i) own_[o] += f[i] * static_cast<double>(dense_[i]);
      keys_of_.each_own(o, [&](Key key) { own_[o] += static_cast<double>(contexts_.weight(key)); });
    }
  }
  void add_own(uint32_t o, HieroDense::Vector& f) const {
    const RuleOption& option = rules_.option(o);
    for (uint32_t i = 0; i < kScores; ++i) f[i] += static_cast<double>(option.scores[i]);
    f[HieroDense::kRules] += 1;
    f[HieroDense::kWords] += option.words;
    f[HieroDense::kGaps] += option.gaps;
    f[HieroDense::kSwaps] += option.is_swap;
    f[HieroDense::kModel] += runs_[o];
    f[HieroDense::kCopies] += option.entry == kNone;
  }
  // What templates that see where a rule is used say of it, computed once.
  double around(uint32_t n, uint32_t o) {
    const uint32_t known = known_around_.of(combine(n, o));
    if (known == around_values_.size()) {
      double sum = 0;
      keys_of_.each_around(n, o, [&](Key key) { sum += static_cast<double>(contexts_.weight(key)); });
      around_values_.push_back(sum);
    }
    return around_values_[known];
  }

  static constexpr Key kPowerOfWord = 0x9E3779B97F4A7C15ull;

  const HieroSettings& settings_;
  Rows rows_;
  float margin_;
  SentenceRules rules_;
  HieroLayout layout_;
  RuleKeys keys_of_;
  Contexts<Rows> contexts_;
  uint32_t kept_;  // words at the beginning of a span that the language model may look at again
  const HieroGold* gold_ = nullptr;
  uint32_t nothing_ = 0, begin_ = 0;
  bool is_stale_ = true;
  std::array<float, HieroDense::kSize> dense_{};  // weights, with the scale
  std::vector<double> runs_, own_;  // by rule: what the language model says of its runs of words; its score
  std::vector<Said> said_;
  std::vector<uint32_t> left_words_, first_words_;
  Numbers numbers_, known_around_;
  std::vector<double> around_values_;
  uint32_t last_node_ = kNone, last_piece_ = kNone;
  ForestEdge last_edge_;
  TailStates<State> last_states_{};
  double last_spoken_ = 0;
  SignedKeys keys_;
  uint64_t evictions_ = 0;
};

}  // namespace structron
