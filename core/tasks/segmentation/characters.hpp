// What word templates see of a text. The definition is structron/tasks/segmentation/words/characters.py.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/segmentation/known_tokens.hpp"
#include "tasks/segmentation/units.hpp"
#include "util/hash.hpp"

namespace structron {

// One character: itself, with the white space before it, and what the known tokens say.
struct Character {
  Key value, symbol, known;
  uint32_t lengths;        // bit n - 1: a known token of n characters begins here
  uint32_t often, common;  // the same for those that were seen often, and very often
  uint16_t kind;           // 1 more than its class
  bool white;              // whether white space stands before it
};

inline uint16_t kind_of(uint32_t c) {
  static constexpr std::u32string_view kNumerals = U"〇零一二三四五六七八九十百千万亿两",
                                       kDates = U"年月日时分秒";
  if (c >= 0x3000) {
    if (kNumerals.find(static_cast<char32_t>(c)) != kNumerals.npos) return 7;
    if (kDates.find(static_cast<char32_t>(c)) != kDates.npos) return 8;
  }
  switch (class_of(c)) {
    case CharClass::white:
      return 1;
    case CharClass::rest:
      return 2;
    case CharClass::letter:
      return 3;
    case CharClass::other:
      return 4;
    case CharClass::digit:
      return 5;
    default:
      return 6;
  }
}

// From texts to characters, one text at a time.
class CharacterReader {
 public:
  explicit CharacterReader(const KnownTokens& known) : known_(&known) {}

  const std::vector<Unit>& units() const { return units_; }

  // Puts the characters of a text after those that are there.
  void read(const TextView& text, std::vector<Character>& out, const OwnTokens& own = {}) {
    cutter_.cut(text, units_);
    values_.clear();
    for (const Unit& unit : units_) {
      spelled_.clear();
      append_unit(spelled_, text, unit);
      values_.push_back(hash_bytes(spelled_));
    }
    known_->look_up(units_, values_, found_, own);
    const size_t first = out.size(), n = units_.size();
    for (size_t i = 0; i < n; ++i) {
      const Key symbol = units_[i].white && i > 0 ? values_[i] ^ KnownTokens::kBlank : values_[i];
      const uint16_t kind = text.visit([&](const auto* c) { return kind_of(c[units_[i].begin]); });
      out.push_back({values_[i], symbol, hash_bytes(found_.of(i)), 0, 0, 0, kind, units_[i].white});
    }
    known_->each_token(units_, values_, own, [&](size_t i, size_t length, uint32_t times) {
      if (length > kMost) return;
      Character& there = out[first + i];
      const uint32_t bit = 1u << (length - 1);
      there.lengths |= bit;
      if (times >= kOften) there.often |= bit;
      if (times >= kCommon) there.common |= bit;
    });
  }

 private:
  static constexpr size_t kMost = 31;
  static constexpr uint32_t kOften = 2, kCommon = 5;  // sightings

  const KnownTokens* known_;
  Cutter cutter_{true, true, true};
  KnownTokens::Found found_;
  std::vector<Unit> units_;
  std::vector<Key> values_;
  std::string spelled_;
};

// The key of a word grows with it.
inline Key word_of(const Character& first) {
  return combine(KnownTokens::kStart, first.value);
}
inline Key longer(Key word, const Character& next) {
  return combine(word, next.symbol);
}

// 1 for a word that is not known, 3 for a single character, 2, 4 and 5 for one that is known: the more often
// it was seen, the more.
inline Key how_known(const Character& first, uint32_t length) {
  if (length == 1) return 3;
  if (length > 31) return 1;
  const auto has = [&](uint32_t lengths) { return lengths >> (length - 1) & 1; };
  return has(first.common) ? 5 : has(first.often) ? 4 : has(first.lengths) ? 2 : 1;
}
// 1 more than the length of the longest known token that begins with it.
inline Key longest_known(const Character& first) {
  return 1 + std::min<Key>(std::bit_width(first.lengths), KnownTokens::kLongest);
}

}  // namespace structron
