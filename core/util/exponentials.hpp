// exp of many floats at once, to within 2e-7 of each: the same number everywhere, whatever the C library.
#pragma once
#include <bit>
#include <cstdint>

#include "util/vectors.hpp"

namespace structron {

typedef int32_t FourSigned __attribute__((vector_size(16), aligned(4), may_alias));

// Of four at once; below -87 it is 0, and above 0 nobody asks.
inline Four exp_of(Four x) {
  constexpr float kLeast = -87.0f, kLog2e = 1.44269504f, kHigh = 0.693359375f, kLow = -2.12194440e-4f;
  const Four least = {kLeast, kLeast, kLeast, kLeast};
  const FourSigned possible = reinterpret_cast<FourSigned>(x >= least);
  x = higher(x, least);
  // x = n log 2 + r; adding this number rounds to a whole one, which then stands in the lowest bits.
  constexpr float kRound = 12582912.0f;
  const Four shifted = x * kLog2e + kRound;
  const Four n = shifted - kRound;
  const Four r = (x - n * kHigh) - n * kLow;
  Four p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const FourSigned power = (reinterpret_cast<FourSigned>(shifted) - std::bit_cast<int32_t>(kRound)) << 23;
  const FourSigned bits = (reinterpret_cast<FourSigned>(p) + power) & possible;
  return reinterpret_cast<Four>(bits);
}

// Each x[a] becomes exp((x[a] - top) * by); n is a multiple of four, and no x[a] is above `top`.
inline void exp_vectors(float* x, float top, float by, uint32_t n) {
  for (uint32_t a = 0; a < n; a += 4) {
    Four& four = *reinterpret_cast<Four*>(x + a);
    four = exp_of((four - top) * by);
  }
}

}  // namespace structron
