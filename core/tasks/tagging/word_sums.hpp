// What the words of one column say of the tags around them, with a finished model: for each word that was met
// and each offset that templates look at, one vector, summed once and kept. With many labels and a single
// template the row itself is kept: its few weights are added sooner than a long vector of zeros is read.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "text/lexicon.hpp"
#include "util/vectors.hpp"
#include "weights/frozen.hpp"
#include "weights/pages.hpp"

namespace structron {

// Labels from which on rows may be whole, and are kept as they are.
inline constexpr uint32_t kManyLabels = 96;

// scores[c] += weight of c, for a row of cells or a whole one.
inline void add_row(const RowView& row, float* scores) {
  row.plain != nullptr ? add_vectors(row.plain, scores, row.used) : add_cells(row, scores);
}

class WordSums {
 public:
  WordSums(const Program& program, int column, const Frozen& weights)
      : weights_(weights), stride_(weights.stride()) {
    for (const Group& g : program.groups()) {
      if (g.column != column) continue;
      const bool is_row = g.templates.size() == 1 && stride_ >= kManyLabels;
      uint32_t& count = is_row ? kept_ : summed_;
      parts_.push_back({g.offset, is_row, count});
      for (const Template& t : g.templates) uses_.push_back({&t, is_row, count});
      ++count;
      beyond_.resize(beyond_.size() + stride_);
      for (const Template& t : g.templates)
        weights.add_row(weights.folded(boundary_key(t)), 1.0f, &beyond_[beyond_.size() - stride_]);
    }
    if (summed_ != 0) sums_.reserve(kUsual);
  }

  // Words are numbered as they come. Of a new one the keys are read first,
  void add(const Word& word) {
    ++words_;
    for (const Use& use : uses_)
      keys_.push_back(unary_key(*use.of, word, [&](Key a, Key b) { return weights_.combined(a, b); }));
  }
  // then, of all words below this number, the rows or their sums.
  void sum(size_t words) {
    if (words <= ready_ || uses_.empty()) return;
    const size_t waiting = keys_.size() / uses_.size(), first = ready_ - (words_ - waiting);
    const std::span<const Key> keys(keys_.data() + first * uses_.size(), (words - ready_) * uses_.size());
    // All that wait get their room at once: to grow word by word would mean to copy, and many pages.
    if (const size_t all = words_ * summed_ * stride_; all > sums_.capacity())
      sums_.reserve(std::max(all, 2 * sums_.size()));
    sums_.resize(words * summed_ * stride_);
    rows_.resize(words * kept_);
    float* sums = sums_.data() + ready_ * summed_ * stride_;
    RowView* rows = rows_.data() + ready_ * kept_;
    size_t next = 0, use = 0;  // the key at `next` is of a template with this use
    weights_.each_row(keys, [&](size_t i, const RowView& row) {
      for (use += i - next, next = i; use >= uses_.size(); use -= uses_.size()) {
        sums += summed_ * stride_;
        rows += kept_;
      }
      const auto& [of, is_row, at] = uses_[use];
      is_row ? void(rows[at] = row) : add_row(row, sums + at * stride_);
    });
    ready_ = words;
    if (ready_ == words_) keys_.clear();
  }
  size_t words() const { return words_; }

  // What a word adds to the scores of a token at an offset from it: the at-th of its sums, or of its rows.
  struct Part {
    int offset;
    bool is_row;
    uint32_t at;
  };
  std::span<const Part> parts() const { return parts_; }
  const float* sum_of(size_t word, uint32_t at) const {
    return sums_.data() + (word * summed_ + at) * stride_;
  }
  const RowView* row_of(size_t word, uint32_t at) const { return &rows_[word * kept_ + at]; }
  // The same of what lies beyond a sentence, by the part's number; always sums.
  const float* beyond(size_t part) const { return beyond_.data() + part * stride_; }
  void prefetch(size_t word) const {
    const float* sums = sum_of(word, 0);
    for (uint32_t a = 0; a < summed_ * stride_; a += 16) __builtin_prefetch(sums + a);
  }

  size_t bytes() const { return sums_.size() * sizeof(float) + rows_.size() * sizeof(RowView); }
  // All words are forgotten.
  void clear() {
    sums_.clear();
    rows_.clear();
    keys_.clear();
    words_ = ready_ = 0;
  }

 private:
  // Floats of the words of a usual text: to grow into more again and again would take longer than the sums.
  static constexpr size_t kUsual = size_t{1} << 20;

  struct Use {
    const Template* of;
    bool is_row;
    uint32_t at;
  };

  const Frozen& weights_;
  uint32_t stride_;
  std::vector<Part> parts_;
  std::vector<Use> uses_;                  // of the templates of all parts
  uint32_t summed_ = 0, kept_ = 0;         // how many parts are sums, and rows
  std::vector<float> beyond_;              // [part][label]
  size_t words_ = 0, ready_ = 0;           // how many there are, and how many of these have sums and rows
  std::vector<Key> keys_;                  // of the last words, of which some may have sums already
  std::vector<float, Paged<float>> sums_;  // [word][sum][label]
  std::vector<RowView> rows_;              // [word][row]
};

}  // namespace structron
