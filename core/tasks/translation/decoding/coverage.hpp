// Which source words are translated. All that is covered beyond the first gap lies within the distortion
// limit, so a window of 64 bits is enough for sentences of any length.
#pragma once
#include <bit>
#include <cstdint>

namespace structron {

inline constexpr uint32_t kMostDistortion = 63;
inline constexpr uint32_t kLongestPhrase = 32;

struct Coverage {
  uint64_t window = 0;  // bit i: word gap + i is covered; bit 0 never is
  uint32_t gap = 0;     // the first word that is not covered

  uint32_t words() const { return gap + static_cast<uint32_t>(std::popcount(window)); }

  // Whether nothing from start to end is covered; end is at most 64 words beyond the gap.
  bool is_free(uint32_t start, uint32_t end) const {
    return start >= gap && (window & bits(start, end)) == 0;
  }
  Coverage with(uint32_t start, uint32_t end) const {
    const uint64_t all = window | bits(start, end);
    if (start != gap) return {all, gap};
    const int filled = std::countr_one(all);
    return {filled == 64 ? 0 : all >> filled, gap + static_cast<uint32_t>(filled)};
  }
  // f(start, end) for every gap that ends within the window; gives where the last one begins.
  template <class F>
  uint32_t each_gap(F&& f) const {
    uint32_t at = gap;
    for (uint64_t rest = window; rest != 0;) {
      const int open = std::countr_zero(rest);
      f(at, at + static_cast<uint32_t>(open));
      rest >>= open;
      const int closed = std::countr_one(rest);
      at += static_cast<uint32_t>(open + closed);
      rest = closed == 64 ? 0 : rest >> closed;
    }
    return at;
  }
  bool operator==(const Coverage&) const = default;

 private:
  uint64_t bits(uint32_t start, uint32_t end) const {
    return ((uint64_t{1} << (end - start)) - 1) << (start - gap);
  }
};

// How a phrase stands to the one before it: 0 after it (monotone), 1 before it (a swap), 2 elsewhere.
inline uint32_t orientation(uint32_t start, uint32_t end, uint32_t next_start, uint32_t next_end) {
  return next_start == end ? 0 : next_end == start ? 1 : 2;
}

}  // namespace structron
