// Training examples as integers.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tasks/classification/bag.hpp"
#include "tasks/classification/space.hpp"
#include "weights.hpp"

namespace structron {

class ClassificationCorpus {
 public:
  ClassificationCorpus(Decisions decisions, Weights& weights) : decisions_(decisions), weights_(weights) {}

  const Decisions& decisions() const { return decisions_; }
  uint32_t examples() const { return static_cast<uint32_t>(begin_.size() - 1); }
  uint64_t features() const { return features_.size(); }
  Vector vector(uint32_t i) const {
    return {std::span(features_).subspan(begin_[i], begin_[i + 1] - begin_[i]),
            std::span(values_).subspan(begin_[i], begin_[i + 1] - begin_[i])};
  }
  const uint16_t* gold(uint32_t i) const { return gold_.data() + size_t{i} * decisions_.steps(); }

  // The values of a bag; gold, one action for each step.
  void add(const Bag& bag, std::span<const uint16_t> gold) {
    row_.clear();
    for (Key key : bag.keys()) weights_.prefetch(key);
    for (size_t i = 0; i < bag.size(); ++i)
      row_.emplace_back(weights_.intern_folded(bag.keys()[i]), static_cast<float>(bag.values()[i]));
    // In order, so that learners need not sort.
    std::sort(row_.begin(), row_.end());
    for (const auto& [feature, value] : row_) {
      features_.push_back(feature);
      values_.push_back(value);
    }
    begin_.push_back(features_.size());
    gold_.insert(gold_.end(), gold.begin(), gold.end());
  }

 private:
  Decisions decisions_;
  Weights& weights_;
  std::vector<uint32_t> features_;
  std::vector<float> values_;
  std::vector<size_t> begin_{0};
  std::vector<uint16_t> gold_;
  std::vector<std::pair<uint32_t, float>> row_;
};

}  // namespace structron
