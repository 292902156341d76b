// Sums of rows of scores, four at a time: the one loop worth spelling out for the compiler.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>
#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

namespace structron {

typedef float Four __attribute__((vector_size(16), aligned(4), may_alias));

// to[a] += from[a]; n is a multiple of four.
inline void add_vectors(const float* __restrict from, float* __restrict to, uint32_t n) {
  for (uint32_t a = 0; a < n; a += 4)
    *reinterpret_cast<Four*>(to + a) += *reinterpret_cast<const Four*>(from + a);
}

typedef float TwoFloats __attribute__((vector_size(8), aligned(4), may_alias));
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint64_t TwoWhole __attribute__((vector_size(16), aligned(8), may_alias));

// Viterbi's inner loop: where from + scores[a] is more than best[a], it is the best now and `name` is who[a].
inline void take_better(const float* __restrict scores, double from, uint64_t name, double* __restrict best,
                        uint64_t* __restrict who, uint32_t n) {
  const Two base = {from, from};
  const TwoWhole names = {name, name};
  size_t a = 0;
  for (; a + 2 <= n; a += 2) {
    Two& b = *reinterpret_cast<Two*>(best + a);
    TwoWhole& w = *reinterpret_cast<TwoWhole*>(who + a);
    const Two s = base + __builtin_convertvector(*reinterpret_cast<const TwoFloats*>(scores + a), Two);
    const TwoWhole better = reinterpret_cast<TwoWhole>(s > b);
    w = (names & better) | (w & ~better);
    b = reinterpret_cast<Two>((reinterpret_cast<TwoWhole>(s) & better) |
                              (reinterpret_cast<TwoWhole>(b) & ~better));
  }
  if (a < n && from + scores[a] > best[a]) {
    best[a] = from + scores[a];
    who[a] = name;
  }
}

// to[a] = x[a] + y[a]
inline void sum_vectors(const float* __restrict x, const float* __restrict y, float* __restrict to,
                        uint32_t n) {
  for (uint32_t a = 0; a < n; a += 4)
    *reinterpret_cast<Four*>(to + a) =
        *reinterpret_cast<const Four*>(x + a) + *reinterpret_cast<const Four*>(y + a);
}

// The first a from `from` on with scores[a] >= least; n if there is none.
inline uint32_t next_from(const float* scores, uint32_t from, uint32_t n, float least) {
  const Four limit = {least, least, least, least};
  uint32_t a = from;
  for (; a + 16 <= n; a += 16) {
    const Four* s = reinterpret_cast<const Four*>(scores + a);
    const auto any =
        reinterpret_cast<TwoWhole>((s[0] >= limit) | (s[1] >= limit) | (s[2] >= limit) | (s[3] >= limit));
    if ((any[0] | any[1]) != 0) break;
  }
  while (a < n && !(scores[a] >= least)) ++a;
  return a;
}

typedef uint32_t FourWhole __attribute__((vector_size(16), aligned(4), may_alias));

// Which of n scores, 32 at most, are at least so much: bit a for scores[a].
inline uint32_t at_least(const float* scores, uint32_t n, float least) {
  const Four limit = {least, least, least, least};
  FourWhole bits = {1, 2, 4, 8}, found = {0, 0, 0, 0};
  uint32_t a = 0;
  for (; a + 4 <= n; a += 4, bits <<= 4)
    found |= reinterpret_cast<FourWhole>(*reinterpret_cast<const Four*>(scores + a) >= limit) & bits;
  const TwoWhole halves = reinterpret_cast<TwoWhole>(found);
  const uint64_t both = halves[0] | halves[1];
  uint32_t all = static_cast<uint32_t>(both | both >> 32);
  for (; a < n; ++a) all |= static_cast<uint32_t>(scores[a] >= least) << a;
  return all;
}

// The higher and the lower ones of two, and of four. For ARM this is one instruction only where the compiler
// is told.
#ifdef __ARM_NEON
inline Four higher(Four x, Four y) {
  return vmaxq_f32(x, y);
}
inline Four lower(Four x, Four y) {
  return vminq_f32(x, y);
}
#else
inline Four higher(Four x, Four y) {
  return x > y ? x : y;
}
inline Four lower(Four x, Four y) {
  return x < y ? x : y;
}
#endif
inline float highest_of(Four x) {
  x = higher(x, __builtin_shufflevector(x, x, 2, 3, 0, 1));
  return std::max(x[0], x[1]);
}
inline float lowest_of(Four x) {
  x = lower(x, __builtin_shufflevector(x, x, 2, 3, 0, 1));
  return std::min(x[0], x[1]);
}

// Of n scores the highest, and one that `many` are not below: four or sixteen. Lanes have no score in common,
// so the lowest of their highest ones is such a score; minus infinity where there are too few.
struct Peaks {
  float highest, of_many;
};
template <uint32_t many>
inline __attribute__((always_inline)) Peaks peaks_of(const float* scores, uint32_t n) {
  static_assert(many == 4 || many == 16);
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  constexpr uint32_t kVectors = many / 4;
  Four lanes[kVectors];
  for (Four& lane : lanes) lane = Four{kNothing, kNothing, kNothing, kNothing};
  uint32_t a = 0;
  for (; a + many <= n; a += many)
    for (uint32_t k = 0; k < kVectors; ++k)
      lanes[k] = higher(lanes[k], *reinterpret_cast<const Four*>(scores + a + 4 * k));
  Four most = lanes[0], least = lanes[0];
  for (uint32_t k = 1; k < kVectors; ++k) {
    most = higher(most, lanes[k]);
    least = lower(least, lanes[k]);
  }
  float highest = highest_of(most);
  for (; a < n; ++a) highest = std::max(highest, scores[a]);
  return {highest, lowest_of(least)};
}

// The same of many scores, and by the way the highest ones of each block of 32, four for each: a second look
// then passes over most blocks. `blocks` has room for four numbers a block, the last of which may be short.
inline constexpr uint32_t kBlock = 32;
template <uint32_t many>
inline Peaks peaks_of_blocks(const float* scores, uint32_t n, float* blocks) {
  static_assert(many == 4 || many == 16);
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  Four lanes[4];
  for (Four& lane : lanes) lane = Four{kNothing, kNothing, kNothing, kNothing};
  uint32_t a = 0;
  for (; a + kBlock <= n; a += kBlock, blocks += 4) {
    const Four* s = reinterpret_cast<const Four*>(scores + a);
    Four x[4];
    for (int k = 0; k < 4; ++k) {
      x[k] = higher(s[k], s[k + 4]);
      lanes[k] = higher(lanes[k], x[k]);
    }
    *reinterpret_cast<Four*>(blocks) = higher(higher(x[0], x[1]), higher(x[2], x[3]));
  }
  const Four most = higher(higher(lanes[0], lanes[1]), higher(lanes[2], lanes[3]));
  const Four least = many == 4 ? most : lower(lower(lanes[0], lanes[1]), lower(lanes[2], lanes[3]));
  float highest = highest_of(most);
  if (a < n) *reinterpret_cast<Four*>(blocks) = Four{-kNothing, -kNothing, -kNothing, -kNothing};
  for (; a < n; ++a) highest = std::max(highest, scores[a]);
  return {highest, lowest_of(least)};
}
// Whether a block has a score that is at least so much.
inline bool reaches(const float* block, float least) {
  const Four limit = {least, least, least, least};
  const auto any = reinterpret_cast<TwoWhole>(*reinterpret_cast<const Four*>(block) >= limit);
  return (any[0] | any[1]) != 0;
}

// to[a] = the sum of all from[i][a], of which there are some; n is a multiple of four.
inline void sum_all(const std::vector<const float*>& from, float* __restrict to, uint32_t n) {
  const float* const* rest = from.data() + 1;
  const size_t others = from.size() - 1;
  uint32_t a = 0;
  for (; a + 16 <= n; a += 16) {
    const Four* first = reinterpret_cast<const Four*>(from[0] + a);
    Four s0 = first[0], s1 = first[1], s2 = first[2], s3 = first[3];
    for (size_t i = 0; i < others; ++i) {
      const Four* part = reinterpret_cast<const Four*>(rest[i] + a);
      s0 += part[0];
      s1 += part[1];
      s2 += part[2];
      s3 += part[3];
    }
    Four* sum = reinterpret_cast<Four*>(to + a);
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
  }
  for (; a < n; a += 4) {
    Four sum = *reinterpret_cast<const Four*>(from[0] + a);
    for (size_t i = 0; i < others; ++i) sum += *reinterpret_cast<const Four*>(rest[i] + a);
    *reinterpret_cast<Four*>(to + a) = sum;
  }
}

// to[a] += the sum of all from[i][a]; n is a multiple of four. Sixteen at a time stay in registers.
inline void add_all(const std::vector<const float*>& from, float* __restrict to, uint32_t n) {
  uint32_t a = 0;
  for (; a + 16 <= n; a += 16) {
    Four* sum = reinterpret_cast<Four*>(to + a);
    Four s0 = sum[0], s1 = sum[1], s2 = sum[2], s3 = sum[3];
    for (const float* f : from) {
      const Four* part = reinterpret_cast<const Four*>(f + a);
      s0 += part[0];
      s1 += part[1];
      s2 += part[2];
      s3 += part[3];
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
  }
  for (; a < n; a += 4) {
    Four sum = *reinterpret_cast<Four*>(to + a);
    for (const float* f : from) sum += *reinterpret_cast<const Four*>(f + a);
    *reinterpret_cast<Four*>(to + a) = sum;
  }
}

}  // namespace structron
