// The keys of templates in one question. structron/tasks/semantics/features.py is the definition.
#pragma once
#include <cstdint>

#include "tasks/semantics/grammar.hpp"

namespace structron {

class SemanticKeys {
 public:
  using T = SemanticTemplate;

  SemanticKeys(const SemanticGrammar& grammar, const Question& question)
      : grammar_(grammar), question_(question) {}

  template <class F>
  void each_of_word(uint32_t p, uint32_t i, F&& f) const {
    for (const T& t : grammar_.templates(T::kOfWord)) {
      Key key = t.base;
      for (uint32_t atom : t.atoms) {
        const Key value = atom == T::kWord         ? question_.words[i]
                          : atom == T::kPrefix     ? question_.prefixes[i]
                          : atom == T::kWordBefore ? question_.word(int64_t{i} - 1)
                          : atom == T::kWordAfter  ? question_.word(int64_t{i} + 1)
                                                   : of(p, atom);
        key = combine(key, value);
      }
      f(key);
    }
  }
  template <class F>
  void each_of_part(uint32_t p, uint32_t slot, uint32_t part, F&& f) const {
    for (const T& t : grammar_.templates(T::kOfPart)) {
      Key key = t.base;
      for (uint32_t atom : t.atoms) {
        const Key value = atom == T::kPart           ? grammar_[part].seen
                          : atom == T::kPartFunction ? grammar_[part].function
                          : atom == T::kSlot         ? Key{slot} + 1
                                                     : of(p, atom);
        key = combine(key, value);
      }
      f(key);
    }
  }
  // For a production with two slots, whose parts stand in the question as in the form or are turned.
  template <class F>
  void each_of_order(uint32_t p, bool turned, F&& f) const {
    for (const T& t : grammar_.templates(T::kOfOrder)) {
      Key key = t.base;
      for (uint32_t atom : t.atoms) key = combine(key, atom == T::kOrder ? Key{1} + turned : of(p, atom));
      f(key);
    }
  }
  // f(template, key) of each; of one that looks at words of the span, the key without the word.
  template <class F>
  void each_of_span(uint32_t p, uint32_t begin, uint32_t end, bool bare, F&& f) const {
    for (const T& t : grammar_.templates(T::kOfSpan)) f(t, of_span(t, p, begin, end, bare));
  }
  Key of_span(const T& t, uint32_t p, uint32_t begin, uint32_t end, bool bare) const {
    Key key = t.base;
    for (uint32_t atom : t.atoms) {
      if (atom == T::kIn || atom == T::kAny) break;  // which stand last
      const Key value = atom == T::kFirst    ? question_.word(begin)
                        : atom == T::kLast   ? question_.word(int64_t{end} - 1)
                        : atom == T::kBefore ? question_.word(int64_t{begin} - 1)
                        : atom == T::kAfter  ? question_.word(end)
                        : atom == T::kBare   ? Key{1} + bare
                                             : of(p, atom);
      key = combine(key, value);
    }
    return key;
  }

 private:
  Key of(uint32_t p, uint32_t atom) const {
    return atom == T::kProduction ? grammar_[p].seen
           : atom == T::kFunction ? grammar_[p].function
                                  : grammar_[p].whole;
  }

  const SemanticGrammar& grammar_;
  const Question& question_;
};

}  // namespace structron
