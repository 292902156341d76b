// A finished model of first order without relations that says which arcs are worth looking at.
#pragma once
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "frozen.hpp"
#include "rows.hpp"
#include "tasks/graph_parsing/keys.hpp"
#include "tasks/graph_parsing/scorer.hpp"

namespace structron {

// What it has learned. Each word keeps at most so many heads, none of which scores lower than the best by
// more than the gap.
struct GraphPruner {
  GraphPruner(const PackedSpans& rows, int bits, uint32_t most_heads, float greatest_gap)
      : weights(2, bits, rows, LongRows::cells), heads(most_heads), gap(greatest_gap) {
    if (heads == 0) throw std::invalid_argument("a pruner must leave each word a head");
    if (!(gap >= 0)) throw std::invalid_argument("a pruner's gap must not be negative");
  }

  Frozen weights;
  uint32_t heads;
  float gap;
};

// One thread's hand on it.
class GraphPruning {
 public:
  GraphPruning(const GraphProgram& program, const GraphPruner& pruner)
      : pruner_(pruner), keys_of_(program), lookups_(FrozenRows(pruner.weights)) {}

  // The arcs that stay, by modifier.
  void choose(ParseWords words, uint32_t length, std::vector<PossibleArc>& arcs) {
    arcs.clear();
    keys_of_.sentence(words, length);
    for (uint32_t m = 1; m <= length; ++m) {
      score_heads(m, length);
      ranked_.clear();
      for (uint32_t h = 0; h <= length; ++h)
        if (h != m) ranked_.push_back(h);
      const size_t most = std::min<size_t>(pruner_.heads, ranked_.size());
      std::partial_sort(
          ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(most), ranked_.end(),
          [&](uint32_t a, uint32_t b) { return scores_[a] != scores_[b] ? scores_[a] > scores_[b] : a < b; });
      for (size_t i = 0; i < most && scores_[ranked_[i]] >= scores_[ranked_[0]] - pruner_.gap; ++i)
        arcs.push_back({static_cast<uint16_t>(ranked_[i]), static_cast<uint16_t>(m)});
    }
  }

 private:
  void score_heads(uint32_t m, uint32_t length) {
    scores_.assign(length + 1, 0.0f);
    keys_.clear();
    ends_.clear();
    for (uint32_t h = 0; h <= length; ++h) {
      if (h != m) keys_of_.pruning(h, m, keys_);
      ends_.push_back(keys_.size());
    }
    lookups_.begin(keys_.size());
    for (uint32_t h = 0, k = 0; h <= length; ++h)
      for (; k < ends_[h]; ++k) lookups_.add(keys_[k], 0, h);
    for (const auto& found : lookups_.resolve(found_))
      for (uint32_t c = 0; c < found.row.used; ++c)
        if (found.row.cells[c].column == 0) scores_[found.owner] += found.row.cells[c].weight;
  }

  const GraphPruner& pruner_;
  GraphKeys keys_of_;
  Lookups<FrozenRows> lookups_;
  std::vector<Lookups<FrozenRows>::Found> found_;
  std::vector<Key> keys_;
  std::vector<size_t> ends_;
  std::vector<float> scores_;
  std::vector<uint32_t> ranked_;
};

}  // namespace structron
