// The rules that a sentence matches, and where. structron/tasks/translation/hiero/matching.py is the
// definition.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/translation/hiero/rule_counts.hpp"
#include "tasks/translation/hiero/rulebook.hpp"
#include "tasks/translation/phrases/options.hpp"
#include "util/interrupt.hpp"
#include "util/numbers.hpp"

namespace structron {

// In place of a token: a gap.
inline constexpr uint32_t kGapToken = 0xFFFFFFF0u;

struct RuleOption {
  uint32_t entry;                // in the rulebook; kNone for a copied word
  uint32_t pattern;              // of the sentence
  uint32_t first_token, tokens;  // gaps included
  uint32_t words, gaps;          // of the target
  bool is_swap;
  uint32_t source_words;
  std::array<float, kScores> scores;
};

// A source side of which the sentence has options.
struct SentencePattern {
  uint32_t entry;  // in the rulebook; kNone for a copied word
  uint32_t place;  // of a copied word
  uint32_t first, last;
};

struct RuleMatch {
  uint32_t begin, end, pattern, gaps;
  std::array<uint32_t, 4> at;  // from where to where each gap is

  auto order() const { return std::tie(begin, end, pattern, at); }
};

// What a table would be without some pairs of sentences.
class RulesLeft {
 public:
  explicit RulesLeft(RuleLimits limits) : extraction_(limits) {}
  void clear() {
    pairs_.clear();
    sources_.clear();
    targets_.clear();
  }
  void add(std::span<const uint32_t> source, std::span<const uint32_t> target,
           std::span<const uint32_t> source_links, std::span<const uint32_t> target_links) {
    extraction_.load(source, target, source_links, target_links);
    seen_.clear();
    extraction_.each([&](const RuleSpan& rule) {
      extraction_.spell(rule, source_, target_);
      const Key s = symbols_key(source_), t = symbols_key(target_);
      const uint32_t before = seen_.size();
      if (seen_.of(rule_key(s, t)) != before) return;  // a pair counts once
      sources_.add(s);
      targets_.add(t);
      pairs_.add(rule_key(s, t));
    });
  }
  uint32_t source(Key key) const { return sources_.of(key); }
  uint32_t target(Key key) const { return targets_.of(key); }
  uint32_t pair(Key source, Key target) const { return pairs_.of(rule_key(source, target)); }

 private:
  RuleExtraction extraction_;
  KeyCounts pairs_, sources_, targets_;
  Numbers seen_;
  std::vector<uint32_t> source_, target_;
};

class SentenceRules {
 public:
  SentenceRules(const Rulebook& book, uint32_t limit) : book_(book), limit_(limit) {}

  // The source as keys of words. `left`: the counts of the training example at hand, null for none; of rules
  // of which fewer than `least` are left without it, only those of one word and one word stay.
  void read(std::span<const Key> source, const RulesLeft* left = nullptr, uint32_t least = 1) {
    source_.assign(source.begin(), source.end());
    options_.clear();
    patterns_.clear();
    tokens_.clear();
    words_.clear();
    numbers_.clear();
    matches_.clear();
    ids_.clear();
    for (Key word : source_) ids_.push_back(book_.source_id(word));
    for (uint32_t begin = 0; begin < source_.size(); ++begin) {
      RuleMatch match{begin, begin, 0, 0, {}};
      walk(Rulebook::kRoot, begin, match, false);
    }
    number_patterns(left, least);
    std::sort(matches_.begin(), matches_.end(),
              [](const RuleMatch& x, const RuleMatch& y) { return x.order() < y.order(); });
  }

  const Rulebook& book() const { return book_; }
  uint32_t limit() const { return limit_; }
  std::span<const Key> source() const { return source_; }
  // The key of a source word, which the sentence has.
  Key word(uint32_t id) const {
    return source_[static_cast<size_t>(std::find(ids_.begin(), ids_.end(), id) - ids_.begin())];
  }
  std::span<const Token> tokens() const { return tokens_; }
  uint32_t patterns() const { return static_cast<uint32_t>(patterns_.size()); }
  const SentencePattern& pattern(uint32_t p) const { return patterns_[p]; }
  uint32_t options() const { return static_cast<uint32_t>(options_.size()); }
  const RuleOption& option(uint32_t o) const { return options_[o]; }
  // Numbers of tokens; gaps are kGapToken and one more.
  std::span<const uint32_t> target(uint32_t o) const {
    return {words_.data() + options_[o].first_token, options_[o].tokens};
  }
  // Of a span, by pattern and gaps.
  std::span<const RuleMatch> matches(uint32_t begin, uint32_t end) const {
    const auto before = [](const RuleMatch& m, const std::pair<uint32_t, uint32_t>& s) {
      return std::pair(m.begin, m.end) < s;
    };
    const auto from = std::lower_bound(matches_.begin(), matches_.end(), std::pair(begin, end), before);
    auto to = from;
    while (to != matches_.end() && to->begin == begin && to->end == end) ++to;
    return {from, to};
  }

 private:
  // All source sides that go on from a node of the tree and a place; match.pattern is the rulebook's.
  void walk(uint32_t node, uint32_t at, RuleMatch& match, bool after_gap) {
    pulse_();
    if (const uint32_t pattern = book_.pattern_at(node); pattern != kNone) {
      matches_.push_back(match);
      matches_.back().end = at;
      matches_.back().pattern = pattern;
    }
    const uint32_t most = std::min(static_cast<uint32_t>(source_.size()), match.begin + limit_);
    if (at >= most) return;
    if (ids_[at] != kNone && !is_gap(ids_[at]))
      if (const uint32_t next = book_.child(node, ids_[at]); next != kNone) walk(next, at + 1, match, false);
    if (after_gap || match.gaps == kMostGaps) return;
    const uint32_t next = book_.child(node, kFirstGap + match.gaps);
    if (next == kNone) return;
    const uint32_t gap = match.gaps++;
    for (uint32_t end = at + 1; end <= most; ++end) {
      match.at[2 * gap] = at;
      match.at[2 * gap + 1] = end;
      walk(next, end, match, true);
    }
    --match.gaps;
    match.at[2 * gap] = match.at[2 * gap + 1] = 0;
  }

  // Patterns get their numbers in the order of the rulebook; those of which nothing is left go.
  void number_patterns(const RulesLeft* left, uint32_t least) {
    found_.clear();
    for (const RuleMatch& match : matches_) found_.push_back(match.pattern);
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    numbered_.assign(found_.size(), kNone);
    translated_.assign(source_.size(), false);
    for (size_t k = 0; k < found_.size(); ++k) {
      const uint32_t first = options(), number = patterns();
      add_options(found_[k], number, left, least);
      if (options() == first) continue;
      patterns_.push_back({found_[k], 0, first, options()});
      numbered_[k] = number;
      const auto side = book_.source(found_[k]);
      if (side.size() == 1)
        for (uint32_t i = 0; i < source_.size(); ++i)
          if (ids_[i] == side[0]) translated_[i] = true;
    }
    size_t kept = 0;
    for (const RuleMatch& match : matches_) {
      const size_t k =
          static_cast<size_t>(std::lower_bound(found_.begin(), found_.end(), match.pattern) - found_.begin());
      if (numbered_[k] == kNone) continue;
      matches_[kept] = match;
      matches_[kept++].pattern = numbered_[k];
    }
    matches_.resize(kept);
    for (uint32_t i = 0; i < source_.size(); ++i)
      if (!translated_[i]) add_copy(i);
  }
  void add_options(uint32_t pattern, uint32_t number, const RulesLeft* left, uint32_t least) {
    const auto side = book_.source(pattern);
    const Key source = left == nullptr ? 0 : symbols_key(side);
    const uint32_t ours = left == nullptr ? 0 : left->source(source);
    const auto [begin, end] = book_.options_of(pattern);
    for (uint32_t entry = begin; entry < end; ++entry) {
      std::array<float, kScores> scores;
      std::copy_n(book_.scores(entry), kScores, scores.begin());
      if (left != nullptr && !leave_out(*left, source, ours, pattern, entry, least, scores)) continue;
      const auto target = book_.target(entry);
      RuleOption option{entry,
                        number,
                        static_cast<uint32_t>(words_.size()),
                        static_cast<uint32_t>(target.size()),
                        0,
                        0,
                        false,
                        0,
                        scores};
      uint32_t last_gap = 0;
      for (uint32_t id : target) {
        if (is_gap(id)) {
          option.is_swap |= last_gap > id;
          last_gap = id;
          ++option.gaps;
          words_.push_back(kGapToken + (id - kFirstGap));
        } else {
          ++option.words;
          words_.push_back(token(book_.target_key(id), book_.model_word(id), id, 0));
        }
      }
      option.source_words = static_cast<uint32_t>(side.size()) - option.gaps;
      options_.push_back(option);
    }
  }
  // False if too little is left of a rule.
  bool leave_out(const RulesLeft& left, Key source, uint32_t ours, uint32_t pattern, uint32_t entry,
                 uint32_t least, std::array<float, kScores>& scores) const {
    const Key target = symbols_key(book_.target(entry));
    const uint32_t theirs = left.target(target);
    if (ours == 0 && theirs == 0) return true;
    const auto minus = [](uint32_t count, uint32_t taken) { return count > taken ? count - taken : 0; };
    const uint32_t count = minus(book_.count(entry), left.pair(source, target));
    if (count < least && !(book_.source(pattern).size() == 1 && book_.target(entry).size() == 1))
      return false;
    const double kept = std::max<double>(count, 0.5);
    const double by_source = std::max<double>(minus(book_.source_count(pattern), ours), kept);
    const double by_target = std::max<double>(minus(book_.target_count(entry), theirs), kept);
    scores[kTargetGivenSource] = static_cast<float>(std::log(kept / by_source));
    scores[kSourceGivenTarget] = static_cast<float>(std::log(kept / by_target));
    return true;
  }
  void add_copy(uint32_t place) {
    const uint32_t number = patterns(), first = options();
    const Key key = source_[place];
    const uint32_t id = book_.target_id(key);
    options_.push_back({kNone, number, static_cast<uint32_t>(words_.size()), 1, 1, 0, false, 1, {}});
    words_.push_back(token(key, id == kNone ? 0 : book_.model_word(id), id, place));
    patterns_.push_back({kNone, place, first, first + 1});
    matches_.push_back({place, place + 1, number, 0, {}});
  }
  uint32_t token(Key key, uint32_t model_word, uint32_t id, uint32_t place) {
    const uint32_t number = numbers_.of(key);
    if (number == tokens_.size()) tokens_.push_back({key, model_word, id, place});
    return number;
  }

  const Rulebook& book_;
  uint32_t limit_;
  std::vector<Key> source_;
  std::vector<uint32_t> ids_;
  std::vector<RuleOption> options_;
  std::vector<SentencePattern> patterns_;
  std::vector<RuleMatch> matches_;  // sorted
  std::vector<uint32_t> words_;     // of all options, numbers of tokens and gaps
  std::vector<Token> tokens_;
  Numbers numbers_;
  std::vector<uint32_t> found_, numbered_;
  std::vector<bool> translated_;
  Pulse pulse_;
};

}  // namespace structron
