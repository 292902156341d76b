// Finished weights of a transducer.
//
// Of millions of rows most have one to three cells, so these lie in the table itself: one look at the memory
// finds and reads them. The others lie together; the longest, of which few cells apply at any place, as plain
// arrays.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "hash.hpp"
#include "key_table.hpp"
#include "pages.hpp"
#include "row.hpp"

namespace structron {

class TransductionWeights {
 public:
  // keys[r] owns the cells offsets[r] .. offsets[r + 1]. Nothing read from a file is trusted.
  TransductionWeights(uint32_t columns, int bits, std::span<const Key> keys,
                      std::span<const uint32_t> offsets, std::span<const uint16_t> column,
                      std::span<const float> weight)
      : bits_(checked_bits(bits)) {
    if (offsets.size() != keys.size() + 1 || column.size() != weight.size() || offsets.front() != 0 ||
        offsets.back() != column.size())
      throw std::invalid_argument("the weights' arrays do not fit together");
    if (keys.size() >= 0xFFFFFFF0u) throw std::invalid_argument("too many rows");
    if (std::any_of(column.begin(), column.end(), [&](uint16_t c) { return c >= columns; }))
      throw std::invalid_argument("a weight belongs to an action that is not there");
    size_t room = 64;
    while (room * 3 < keys.size() * 4) room *= 2;
    slots_.reset(room);
    size_t words = 8;
    while (words * 64 < keys.size() * 8) words *= 2;
    filter_.reset(words);
    for (size_t r = 0; r < keys.size(); ++r) {
      if (offsets[r] > offsets[r + 1] || offsets[r + 1] - offsets[r] > columns)
        throw std::invalid_argument("the weights' rows are out of order");
      const size_t from = offsets[r], used = offsets[r + 1] - from;
      if (used > 0) put(keys[r], column.subspan(from, used), weight.subspan(from, used));
    }
  }

  // What a template's key is here; the functions below take keys that have been through this.
  Key folded(Key key) const { return fold(key, bits_); }
  bool perhaps(Key key) const { return filter_.perhaps(key); }
  void prefetch_filter(Key key) const { filter_.prefetch(key); }
  void prefetch(Key key) const { slots_.prefetch(key); }

  // Where a long row is.
  struct Long {
    uint32_t size, first;  // cells, or weights of the columns from the first on
    bool spread;
  };
  struct Slot {
    Key key = 0;
    uint32_t start = 0;  // of a long row, in cells_ or spread_
    uint16_t used = 0;   // kLong: not these
    std::array<uint16_t, 3> column{};
    union {
      std::array<float, 3> weight{};
      Long wide;
    };
    bool empty() const { return used == 0; }
  };

  // The row of a key, null if there is none.
  const Slot* find(Key key) const {
    const Slot& s = slots_.at(key);
    return s.empty() ? nullptr : &s;
  }
  void prefetch_cells(const Slot& row) const {
    if (row.used == kLong)
      __builtin_prefetch(row.wide.spread ? static_cast<const void*>(&spread_[row.start])
                                         : &cells_[row.start]);
  }

  // sums[slot[c]] += weight of c, at least for these columns c.
  void add(const Slot& row, const uint32_t* __restrict slot, std::span<const uint32_t> columns,
           float* __restrict sums) const {
    if (row.used != kLong) {
      for (size_t i = 0; i < row.used; ++i) sums[slot[row.column[i]]] += row.weight[i];
    } else if (row.wide.spread) {
      const float* __restrict weights = spread_.data() + row.start;
      for (uint32_t c : columns)
        if (const uint32_t i = c - row.wide.first; i < row.wide.size) sums[slot[c]] += weights[i];
    } else {
      const Cell* __restrict cells = cells_.data() + row.start;
      for (uint32_t i = 0; i < row.wide.size; ++i) sums[slot[cells[i].action]] += cells[i].weight;
    }
  }

 private:
  static constexpr uint16_t kLong = 0xFFFF;
  static constexpr size_t kMany = 12, kThin = 8;  // cells, and columns per cell, of a row that is spread

  void put(Key key, std::span<const uint16_t> column, std::span<const float> weight) {
    Slot& slot = slots_.at(key);
    if (!slot.empty()) throw std::invalid_argument("a feature has two rows");
    filter_.add(key);
    slot.key = key;
    if (column.size() <= 3) {
      slot.used = static_cast<uint16_t>(column.size());
      std::copy(column.begin(), column.end(), slot.column.begin());
      std::copy(weight.begin(), weight.end(), slot.weight.begin());
      return;
    }
    slot.used = kLong;
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    const uint32_t first = *least, size = *most - first + 1;
    if (column.size() >= kMany && size <= kThin * column.size()) {
      slot.start = static_cast<uint32_t>(spread_.size());
      slot.wide = {size, first, true};
      spread_.resize(spread_.size() + size);
      for (size_t c = 0; c < column.size(); ++c) spread_[slot.start + column[c] - first] += weight[c];
    } else {
      slot.start = static_cast<uint32_t>(cells_.size());
      slot.wide = {static_cast<uint32_t>(column.size()), 0, false};
      for (size_t c = 0; c < column.size(); ++c) cells_.push_back({weight[c], column[c]});
    }
  }

  int bits_;
  KeyTable<Slot> slots_{64};
  KeyFilter filter_;
  std::vector<Cell, Paged<Cell>> cells_;
  std::vector<float, Paged<float>> spread_;
};

}  // namespace structron
