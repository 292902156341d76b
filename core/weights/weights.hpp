// Weights while they are learned: a sparse row of columns per feature, averaged lazily, and beside the rows a
// short dense vector of features with real values.
//
// What a column stands for is the task's business: an action, or what several actions have in common. Most
// features are only ever updated for two or three columns, so a row starts as a short list of (weight,
// column) cells and becomes a plain array of floats once it is half full. Rows that were never updated hold
// nothing.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "util/vectors.hpp"
#include "weights/pages.hpp"
#include "weights/row.hpp"
#include "weights/table.hpp"

namespace structron {

// Columns have 32 bits; the last few numbers are kept for marks.
inline constexpr uint32_t kMostColumns = 0xFFFFFFF0u;

// The dense vector travels like any row, under a key that no feature has, with an index for a column.
inline constexpr Key kDenseKey = ~Key{0};
// The feature that stands for it in differences. Only weights that have such a vector give it this number.
inline constexpr uint32_t kDense = 0;

class Weights {
 public:
  // A cell as it was.
  struct Before {
    uint32_t column;
    float weight;
    double past;
  };

  // `dense`: how long the dense vector is.
  explicit Weights(uint32_t columns, int bits = 0, uint32_t dense = 0)
      : bits_(checked_bits(bits)),
        columns_(checked_columns(columns)),
        stride_((columns + 3) / 4 * 4),
        plain_from_(std::clamp(columns / 2, 3u, kLongest)),
        vector_(checked_columns(dense)) {
    if (dense == 0) return;
    // It is a row like any other but for its length, so that whoever walks over rows meets it, too.
    intern_folded(kDenseKey);
    rows_[kDense] = {add_plain(std::max(dense, stride_)), 0, kPlain};
  }

  uint32_t columns() const { return columns_; }
  // How long the dense vector is.
  uint32_t dense() const { return vector_; }
  // How many columns the row of a key has.
  uint32_t width(Key folded) const { return folded == kDenseKey ? vector_ : columns_; }
  uint32_t greatest_width() const { return std::max(columns_, vector_); }
  // Scores are given and taken in arrays of this length: whole vectors of four, the rest stays 0.
  uint32_t stride() const { return stride_; }
  uint32_t features() const { return static_cast<uint32_t>(rows_.size()); }
  size_t bytes() const {
    return table_.bytes() + generated_.bytes() + rows_.capacity() * sizeof(Row) +
           cells_.capacity() * (sizeof(Cell) + sizeof(double)) +
           plain_.capacity() * (sizeof(float) + sizeof(double)) + keys_.capacity() * sizeof(Key);
  }

  // How many slots of a table are looked at to find the feature that takes most.
  size_t longest_probe() const { return std::max(table_.longest_probe(), generated_.longest_probe()); }

  // What a template's key is here; the dense vector's stays as it is.
  Key folded(Key key) const { return key == kDenseKey ? key : fold(key, bits_); }
  uint32_t find(Key key) const { return table_.find(folded(key)); }
  uint32_t find_folded(Key folded) const { return table_.find(folded); }
  bool perhaps(Key folded) const { return table_.perhaps(folded); }
  void prefetch_filter(Key folded) const { table_.prefetch_filter(folded); }
  void prefetch(Key folded) const { table_.prefetch(folded); }
  uint32_t intern(Key key) { return intern_folded(folded(key)); }
  uint32_t intern_folded(Key key) {
    const uint32_t id = table_.intern(key, static_cast<uint32_t>(rows_.size()));
    if (id == rows_.size()) {
      rows_.push_back({0, 0, 0});
      if (id / 64 == touched_.size()) {
        touched_.push_back(0);
        if (marks_) marked_.push_back(0);
      }
      if (keeps_keys_) keys_.push_back(key);
    }
    return id;
  }
  // From now on key_of(id) may be asked for; that takes eight bytes a feature.
  void keep_keys() {
    if (!keeps_keys_) keys_ = keys();
    keeps_keys_ = true;
  }
  Key key_of(uint32_t id) const { return keys_[id]; }
  // Most features are never updated; one bit each tells so without a look at their rows.
  bool touched(uint32_t id) const { return touched_[id / 64] >> (id % 64) & 1; }
  // Features that come up only while searching, such as tags with words, have a smaller table of their own.
  // Where keys are folded they may share a row with any other feature, so all are looked for.
  uint32_t find_generated(Key folded) const { return bits_ ? table_.find(folded) : generated_.find(folded); }
  bool perhaps_generated(Key folded) const { return bits_ || generated_.perhaps(folded); }
  void prefetch_generated(Key folded) const { generated_.prefetch(folded); }
  uint32_t intern_generated(Key folded) { return generated_.intern(folded, intern_folded(folded)); }
  RowView row(uint32_t id) const {
    const Row& r = rows_[id];
    if (r.room == kPlain) return {nullptr, &plain_[r.start], stride_, 0};
    return {cells_.data() + r.start, nullptr, r.used, 0};
  }
  int bits() const { return bits_; }
  void prefetch_head(uint32_t id) const { __builtin_prefetch(&rows_[id]); }
  void prefetch_row(uint32_t id) const {
    const Row& r = rows_[id];
    if (r.room == kPlain) {
      __builtin_prefetch(&plain_[r.start]);
      __builtin_prefetch(&plain_[r.start + stride_ - 1]);
    } else if (r.used) {
      __builtin_prefetch(&cells_[r.start]);
    }
  }

  void prefetch_past(uint32_t id) const {
    const Row& r = rows_[id];
    if (r.room == kPlain) {
      __builtin_prefetch(&plain_past_[r.start]);
      __builtin_prefetch(&plain_past_[r.start + stride_ - 1]);
    } else if (r.used) {
      __builtin_prefetch(&past_[r.start]);
    }
  }

  // scores[a] += value * weight[id][a] for every column a
  void add_row(uint32_t id, float* __restrict scores) const {
    const Row& r = rows_[id];
    if (r.room == kPlain) {
      add_vectors(&plain_[r.start], scores, stride_);
    } else {
      const Cell* c = cells_.data() + r.start;
      for (uint32_t i = 0; i < r.used; ++i) scores[c[i].column] += c[i].weight;
    }
  }
  void add_row(uint32_t id, float value, float* __restrict scores) const {
    const Row& r = rows_[id];
    if (r.room == kPlain) {
      const float* __restrict w = &plain_[r.start];
      for (uint32_t a = 0; a < stride_; ++a) scores[a] += value * w[a];
    } else {
      const Cell* c = cells_.data() + r.start;
      for (uint32_t i = 0; i < r.used; ++i) scores[c[i].column] += value * c[i].weight;
    }
  }

  // An id that no feature has yet weighs nothing.
  float get(uint32_t id, uint32_t column) const {
    if (id >= rows_.size()) return 0;
    const Row& r = rows_[id];
    if (r.room == kPlain) return plain_[r.start + column];
    for (uint32_t i = r.start; i < r.start + r.used; ++i)
      if (cells_[i].column == column) return cells_[i].weight;
    return 0;
  }

  // The same with what averaging remembers.
  Before cell(uint32_t id, uint32_t column) const {
    Before found{column, 0, 0};
    if (id >= rows_.size()) return found;
    const Row& r = rows_[id];
    if (r.room == kPlain) return {column, plain_[r.start + column], plain_past_[r.start + column]};
    for (uint32_t i = r.start; i < r.start + r.used; ++i)
      if (cells_[i].column == column) found = {column, cells_[i].weight, past_[i]};
    return found;
  }

  // Lazy averaging (Daume's trick): w += change, v += clock * change; then the mean of w at the start and
  // after each example is w - v / clock.
  void add(uint32_t id, uint32_t column, float change) {
    const Place p = place(id, column);
    *p.weight += change;
    *p.past += static_cast<double>(clock_) * change;
  }

  // f(column, weight, past) for every cell of a row.
  template <class F>
  void each_cell(uint32_t id, F&& f) const {
    const Row& r = rows_[id];
    if (r.room == kPlain) {
      const uint32_t width = vector_ != 0 && id == kDense ? vector_ : columns_;
      for (uint32_t a = 0; a < width; ++a) f(a, plain_[r.start + a], plain_past_[r.start + a]);
    } else {
      for (uint32_t i = r.start; i < r.start + r.used; ++i) f(cells_[i].column, cells_[i].weight, past_[i]);
    }
  }

  // From now on it is noted which rows are changed, and what they were before.
  void mark() {
    keep_keys();
    unmark();
    marks_ = true;
    marked_.assign(touched_.size(), 0);
  }
  void unmark() {
    marks_ = false;
    noted_.clear();
    before_.clear();
  }
  size_t noted() const { return noted_.size(); }
  uint32_t noted_id(size_t i) const { return noted_[i].id; }
  std::span<const Before> before(size_t i) const {
    const size_t begin = i == 0 ? 0 : noted_[i - 1].end;
    return {before_.data() + begin, noted_[i].end - begin};
  }

  // All that averaging remembers, stretched.
  void scale_past(double by) {
    if (by == 1) return;
    for (double& p : past_) p *= by;
    for (double& p : plain_past_) p *= by;
  }

  void tick() { ++clock_; }
  uint64_t clock() const { return clock_; }
  void set_clock(uint64_t c) { clock_ = c; }

  // f(key, column, weight, past) for every cell, in the order of ids.
  template <class F>
  void each(F&& f) const {
    const std::vector<Key> all = keys();
    for (uint32_t id = 0; id < rows_.size(); ++id)
      each_cell(id, [&](uint32_t column, float weight, double past) { f(all[id], column, weight, past); });
  }

  // f(key, id) for every row, in any order.
  template <class F>
  void each_row(F&& f) const {
    table_.each(f);
  }

  // The id of a feature that came from elsewhere: of those known here, or of a new one made in search.
  uint32_t intern_foreign(Key folded) {
    const uint32_t known = table_.find(folded);
    return known != kNone ? known : intern_generated(folded);
  }

  // Puts back what each() gave: for training that goes on.
  void restore(uint32_t id, uint32_t column, float weight, double past) {
    const Place p = place(id, column);
    *p.weight = weight;
    *p.past = past;
  }

 private:
  struct Row {
    uint32_t start;  // in cells_, or in plain_ when room is kPlain
    uint16_t used, room;
  };
  struct Place {
    float* weight;
    double* past;
  };
  static constexpr uint16_t kPlain = 0xFFFF;
  static constexpr uint32_t kLongest = 0x8000;  // cells in a row, so that their number has 16 bits
  static constexpr uint32_t kLine = 8;          // cells in 64 bytes

  std::vector<Key> keys() const {
    std::vector<Key> found(rows_.size());
    table_.each([&](Key k, uint32_t id) { found[id] = k; });
    return found;
  }

  // Where (id, column) is kept; the cell is made if there is none.
  Place place(uint32_t id, uint32_t column) {
    Row& r = rows_[id];
    touched_[id / 64] |= uint64_t{1} << (id % 64);
    if (marks_ && !(marked_[id / 64] >> (id % 64) & 1)) note(id);
    if (r.room != kPlain) {
      for (uint32_t i = r.start; i < r.start + r.used; ++i)
        if (cells_[i].column == column) return {&cells_[i].weight, &past_[i]};
      if (r.used == r.room) enlarge(r);
    }
    if (r.room == kPlain) return {&plain_[r.start + column], &plain_past_[r.start + column]};
    const uint32_t at = r.start + r.used++;
    cells_[at] = {0.0f, column};
    past_[at] = 0;
    return {&cells_[at].weight, &past_[at]};
  }

  void note(uint32_t id) {
    marked_[id / 64] |= uint64_t{1} << (id % 64);
    each_cell(id, [&](uint32_t a, float w, double p) {
      if (w != 0 || p != 0) before_.push_back({a, w, p});
    });
    noted_.push_back({id, before_.size()});
  }

  void enlarge(Row& r) {
    const uint32_t wanted = r.room == 0 ? 2 : r.room * 2u;
    if (wanted > plain_from_) return make_plain(r);
    const uint32_t start = take(wanted);
    std::copy_n(cells_.begin() + r.start, r.used, cells_.begin() + start);
    std::copy_n(past_.begin() + r.start, r.used, past_.begin() + start);
    give(r);
    r.start = start;
    r.room = static_cast<uint16_t>(wanted);
  }

  void make_plain(Row& r) {
    const uint32_t start = add_plain(stride_);
    for (uint32_t i = r.start; i < r.start + r.used; ++i) {
      plain_[start + cells_[i].column] = cells_[i].weight;
      plain_past_[start + cells_[i].column] = past_[i];
    }
    give(r);
    r = {start, 0, kPlain};
  }

  uint32_t add_plain(uint32_t length) {
    const uint32_t start = place_for(length, plain_.size());
    plain_.resize(size_t{start} + length);
    plain_past_.resize(size_t{start} + length);
    return start;
  }

  static uint32_t checked_columns(uint32_t columns) {
    if (columns > kMostColumns)
      throw std::invalid_argument(std::to_string(columns) + " columns are too many; weights have at most " +
                                  std::to_string(kMostColumns));
    return columns;
  }

  // Rows know their places by 32 bits.
  static uint32_t place_for(uint32_t cells, size_t taken) {
    if (taken + cells > 0xFFFFFFFFu)
      throw std::invalid_argument(
          "the weights have no room for more than 4 billion cells; cut rare features");
    return static_cast<uint32_t>(taken);
  }

  // Blocks that rows outgrew are used again. All have 2, 4, 8, ... cells and short ones are cut from one
  // cache line, so that no row lies across two.
  uint32_t take(uint32_t n) {
    const auto it = std::find_if(free_.begin(), free_.end(), [&](const Block& b) { return b.size == n; });
    if (it != free_.end() && !it->starts.empty()) {
      const uint32_t start = it->starts.back();
      it->starts.pop_back();
      return start;
    }
    const uint32_t whole = std::max(n, kLine);
    const uint32_t start = place_for(whole, cells_.size());
    cells_.resize(start + whole);
    past_.resize(start + whole);
    for (uint32_t piece = n; piece + n <= whole; piece += n)
      give({start + piece, 0, static_cast<uint16_t>(n)});
    return start;
  }
  void give(const Row& r) {
    if (r.room == 0) return;
    auto it = std::find_if(free_.begin(), free_.end(), [&](const Block& b) { return b.size == r.room; });
    if (it == free_.end()) it = free_.insert(free_.end(), Block{r.room, {}});
    it->starts.push_back(r.start);
  }

  struct Block {
    uint32_t size;
    std::vector<uint32_t> starts;
  };

  int bits_;
  uint32_t columns_, stride_, plain_from_, vector_;
  uint64_t clock_ = 1;  // one more than the examples seen
  Table table_, generated_;
  std::vector<Row, Paged<Row>> rows_;
  std::vector<uint64_t> touched_;
  std::vector<Cell, Paged<Cell>> cells_;
  std::vector<double, Paged<double>> past_;
  std::vector<float, Paged<float>> plain_;
  std::vector<double, Paged<double>> plain_past_;
  std::vector<Block> free_;
  bool marks_ = false, keeps_keys_ = false;
  struct Noted {
    uint32_t id;
    size_t end;  // of its cells in before_
  };
  std::vector<uint64_t> marked_;
  std::vector<Noted> noted_;
  std::vector<Before> before_;
  std::vector<Key> keys_;
};

}  // namespace structron
