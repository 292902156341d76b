// Labels of units to tokens. The definition is structron/segments/boundaries.py.
#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tasks/segmentation/units.hpp"

namespace structron {

// What begins with a unit.
enum class Begins : uint8_t { nothing = 0, token = 1, sentence = 2 };

struct Boundary {
  Begins begins;
  bool multiword;               // the token that begins is several words
  std::vector<uint32_t> inner;  // tokens begin inside it too, so many characters before its end
};

// Flags of a token: a sentence begins, it is several words.
inline constexpr uint8_t kSentence = 1, kMultiword = 2;

// Tokens of a text.
struct TokenSpans {
  std::vector<uint32_t> begins, ends;
  std::vector<uint8_t> flags;
};

// What a unit must do where tokens hold no white space: begin a token, since it stands after some; and end
// one, since the next does. And what it must do inside a piece that is never cut (solid.hpp): go on with the
// token before it, and have its own go on.
inline constexpr uint8_t kMustBegin = 1, kMustEnd = 2, kMustJoin = 4, kMustGoOn = 8;
inline uint8_t duty_of(std::span<const Unit> units, size_t i) {
  const bool begins = units[i].white;
  const bool ends = i + 1 < units.size() && units[i + 1].white;
  return static_cast<uint8_t>((begins ? kMustBegin : 0) | (ends ? kMustEnd : 0));
}

// Nothing is lost: whatever the labels say, the first unit begins a sentence, and each unit is in a token.
template <class Labels>
TokenSpans tokens_of(std::span<const Unit> units, const Labels& labels,
                     std::span<const Boundary> boundaries) {
  TokenSpans out;
  const auto add = [&](uint32_t begin, uint32_t end, uint8_t flags) {
    out.begins.push_back(begin);
    out.ends.push_back(end);
    out.flags.push_back(flags);
  };
  for (size_t i = 0; i < units.size(); ++i) {
    const Unit& unit = units[i];
    const Boundary& b = boundaries[labels[i]];
    if (i == 0 || b.begins != Begins::nothing) {
      const bool sentence = i == 0 || b.begins == Begins::sentence;
      add(unit.begin, unit.end,
          static_cast<uint8_t>((sentence ? kSentence : 0) | (b.multiword ? kMultiword : 0)));
    }
    out.ends.back() = unit.end;
    for (uint32_t back : b.inner)
      if (back < unit.end - unit.begin && unit.end - back > out.begins.back()) {
        out.ends.back() = unit.end - back;
        add(unit.end - back, unit.end, 0);
      }
  }
  return out;
}

}  // namespace structron
