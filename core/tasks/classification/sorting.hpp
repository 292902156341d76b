// Sorting a few hundred numbers by their upper halves, byte by byte: a comparison that is guessed wrong costs
// more than all the rest.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace structron {

class HalfSorter {
 public:
  // By the upper 32 bits; those that are equal stay as they were.
  void sort(std::vector<uint64_t>& all) {
    constexpr size_t kFew = 48;
    const auto upper = [](uint64_t a, uint64_t b) { return a >> 32 < b >> 32; };
    if (all.size() < kFew) return std::stable_sort(all.begin(), all.end(), upper);
    uint64_t seen = 0;
    for (uint64_t each : all) seen |= each;
    other_.resize(all.size());
    for (int shift = 32; shift < 64 && seen >> shift != 0; shift += 8) {
      std::array<uint32_t, 256> begin{};
      for (uint64_t each : all) ++begin[each >> shift & 255];
      uint32_t before = 0;
      for (uint32_t& each : begin) before += std::exchange(each, before);
      for (uint64_t each : all) other_[begin[each >> shift & 255]++] = each;
      all.swap(other_);
    }
  }

 private:
  std::vector<uint64_t> other_;
};

}  // namespace structron
