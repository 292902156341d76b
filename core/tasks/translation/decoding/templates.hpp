// Sparse features of phrase pairs as the engine runs them. structron/tasks/translation/features.py is the
// definition, and the numbers of atoms are its own.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "util/hash.hpp"

namespace structron {

inline constexpr Key kBoundary = 0xB0A7DA12B0A7DA12ull;
inline constexpr Key kPhraseStart = 0x5048524153453031ull;
inline constexpr uint32_t kFarthestWord = 3;  // target words that templates look back

struct PhraseTemplate {
  static constexpr uint32_t kPlain = 11, kWordBack = 16, kLink = 32, kNgram = 40;

  Key base;
  std::vector<uint32_t> atoms;

  uint32_t ngram() const { return !atoms.empty() && atoms[0] > kNgram ? atoms[0] - kNgram : 0; }
  bool is_link() const { return !atoms.empty() && atoms[0] == kLink; }
  uint32_t back() const {
    uint32_t most = ngram() > 0 ? ngram() - 1 : 0;
    for (uint32_t atom : atoms)
      if (atom > kWordBack && atom < kLink) most = std::max(most, atom - kWordBack);
    return most;
  }
  void check() const {
    const bool alone = ngram() > 0 || is_link();
    for (uint32_t atom : atoms) {
      const bool plain = atom < kPlain || (atom > kWordBack && atom <= kWordBack + kFarthestWord);
      const bool single = atom == kLink || (atom > kNgram && atom <= kNgram + kFarthestWord + 1);
      if (alone ? atoms.size() > 1 || !single : !plain) throw std::invalid_argument("no such template");
    }
  }
};

// What templates see of a phrase pair in its sentence; sides are whole, by their hashes.
struct PhraseView {
  Key source, target, first_source, last_source, first_target, last_target, before, after;
  uint32_t source_words, target_words;

  Key value(uint32_t atom) const {
    switch (atom) {
      case 0:
        return 1;
      case 1:
        return combine(source, target);
      case 2:
        return source;
      case 3:
        return target;
      case 4:
        return first_source;
      case 5:
        return last_source;
      case 6:
        return first_target;
      case 7:
        return last_target;
      case 8:
        return before;
      case 9:
        return after;
      default:
        return Key{source_words} << 32 | target_words;
    }
  }
};

// The last target words, newest first, as far as templates look. Where fewer are there, the boundary before
// the first word comes next.
struct LastWords {
  std::array<Key, kFarthestWord> keys{};
  uint32_t count = 0;

  // The word so many places back, counted from 1; 0 if that is beyond the boundary.
  Key back(uint32_t places) const {
    return places <= count ? keys[places - 1] : places == count + 1 ? kBoundary : 0;
  }
  // One more word, where `order` of them are remembered.
  LastWords with(Key word, uint32_t order) const {
    LastWords next;
    if (order == 0) return next;
    next.count = std::min(count + 1, order);
    next.keys[0] = word;
    for (uint32_t i = 1; i < next.count; ++i) next.keys[i] = keys[i - 1];
    return next;
  }
};

// The key of the n-gram that ends in `word`; 0 if it would begin beyond the boundary.
inline Key ngram_key(const PhraseTemplate& t, const LastWords& history, Key word) {
  Key key = t.base;
  for (uint32_t back = t.ngram() - 1; back > 0; --back) {
    const Key before = history.back(back);
    if (before == 0) return 0;
    key = combine(key, before);
  }
  return combine(key, word);
}

// The key of a template without n-grams and links; 0 if it is silent.
inline Key phrase_key(const PhraseTemplate& t, const PhraseView& phrase, const LastWords& history) {
  Key key = t.base;
  for (uint32_t atom : t.atoms) {
    const Key value = atom > PhraseTemplate::kWordBack ? history.back(atom - PhraseTemplate::kWordBack)
                                                       : phrase.value(atom);
    if (atom > PhraseTemplate::kWordBack && value == 0) return 0;
    key = combine(key, value);
  }
  return key;
}

}  // namespace structron
