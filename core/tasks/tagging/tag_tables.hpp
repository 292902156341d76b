// What tags say of the tag that follows them, with a finished model: templates on tags alone as tables, while
// these stay small enough to be worth their room.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tasks/tagging/space.hpp"
#include "text/program.hpp"
#include "weights/frozen.hpp"

namespace structron {

class TagTables {
 public:
  TagTables(const Program& program, const Frozen& weights)
      : stride_(weights.stride()), side_(weights.columns() + 1) {
    for (const Template& t : program.tags()) {
      if (t.tags == 1 && side_ * stride_ <= kMostPairs) {
        first_.resize(side_ * stride_);
        for (uint32_t t1 = 0; t1 < side_; ++t1) add(weights, t, t1, 0, &first_[t1 * stride_]);
      } else if (t.tags != 1 && side_ * side_ * stride_ <= kMostTriples) {
        second_.resize(side_ * side_ * stride_);
        for (uint32_t t2 = 0; t2 < side_; ++t2)
          for (uint32_t t1 = 0; t1 < side_; ++t1)
            add(weights, t, t1, t2, &second_[(t2 * side_ + t1) * stride_]);
      } else {
        unsummed_.push_back(&t);
      }
    }
    bound();
  }

  // What they say after t[-1], after both, and after both at most, whatever t[-2] is; null where there is no
  // such table.
  const float* first(uint32_t t1) const { return first_.empty() ? nullptr : &first_[t1 * stride_]; }
  const float* second(uint32_t t1, uint32_t t2) const {
    return second_.empty() ? nullptr : &second_[(t2 * side_ + t1) * stride_];
  }
  const float* highest(uint32_t t1) const { return highest_.empty() ? nullptr : &highest_[t1 * stride_]; }
  // Templates that are in no table.
  const std::vector<const Template*>& unsummed() const { return unsummed_; }

 private:
  static constexpr size_t kMostTriples = size_t{4} << 20;

  static void add(const Frozen& weights, const Template& t, uint32_t t1, uint32_t t2, float* scores) {
    weights.add_row(weights.folded(mix_tags(t.base, t.tags, t1, t2)), 1.0f, scores);
  }

  void bound() {
    if (second_.empty()) return;
    const size_t table = side_ * stride_;
    highest_.assign(second_.begin(), second_.begin() + static_cast<ptrdiff_t>(table));
    for (size_t t2 = 1; t2 + 1 < side_; ++t2)  // BOS has weights of its own
      for (size_t k = 0; k < table; ++k) highest_[k] = std::max(highest_[k], second_[t2 * table + k]);
  }

  size_t stride_, side_;               // labels in vectors of four; labels and BOS
  std::vector<float> first_, second_;  // [t1][label], [t2][t1][label]
  std::vector<float> highest_;         // [t1][label]: of second_, over t2
  std::vector<const Template*> unsummed_;
};

}  // namespace structron
