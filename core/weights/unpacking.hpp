// Numbers as narrow as a model file has them, made as wide as the engine reads them.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace structron {

// A float of 16 bits (binary16 of IEEE 754), by its bits; all of them are floats of 32. Only whole numbers
// are used where it is below the least normal one: what a program does with small floats may be set
// otherwise.
struct Half {
  uint16_t bits;
  operator float() const {
    const uint32_t sign = uint32_t{bits} >> 15 << 31, rest = bits & 0x7FFFu;
    const uint32_t small = std::bit_cast<uint32_t>(static_cast<float>(rest) * 0x1p-24f);
    const uint32_t endless = 0x7F800000u | rest << 13;  // and what is no number
    const uint32_t usual = (rest << 13) + (112u << 23);
    return std::bit_cast<float>(sign | (rest < 0x0400u ? small : rest >= 0x7C00u ? endless : usual));
  }
};

template <class Wide, class Narrow>
std::vector<Wide> widened(std::span<const Narrow> values) {
  return {values.begin(), values.end()};
}

// Where each of these pieces begins, and at last where all end.
template <class Length>
std::vector<uint32_t> offsets_of(std::span<const Length> lengths) {
  std::vector<uint32_t> offsets;
  offsets.reserve(lengths.size() + 1);
  uint64_t end = 0;  // 2^32 lengths of 32 bits at most: no overflow
  offsets.push_back(0);
  for (const Length length : lengths) {
    end += length;
    offsets.push_back(static_cast<uint32_t>(end));
  }
  if (end > std::numeric_limits<uint32_t>::max())
    throw std::invalid_argument("the lengths add up to too much");
  return offsets;
}

// The largest, of floats by magnitude; 0 if there is none. What is not a number is larger than all.
template <class Value>
double largest_of(std::span<const Value> values) {
  if constexpr (std::is_integral_v<Value>) {
    const auto most = std::max_element(values.begin(), values.end());
    return most == values.end() ? 0.0 : static_cast<double>(*most);
  } else {
    // Without their signs floats are in the order of their bits.
    using Wide = std::conditional_t<std::is_same_v<Value, double>, double, float>;
    using Bits = std::conditional_t<std::is_same_v<Value, double>, uint64_t, uint32_t>;
    Bits most = 0;
    for (const Value value : values)
      most = std::max(most, std::bit_cast<Bits>(static_cast<Wide>(value)) & (~Bits{0} >> 1));
    const Wide largest = std::bit_cast<Wide>(most);
    return std::isnan(largest) ? std::numeric_limits<double>::infinity() : static_cast<double>(largest);
  }
}

// Whether each is larger than the one before.
template <class Value>
bool is_increasing(std::span<const Value> values) {
  return std::adjacent_find(values.begin(), values.end(), [](Value a, Value b) { return !(a < b); }) ==
         values.end();
}

}  // namespace structron
