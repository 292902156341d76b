// 64-bit feature keys. The same arithmetic stands in structron/features/keys.py.
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

namespace structron {

using Key = uint64_t;

// Folds value b into a running key a.
inline Key mix(Key a, Key b) {
  Key x = (((a << 23) | (a >> 41)) ^ b) * 0x9E3779B97F4A7C15ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ (x >> 32);
}

// Eight bytes at a time, little-endian; the length is folded in last.
inline Key hash_bytes(std::string_view s) {
  Key h = 0x5354525543545231ull;
  size_t i = 0;
  for (; i + 8 <= s.size(); i += 8) {
    Key chunk = 0;
    for (int b = 7; b >= 0; --b) chunk = (chunk << 8) | static_cast<unsigned char>(s[i + b]);
    h = mix(h, chunk);
  }
  Key tail = 0;
  for (size_t j = s.size(); j-- > i;) tail = (tail << 8) | static_cast<unsigned char>(s[j]);
  return mix(mix(h, tail), s.size());
}

}  // namespace structron
