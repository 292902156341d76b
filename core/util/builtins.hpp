// What compilers have built in, with plain C++ for those that have not.
#pragma once
#include <bit>
#include <cstdint>

// STRUCTRON_PLAIN asks for plain C++ everywhere, so that it can be compared with what is built in.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(STRUCTRON_PLAIN)
#define STRUCTRON_HAS_VECTORS 1
#define STRUCTRON_INLINE inline __attribute__((always_inline))
#else
#define STRUCTRON_HAS_VECTORS 0
#define STRUCTRON_INLINE inline
#endif

namespace structron {

// Numbers in keys and model files are read as they lie in memory. CMakeLists.txt refuses other machines, too.
static_assert(std::endian::native == std::endian::little, "structron runs on little-endian machines only");

// Tell the processor that these bytes will be read soon.
inline void prefetch([[maybe_unused]] const void* at) {
#if STRUCTRON_HAS_VECTORS
  __builtin_prefetch(at);
#endif
}

// The high 64 bits of a product.
inline uint64_t high_product(uint64_t x, uint64_t y) {
#if defined(__SIZEOF_INT128__) && !defined(STRUCTRON_PLAIN)
  return static_cast<uint64_t>((static_cast<unsigned __int128>(x) * y) >> 64);
#else
  const uint64_t a = x >> 32, b = x & 0xFFFFFFFFu, c = y >> 32, d = y & 0xFFFFFFFFu;
  const uint64_t low = b * d, middle = a * d + (low >> 32), cross = b * c + (middle & 0xFFFFFFFFu);
  return a * c + (middle >> 32) + (cross >> 32);
#endif
}

}  // namespace structron
