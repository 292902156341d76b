// Scores of all actions of a parser state, in one pass over its feature rows.
//
// All keys first, then their slots, then their rows: each is on its way from memory while the others are
// asked for. In a beam most states share what they look at, so each group's sum is kept and used again while
// the sentence and the weights stay the same.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "frozen.hpp"
#include "naming.hpp"
#include "tasks/parsing/keys.hpp"
#include "vectors.hpp"
#include "weights.hpp"

namespace structron {

// Rows of weights that are being learned.
class LiveRows {
 public:
  using Handle = uint32_t;
  // Where only some features may be learned, `open` holds their keys.
  LiveRows(const Weights& weights, Naming& naming, const Table* open)
      : weights_(weights), naming_(naming), open_(open) {}
  uint32_t stride() const { return weights_.stride(); }
  Key folded(Key key) const { return fold(key, weights_.bits()); }
  void prefetch_filter(Key key) const { weights_.prefetch_filter(key); }
  bool perhaps(Key key) const { return weights_.perhaps(key); }
  void prefetch(Key key) const { weights_.prefetch(key); }
  uint32_t intern(Key key) { return open_ != nullptr && open_->find(key) == kNone ? kNone : naming_.id(key); }
  bool find(Key key, Handle& id) const {
    id = weights_.find_folded(key);
    if (id == kNone) return false;
    weights_.prefetch_head(id);
    return true;
  }
  void prefetch_row(Handle id) const { weights_.prefetch_row(id); }
  RowView row(Handle id) const { return weights_.row(id); }

 private:
  const Weights& weights_;
  Naming& naming_;
  const Table* open_;
};

// Rows of a finished model.
class FrozenRows {
 public:
  using Handle = RowView;
  explicit FrozenRows(const Frozen& weights) : weights_(weights) {}
  uint32_t stride() const { return weights_.stride(); }
  Key folded(Key key) const { return weights_.folded(key); }
  void prefetch_filter(Key key) const { weights_.prefetch_filter(key); }
  bool perhaps(Key key) const { return weights_.perhaps(key); }
  void prefetch(Key key) const { weights_.prefetch(key); }
  bool find(Key key, Handle& row) const {
    row = weights_.view(key);
    if (row.dense != nullptr) {
      for (uint32_t a = 0; a < stride(); a += 16) __builtin_prefetch(row.dense + a);
      return true;
    }
    __builtin_prefetch(row.cells);
    return row.used != 0;
  }
  void prefetch_row(const Handle&) const {}
  const RowView& row(const Handle& row) const { return row; }

 private:
  const Frozen& weights_;
};

template <class Rows>
class ParseScorer {
 public:
  ParseScorer(const ParseProgram& program, Rows rows, bool keep_sums)
      : program_(program), state_keys_(program), rows_(rows), keep_sums_(keep_sums), scores_(rows.stride()) {
    keys_.reserve(program.templates().size());
    found_.reserve(program.templates().size());
    if (keep_sums) {
      kept_.assign(kKept, 0);
      claimed_.assign(kKept, 0);
      // Groups whose place another one of the same state has taken go behind: scores are always sums of
      // groups in their order, so that what was kept before does not change how they are rounded.
      sums_.resize((static_cast<size_t>(kKept) + program.groups().size()) * rows.stride());
    }
  }

  uint32_t stride() const { return rows_.stride(); }
  const ParseProgram& program() const { return program_; }

  void sentence(ParseWords words) {
    state_keys_.sentence(words);
    ++epoch_;
  }
  void weights_changed() { ++epoch_; }

  float* scores(const Transitions& system, const ParseState& s) {
    state_keys_.look(system, s);
    std::fill(scores_.begin(), scores_.end(), 0.0f);
    pending_.clear();
    parts_.clear();
    if (keep_sums_) {
      use_kept();
    } else {
      pending_.push_back({0, static_cast<uint32_t>(program_.templates().size()), scores_.data()});
    }
    if (!pending_.empty()) sum_pending();
    if (!parts_.empty()) add_all(parts_, scores_.data(), stride());
    return scores_.data();
  }

  // f(id) for every feature of the state; those that are new get an id.
  template <class F>
  void each_feature(const Transitions& system, const ParseState& s, F&& f) {
    state_keys_.each(system, s, [&](Key key) {
      const uint32_t id = rows_.intern(rows_.folded(key));
      if (id != kNone) f(id);
    });
  }

 private:
  static constexpr uint32_t kKept = 1024;

  struct Pending {
    uint32_t begin, end;  // templates
    float* to;
  };

  // Adds the sums that are at hand, and makes a list of the rest.
  void use_kept() {
    ++state_;
    uint32_t behind = kKept;
    const Key now = epoch_ * 0x9E3779B97F4A7C15ull;
    for (const auto& g : program_.groups()) {
      Key key = g.base + now;
      Key multiplier = 0xD6E8FEB86659FD93ull;
      for (uint8_t p : g.places) {
        key += (state_keys_.spot(p).token + Key{1}) * multiplier;
        multiplier = multiplier * 0x9E3779B97F4A7C15ull + 2;
      }
      for (uint16_t a : g.changing) key += state_keys_.added(a);
      const uint32_t slot = static_cast<uint32_t>(key >> 54);
      float* sum = &sums_[static_cast<size_t>(slot) * stride()];
      if (kept_[slot] == key) {
        claimed_[slot] = state_;
        parts_.push_back(sum);
      } else {
        if (claimed_[slot] == state_) {
          sum = &sums_[static_cast<size_t>(behind++) * stride()];
        } else {
          kept_[slot] = key;
          claimed_[slot] = state_;
        }
        std::fill_n(sum, stride(), 0.0f);
        pending_.push_back({g.begin, g.end, sum});
        parts_.push_back(sum);
      }
    }
  }

  void sum_pending() {
    state_keys_.read_words();
    found_.clear();
    keys_.clear();
    for (uint32_t p = 0; p < pending_.size(); ++p) {
      for (uint32_t t = pending_[p].begin; t < pending_[p].end; ++t) {
        const Key key = rows_.folded(state_keys_.key(program_.templates()[t]));
        rows_.prefetch_filter(key);
        keys_.push_back({key, pending_[p].to});
      }
    }
    size_t likely = 0;
    for (const Wanted& w : keys_) {
      if (!rows_.perhaps(w.key)) continue;
      rows_.prefetch(w.key);
      keys_[likely++] = w;
    }
    for (size_t i = 0; i < likely; ++i) {
      typename Rows::Handle handle;
      if (rows_.find(keys_[i].key, handle)) found_.push_back({handle, keys_[i].to});
    }
    for (const auto& [handle, to] : found_) rows_.prefetch_row(handle);
    for (size_t i = 0; i < found_.size();) i = add_rows(i);
  }

  // Adds the rows from the i-th on that go to the same place, the dense ones first and all at once; where
  // those for the next place begin.
  size_t add_rows(size_t i) {
    float* to = found_[i].to;
    dense_.clear();
    cells_.clear();
    for (; i < found_.size() && found_[i].to == to; ++i) {
      const RowView& row = rows_.row(found_[i].handle);
      if (row.dense != nullptr) {
        dense_.push_back(row.dense);
      } else {
        cells_.push_back(row);
      }
    }
    if (!dense_.empty()) add_all(dense_, to, stride());
    for (const RowView& row : cells_)
      for (const Cell* c = row.cells; c != row.cells + row.used; ++c) to[c->action] += c->weight;
    return i;
  }

  struct Wanted {
    Key key;
    float* to;
  };
  struct Found {
    typename Rows::Handle handle;
    float* to;
  };

  const ParseProgram& program_;
  StateKeys state_keys_;
  Rows rows_;
  bool keep_sums_;
  std::vector<float> scores_, sums_;
  std::vector<Key> kept_;
  std::vector<uint64_t> claimed_;
  uint64_t epoch_ = 1, state_ = 0;
  std::vector<Wanted> keys_;
  std::vector<Found> found_;
  std::vector<Pending> pending_;
  std::vector<const float*> parts_, dense_;
  std::vector<RowView> cells_;
};

}  // namespace structron
