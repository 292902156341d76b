// Learning a pruner: each word chooses its head by itself, with the log loss and steps that shrink as a
// weight is changed (AdaGrad; Duchi, Hazan & Singer 2011). structron/tasks/parsing/graph/pruning.py is the
// definition.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tasks/graph_parsing/corpus.hpp"
#include "util/interrupt.hpp"

namespace structron {

class HeadChoice {
 public:
  // So many weights as 2^bits; the templates are those of the program's pruner.
  HeadChoice(const GraphCorpus& corpus, int bits, double rate)
      : corpus_(corpus), scores_(corpus.program()), rate_(rate) {
    if (bits < 1 || bits > 24) throw std::invalid_argument("a pruner has from 1 to 24 bits");
    weights_.assign(size_t{1} << bits, 0.0f);
    squares_.assign(weights_.size(), kFirstSquare);
  }

  std::span<const float> weights() const { return weights_; }

  void run(std::span<const uint32_t> order) {
    for (uint32_t s : order) {
      if (s >= corpus_.sentences()) throw std::out_of_range("there is no such sentence");
      corpus_.gold(s, gold_);
      hear();
      scores_.sentence(corpus_.words(s), corpus_.length(s));
      for (uint32_t m = 1; m <= corpus_.length(s); ++m)
        if (gold_.head[m] != kUnknown) learn(m, corpus_.length(s));
    }
  }

 private:
  // Where a weight starts, its first step is not yet a whole one; and errors so small are not worth one.
  static constexpr float kFirstSquare = 0.01f;
  static constexpr double kSmall = 1e-3;

  void learn(uint32_t m, uint32_t n) {
    const std::span<const float> score = scores_.of(m, weights_);
    double best = -std::numeric_limits<double>::infinity(), sum = 0;
    for (uint32_t h = 0; h <= n; ++h)
      if (h != m) best = std::max(best, static_cast<double>(score[h]));
    errors_.assign(n + 1, 0.0);
    for (uint32_t h = 0; h <= n; ++h)
      if (h != m) sum += errors_[h] = std::exp(static_cast<double>(score[h]) - best);
    for (uint32_t h = 0; h <= n; ++h) {
      const double error = errors_[h] / sum - (gold_.head[m] == h ? 1 : 0);
      if (h == m || std::abs(error) < kSmall) continue;
      for (Key key : scores_.keys(h)) {
        const size_t at = key & (weights_.size() - 1);
        squares_[at] += static_cast<float>(error * error);
        weights_[at] -= static_cast<float>(rate_ * error / std::sqrt(static_cast<double>(squares_[at])));
      }
    }
  }

  const GraphCorpus& corpus_;
  HeadScores scores_;
  double rate_;
  std::vector<float> weights_, squares_;
  std::vector<double> errors_;
  GoldTree gold_;
};

}  // namespace structron
