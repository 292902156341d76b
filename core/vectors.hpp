// Sums of rows of scores, four at a time: the one loop worth spelling out for the compiler.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

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

// Of n scores the highest; and two that as many are not below: four, and sixteen. Lanes have no score in
// common, so the lowest of their highest ones is such a score; minus infinity where there are too few.
struct Peaks {
  float highest, of_four, of_sixteen;
};
inline Peaks peaks_of(const float* scores, uint32_t n) {
  const auto higher = [](Four x, Four y) { return x > y ? x : y; };
  const auto lower = [](Four x, Four y) { return x < y ? x : y; };
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  const Four nothing = {kNothing, kNothing, kNothing, kNothing};
  Four lanes[4] = {nothing, nothing, nothing, nothing};
  uint32_t a = 0;
  for (; a + 16 <= n; a += 16)
    for (uint32_t k = 0; k < 4; ++k)
      lanes[k] = higher(lanes[k], *reinterpret_cast<const Four*>(scores + a + 4 * k));
  for (uint32_t k = 0; a < n; ++a, ++k) lanes[k / 4][k % 4] = std::max(lanes[k / 4][k % 4], scores[a]);
  const Four most = higher(higher(lanes[0], lanes[1]), higher(lanes[2], lanes[3]));
  const Four least = lower(lower(lanes[0], lanes[1]), lower(lanes[2], lanes[3]));
  return {std::max(std::max(most[0], most[1]), std::max(most[2], most[3])),
          std::min(std::min(most[0], most[1]), std::min(most[2], most[3])),
          std::min(std::min(least[0], least[1]), std::min(least[2], least[3]))};
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
