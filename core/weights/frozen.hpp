// Weights that no longer change, for every task.
//
// Of millions of rows most have one to three cells, so these lie in the table itself: one look at the memory
// finds and reads them. The others lie together behind it.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "util/hash.hpp"
#include "util/interrupt.hpp"
#include "weights/key_table.hpp"
#include "weights/packing.hpp"
#include "weights/pages.hpp"
#include "weights/row.hpp"

namespace structron {

// How rows of more than a few cells lie in memory: as tasks read them.
enum class LongRows {
  cells,   // like short ones, where every sum is kept
  whole,   // from a quarter full on, a weight for each column: several are added at a time
  spread,  // a weight for each column from their first to their last: few of them apply at any place
};

// Where rows lie: anywhere, or such that keys that differ only in the last of their values, if that is small,
// are neighbours, and are found together. With many columns that value may be large, and so many neighbours
// would be passed over on the way to one: then they lie apart.
enum class Places { apart, together };

class Frozen {
 public:
  // Nothing read from a file is trusted. `dense`: how long the dense vector must be.
  Frozen(uint32_t columns, int bits, const PackedSpans& rows, LongRows long_rows, uint32_t dense = 0,
         Places places = Places::apart)
      : columns_(columns),
        bits_(checked_bits(bits)),
        long_rows_(long_rows),
        together_(places == Places::together && bits == 0 && columns < kNear),
        vector_(rows.dense.begin(), rows.dense.end()) {
    const auto& [keys, offsets, column, weight, vector] = rows;
    if (offsets.size() != keys.size() + 1 || column.size() != weight.size() || offsets.front() != 0 ||
        offsets.back() != column.size())
      throw std::invalid_argument("the weights' arrays do not fit together");
    if (vector.size() != dense) throw std::invalid_argument("the dense weights do not fit the task");
    if (keys.size() >= kMostColumns) throw std::invalid_argument("too many rows");
    if (columns > kMostColumns) throw std::invalid_argument("too many columns");
    if (std::any_of(column.begin(), column.end(), [&](uint32_t c) { return c >= columns; }))
      throw std::invalid_argument("a weight belongs to a column that is not there");
    slots_.reset(std::max<size_t>(64, keys.size() * 3));  // two thirds empty: short probes
    size_t words = 8;                                     // at least eight bits per key
    while (words * 64 < keys.size() * 8) words *= 2;
    filter_.reset(words);
    Pulse pulse;
    for (size_t r = 0; r < keys.size(); ++r) {
      pulse();
      if (offsets[r] > offsets[r + 1] || offsets[r + 1] - offsets[r] > columns)
        throw std::invalid_argument("the weights' rows are out of order");
      if (r + kAhead < keys.size()) slots_.prefetch(together_ ? unmixed(keys[r + kAhead]) : keys[r + kAhead]);
      const size_t from = offsets[r], used = offsets[r + 1] - from;
      if (used > 0) put(keys[r], column.subspan(from, used), weight.subspan(from, used));
    }
  }

  uint32_t columns() const { return columns_; }
  // Rows that are whole are this long: vectors of four.
  uint32_t stride() const { return (columns_ + 3) / 4 * 4; }
  std::span<const float> dense() const { return vector_; }

  // What a template's key is here; the functions below take keys that have been through this.
  Key folded(Key key) const { return together_ ? unmixed(key) : fold(key, bits_); }
  // folded(combine(a, b))
  Key combined(Key a, Key b) const { return together_ ? before_mixing(a, b) : fold(combine(a, b), bits_); }
  bool perhaps(Key key) const { return filter_.perhaps(key); }
  void prefetch_filter(Key key) const { filter_.prefetch(key); }
  void prefetch(Key key) const { slots_.prefetch(key); }

  struct Slot {
    Key key = 0;
    std::array<Cell, 3> cells{Cell{0, kNone}, Cell{0, kNone}, Cell{0, kNone}};  // kNone: not that many
    bool empty() const { return cells[0].column == kNone; }
  };
  // Where the row of a key is, or would be; the key is known to be perhaps() there.
  const Slot& find(Key key) const { return slots_.at(key); }
  RowView row(const Slot& slot) const {
    const auto& [a, b, c] = slot.cells;
    if (a.column < kCells)
      return {slot.cells.data(), nullptr, 1u + (b.column != kNone) + (c.column != kNone), 0};
    if (a.column == kNone) return {};
    if (a.column == kCells) return {cells_.data() + b.column, nullptr, c.column, 0};
    return {nullptr, plain_.data() + b.column, c.column, std::bit_cast<uint32_t>(a.weight)};
  }

  // Whether keys of one beginning and a last value below kNear lie together; with bits they never do.
  static constexpr Key kNear = 64;
  bool together() const { return together_; }
  Key near(Key beginning) const { return before_mixing(beginning, 0); }
  void prefetch_near(Key first) const { slots_.prefetch(first, 4); }
  // f(value, row) for all rows whose keys are combine(beginning, value) with a value below kNear; the first
  // is near(beginning).
  template <class F>
  void each_near(Key first, F&& f) const {
    slots_.each_near(first, kNear - 1,
                     [&](const Slot& slot) { f(static_cast<uint32_t>(slot.key ^ first), row(slot)); });
  }

  // f(i, row) for those of many keys that have rows, in their order; a key 0 has none. All filters first,
  // then all slots, then all rows: the memory answers many questions in the time of one.
  template <class F>
  void each_row(std::span<const Key> keys, F&& f) const {
    std::array<uint32_t, 256> likely;
    std::array<RowView, 256> found;
    for (size_t from = 0; from < keys.size(); from += likely.size()) {
      const size_t to = std::min(keys.size(), from + likely.size());
      for (size_t i = from; i < to; ++i) prefetch_filter(keys[i]);
      size_t n = 0;
      for (size_t i = from; i < to; ++i) {
        likely[n] = static_cast<uint32_t>(i);
        n += keys[i] != 0 && perhaps(keys[i]);
      }
      for (size_t k = 0; k < n; ++k) prefetch(keys[likely[k]]);
      for (size_t k = 0; k < n; ++k) {
        found[k] = row(find(keys[likely[k]]));
        __builtin_prefetch(found[k].cells);
        __builtin_prefetch(found[k].cells + 8);
      }
      for (size_t k = 0; k < n; ++k)
        if (found[k].used != 0) f(size_t{likely[k]}, found[k]);
    }
  }
  // The rows of many keys, in their order; empty ones where there is none.
  void find_rows(std::span<const Key> keys, std::vector<RowView>& rows) const {
    rows.assign(keys.size(), {});
    each_row(keys, [&](size_t i, const RowView& row) { rows[i] = row; });
  }

  // The cells of a row that is perhaps() there; only where all rows are cells.
  std::span<const Cell> cells(Key key) const {
    const RowView found = row(find(key));
    return {found.cells, found.used};
  }
  // scores[c] += value * weight of c
  void add_row(Key key, float value, float* scores) const {
    if (!perhaps(key)) return;
    const RowView found = row(find(key));
    if (found.plain != nullptr) {
      for (uint32_t c = 0; c < found.used; ++c) scores[found.first + c] += value * found.plain[c];
    } else {
      for (const Cell* c = found.cells; c != found.cells + found.used; ++c)
        scores[c->column] += value * c->weight;
    }
  }

 private:
  // In place of the first cell's column: the row lies elsewhere. Then the second's is where, the third's how
  // long it is, and the first's weight has the bits of its first column.
  static constexpr uint32_t kCells = kMostColumns, kPlain = kMostColumns + 1;
  static constexpr size_t kAhead = 16;            // rows
  static constexpr size_t kMany = 12, kThin = 8;  // cells, and columns per cell, of a row that is spread

  void put(Key key, std::span<const uint32_t> column, std::span<const float> weight) {
    if (key == kDenseKey) throw std::invalid_argument("a feature has the key of the dense weights");
    if (together_) key = unmixed(key);
    Slot& slot = slots_.at(key);
    if (!slot.empty()) throw std::invalid_argument("a feature has two rows");
    filter_.add(key);
    slot.key = key;
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    if (long_rows_ == LongRows::whole && column.size() * 4 >= columns_) {
      put_plain(slot, column, weight, 0, stride());
    } else if (column.size() <= slot.cells.size()) {
      for (size_t k = 0; k < column.size(); ++k) slot.cells[k] = {weight[k], column[k]};
    } else if (const size_t size = size_t{*most} - *least + 1;
               long_rows_ == LongRows::spread && column.size() >= kMany && size <= kThin * column.size()) {
      put_plain(slot, column, weight, *least, static_cast<uint32_t>(size));
    } else {
      slot.cells = {Cell{0, kCells}, Cell{0, place_for(column.size(), cells_.size())},
                    Cell{0, static_cast<uint32_t>(column.size())}};
      for (size_t k = 0; k < column.size(); ++k) cells_.push_back({weight[k], column[k]});
    }
  }
  void put_plain(Slot& slot, std::span<const uint32_t> column, std::span<const float> weight, uint32_t first,
                 uint32_t size) {
    const uint32_t start = place_for(size, plain_.size());
    slot.cells = {Cell{std::bit_cast<float>(first), kPlain}, Cell{0, start}, Cell{0, size}};
    plain_.resize(size_t{start} + size);
    for (size_t k = 0; k < column.size(); ++k) plain_[start + (column[k] - first)] += weight[k];
  }
  static uint32_t place_for(size_t cells, size_t taken) {
    if (taken + cells > 0xFFFFFFFFu) throw std::invalid_argument("the weights have too many cells");
    return static_cast<uint32_t>(taken);
  }

  uint32_t columns_;
  int bits_;
  LongRows long_rows_;
  bool together_;
  std::vector<float> vector_;
  KeyTable<Slot, InOrder> slots_{64};
  KeyFilter filter_;
  std::vector<Cell, Paged<Cell>> cells_;
  std::vector<float, Paged<float>> plain_;
};

}  // namespace structron
