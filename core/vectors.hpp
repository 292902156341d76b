// Sums of rows of scores, four at a time: the one loop worth spelling out for the compiler.
#pragma once
#include <cstdint>

namespace structron {

typedef float Four __attribute__((vector_size(16), aligned(4), may_alias));

// to[a] += from[a]; n is a multiple of four.
inline void add_vectors(const float* __restrict from, float* __restrict to, uint32_t n) {
  for (uint32_t a = 0; a < n; a += 4)
    *reinterpret_cast<Four*>(to + a) += *reinterpret_cast<const Four*>(from + a);
}

// to[a] = x[a] + y[a]
inline void sum_vectors(const float* __restrict x, const float* __restrict y, float* __restrict to,
                        uint32_t n) {
  for (uint32_t a = 0; a < n; a += 4)
    *reinterpret_cast<Four*>(to + a) =
        *reinterpret_cast<const Four*>(x + a) + *reinterpret_cast<const Four*>(y + a);
}

}  // namespace structron
