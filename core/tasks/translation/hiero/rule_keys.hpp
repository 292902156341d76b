// The keys of a rule's sparse features: templates see the rule, with gaps as symbols, and the source words
// around its span. structron/tasks/translation/hiero/space.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/translation/decoding/templates.hpp"
#include "tasks/translation/hiero/layout.hpp"

namespace structron {

class RuleKeys {
 public:
  RuleKeys(const std::vector<PhraseTemplate>& templates, const SentenceRules& rules,
           const HieroLayout& layout)
      : rules_(rules), layout_(layout) {
    for (const PhraseTemplate& t : templates) {
      const bool around =
          std::any_of(t.atoms.begin(), t.atoms.end(), [](uint32_t a) { return a == 8 || a == 9; });
      (around ? around_ : own_templates_).push_back(t);
    }
  }

  // Whether a template sees where a rule is used.
  bool looks_around() const { return !around_.empty(); }

  // The rules of the sentence at hand.
  void read() {
    if (own_templates_.empty() && around_.empty()) return;
    views_.resize(rules_.options());
    for (uint32_t o = 0; o < views_.size(); ++o) view(o);
  }

  // f(key) for what a rule has wherever it is used, and for what it has on the span of a node.
  template <class F>
  void each_own(uint32_t o, F&& f) const {
    for (const PhraseTemplate& t : own_templates_) {
      if (t.ngram() > 0) {
        for (uint32_t token : rules_.target(o))
          if (token < kGapToken) f(combine(t.base, target_key(token)));
      } else if (t.is_link()) {
        each_link(o, t, f);
      } else {
        f(phrase_key(t, views_[o], {}));
      }
    }
  }
  template <class F>
  void each_link(uint32_t o, const PhraseTemplate& t, F&& f) const {
    static constexpr uint8_t kCopied[2] = {0, 0};
    const uint32_t entry = rules_.option(o).entry;
    const std::span<const uint8_t> links =
        entry == kNone ? std::span<const uint8_t>(kCopied) : rules_.book().links(entry);
    for (size_t i = 0; i < links.size(); i += 2)
      f(combine(combine(t.base, source_key(o, links[i])), target_key(rules_.target(o)[links[i + 1]])));
  }
  template <class F>
  void each_around(uint32_t n, uint32_t o, F&& f) const {
    if (around_.empty()) return;
    const auto [begin, end] = layout_.span(n);
    PhraseView v = views_[o];
    v.before = begin > 0 ? rules_.source()[begin - 1] : kBoundary;
    v.after = end < layout_.words() ? rules_.source()[end] : kBoundary;
    for (const PhraseTemplate& t : around_) f(phrase_key(t, v, {}));
  }

 private:
  Key source_key(uint32_t o, size_t k) const {
    const RuleOption& option = rules_.option(o);
    if (option.entry == kNone) return rules_.source()[rules_.pattern(option.pattern).place];
    const uint32_t id = rules_.book().source(rules_.pattern(option.pattern).entry)[k];
    return is_gap(id) ? kGapKeys[id - kFirstGap] : rules_.word(id);
  }
  Key target_key(uint32_t token) const {
    return token >= kGapToken ? kGapKeys[token - kGapToken] : rules_.tokens()[token].key;
  }
  void view(uint32_t o) {
    const RuleOption& option = rules_.option(o);
    PhraseView& v = views_[o];
    v.source = v.target = kPhraseStart;
    v.source_words = option.source_words + option.gaps;
    v.target_words = option.tokens;
    for (uint32_t k = 0; k < v.source_words; ++k) v.source = combine(v.source, source_key(o, k));
    for (uint32_t token : rules_.target(o)) v.target = combine(v.target, target_key(token));
    v.first_source = source_key(o, 0);
    v.last_source = source_key(o, v.source_words - 1);
    v.first_target = target_key(rules_.target(o).front());
    v.last_target = target_key(rules_.target(o).back());
    v.before = v.after = 0;
  }

  static constexpr Key kGapKeys[kMostGaps] = {0x4741503147415031ull, 0x4741503247415032ull};

  const SentenceRules& rules_;
  const HieroLayout& layout_;
  std::vector<PhraseTemplate> own_templates_, around_;  // around_: those that see where a rule is used
  std::vector<PhraseView> views_;
};

}  // namespace structron
