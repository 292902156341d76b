// 64-bit feature keys. The same arithmetic stands in structron/features/keys.py.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace structron {

using Key = uint64_t;

// What combine() mixes.
inline Key before_mixing(Key a, Key b) {
  return ((a << 23) | (a >> 41)) ^ b;
}

// Folds value b into a running key a.
inline Key combine(Key a, Key b) {
  Key x = before_mixing(a, b) * 0x9E3779B97F4A7C15ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ (x >> 32);
}

// What a key was mixed from, before_mixing(a, b): keys of one `a` and small `b` differ in its low bits alone.
inline Key unmixed(Key x) {
  x = (x ^ (x >> 32)) * 0xCFEE444D8B59A89Bull;  // times the constants of combine() these are one
  return (x ^ (x >> 32)) * 0xF1DE83E19937733Dull;
}

// What n bytes say, little-endian; n is below eight. Few bytes are read without asking how many: parts of
// them twice, to the same places.
inline Key few_bytes(const char* at, size_t n) {
  static_assert(std::endian::native == std::endian::little, "keys are read little-endian");
  if (n >= 4) {
    uint32_t first, last;
    std::memcpy(&first, at, 4);
    std::memcpy(&last, at + n - 4, 4);
    return first | static_cast<Key>(last) << (8 * (n - 4));
  }
  if (n == 0) return 0;
  const auto byte = [&](size_t i) { return static_cast<Key>(static_cast<unsigned char>(at[i])) << (8 * i); };
  return byte(0) | byte(n / 2) | byte(n - 1);
}

// Eight bytes at a time, little-endian; the length is folded in last.
inline Key hash_bytes(std::string_view s) {
  Key h = 0x5354525543545231ull;
  const size_t n = s.size(), whole = n / 8 * 8;
  Key chunk;
  for (size_t i = 0; i < whole; i += 8) {
    std::memcpy(&chunk, s.data() + i, 8);
    h = combine(h, chunk);
  }
  Key tail = 0;
  if (whole == 0) {
    tail = few_bytes(s.data(), n);
  } else if (n > whole) {  // the last eight, of which some were read before
    std::memcpy(&chunk, s.data() + n - 8, 8);
    tail = chunk >> (8 * (8 - (n - whole)));
  }
  return combine(combine(h, tail), n);
}

inline int checked_bits(int bits) {
  if (bits < 0 || bits > 32) throw std::invalid_argument("bits must be from 0 to 32");
  return bits;
}

// With bits > 0 there are at most 2^bits keys: memory stays bounded, and features may collide.
inline Key fold(Key key, int bits) {
  return bits == 0 ? key : combine(0x464F4C44u, key & ((Key{1} << bits) - 1));
}

}  // namespace structron
