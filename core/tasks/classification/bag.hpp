// Features of one input with their values: each key once, in the order in which they first come.
#pragma once
#include <span>
#include <vector>

#include "hash.hpp"
#include "numbers.hpp"

namespace structron {

class Bag {
 public:
  void clear() {
    numbers_.clear();
    keys_.clear();
    values_.clear();
  }
  // What belongs to one key is added up.
  void add(Key key, double value) {
    const uint32_t at = numbers_.of(key);
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
  Numbers numbers_;
  std::vector<Key> keys_;
  std::vector<double> values_;
};

}  // namespace structron
