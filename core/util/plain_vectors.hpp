// The loops of vectors.hpp in plain C++, for compilers without vectors: the same numbers, lane by lane.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace structron {

inline void add_vectors(const float* from, float* to, uint32_t n) {
  for (uint32_t a = 0; a < n; ++a) to[a] += from[a];
}

inline void take_better(const float* scores, double from, uint64_t name, double* best, uint64_t* who,
                        uint32_t n) {
  for (uint32_t a = 0; a < n; ++a) {
    const double score = from + static_cast<double>(scores[a]);
    if (score > best[a]) {
      best[a] = score;
      who[a] = name;
    }
  }
}

// How many of n ranks, an even number, are above mine.
inline uint64_t how_many_above(const double* ranks, size_t n, double mine) {
  return static_cast<uint64_t>(std::count_if(ranks, ranks + n, [mine](double rank) { return rank > mine; }));
}

inline void sum_vectors(const float* x, const float* y, float* to, uint32_t n) {
  for (uint32_t a = 0; a < n; ++a) to[a] = x[a] + y[a];
}

inline uint32_t next_from(const float* scores, uint32_t from, uint32_t n, float least) {
  while (from < n && !(scores[from] >= least)) ++from;
  return from;
}

inline uint32_t at_least(const float* scores, uint32_t n, float least) {
  uint32_t all = 0;
  for (uint32_t a = 0; a < n; ++a) all |= static_cast<uint32_t>(scores[a] >= least) << a;
  return all;
}

// Of equal numbers, and of any with what is no number, the second.
inline float higher(float x, float y) {
  return x > y ? x : y;
}
inline float lower(float x, float y) {
  return x < y ? x : y;
}

struct Peaks {
  float highest, of_many;
};
template <uint32_t many>
inline Peaks peaks_of(const float* scores, uint32_t n) {
  static_assert(many == 4 || many == 16);
  float lanes[many];
  std::fill(lanes, lanes + many, -std::numeric_limits<float>::infinity());
  uint32_t a = 0;
  for (; a + many <= n; a += many)
    for (uint32_t k = 0; k < many; ++k) lanes[k] = higher(lanes[k], scores[a + k]);
  float highest = *std::max_element(lanes, lanes + many);
  const float least = *std::min_element(lanes, lanes + many);
  for (; a < n; ++a) highest = std::max(highest, scores[a]);
  return {highest, least};
}

inline constexpr uint32_t kBlock = 32;
template <uint32_t many>
inline Peaks peaks_of_blocks(const float* scores, uint32_t n, float* blocks) {
  static_assert(many == 4 || many == 16);
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  float lanes[16];
  std::fill(lanes, lanes + 16, kNothing);
  uint32_t a = 0;
  for (; a + kBlock <= n; a += kBlock, blocks += 4) {
    std::fill(blocks, blocks + 4, kNothing);
    for (uint32_t k = 0; k < kBlock; ++k) {
      lanes[k % 16] = higher(lanes[k % 16], scores[a + k]);
      blocks[k % 4] = higher(blocks[k % 4], scores[a + k]);
    }
  }
  float fours[4];
  std::fill(fours, fours + 4, kNothing);
  for (uint32_t k = 0; k < 16; ++k) fours[k % 4] = higher(fours[k % 4], lanes[k]);
  float highest = *std::max_element(lanes, lanes + 16);
  const float least = many == 4 ? *std::min_element(fours, fours + 4) : *std::min_element(lanes, lanes + 16);
  if (a < n) std::fill(blocks, blocks + 4, -kNothing);
  for (; a < n; ++a) highest = std::max(highest, scores[a]);
  return {highest, least};
}
inline bool reaches(const float* block, float least) {
  return block[0] >= least || block[1] >= least || block[2] >= least || block[3] >= least;
}

inline void sum_all(const std::vector<const float*>& from, float* to, uint32_t n) {
  for (uint32_t a = 0; a < n; ++a) {
    float sum = from[0][a];
    for (size_t i = 1; i < from.size(); ++i) sum += from[i][a];
    to[a] = sum;
  }
}

inline void add_all(const std::vector<const float*>& from, float* to, uint32_t n) {
  for (uint32_t a = 0; a < n; ++a)
    for (const float* f : from) to[a] += f[a];
}

}  // namespace structron
