// Which arcs are worth looking at: heads are chosen for each word by itself, with probabilities.
// structron/tasks/parsing/graph/pruning.py is the definition.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tasks/graph_parsing/keys.hpp"
#include "tasks/graph_parsing/scorer.hpp"
#include "util/interrupt.hpp"

namespace structron {

// A log-linear model of a word's head, and how much it leaves: at most so many heads for each word, and none
// that is less probable than ratio times the best. Features share the weights by the last bits of their keys,
// so that they are few enough to stay near the processor: it looks at every arc.
struct GraphPruner {
  GraphPruner(std::span<const float> given, uint32_t most_heads, double least_ratio)
      : weights(given.begin(), given.end()), heads(most_heads), deepest(std::log(least_ratio)) {
    if (!std::has_single_bit(weights.size()))
      throw std::invalid_argument("a pruner has 1, 2, 4, 8 ... weights");
    if (heads == 0) throw std::invalid_argument("a pruner must leave each word a head");
    if (!(least_ratio >= 0 && least_ratio <= 1))
      throw std::invalid_argument("a pruner's ratio must be from 0 to 1");
  }

  std::vector<float> weights;
  uint32_t heads;
  double deepest;  // how far below the best a score may be
};

// The scores of all heads of a word.
class HeadScores {
 public:
  explicit HeadScores(const GraphProgram& program) : keys_of_(program) {}

  void sentence(ParseWords words, uint32_t length) {
    keys_of_.sentence(words, length);
    length_ = length;
    scores_.resize(length + 1);
    ends_.resize(length + 1);
  }
  // By head; that of the word itself is not used.
  std::span<const float> of(uint32_t modifier, std::span<const float> weights) {
    buckets_.clear();
    for (uint32_t h = 0; h <= length_; ++h) {
      if (h != modifier) keys_of_.pruning(h, modifier, buckets_);
      ends_[h] = buckets_.size();
    }
    const Key mask = weights.size() - 1;
    for (uint32_t h = 0, k = 0; h <= length_; ++h) {
      float sum = 0;
      for (; k < ends_[h]; ++k) sum += weights[buckets_[k] & mask];
      scores_[h] = sum;
    }
    return scores_;
  }
  // The keys of a head of the word that was scored last.
  std::span<const Key> keys(uint32_t head) const {
    const size_t from = head == 0 ? 0 : ends_[head - 1];
    return std::span(buckets_).subspan(from, ends_[head] - from);
  }

 private:
  GraphKeys keys_of_;
  uint32_t length_ = 0;
  std::vector<Key> buckets_;
  std::vector<size_t> ends_;
  std::vector<float> scores_;
};

// What one thread needs to prune.
class GraphPruning {
 public:
  GraphPruning(const GraphProgram& program, const GraphPruner& pruner) : pruner_(pruner), scores_(program) {}

  // The arcs that stay, by modifier.
  void choose(ParseWords words, uint32_t length, std::vector<PossibleArc>& arcs) {
    arcs.clear();
    scores_.sentence(words, length);
    for (uint32_t m = 1; m <= length; ++m) {
      hear();
      const std::span<const float> score = scores_.of(m, pruner_.weights);
      float best = -std::numeric_limits<float>::infinity();
      for (uint32_t h = 0; h <= length; ++h)
        if (h != m) best = std::max(best, score[h]);
      const double least = static_cast<double>(best) + pruner_.deepest;
      ranked_.clear();
      for (uint32_t h = 0; h <= length; ++h)
        if (h != m && static_cast<double>(score[h]) >= least) ranked_.push_back(h);
      if (ranked_.size() > pruner_.heads) {
        const auto better = [&](uint32_t a, uint32_t b) {
          return score[a] != score[b] ? score[a] > score[b] : a < b;
        };
        std::nth_element(ranked_.begin(), ranked_.begin() + pruner_.heads, ranked_.end(), better);
        ranked_.resize(pruner_.heads);
        std::sort(ranked_.begin(), ranked_.end());
      }
      for (uint32_t h : ranked_) arcs.push_back({static_cast<uint16_t>(h), static_cast<uint16_t>(m)});
    }
  }

 private:
  const GraphPruner& pruner_;
  HeadScores scores_;
  std::vector<uint32_t> ranked_;
};

// Of the arcs that are left, or of all if none are, only those that agree with what is given of a tree, and
// all that are given.
inline void keep_to(const GoldTree& given, uint32_t length, std::vector<PossibleArc>& left) {
  const bool is_pruned = !left.empty();
  std::erase_if(left, [&](const PossibleArc& arc) { return given.head[arc.modifier] != kUnknown; });
  for (uint32_t m = 1; m <= length; ++m)
    for (uint32_t h = 0; h <= length; ++h)
      if (h != m && (given.head[m] == kUnknown ? !is_pruned : given.head[m] == h))
        left.push_back({static_cast<uint16_t>(h), static_cast<uint16_t>(m)});
}

}  // namespace structron
