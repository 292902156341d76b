// Where a transducer's rows of weights are, learned or finished; many are looked for at once.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "naming.hpp"
#include "tasks/transduction/finished_weights.hpp"
#include "weights.hpp"

namespace structron {

// Two faces of one question: where is the row of this key? Place is what find() gives, Row what open() makes
// of it one round later, when the memory has come.
class LivePairs {
 public:
  static constexpr bool kFinished = false;
  using Place = uint32_t;
  using Row = RowView;
  LivePairs(const Weights& weights, Naming& naming, const Table* kept)
      : weights_(&weights), naming_(&naming), kept_(kept) {}
  Key folded(Key key) const { return fold(key, weights_->bits()); }
  bool perhaps(Key key) const { return weights_->perhaps(key); }
  void prefetch_filter(Key key) const { weights_->prefetch_filter(key); }
  void prefetch(Key key) const { weights_->prefetch(key); }
  Place find(Key key) const {
    const uint32_t id = weights_->find_folded(key);
    if (id != kNone) weights_->prefetch_head(id);
    return id;
  }
  // False if the row holds nothing.
  bool open(Place id, Row& row) const {
    row = id == kNone ? RowView{} : weights_->row(id);
    __builtin_prefetch(row.dense ? static_cast<const void*>(row.dense) : row.cells);
    return row.used != 0 || row.dense != nullptr;
  }
  // sums[slot[c]] += weight of c, at least for these columns c.
  static void add(const Row& row, const uint32_t* __restrict slot, std::span<const uint32_t> columns,
                  float* __restrict sums) {
    if (row.dense) {
      for (uint32_t c : columns) sums[slot[c]] += row.dense[c];
    } else {
      for (uint32_t i = 0; i < row.used; ++i) sums[slot[row.cells[i].action]] += row.cells[i].weight;
    }
  }
  // Features of the source that were cut never get a weight.
  bool learns(Key key) const { return kept_ == nullptr || kept_->find(key) != kNone; }
  uint32_t intern(Key key) const { return naming_->id(key); }

 private:
  const Weights* weights_;
  Naming* naming_;
  const Table* kept_;
};

class FrozenPairs {
 public:
  static constexpr bool kFinished = true;
  using Place = const TransductionWeights::Slot*;
  using Row = Place;
  explicit FrozenPairs(const TransductionWeights& weights) : weights_(&weights) {}
  Key folded(Key key) const { return weights_->folded(key); }
  bool perhaps(Key key) const { return weights_->perhaps(key); }
  void prefetch_filter(Key key) const { weights_->prefetch_filter(key); }
  void prefetch(Key key) const { weights_->prefetch(key); }
  Place find(Key key) const { return weights_->find(key); }
  bool open(Place place, Row& row) const {
    row = place;
    if (row) weights_->prefetch_cells(*row);
    return row != nullptr;
  }
  void add(Row row, const uint32_t* __restrict slot, std::span<const uint32_t> columns,
           float* __restrict sums) const {
    weights_->add(*row, slot, columns, sums);
  }

 private:
  const TransductionWeights* weights_;
};

// Questions are gathered, then answered together: all filters, all slots, all rows, so that the memory works
// on many at a time. Each belongs to someone, and a template tells what it weighs: where keys are folded, a
// row may hold more than that.
template <class Rows>
class Questions {
 public:
  struct Answer {
    typename Rows::Row row;
    uint32_t view, owner;
  };

  explicit Questions(Rows rows) : rows_(rows) {}

  // Forgets all questions; so many may come.
  void begin(size_t most) {
    if (asked_.size() < most) asked_.resize(most);
    size_ = 0;
  }
  void ask(Key raw, uint32_t view, uint32_t owner) {
    const Key key = rows_.folded(raw);
    rows_.prefetch_filter(key);
    asked_[size_++] = {key, view, owner};
  }
  // The rows there are, in the order in which they were asked for.
  void answer(std::vector<Answer>& answers) {
    size_t n = 0;
    for (size_t i = 0; i < size_; ++i) {
      const Question q = asked_[i];
      asked_[n] = q;
      n += rows_.perhaps(q.key);  // no branch here: it would go either way
    }
    for (size_t i = 0; i < n; ++i) rows_.prefetch(asked_[i].key);
    places_.resize(n);
    for (size_t i = 0; i < n; ++i) places_[i] = rows_.find(asked_[i].key);
    answers.resize(n);
    size_t found = 0;
    for (size_t i = 0; i < n; ++i) {
      answers[found].view = asked_[i].view;
      answers[found].owner = asked_[i].owner;
      found += rows_.open(places_[i], answers[found].row);
    }
    answers.resize(found);
  }

 private:
  struct Question {
    Key key;
    uint32_t view, owner;
  };

  Rows rows_;
  std::vector<Question> asked_;
  size_t size_ = 0;
  std::vector<typename Rows::Place> places_;
};

}  // namespace structron
