// Weights that no longer change: rows of (weight, action) cells behind one probe.
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

class Frozen {
 public:
  // keys[r] owns the cells offsets[r] .. offsets[r + 1]. Nothing read from a file is trusted. With `dense`,
  // rows with many cells become plain arrays, which are added several actions at a time: then ask for view().
  Frozen(uint32_t actions, int bits, std::span<const Key> keys, std::span<const uint32_t> offsets,
         std::span<const uint16_t> action, std::span<const float> weight, bool dense = false)
      : actions_(actions), bits_(checked_bits(bits)), dense_(dense) {
    if (offsets.size() != keys.size() + 1 || action.size() != weight.size() || offsets.front() != 0 ||
        offsets.back() != action.size())
      throw std::invalid_argument("the weights' arrays do not fit together");
    if (keys.size() >= 0xFFFFFFF0u) throw std::invalid_argument("too many rows");
    size_t room = 64;
    while (room < keys.size() * 2) room *= 2;
    slots_.resize(room);
    seen_.resize(room / 16);  // four bits per slot, at least eight per key
    for (uint16_t a : action)
      if (a >= actions) throw std::invalid_argument("a weight belongs to an action that is not there");
    if (!dense) cells_.reserve(action.size());
    for (size_t r = 0; r < keys.size(); ++r) {
      if (offsets[r] > offsets[r + 1] || offsets[r + 1] - offsets[r] > actions)
        throw std::invalid_argument("the weights' rows are out of order");
      size_t i = home(keys[r]);
      while (slots_[i].used) {
        if (slots_[i].key == keys[r]) throw std::invalid_argument("a feature has two rows");
        i = (i + 1) & (room - 1);
      }
      const uint32_t begin = offsets[r], size = offsets[r + 1] - begin;
      slots_[i] = lay(keys[r], action.subspan(begin, size), weight.subspan(begin, size));
      seen_[bit(keys[r]) / 64] |= uint64_t{1} << (bit(keys[r]) % 64);
    }
  }

  uint32_t actions() const { return actions_; }
  // What a template's key is here; the functions below take keys that have been through this.
  Key folded(Key key) const { return fold(key, bits_); }
  // Most keys asked for have no row. A few bits per key, small enough to stay near, say so for nearly all.
  bool perhaps(Key key) const { return seen_[bit(key) / 64] >> (bit(key) % 64) & 1; }
  void prefetch_filter(Key key) const { __builtin_prefetch(&seen_[bit(key) / 64]); }
  void prefetch(Key key) const { __builtin_prefetch(&slots_[home(key)]); }

  // A row's cells; none if there is no such row.
  struct Run {
    const Cell* first;
    uint32_t size;
  };
  Run run(Key key) const {
    const Slot* s = find(key);
    return s == nullptr ? Run{nullptr, 0} : Run{cells_.data() + s->start, s->used};
  }

  // The same where rows may be dense; the key is known to be perhaps() there.
  RowView view(Key key) const {
    for (size_t i = home(key); slots_[i].used; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].key != key) continue;
      if (slots_[i].used == kDense) return {nullptr, 0, &plain_[size_t{slots_[i].start} * 4]};
      return {&cells_[slots_[i].start], slots_[i].used, nullptr};
    }
    return {};
  }
  // Dense rows are this long: whole vectors of four.
  uint32_t stride() const { return (actions_ + 3) / 4 * 4; }

  // The rows of many keys; a key 0 has none. All filters first, then all slots, then all rows: the memory
  // answers many questions in the time of one.
  void find_runs(std::span<const Key> keys, std::vector<Run>& runs) const {
    std::array<uint32_t, 256> likely;
    runs.assign(keys.size(), {nullptr, 0});
    for (size_t from = 0; from < keys.size(); from += likely.size()) {
      const size_t to = std::min(keys.size(), from + likely.size());
      for (size_t i = from; i < to; ++i) __builtin_prefetch(&seen_[bit(keys[i]) / 64]);
      size_t n = 0;
      for (size_t i = from; i < to; ++i) {
        if (keys[i] == 0 || !perhaps(keys[i])) continue;
        likely[n++] = static_cast<uint32_t>(i);
        prefetch(keys[i]);
      }
      for (size_t k = 0; k < n; ++k) {
        runs[likely[k]] = run(keys[likely[k]]);
        __builtin_prefetch(runs[likely[k]].first);
      }
    }
  }

  static void add_run(const Run& cells, float* scores) {
    for (const Cell* c = cells.first; c != cells.first + cells.size; ++c) scores[c->action] += c->weight;
  }

  void add_row(Key key, float value, float* scores) const {
    const Slot* s = find(key);
    if (s == nullptr) return;
    const Cell* c = cells_.data() + s->start;
    for (uint32_t k = 0; k < s->used; ++k) scores[c[k].action] += value * c[k].weight;
  }

 private:
  struct Slot {
    Key key = 0;
    uint32_t start = 0, used = 0;  // a row without cells need not be found
  };
  static constexpr uint32_t kDense = 0xFFFFFFFFu;

  Slot lay(Key key, std::span<const uint16_t> action, std::span<const float> weight) {
    if (dense_ && action.size() * 4 >= actions_) {
      const size_t start = plain_.size();
      plain_.resize(start + stride());
      for (size_t k = 0; k < action.size(); ++k) plain_[start + action[k]] = weight[k];
      return {key, static_cast<uint32_t>(start / 4), kDense};
    }
    const uint32_t start = static_cast<uint32_t>(cells_.size());
    for (size_t k = 0; k < action.size(); ++k) cells_.push_back({weight[k], action[k]});
    return {key, start, static_cast<uint32_t>(action.size())};
  }

  const Slot* find(Key key) const {
    if (!perhaps(key)) return nullptr;
    for (size_t i = home(key); slots_[i].used; i = (i + 1) & (slots_.size() - 1))
      if (slots_[i].key == key) return &slots_[i];
    return nullptr;
  }
  size_t bit(Key key) const { return static_cast<size_t>(key >> 12) & (seen_.size() * 64 - 1); }
  size_t home(Key key) const { return static_cast<size_t>(key >> 20) & (slots_.size() - 1); }

  uint32_t actions_;
  int bits_;
  bool dense_;
  std::vector<Slot, Paged<Slot>> slots_;
  std::vector<uint64_t, Paged<uint64_t>> seen_;
  std::vector<Cell, Paged<Cell>> cells_;
  std::vector<float, Paged<float>> plain_;
};

}  // namespace structron
