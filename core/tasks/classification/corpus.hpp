// Training examples as integers.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/classification/bag.hpp"
#include "tasks/classification/counted.hpp"
#include "tasks/classification/sorting.hpp"
#include "tasks/classification/space.hpp"
#include "tasks/classification/vectorizer.hpp"
#include "weights/weights.hpp"

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
      row_.push_back(cell(weights_.intern_folded(bag.keys()[i]), bag.values()[i]));
    put(gold);
  }

  // The same for an input that was counted, all its values multiplied by `scale`: what is known of a feature
  // is looked up once for all inputs. Keys must not be folded.
  void add(const CountedInputs& all, uint32_t input, const Vectorizer& vectorizer, double scale,
           std::span<const uint16_t> gold) {
    if (known_of_ != &all) {
      known_of_ = &all;
      known_.clear();
      for (Key key : all.keys()) known_.push_back({vectorizer.factor(key), kNone});
    }
    const auto [features, counts] = all[input];
    row_.clear();
    values_now_.clear();
    double squares = 0;
    for (size_t i = 0; i < features.size(); ++i) {
      Known& known = known_[features[i]];
      if (known.factor == 0) continue;
      if (known.id == kNone) known.id = weights_.intern_folded(all.keys()[features[i]]);
      const double value = vectorizer.of_count(counts[i]) * known.factor;
      squares += value * value;
      row_.push_back(cell(known.id, 0));
      values_now_.push_back(value);
    }
    const double length = vectorizer.options().l2 && squares > 0 ? std::sqrt(squares) : 1.0;
    for (size_t i = 0; i < row_.size(); ++i) row_[i] |= cell(0, values_now_[i] / length * scale);
    if (const double value = vectorizer.options().intercept; value != 0)
      row_.push_back(cell(weights_.intern_folded(Vectorizer::kIntercept()), value * scale));
    put(gold);
  }

 private:
  struct Known {
    double factor;
    uint32_t id;
  };

  // A feature and its value in one number, which is quick to sort.
  static uint64_t cell(uint32_t feature, double value) {
    return uint64_t{feature} << 32 | std::bit_cast<uint32_t>(static_cast<float>(value));
  }
  void put(std::span<const uint16_t> gold) {
    // In order, so that learners need not sort.
    sorter_.sort(row_);
    for (uint64_t each : row_) {
      features_.push_back(static_cast<uint32_t>(each >> 32));
      values_.push_back(std::bit_cast<float>(static_cast<uint32_t>(each)));
    }
    begin_.push_back(features_.size());
    gold_.insert(gold_.end(), gold.begin(), gold.end());
  }

  Decisions decisions_;
  Weights& weights_;
  std::vector<uint32_t> features_;
  std::vector<float> values_;
  std::vector<size_t> begin_{0};
  std::vector<uint16_t> gold_;
  std::vector<uint64_t> row_;
  std::vector<double> values_now_;
  HalfSorter sorter_;
  const CountedInputs* known_of_ = nullptr;
  std::vector<Known> known_;
};

}  // namespace structron
