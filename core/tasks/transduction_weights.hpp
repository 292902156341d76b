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
    slots_.resize(room);
    while (seen_.size() * 64 < keys.size() * 8) seen_.resize(seen_.size() * 2);
    for (size_t r = 0; r < keys.size(); ++r) {
      if (offsets[r] > offsets[r + 1] || offsets[r + 1] - offsets[r] > columns)
        throw std::invalid_argument("the weights' rows are out of order");
      const size_t from = offsets[r], used = offsets[r + 1] - from;
      if (used > 0) put(keys[r], column.subspan(from, used), weight.subspan(from, used));
    }
  }

  // What a template's key is here; the functions below take keys that have been through this.
  Key folded(Key key) const { return fold(key, bits_); }
  // Most keys asked for have no row. A few bits per key say so for nearly all.
  bool perhaps(Key key) const { return seen_[bit(key) / 64] >> (bit(key) % 64) & 1; }
  void prefetch_filter(Key key) const { __builtin_prefetch(&seen_[bit(key) / 64]); }
  void prefetch(Key key) const { __builtin_prefetch(&slots_[home(key)]); }

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
  };

  // The row of a key, null if there is none.
  const Slot* find(Key key) const {
    for (size_t i = home(key); slots_[i].used; i = (i + 1) & (slots_.size() - 1))
      if (slots_[i].key == key) return &slots_[i];
    return nullptr;
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
    size_t i = home(key);
    for (; slots_[i].used; i = (i + 1) & (slots_.size() - 1))
      if (slots_[i].key == key) throw std::invalid_argument("a feature has two rows");
    seen_[bit(key) / 64] |= uint64_t{1} << (bit(key) % 64);
    Slot& slot = slots_[i];
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
  size_t bit(Key key) const { return static_cast<size_t>(key >> 12) & (seen_.size() * 64 - 1); }
  size_t home(Key key) const { return static_cast<size_t>(key >> 20) & (slots_.size() - 1); }

  int bits_;
  std::vector<Slot, Paged<Slot>> slots_;
  std::vector<uint64_t, Paged<uint64_t>> seen_ = std::vector<uint64_t, Paged<uint64_t>>(8);
  std::vector<Cell, Paged<Cell>> cells_;
  std::vector<float, Paged<float>> spread_;
};

}  // namespace structron
