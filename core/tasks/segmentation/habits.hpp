// What raw text taught about words and periods, and lines of a text, as words of columns. The definition is
// structron/tasks/segmentation/units/habits.py.
#pragma once
#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/segmentation/units.hpp"
#include "util/hash.hpp"
#include "weights/table.hpp"

namespace structron {

class Habits {
 public:
  static constexpr Key kPair = 0x434F4C4C4F434154ull;
  static constexpr size_t kLongest = 16;  // units before a period

  Habits(std::span<const Key> keys, std::span<const uint8_t> values) {
    if (keys.size() != values.size()) throw std::invalid_argument("the habits of words do not fit together");
    for (size_t r = 0; r < keys.size(); ++r) known_.intern(keys[r], values[r]);
    empty_ = keys.empty();
  }

  bool empty() const { return empty_; }

  // What is said of unit i.
  std::string_view of(const TextView& text, std::span<const Unit> units, size_t i, std::string& room) const {
    return text.visit([&](const auto* c) -> std::string_view {
      const CharClass kind = class_of(c[units[i].begin]);
      if (kind == CharClass::letter || kind == CharClass::other) {
        const uint32_t seen = value(key(c, units[i].begin, units[i].end));
        room = {'w', static_cast<char>('0' + (seen >> 5 & 3)), static_cast<char>('0' + (seen >> 7 & 1))};
        return room;
      }
      if (c[units[i].begin] != '.' || units[i].white) return "-";
      size_t first = i;
      while (i - first < kLongest && !units[first].white && before_period(c, units[first - 1])) --first;
      if (first == i) return "-";
      const Key own = key(c, units[first].begin, units[i].begin);
      const CharClass begun = class_of(c[units[first].begin]);
      const uint32_t length = units[i].begin - units[first].begin;
      const uint32_t seen = value(own);
      char form = length == 1 && begun == CharClass::letter ? 'i' : begun == CharClass::digit ? 'd' : 'a';
      if (form == 'a' &&
          std::any_of(c + units[first].begin, c + units[i].begin, [](auto each) { return each == '.'; }))
        form = 'p';
      char pair = '0';
      if (i + 1 < units.size() && units[i + 1].white)
        pair = value(combine(combine(kPair, own), key(c, units[i + 1].begin, units[i + 1].end))) ? '1' : '0';
      room = {form, static_cast<char>('0' + (seen & 3)), static_cast<char>('0' + (seen >> 2 & 3)),
              static_cast<char>('0' + (seen >> 4 & 1)), pair};
      return room;
    });
  }

 private:
  template <class Char>
  static bool before_period(const Char* c, const Unit& unit) {
    switch (class_of(c[unit.begin])) {
      case CharClass::letter:
      case CharClass::other:
      case CharClass::digit:
        return true;
      default:
        return c[unit.begin] == '.' || c[unit.begin] == '-' || c[unit.begin] == '&';
    }
  }
  // The key of characters in lower case.
  template <class Char>
  static Key key(const Char* c, uint32_t begin, uint32_t end) {
    std::string lower;
    for (uint32_t i = begin; i < end; ++i) {
      const uint32_t code = c[i];
      unicode::append(lower, code >= 0xD800 && code <= 0xDFFF ? 0xFFFD : unicode::lower(code));
    }
    return hash_bytes(lower);
  }
  uint32_t value(Key key) const {
    if (!known_.perhaps(key)) return 0;
    const uint32_t found = known_.find(key);
    return found == kNone ? 0 : found;
  }

  Table known_;
  bool empty_ = true;
};

// What lines of a text say of its units: a line begins with it where the line before had room for its word
// ("s"), or had none ("f"), or it is on such a line's first place after marks only; "-" for the others.
// A text is as wide as its longest line, but at least kNarrowest: nobody wraps text to fewer characters.
class LineReader {
 public:
  void read(const TextView& text, std::span<const Unit> units) {
    marks_.assign(units.size(), '-');
    text.visit([&](const auto* c) { read_from(c, text.size(), units); });
  }
  std::string_view of(size_t i) const { return {&marks_[i], 1}; }

 private:
  template <class Char>
  void read_from(const Char* c, size_t size, std::span<const Unit> units) {
    size_t longest = kNarrowest, begin = 0, lines = 0;
    for (size_t i = 0; i <= size; ++i)
      if (i == size || c[i] == '\n') {
        longest = std::max(longest, i - begin);
        begin = i + 1;
        ++lines;
      }
    if (lines == 1) return;
    size_t line = 0;  // where the current line begins
    for (size_t u = 0; u + 1 < units.size(); ++u) {
      size_t next = line;
      for (size_t i = units[u].end; i < units[u + 1].begin; ++i)
        if (c[i] == '\n') next = i + 1;
      if (next == line) continue;
      size_t word = units[u + 1].begin;
      while (word < size && !is_white(c[word])) ++word;
      const size_t used = units[u].end - line, more = word - units[u + 1].begin;
      marks_[u + 1] = used + 1 + more <= longest ? 's' : 'f';
      line = next;
    }
  }

  static constexpr size_t kNarrowest = 40;
  std::string marks_;
};

}  // namespace structron
