// Stretches of a text that are one token or a part of one. The definition is structron/segments/solid.py.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tasks/segmentation/boundaries.hpp"
#include "tasks/segmentation/units.hpp"
#include "text/unicode.hpp"

namespace structron {

// Which kinds there are, as bits.
inline constexpr uint32_t kUrl = 1, kMail = 2, kDecimal = 4, kClock = 8, kExponent = 16, kHashtag = 32,
                          kMention = 64, kCluster = 128, kEntity = 256;

// From the units of a text to their duties.
class SolidFinder {
 public:
  explicit SolidFinder(uint32_t kinds) : kinds_(kinds) {}

  // Adds to each unit's duty.
  void find(const TextView& text, std::span<const Unit> units, std::vector<uint8_t>& duties) {
    if (kinds_ == 0) return;
    text.visit([&](const auto* c) { find_from(c, units, duties); });
  }

 private:
  template <class Char>
  void find_from(const Char* c, std::span<const Unit> units, std::vector<uint8_t>& duties) {
    units_ = units;
    first_.clear();
    kind_.clear();
    for (const Unit& unit : units) {
      first_.push_back(c[unit.begin]);
      kind_.push_back(class_of(c[unit.begin]));
    }
    const size_t n = units.size();
    for (size_t begin = 0; begin < n;) {
      size_t end = begin + 1;
      while (end < n && !units[end].white) ++end;
      if (end > begin + 1) {
        addresses(c, begin, end, duties);
        numbers(begin, end, duties);
        tags(begin, end, duties);
        clusters(c, begin, end, duties);
        entities(c, begin, end, duties);
      }
      begin = end;
    }
  }

  bool is_word(size_t i) const {
    return kind_[i] == CharClass::letter || kind_[i] == CharClass::other || kind_[i] == CharClass::digit;
  }
  bool is_digits(size_t i, size_t end) const { return i < end && kind_[i] == CharClass::digit; }
  bool has(size_t i, size_t end, uint32_t c) const { return i < end && first_[i] == c; }
  static bool is_among(uint32_t c, std::u32string_view some) {
    return some.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
  }

  template <class Char>
  bool spells(const Char* c, size_t i, std::string_view word) const {
    if (units_[i].end - units_[i].begin != word.size()) return false;
    for (size_t k = 0; k < word.size(); ++k)
      if (unicode::lower(c[units_[i].begin + k]) != static_cast<uint32_t>(word[k])) return false;
    return true;
  }

  // Marks units from `begin` to before `end` as one piece.
  void join(size_t begin, size_t end, std::vector<uint8_t>& duties) const {
    for (size_t i = begin + 1; i < end; ++i) {
      duties[i] |= kMustJoin;
      duties[i - 1] |= kMustGoOn;
    }
  }
  // The same, of a piece that is not joined to what stands beside it, unless this may belong to a word.
  void part(size_t begin, size_t end, size_t last, std::vector<uint8_t>& duties) const {
    join(begin, end, duties);
    apart(begin, duties);
    if (end < last && kind_[end] == CharClass::mark && !is_among(first_[end], U"'\u2019-/_&"))
      apart(end, duties);
  }
  void apart(size_t i, std::vector<uint8_t>& duties) const {
    duties[i] |= kMustBegin;
    if (i > 0) duties[i - 1] |= kMustEnd;
  }

  template <class Char>
  void addresses(const Char* c, size_t begin, size_t end, std::vector<uint8_t>& duties) const {
    size_t done = begin;
    for (size_t i = begin; i < end; ++i) {
      if (i < done) continue;
      size_t stop = 0, from = i;
      if ((kinds_ & kUrl) && starts_url(c, i, begin, end)) {
        stop = url_end(i, end);
      } else if ((kinds_ & kMail) && first_[i] == U'@' && i > begin) {
        from = mail_begin(i, std::max(begin, done));
        stop = from < i ? mail_end(i, end) : 0;
      }
      if (stop > from + 1) {
        part(from, stop, end, duties);
        done = stop;
      }
    }
  }
  template <class Char>
  bool starts_url(const Char* c, size_t i, size_t begin, size_t end) const {
    if (kind_[i] != CharClass::letter || (i > begin && is_word(i - 1))) return false;
    for (const std::string_view scheme : {"http", "https", "ftp", "ftps", "file"})
      if (spells(c, i, scheme))
        return has(i + 1, end, U':') && has(i + 2, end, U'/') && has(i + 3, end, U'/');
    return spells(c, i, "www") && has(i + 1, end, U'.') && i + 2 < end && is_word(i + 2);
  }
  size_t url_end(size_t i, size_t end) const {
    size_t stop = i;
    while (stop < end && !is_among(first_[stop], U"<>\"\u201c\u201d\u00ab\u00bb|{}")) ++stop;
    while (stop > i + 1 && is_among(first_[stop - 1], U".,;:!?'\u2019\u2026*])")) {
      if (first_[stop - 1] == U')') {
        const auto at = first_.begin() + static_cast<std::ptrdiff_t>(i);
        const auto till = first_.begin() + static_cast<std::ptrdiff_t>(stop);
        if (std::count(at, till, uint32_t{U'('}) >= std::count(at, till, uint32_t{U')'})) break;
      }
      --stop;
    }
    return stop;
  }
  size_t mail_begin(size_t at, size_t least) const {
    size_t from = at;
    while (from > least && (is_word(from - 1) || is_among(first_[from - 1], U"._%+-"))) --from;
    while (from < at && !is_word(from)) ++from;
    return from;
  }
  // 0 if what follows is no domain.
  size_t mail_end(size_t at, size_t end) const {
    size_t stop = at + 1;
    bool dots = false;
    while (stop < end && (is_word(stop) || is_among(first_[stop], U".-_"))) ++stop;
    while (stop > at + 1 && !is_word(stop - 1)) --stop;
    for (size_t i = at + 2; i < stop; ++i) dots = dots || first_[i] == U'.';
    return dots ? stop : 0;
  }

  void numbers(size_t begin, size_t end, std::vector<uint8_t>& duties) const {
    for (size_t i = begin; i < end; ++i) {
      if (!is_digits(i, end) || (i > begin && is_word(i - 1))) continue;
      size_t stop = i + 1;
      for (uint32_t kind; (kind = separator(stop, end)) != 0 && is_digits(stop + 1, end); stop += 2)
        if (!(kinds_ & kind)) break;
      if ((kinds_ & kExponent) && stop < end && (first_[stop] == U'e' || first_[stop] == U'E') &&
          units_[stop].end - units_[stop].begin == 1) {
        if (is_digits(stop + 1, end))
          stop += 2;
        else if (stop + 2 < end && is_among(first_[stop + 1], U"+-\u2212") && is_digits(stop + 2, end))
          stop += 3;
      }
      join(i, stop, duties);
      i = stop - 1;
    }
  }
  uint32_t separator(size_t i, size_t end) const {
    if (i >= end) return 0;
    return first_[i] == U':' ? kClock : first_[i] == U'.' || first_[i] == U',' ? kDecimal : 0;
  }

  void tags(size_t begin, size_t end, std::vector<uint8_t>& duties) const {
    for (size_t i = begin; i + 1 < end; ++i) {
      const bool wanted = first_[i] == U'#'   ? (kinds_ & kHashtag) != 0
                          : first_[i] == U'@' ? (kinds_ & kMention) != 0
                                              : false;
      if (!wanted || (i > begin && (is_word(i - 1) || is_among(first_[i - 1], U"#@&/")))) continue;
      size_t stop = i + 1;
      bool letters = false;
      for (; stop < end && (is_word(stop) || first_[stop] == U'_'); ++stop)
        letters = letters || kind_[stop] == CharClass::letter || kind_[stop] == CharClass::other;
      if (letters) join(i, stop, duties);
    }
  }

  // Grapheme clusters (UAX #29) of several units: flags, joined pictures, tones of skin.
  template <class Char>
  void clusters(const Char* c, size_t begin, size_t end, std::vector<uint8_t>& duties) const {
    if (!(kinds_ & kCluster)) return;
    size_t flags = 0;
    for (size_t i = begin; i < end; ++i) {
      const bool flag = first_[i] >= 0x1F1E6 && first_[i] <= 0x1F1FF;
      const bool tone = first_[i] >= 0x1F3FB && first_[i] <= 0x1F3FF;
      if (i > begin) {
        const uint32_t before = c[units_[i].begin - 1];
        if (tone || (before == 0x200D && kind_[i] == CharClass::mark && first_[i] >= 0xA9) ||
            (flag && flags % 2 == 1 && before >= 0x1F1E6 && before <= 0x1F1FF))
          join(i - 1, i + 1, duties);
      }
      flags = flag ? flags + 1 : 0;
    }
  }

  template <class Char>
  void entities(const Char* c, size_t begin, size_t end, std::vector<uint8_t>& duties) const {
    if (!(kinds_ & kEntity)) return;
    for (size_t i = begin; i < end; ++i)
      if (first_[i] == U'&')
        if (const size_t stop = entity_end(c, i, begin, end)) join(i, stop, duties);
  }
  // 0 if no entity begins here.
  template <class Char>
  size_t entity_end(const Char* c, size_t i, size_t begin, size_t end) const {
    const size_t from = has(i + 1, end, U'#') ? i + 2 : i + 1;
    size_t stop = from;
    while (stop < end && is_word(stop) && is_ascii(c, stop)) ++stop;
    if (stop == from || !has(stop, end, U';') || stop - from > 4) return 0;
    if (from == i + 2)
      return kind_[from] == CharClass::digit || first_[from] == U'x' || first_[from] == U'X' ? stop + 1 : 0;
    const size_t letters = units_[from].end - units_[from].begin;
    if (kind_[from] != CharClass::letter || letters < 2) return 0;
    if (i > begin && is_word(i - 1)) {
      for (size_t k = units_[from].begin; k < units_[from].end; ++k)
        if (c[k] < 'a' || c[k] > 'z') return 0;
      if (letters <= 3 && !spells(c, from, "amp") && !spells(c, from, "lt") && !spells(c, from, "gt"))
        return 0;
    }
    return stop + 1;
  }
  template <class Char>
  bool is_ascii(const Char* c, size_t i) const {
    for (size_t k = units_[i].begin; k < units_[i].end; ++k)
      if (c[k] > 0x7F) return false;
    return true;
  }

  uint32_t kinds_;
  std::span<const Unit> units_;
  std::vector<uint32_t> first_;
  std::vector<CharClass> kind_;
};

}  // namespace structron
