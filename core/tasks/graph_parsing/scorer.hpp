// Scores of the parts of a dependency tree.
//
// Arcs are scored for all relations at once, before the search; siblings and grandchildren when they come up,
// and kept while the sentence and the weights stay the same.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/graph_parsing/keys.hpp"
#include "tasks/parsing/oracle.hpp"
#include "util/interrupt.hpp"
#include "weights/key_table.hpp"
#include "weights/rows.hpp"

namespace structron {

// An arc that there may be.
struct PossibleArc {
  uint16_t head, modifier;
};

template <class Rows>
class GraphScorer {
 public:
  GraphScorer(const GraphProgram& program, Rows rows, uint32_t labels)
      : keys_of_(program), rows_(rows), lookups_(rows), labels_(labels) {}

  const GraphProgram& program() const { return keys_of_.program(); }
  uint32_t labels() const { return labels_; }

  // The arcs that will be asked for; none stands for all.
  void sentence(ParseWords words, uint32_t length, std::span<const PossibleArc> arcs = {}) {
    keys_of_.sentence(words, length);
    length_ = length;
    forget();
    possible_.clear();
    places_.assign(static_cast<size_t>(length + 1) * (length + 1), kNone);
    for (const PossibleArc& arc : arcs) allow(arc.head, arc.modifier);
    if (!arcs.empty()) return;
    for (uint32_t h = 0; h <= length; ++h)
      for (uint32_t m = 1; m <= length; ++m)
        if (m != h) allow(h, m);
  }
  // Add the arcs from the root and from the words next to each word. They always make a projective tree, and
  // there are at most three for each word, so that a sentence takes no longer than its length explains.
  void allow_neighbours() {
    forget();
    for (uint32_t m = 1; m <= length_; ++m) {
      allow(0, m);
      if (m > 1) allow(m - 1, m);
      if (m < length_) allow(m + 1, m);
    }
  }
  // Add all arcs that agree with what is given of a tree.
  void allow_agreeing(const GoldTree& given) {
    forget();
    for (uint32_t h = 0; h <= length_; ++h)
      for (uint32_t m = 1; m <= length_; ++m)
        if (m != h && (given.head[m] == kUnknown || given.head[m] == h)) allow(h, m);
  }
  // Whatever was summed is no longer so.
  void forget() {
    is_scored_ = false;
    forget_sums();
  }
  std::span<const PossibleArc> possible() const { return possible_; }
  // Where an arc stands among them.
  uint32_t place(uint32_t head, uint32_t modifier) const {
    return places_[static_cast<size_t>(head) * (length_ + 1) + modifier];
  }

  // The scores of an arc by relation.
  const float* arc(uint32_t head, uint32_t modifier) {
    if (!is_scored_) score_arcs();
    return &arcs_[place(head, modifier) * width()];
  }
  // The score of a sibling or grandchild. What is not known yet is looked up together.
  float other(PartKind kind, const GraphPart& part) {
    const uint32_t first = static_cast<uint32_t>(kind) << 8;
    const Key whole = name(part, kEverything, first);
    if (const Kept& kept = kept_.at(whole, time_); !kept.empty(time_)) return kept.sum;
    float sum = 0;
    keys_.clear();
    ends_.clear();
    names_.clear();
    uint32_t number = first;
    for (const GraphProgram::Group& group : program().groups(kind)) {
      const Key its = name(part, group.places, ++number);
      if (const Kept& kept = kept_.at(its, time_); !kept.empty(time_)) {
        sum += kept.sum;
        continue;
      }
      keys_of_.group(group, part, keys_);
      ends_.push_back(keys_.size());
      names_.push_back(its);
    }
    sums_.assign(ends_.size(), 0.0f);
    for (const auto& found : found_rows()) sums_[found.owner] += weight(found.row, labels_);
    for (size_t i = 0; i < sums_.size(); ++i) {
      keep(names_[i], sums_[i]);
      sum += sums_[i];
    }
    keep(whole, sum);
    return sum;
  }

  // f(id) for every feature of an arc, or of another part, that can be learned.
  template <class F>
  void each_of_arc(uint32_t head, uint32_t modifier, F&& f) {
    keys_.clear();
    keys_of_.arc(head, modifier, keys_);
    learn(f);
  }
  template <class F>
  void each_of_other(PartKind kind, const GraphPart& part, F&& f) {
    keys_.clear();
    keys_of_.other(kind, part, keys_);
    learn(f);
  }

 private:
  static constexpr size_t kKept = 1 << 10;
  // With all arcs of 500 words there are hundreds of millions of parts. Beyond so many sums (128 MB) all are
  // forgotten and made again.
  static constexpr size_t kMost = 1 << 22;
  // Empty if it was filled for an earlier sentence, or with other weights.
  struct Kept {
    Key key = 0;
    uint32_t time = 0;
    float sum = 0;
    bool empty(uint32_t now) const { return time != now; }
  };

  size_t width() const { return labels_ + 1; }
  void allow(uint32_t head, uint32_t modifier) {
    uint32_t& place = places_[static_cast<size_t>(head) * (length_ + 1) + modifier];
    if (place != kNone) return;
    place = static_cast<uint32_t>(possible_.size());
    possible_.push_back({static_cast<uint16_t>(head), static_cast<uint16_t>(modifier)});
  }

  template <class F>
  void learn(F&& f) {
    for (Key key : keys_) {
      const Key folded = rows_.folded(key);
      if (rows_.learns(folded)) f(rows_.intern(folded));
    }
  }

  // A part as far as some templates see it.
  static Key name(const GraphPart& part, uint32_t places, uint32_t number) {
    const auto seen = [&](PartPlace place, uint32_t value) {
      return places & bit_of(place) ? Key{value} : 0;
    };
    const Key words =
        Key{part.head} | Key{part.modifier} << 16 | seen(PartPlace::sibling, part.sibling) << 32 |
        seen(PartPlace::child, part.child) << 32 | seen(PartPlace::second_sibling, part.second_sibling) << 48;
    const Key numbers = seen(PartPlace::modifier_relation, part.modifier_relation) |
                        seen(PartPlace::sibling_relation, part.sibling_relation) << 16 |
                        seen(PartPlace::child_relation, part.child_relation) << 16 |
                        seen(PartPlace::head_count, part.head_count) << 32 |
                        seen(PartPlace::modifier_count, part.modifier_count) << 32 |
                        seen(PartPlace::side, part.side) << 40;
    return combine(combine(number * Key{0x9E3779B97F4A7C15}, words), numbers);
  }
  void forget_sums() {
    // A long sentence leaves a table behind in which the next ones would be scattered.
    const bool is_wide = kept_.room() > kKept && size_ * 8 < kept_.room();
    if (++time_ == 0 || is_wide) {
      kept_.reset(is_wide ? kept_.room() / 4 : kept_.room());
      time_ = 1;
    }
    size_ = 0;
  }
  void keep(Key name, float sum) {
    if (size_ == kMost) forget_sums();
    kept_.at(name, time_) = {name, time_, sum};
    if (++size_ * 2 > kept_.room()) kept_.grow(time_);
  }
  // The rows of keys_, each with the number of those among ends_ that it belongs to.
  std::span<const typename Lookups<Rows>::Found> found_rows() {
    lookups_.begin(keys_.size());
    for (size_t i = 0, k = 0; i < ends_.size(); ++i)
      for (; k < ends_[i]; ++k) lookups_.add(keys_[k], 0, static_cast<uint32_t>(i));
    return lookups_.resolve(found_);
  }
  static float weight(const RowView& row, uint32_t column) {
    if (row.plain != nullptr)
      return column >= row.first && column - row.first < row.used ? row.plain[column - row.first] : 0;
    for (uint32_t c = 0; c < row.used; ++c)
      if (row.cells[c].column == column) return row.cells[c].weight;
    return 0;
  }

  // Some hundred features are looked up together.
  void score_arcs() {
    arcs_.assign(possible_.size() * width(), 0.0f);
    for (size_t from = 0, to; from < possible_.size(); from = to) {
      hear();
      keys_.clear();
      ends_.clear();
      for (to = from; to < possible_.size() && keys_.size() < kTogether; ++to) {
        keys_of_.arc(possible_[to].head, possible_[to].modifier, keys_);
        ends_.push_back(keys_.size());
      }
      float* first = &arcs_[from * width()];
      for (const auto& found : found_rows()) add(found.row, first + found.owner * width());
    }
    is_scored_ = true;
  }
  void add(const RowView& row, float* __restrict sums) const {
    if (row.plain != nullptr) {
      const uint32_t end = std::min(row.used, labels_ + 1 - row.first);
      for (uint32_t c = 0; c < end; ++c) sums[row.first + c] += row.plain[c];
    } else {
      for (uint32_t c = 0; c < row.used; ++c) sums[row.cells[c].column] += row.cells[c].weight;
    }
  }

  static constexpr size_t kTogether = 512;
  static constexpr uint32_t kEverything = ~0u;

  GraphKeys keys_of_;
  Rows rows_;
  Lookups<Rows> lookups_;
  std::vector<typename Lookups<Rows>::Found> found_;
  uint32_t labels_, length_ = 0;
  std::vector<PossibleArc> possible_;
  std::vector<uint32_t> places_;  // [head][modifier] among the possible arcs
  bool is_scored_ = false;
  std::vector<float> arcs_;  // [possible arc][relation]
  KeyTable<Kept> kept_{kKept};
  uint32_t time_ = 0;
  size_t size_ = 0;
  std::vector<Key> keys_;
  std::vector<size_t> ends_;  // of the keys of each arc or group
  std::vector<Key> names_;
  std::vector<float> sums_;
};

}  // namespace structron
