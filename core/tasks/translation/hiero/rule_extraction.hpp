// Rules with gaps of one pair of sentences (Chiang 2007): phrase pairs in which smaller ones were replaced.
// The definition is structron/tasks/translation/hiero/rules.py.
#pragma once
#include <array>

#include "tasks/translation/phrases/extraction.hpp"
#include "util/hash.hpp"
#include "util/interrupt.hpp"

namespace structron {

inline constexpr uint32_t kMostGaps = 2;
// The numbers of gaps are those of <s> and </s>, which are words of no sentence.
inline constexpr uint32_t kFirstGap = 1;
inline bool is_gap(uint32_t symbol) {
  return symbol == kFirstGap || symbol == kFirstGap + 1;
}

struct RuleLimits {
  uint32_t words = 10;   // of a phrase that a rule is made from, on both sides
  uint32_t symbols = 5;  // of the source side, gaps included

  void check() const {
    if (words < 1 || words > kMostLinked) throw std::invalid_argument("rules are made from 1 to 15 words");
    if (symbols < 1 || symbols > kMostLinked)
      throw std::invalid_argument("the source of a rule has 1 to 15 symbols");
  }
};

// From where to where, on both sides; last positions are inside.
struct PairSpan {
  uint32_t i1, i2, j1, j2;
};

struct RuleSpan {
  PairSpan phrase;
  uint32_t gaps = 0;
  std::array<PairSpan, kMostGaps> gap{};
};

// Symbols by a hash of all of them.
inline Key symbols_key(std::span<const uint32_t> symbols) {
  Key key = 0x52554C4553594D42ull;
  for (uint32_t s : symbols) key = combine(key, s);
  return key;
}
inline Key rule_key(Key source, Key target) {
  return combine(source, target);
}

class RuleExtraction {
 public:
  explicit RuleExtraction(RuleLimits limits) : limits_(limits) { limits.check(); }

  // The links of a pair, sorted.
  void load(std::span<const uint32_t> source, std::span<const uint32_t> target,
            std::span<const uint32_t> source_links, std::span<const uint32_t> target_links) {
    source_ = source;
    target_ = target;
    const uint32_t n = static_cast<uint32_t>(source.size()), m = static_cast<uint32_t>(target.size());
    phrases_.load(n, m, source_links, target_links);
    links_.assign(n + 1ull, 0);
    for (uint32_t i : source_links) ++links_[i + 1];
    for (uint32_t i = 0; i < n; ++i) links_[i + 1] += links_[i];
    hear();
    tight_.assign(size_t{n} * limits_.words, {});
    all_.clear();
    phrases_.each(limits_.words, [&](const PhraseSpan& s) {
      all_.push_back({s.i1, s.i2, s.j1, s.j2});
      if (is_tight(all_.back())) tight_at(s.i1, s.i2) = {true, s.j1, s.j2};
    });
  }
  const Extraction& phrases() const { return phrases_; }

  // f(rule span) of every rule.
  template <class F>
  void each(F&& f) const {
    Pulse pulse;
    for (const PairSpan& phrase : all_) {
      pulse();
      RuleSpan rule{phrase};
      const uint32_t words = phrase.i2 - phrase.i1 + 1;
      if (words <= limits_.symbols) f(rule);
      if (!is_tight(phrase)) continue;
      each_gap(rule, phrase.i1, words, [&](const RuleSpan& one, uint32_t left) {
        if (left + 1 <= limits_.symbols && keeps_link(one)) f(one);
        each_gap(one, one.gap[0].i2 + 2, left, [&](const RuleSpan& two, uint32_t still) {
          if (still + 2 <= limits_.symbols && keeps_link(two)) f(two);
        });
      });
    }
  }

  // The symbols of both sides, and where each link inside is: source place, then target place.
  void spell(const RuleSpan& rule, std::vector<uint32_t>& source, std::vector<uint32_t>& target) const {
    spell_side(rule, source_, source, [](const PairSpan& s) { return std::pair(s.i1, s.i2); });
    spell_side(rule, target_, target, [](const PairSpan& s) { return std::pair(s.j1, s.j2); });
  }
  template <class G>
  void inner(const RuleSpan& rule, G&& g) const {
    const PairSpan& p = rule.phrase;
    phrases_.inner({p.i1, p.i2, p.j1, p.j2, kMonotone, kMonotone}, [&](uint32_t i, uint32_t j) {
      const uint32_t at = i + p.i1, to = j + p.j1;
      uint32_t source_place = i, target_place = j;
      for (uint32_t k = 0; k < rule.gaps; ++k) {
        const PairSpan& gap = rule.gap[k];
        if (at >= gap.i1 && at <= gap.i2) return;
        if (at > gap.i2) source_place -= gap.i2 - gap.i1;
        if (to > gap.j2) target_place -= gap.j2 - gap.j1;
      }
      g(source_place, target_place);
    });
  }

 private:
  struct Tight {
    bool is_there = false;
    uint32_t j1 = 0, j2 = 0;
  };

  bool is_tight(const PairSpan& s) const {
    return phrases_.is_source_linked(s.i1) && phrases_.is_source_linked(s.i2) &&
           phrases_.is_target_linked(s.j1) && phrases_.is_target_linked(s.j2);
  }
  Tight& tight_at(uint32_t i1, uint32_t i2) { return tight_[size_t{i1} * limits_.words + (i2 - i1)]; }
  const Tight& tight_at(uint32_t i1, uint32_t i2) const {
    return tight_[size_t{i1} * limits_.words + (i2 - i1)];
  }

  // f(with one more gap from there on, how many words are left), whatever else a rule must be.
  template <class F>
  void each_gap(const RuleSpan& rule, uint32_t from, uint32_t words, F&& f) const {
    for (uint32_t i1 = from; i1 <= rule.phrase.i2; ++i1)
      for (uint32_t i2 = i1; i2 <= rule.phrase.i2; ++i2) {
        const Tight& tight = tight_at(i1, i2);
        if (!tight.is_there || words <= i2 - i1 + 1) continue;
        if (rule.gaps == 1 && tight.j1 <= rule.gap[0].j2 && tight.j2 >= rule.gap[0].j1) continue;
        RuleSpan more = rule;
        more.gap[more.gaps++] = {i1, i2, tight.j1, tight.j2};
        f(more, words - (i2 - i1 + 1));
      }
  }
  // Whether a pair of linked words is left.
  bool keeps_link(const RuleSpan& rule) const {
    const auto inside = [&](const PairSpan& s) { return links_[s.i2 + 1] - links_[s.i1]; };
    uint32_t left = inside(rule.phrase);
    for (uint32_t k = 0; k < rule.gaps; ++k) left -= inside(rule.gap[k]);
    return left > 0;
  }

  template <class Of>
  static void spell_side(const RuleSpan& rule, std::span<const uint32_t> words, std::vector<uint32_t>& out,
                         Of&& of) {
    out.clear();
    const auto [first, last] = of(rule.phrase);
    for (uint32_t i = first; i <= last; ++i) {
      uint32_t symbol = words[i];
      for (uint32_t k = 0; k < rule.gaps; ++k)
        if (const auto [begin, end] = of(rule.gap[k]); begin == i) {
          symbol = kFirstGap + k;
          i = end;
          break;
        }
      out.push_back(symbol);
    }
  }

  RuleLimits limits_;
  Extraction phrases_;
  std::span<const uint32_t> source_, target_;
  std::vector<PairSpan> all_;
  std::vector<Tight> tight_;     // by first source position and length; a span has at most one
  std::vector<uint32_t> links_;  // before each source position
};

}  // namespace structron
