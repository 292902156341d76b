// The nodes of a sentence's forest: source sides of rules, then spans by length and start, then beginnings.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "search/forest/forest_space.hpp"
#include "tasks/translation/hiero/sentence_rules.hpp"

namespace structron {

class HieroLayout {
 public:
  void read(const SentenceRules& rules) {
    rules_ = &rules;
    patterns_ = rules.patterns();
    words_ = static_cast<uint32_t>(rules.source().size());
    longest_ = std::min(rules.limit(), words_);
    spans_.clear();
    first_.assign(1, 0);
    for (uint32_t size = 1; size <= longest_; ++size) {
      first_.push_back(static_cast<uint32_t>(spans_.size()));
      for (uint32_t i = 0; i + size <= words_; ++i) spans_.push_back({i, i + size});
    }
  }

  uint32_t nodes() const { return beginnings() + std::max(1u, words_); }
  uint32_t words() const { return words_; }
  bool is_pattern(uint32_t n) const { return n < patterns_; }
  bool is_beginning(uint32_t n) const { return n >= beginnings(); }
  std::array<uint32_t, 2> span(uint32_t n) const {
    if (is_pattern(n)) return {0, 0};
    return is_beginning(n) ? std::array<uint32_t, 2>{0, end_of(n)} : spans_[n - patterns_];
  }
  // Where a beginning ends.
  uint32_t end_of(uint32_t n) const { return std::min(words_, n - beginnings() + 1); }
  uint32_t node(uint32_t begin, uint32_t end) const { return patterns_ + first_[end - begin] + begin; }
  uint32_t beginning(uint32_t end) const { return beginnings() + end - 1; }

  template <class F>
  void each_edge(uint32_t n, F&& f) const {
    ForestEdge edge;
    if (is_pattern(n)) {
      const SentencePattern& pattern = rules_->pattern(n);
      for (edge.action = pattern.first; edge.action < pattern.last; ++edge.action) f(edge);
      return;
    }
    if (is_beginning(n)) return each_glue(end_of(n), edge, f);
    const auto [begin, end] = span(n);
    for (const RuleMatch& match : rules_->matches(begin, end)) {
      edge.tails = {match.pattern, 0, 0};
      edge.arity = 1 + match.gaps;
      for (uint32_t g = 0; g < match.gaps; ++g)
        edge.tails[1 + g] = node(match.at[2 * g], match.at[2 * g + 1]);
      f(edge);
    }
  }

 private:
  uint32_t beginnings() const { return patterns_ + static_cast<uint32_t>(spans_.size()); }

  template <class F>
  void each_glue(uint32_t end, ForestEdge edge, F&& f) const {
    if (end == 0) return f(edge);
    if (end <= longest_) {
      edge.tails = {node(0, end), 0, 0};
      edge.arity = 1;
      f(edge);
    }
    edge.arity = 2;
    const uint32_t from = end > rules_->limit() ? end - rules_->limit() : 0;
    for (uint32_t middle = std::max(1u, from); middle < end; ++middle) {
      edge.tails = {beginning(middle), node(middle, end), 0};
      f(edge);
    }
  }

  const SentenceRules* rules_ = nullptr;
  uint32_t patterns_ = 0, words_ = 0, longest_ = 0;
  std::vector<std::array<uint32_t, 2>> spans_;
  std::vector<uint32_t> first_;  // by length, the first span
};

}  // namespace structron
