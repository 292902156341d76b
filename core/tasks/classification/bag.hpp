// Features of one input with their values: each key once, in the order in which they first come.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "util/hash.hpp"
#include "util/numbers.hpp"

namespace structron {

class Bag {
 public:
  // Empties it for an input of about so many features: a long one would leave behind a table in which those
  // of short ones lie far apart.
  void clear(size_t expected = 0) {
    at_ = std::min<size_t>(std::bit_width(expected / 256), numbers_.size() - 1);
    numbers_[at_].clear();
    keys_.clear();
    values_.clear();
  }
  // What belongs to one key is added up.
  void add(Key key, double value) {
    const uint32_t at = numbers_[at_].of(key);
    if (at == keys_.size()) {
      keys_.push_back(key);
      values_.push_back(0);
    }
    values_[at] += value;
  }
  // One that is known to be new; what was added so can no longer be added up.
  void append(Key key, double value) {
    keys_.push_back(key);
    values_.push_back(value);
  }
  // The first n alone.
  void cut(size_t n) {
    keys_.resize(n);
    values_.resize(n);
  }
  void put(size_t at, Key key, double value) {
    keys_[at] = key;
    values_[at] = value;
  }
  size_t size() const { return keys_.size(); }
  std::span<const Key> keys() const { return keys_; }
  std::span<const double> values() const { return values_; }
  void scale(double by) {
    for (double& v : values_) v *= by;
  }
  void divide(double by) {
    for (double& v : values_) v /= by;
  }

 private:
  std::array<Numbers, 8> numbers_;
  size_t at_ = 0;
  std::vector<Key> keys_;
  std::vector<double> values_;
};

}  // namespace structron
