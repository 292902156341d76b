// Text to units, the pieces between which a token or a sentence may begin. The definition is
// structron/segments/units.py.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "text/unicode.hpp"

namespace structron {

// What a character is to the cutter. Runs of letters, of other letters (of scripts without case) and of
// digits are one unit each, and so is every mark; the rest (accents, joiners, control characters, halves of
// surrogate pairs) goes with what stands before it.
enum class CharClass : uint8_t { white, letter, other, digit, mark, rest };

// White space as Python's str.isspace has it.
inline bool is_white(uint32_t c) {
  if (c < 128) return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

inline CharClass searched_class(uint32_t c) {
  if (is_white(c)) return CharClass::white;
  switch (unicode::kind(c)) {
    case 'U':
    case 'L':
      return CharClass::letter;
    case 'O':
      return CharClass::other;
    case 'D':
      return CharClass::digit;
    case 'P':
      return CharClass::mark;
    default:
      return CharClass::rest;
  }
}

// The same from a table for the first plane, which has nearly all of any text.
inline CharClass class_of(uint32_t c) {
  static const std::vector<CharClass> kFirst = [] {
    std::vector<CharClass> all(0x10000);
    for (uint32_t code = 0; code < all.size(); ++code) all[code] = searched_class(code);
    return all;
  }();
  return c < 0x10000 ? kFirst[c] : searched_class(c);
}

struct Unit {
  uint32_t begin, end;  // characters
  bool white;           // whether white space stands before it, or nothing at all
};

// A text as Python holds it: characters of one, two or four bytes.
class TextView {
 public:
  TextView(const void* data, int width, size_t size) : data_(data), width_(width), size_(size) {}

  size_t size() const { return size_; }
  // f(characters) with a pointer to the right type.
  template <class F>
  decltype(auto) visit(F&& f) const {
    if (width_ == 1) return f(static_cast<const uint8_t*>(data_));
    if (width_ == 2) return f(static_cast<const uint16_t*>(data_));
    return f(static_cast<const uint32_t*>(data_));
  }

 private:
  const void* data_;
  int width_;
  size_t size_;
};

// Which classes are cut into single characters, as in scripts that have no blanks.
class Cutter {
 public:
  explicit Cutter(bool letters, bool others, bool digits) {
    alone_[static_cast<size_t>(CharClass::letter)] = letters;
    alone_[static_cast<size_t>(CharClass::other)] = others;
    alone_[static_cast<size_t>(CharClass::digit)] = digits;
    alone_[static_cast<size_t>(CharClass::mark)] = true;
  }

  void cut(const TextView& text, std::vector<Unit>& units) const {
    units.clear();
    text.visit([&](const auto* c) { cut_from(c, text.size(), units); });
  }

 private:
  template <class Char>
  void cut_from(const Char* c, size_t size, std::vector<Unit>& units) const {
    bool open = false;
    CharClass last = CharClass::white;
    for (size_t i = 0; i < size; ++i) {
      const CharClass now = class_of(c[i]);
      if (now == CharClass::white) {
        open = false;
        continue;
      }
      const auto at = static_cast<uint32_t>(i);
      if (open && (now == CharClass::rest || (now == last && !alone_[static_cast<size_t>(now)]))) {
        units.back().end = at + 1;
        continue;
      }
      units.push_back({at, at + 1, !open});
      open = true;
      last = now;
    }
  }

  std::array<bool, 6> alone_{};
};

// The characters of a unit as UTF-8; half of a surrogate pair is no character and stands as U+FFFD.
inline void append_unit(std::string& out, const TextView& text, const Unit& unit) {
  text.visit([&](const auto* c) {
    for (uint32_t i = unit.begin; i < unit.end; ++i) {
      const uint32_t code = c[i];
      unicode::append(out, code >= 0xD800 && code <= 0xDFFF ? 0xFFFD : code);
    }
  });
}

}  // namespace structron
