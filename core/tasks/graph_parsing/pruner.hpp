// A finished model of first order without relations that says which arcs are worth looking at.
// structron/tasks/parsing/graph/pruning.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "frozen.hpp"
#include "rows.hpp"
#include "tasks/graph_parsing/keys.hpp"
#include "tasks/graph_parsing/scorer.hpp"

namespace structron {

// What it has learned, and how much it leaves: at most so many heads for each word, and none whose best tree
// scores less than ratio * the best tree + (1 - ratio) * the mean over all arcs (Weiss & Taskar 2010).
struct GraphPruner {
  GraphPruner(const PackedSpans& rows, int bits, uint32_t most_heads, float least_ratio)
      : weights(2, bits, rows, LongRows::cells), heads(most_heads), ratio(least_ratio) {
    if (heads == 0) throw std::invalid_argument("a pruner must leave each word a head");
    if (!(ratio >= 0 && ratio <= 1)) throw std::invalid_argument("a pruner's ratio must be from 0 to 1");
  }

  Frozen weights;
  uint32_t heads;
  float ratio;
};

// The score of the best projective tree that has an arc, for every arc: Eisner's items inside and outside.
class BestTrees {
 public:
  // With a single root it is no word of the chart: it takes one whole tree.
  explicit BestTrees(bool single_root) : first_(single_root ? 1 : 0) {}

  // scores[head * (n + 1) + modifier]; replaced by what is found.
  void find(std::vector<float>& scores, uint32_t n) {
    n_ = n;
    const size_t all = static_cast<size_t>(n + 1) * (n + 1);
    // Only what is reached is read, but for the bounds of maxima.
    for (std::vector<float>* items : {&left_, &right_, &open_left_, &open_right_}) items->assign(all, 0.0f);
    for (std::vector<float>* items : {&out_left_, &out_right_, &out_open_left_, &out_open_right_})
      items->assign(all, kNever);
    inside(scores);
    outside(scores);
    for (uint32_t m = 1; m <= n; ++m) {
      if (first_ == 1) scores[m] += left_[at(1, m)] + right_[at(m, n)];
      for (uint32_t h = first_; h <= n; ++h) {
        if (h < m) scores[at(h, m)] = open_right_[at(h, m)] + out_open_right_[at(h, m)];
        if (h > m) scores[at(h, m)] = open_left_[at(m, h)] + out_open_left_[at(m, h)];
      }
    }
  }

 private:
  static constexpr float kNever = -std::numeric_limits<float>::infinity();
  size_t at(uint32_t from, uint32_t to) const { return static_cast<size_t>(from) * (n_ + 1) + to; }
  static void raise(float& known, float score) { known = std::max(known, score); }

  void inside(const std::vector<float>& scores) {
    for (uint32_t width = 1; width <= n_ - first_; ++width)
      for (uint32_t i = first_, j = i + width; j <= n_; ++i, ++j) {
        float base = kNever, right = kNever, left = kNever;
        for (uint32_t k = i; k < j; ++k) raise(base, right_[at(i, k)] + left_[at(k + 1, j)]);
        open_right_[at(i, j)] = base + scores[at(i, j)];
        open_left_[at(i, j)] = i == 0 ? kNever : base + scores[at(j, i)];
        for (uint32_t k = i; k < j; ++k) {
          raise(right, open_right_[at(i, k + 1)] + right_[at(k + 1, j)]);
          raise(left, left_[at(i, k)] + open_left_[at(k, j)]);
        }
        right_[at(i, j)] = right;
        left_[at(i, j)] = left;
      }
  }
  void outside(const std::vector<float>& scores) {
    if (first_ == 0) out_right_[at(0, n_)] = 0;
    for (uint32_t r = first_; first_ == 1 && r <= n_; ++r) {
      out_left_[at(1, r)] = scores[r] + right_[at(r, n_)];
      out_right_[at(r, n_)] = scores[r] + left_[at(1, r)];
    }
    for (uint32_t width = n_ - first_ + 1; width-- > 1;) {
      for (uint32_t i = first_, j = i + width; j <= n_; ++i, ++j) {
        const float right = out_right_[at(i, j)], left = out_left_[at(i, j)];
        for (uint32_t k = i; k < j; ++k) {
          raise(out_open_right_[at(i, k + 1)], right + right_[at(k + 1, j)]);
          raise(out_right_[at(k + 1, j)], right + open_right_[at(i, k + 1)]);
          raise(out_left_[at(i, k)], left + open_left_[at(k, j)]);
          raise(out_open_left_[at(k, j)], left + left_[at(i, k)]);
        }
      }
      for (uint32_t i = first_, j = i + width; j <= n_; ++i, ++j) {
        const float left = i == 0 ? kNever : out_open_left_[at(i, j)] + scores[at(j, i)];
        const float base = std::max(out_open_right_[at(i, j)] + scores[at(i, j)], left);
        for (uint32_t k = i; k < j; ++k) {
          raise(out_right_[at(i, k)], base + left_[at(k + 1, j)]);
          raise(out_left_[at(k + 1, j)], base + right_[at(i, k)]);
        }
      }
    }
  }

  uint32_t first_, n_ = 0;
  // [first word][last word]: complete items by the side of their children, incomplete ones; and what is best
  // around each.
  std::vector<float> left_, right_, open_left_, open_right_;
  std::vector<float> out_left_, out_right_, out_open_left_, out_open_right_;
};

// One thread's hand on it.
class GraphPruning {
 public:
  GraphPruning(const GraphProgram& program, const GraphPruner& pruner, bool single_root)
      : pruner_(pruner), keys_of_(program), trees_(single_root), lookups_(FrozenRows(pruner.weights)) {}

  // The arcs that stay, by modifier; the best tree is always among them.
  void choose(ParseWords words, uint32_t length, std::vector<PossibleArc>& arcs) {
    arcs.clear();
    if (length == 0) return;
    keys_of_.sentence(words, length);
    scores_.assign(static_cast<size_t>(length + 1) * (length + 1), 0.0f);
    for (uint32_t m = 1; m <= length; ++m) score_heads(m, length);
    trees_.find(scores_, length);
    const double least = threshold(length);
    for (uint32_t m = 1; m <= length; ++m) {
      ranked_.clear();
      for (uint32_t h = 0; h <= length; ++h)
        if (h != m && static_cast<double>(score(h, m, length)) >= least) ranked_.push_back(h);
      const auto better = [&](uint32_t a, uint32_t b) {
        return score(a, m, length) != score(b, m, length) ? score(a, m, length) > score(b, m, length) : a < b;
      };
      if (ranked_.size() > pruner_.heads) {
        std::nth_element(ranked_.begin(), ranked_.begin() + pruner_.heads, ranked_.end(), better);
        ranked_.resize(pruner_.heads);
        std::sort(ranked_.begin(), ranked_.end());
      }
      for (uint32_t h : ranked_) arcs.push_back({static_cast<uint16_t>(h), static_cast<uint16_t>(m)});
    }
  }

 private:
  float score(uint32_t head, uint32_t modifier, uint32_t length) const {
    return scores_[static_cast<size_t>(head) * (length + 1) + modifier];
  }
  double threshold(uint32_t length) const {
    double sum = 0;
    float best = score(0, 1, length);
    for (uint32_t m = 1; m <= length; ++m)
      for (uint32_t h = 0; h <= length; ++h) {
        if (h == m) continue;
        sum += static_cast<double>(score(h, m, length));
        best = std::max(best, score(h, m, length));
      }
    const double highest = static_cast<double>(best), ratio = static_cast<double>(pruner_.ratio);
    const double mean = sum / (static_cast<double>(length) * length);
    // The best tree stays, whatever is lost in rounding.
    return std::min(highest, ratio * highest + (1 - ratio) * mean);
  }

  void score_heads(uint32_t m, uint32_t length) {
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
        if (found.row.cells[c].column == 0)
          scores_[static_cast<size_t>(found.owner) * (length + 1) + m] += found.row.cells[c].weight;
  }

  const GraphPruner& pruner_;
  GraphKeys keys_of_;
  BestTrees trees_;
  Lookups<FrozenRows> lookups_;
  std::vector<Lookups<FrozenRows>::Found> found_;
  std::vector<Key> keys_;
  std::vector<size_t> ends_;
  std::vector<float> scores_;
  std::vector<uint32_t> ranked_;
};

}  // namespace structron
