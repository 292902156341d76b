// Sets of sub-structures JJ (Dror & Reichart 2016, Section 3.1): which positions a mixed assignment takes
// from the guess. structron/reference/learners/substructures.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace structron {

// What is known of a mixed assignment besides its difference from gold.
struct MixedAssignment {
  bool is_gold;          // it is another gold derivation
  uint32_t wrong_parts;  // how many of its parts the margin is asked for
};

struct Substructures {
  enum Kind : int { single = 0, full = 1, prefixes = 2, error_spans = 3, windows = 4, all_subsets = 5 };
  static constexpr uint32_t kShort = 12;  // all_subsets: positions of the longest output

  Kind kind = single;
  uint32_t n = 1;  // windows: how long

  // The longest output they are meant for.
  uint32_t longest() const { return kind == all_subsets ? kShort : 0xFFFFFFFFu; }

  // f(positions) for each set, without its positions in which the guess is right: of equal sets the first, of
  // empty ones none. `wrong` holds the positions that are wrong, in order. Returns |JJ_x|, the number of all
  // sets.
  template <class F>
  uint32_t each(std::span<const uint32_t> wrong, uint32_t length, F&& f) const {
    switch (kind) {
      case full:
        if (!wrong.empty()) f(wrong);
        return 1;
      case prefixes:
        for (size_t i = 1; i <= wrong.size(); ++i) f(wrong.first(i));
        return length;
      case error_spans:
        return each_span(wrong, f);
      case windows:
        return each_window(wrong, length, f);
      case all_subsets:
        return each_subset(wrong, length, f);
      case single:
        break;
    }
    for (size_t i = 0; i < wrong.size(); ++i) f(wrong.subspan(i, 1));
    return length;
  }

 private:
  template <class F>
  static uint32_t each_span(std::span<const uint32_t> wrong, F&& f) {
    uint32_t spans = 0;
    for (size_t from = 0, to; from < wrong.size(); from = to, ++spans) {
      for (to = from + 1; to < wrong.size() && wrong[to] == wrong[to - 1] + 1;) ++to;
      f(wrong.subspan(from, to - from));
    }
    return spans;
  }

  // As the window slides, what is in it changes and never comes back: equal sets are neighbours.
  template <class F>
  uint32_t each_window(std::span<const uint32_t> wrong, uint32_t length, F&& f) const {
    const uint32_t starts = length > n ? length - n + 1 : 1;
    size_t from = 0, to = 0, last_from = 0, last_to = 0;
    for (uint32_t start = 0; start < starts; ++start) {
      while (from < wrong.size() && wrong[from] < start) ++from;
      while (to < wrong.size() && wrong[to] < start + n) ++to;
      if (from == to || (from == last_from && to == last_to)) continue;
      f(wrong.subspan(from, to - from));
      last_from = from;
      last_to = to;
    }
    return starts;
  }

  template <class F>
  static uint32_t each_subset(std::span<const uint32_t> wrong, uint32_t length, F&& f) {
    if (length > kShort) throw std::invalid_argument("all_subsets: an output is too long; use another JJ");
    std::vector<uint32_t> positions;
    for (uint32_t number = 1; number < 1u << wrong.size(); ++number) {
      positions.clear();
      for (size_t i = 0; i < wrong.size(); ++i)
        if (number >> i & 1) positions.push_back(wrong[i]);
      f(std::span<const uint32_t>(positions));
    }
    return (1u << length) - 1;
  }
};

}  // namespace structron
