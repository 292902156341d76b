// Where the rows of keys are, in weights that are learned or finished; many are looked up at once.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "learn/naming.hpp"
#include "weights/frozen.hpp"
#include "weights/weights.hpp"

namespace structron {

// The same functions for both. Place is what find() gives, and row() what becomes of it one round later, when
// the memory has come.
class LiveRows {
 public:
  static constexpr bool kFinished = false;
  using Place = uint32_t;
  // Where only some features may be learned, `open` holds their keys.
  LiveRows(const Weights& weights, Naming& naming, const Table* open)
      : weights_(&weights), naming_(&naming), open_(open) {}
  uint32_t stride() const { return weights_->stride(); }
  float dense(uint32_t i) const { return weights_->get(kDense, i); }
  Key folded(Key key) const { return fold(key, weights_->bits()); }
  bool perhaps(Key key) const { return weights_->perhaps(key); }
  void prefetch_filter(Key key) const { weights_->prefetch_filter(key); }
  void prefetch(Key key) const { weights_->prefetch(key); }
  Place find(Key key) const {
    const uint32_t id = weights_->find_folded(key);
    if (id != kNone) weights_->prefetch_head(id);
    return id;
  }
  RowView row(Place id) const { return id == kNone ? RowView{} : weights_->row(id); }
  // Features that were cut never get a weight.
  bool learns(Key key) const { return open_ == nullptr || open_->find(key) != kNone; }
  uint32_t intern(Key key) const { return naming_->id(key); }

 private:
  const Weights* weights_;
  Naming* naming_;
  const Table* open_;
};

class FrozenRows {
 public:
  static constexpr bool kFinished = true;
  using Place = const Frozen::Slot*;
  explicit FrozenRows(const Frozen& weights) : weights_(&weights) {}
  uint32_t stride() const { return weights_->stride(); }
  float dense(uint32_t i) const { return weights_->dense()[i]; }
  Key folded(Key key) const { return weights_->folded(key); }
  bool perhaps(Key key) const { return weights_->perhaps(key); }
  void prefetch_filter(Key key) const { weights_->prefetch_filter(key); }
  void prefetch(Key key) const { weights_->prefetch(key); }
  Place find(Key key) const { return &weights_->find(key); }
  RowView row(Place slot) const { return weights_->row(*slot); }

 private:
  const Frozen* weights_;
};

// The weight of a feature whose row has one column.
template <class Rows>
float only_weight(const Rows& rows, Key raw) {
  const Key key = rows.folded(raw);
  if (!rows.perhaps(key)) return 0;
  const RowView row = rows.row(rows.find(key));
  if (row.plain != nullptr) return row.plain[0];
  float sum = 0;
  for (const Cell* c = row.cells; c != row.cells + row.used; ++c) sum += c->weight;
  return sum;
}

// Keys are gathered, then looked up together: all filters, all slots, all rows, so that the memory works on
// many at a time.
template <class Rows>
class Lookups {
 public:
  // A row that is there. Each belongs to someone, and a template tells which columns it weighs: where keys
  // are folded, a row may hold more than that.
  struct Found {
    RowView row;
    uint32_t view, owner;
  };

  explicit Lookups(Rows rows) : rows_(rows) {}

  // Forgets all keys; so many may come.
  void begin(size_t most) {
    if (wanted_.size() < most) wanted_.resize(most);
    size_ = 0;
  }
  void add(Key raw, uint32_t view, uint32_t owner) {
    const Key key = rows_.folded(raw);
    rows_.prefetch_filter(key);
    wanted_[size_++] = {key, view, owner};
  }
  // The rows there are, in the order in which their keys were added; they lie in `room`, which only grows.
  std::span<const Found> resolve(std::vector<Found>& room) {
    size_t n = 0;
    for (size_t i = 0; i < size_; ++i) {
      const Wanted w = wanted_[i];
      wanted_[n] = w;
      n += rows_.perhaps(w.key);  // no branch here: it would go either way
    }
    for (size_t i = 0; i < n; ++i) rows_.prefetch(wanted_[i].key);
    if (places_.size() < n) places_.resize(wanted_.size());
    if (room.size() < n) room.resize(wanted_.size());
    for (size_t i = 0; i < n; ++i) places_[i] = rows_.find(wanted_[i].key);
    size_t there = 0;
    for (size_t i = 0; i < n; ++i) {
      const RowView row = rows_.row(places_[i]);
      __builtin_prefetch(row.plain != nullptr ? static_cast<const void*>(row.plain) : row.cells);
      room[there] = {row, wanted_[i].view, wanted_[i].owner};
      there += row.used != 0;
    }
    return {room.data(), there};
  }

 private:
  struct Wanted {
    Key key;
    uint32_t view, owner;
  };

  Rows rows_;
  std::vector<Wanted> wanted_;
  size_t size_ = 0;
  std::vector<typename Rows::Place> places_;
};

}  // namespace structron
