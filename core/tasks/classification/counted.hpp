// Inputs that are read once, to see of how many of them each feature is one, and then learned from.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/classification/bag.hpp"
#include "weights/table.hpp"

namespace structron {

class CountedInputs {
 public:
  uint32_t inputs() const { return static_cast<uint32_t>(begin_.size() - 1); }
  // All features, in the order in which they first came, and of how many inputs each is one.
  const std::vector<Key>& keys() const { return keys_; }
  const std::vector<uint32_t>& times() const { return times_; }

  // Features of an input by their numbers, in the order in which they came, and how often each is there.
  struct Counts {
    std::span<const uint32_t> features;
    std::span<const float> counts;
  };
  Counts operator[](uint32_t i) const {
    const size_t n = begin_[i + 1] - begin_[i];
    return {std::span(features_).subspan(begin_[i], n), std::span(counts_).subspan(begin_[i], n)};
  }

  void add(const Bag& bag) {
    for (Key key : bag.keys()) numbers_.prefetch(key);
    for (size_t i = 0; i < bag.size(); ++i) {
      if (bag.values()[i] == 0) continue;
      const uint32_t at = numbers_.intern(bag.keys()[i], static_cast<uint32_t>(keys_.size()));
      if (at == keys_.size()) {
        keys_.push_back(bag.keys()[i]);
        times_.push_back(0);
      }
      ++times_[at];
      features_.push_back(at);
      counts_.push_back(static_cast<float>(bag.values()[i]));
    }
    begin_.push_back(features_.size());
  }
  // All have come.
  void finish() { numbers_ = Table(); }

  // One number that tells an input from others.
  Key digest(uint32_t i) const {
    const auto [features, counts] = (*this)[i];
    Key found = features.size();
    for (size_t k = 0; k < features.size(); ++k)
      found = combine(combine(found, keys_[features[k]]), std::bit_cast<uint32_t>(counts[k]));
    return found;
  }

 private:
  Table numbers_;
  std::vector<Key> keys_;
  std::vector<uint32_t> times_, features_;
  std::vector<float> counts_;
  std::vector<size_t> begin_{0};
};

}  // namespace structron
