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

// Eight bytes at a time, little-endian; the length is folded in last.
inline Key hash_bytes(std::string_view s) {
  Key h = 0x5354525543545231ull;
  size_t i = 0;
  static_assert(std::endian::native == std::endian::little, "keys are read little-endian");
  for (; i + 8 <= s.size(); i += 8) {
    Key chunk;
    std::memcpy(&chunk, s.data() + i, 8);
    h = combine(h, chunk);
  }
  Key tail = 0;
  int shift = 0;
  if (s.size() - i >= 4) {
    uint32_t four;
    std::memcpy(&four, s.data() + i, 4);
    tail = four;
    shift = 32;
    i += 4;
  }
  for (; i < s.size(); ++i, shift += 8) tail |= static_cast<Key>(static_cast<unsigned char>(s[i])) << shift;
  return combine(combine(h, tail), s.size());
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
