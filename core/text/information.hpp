// n log2 n in whole numbers: sums of it are exact, whatever their order, and so is every comparison of them.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

namespace structron {

class Information {
 public:
  static constexpr double kScale = 1 << 20;
  static constexpr uint64_t kMost = 1 << 28;  // beyond that a double would round before we do

  Information() {
    for (uint64_t n = 0; n < kTabled; ++n) table_.push_back(computed(n));
  }
  int64_t of(uint64_t n) const { return n < kTabled ? table_[n] : computed(n); }
  // What two counts lose when they are taken as one; never positive.
  int64_t apart(uint64_t x, uint64_t y) const { return x == 0 || y == 0 ? 0 : of(x) + of(y) - of(x + y); }

 private:
  static constexpr uint64_t kTabled = 1 << 17;
  static int64_t computed(uint64_t n) {
    const double x = static_cast<double>(n);
    return n < 2 ? 0 : static_cast<int64_t>(std::floor(x * std::log2(x) * kScale + 0.5));
  }
  std::vector<int64_t> table_;
};

}  // namespace structron
