// Scores of the parts of a dependency tree.
//
// Arcs are scored for all relations at once, before the search; siblings and grandchildren when they come up,
// and kept while the sentence and the weights stay the same.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hash.hpp"
#include "rows.hpp"
#include "tasks/graph_parsing/program.hpp"
#include "tasks/parsing/keys.hpp"

namespace structron {

// Words that a part has; 0 is the root.
struct PartWords {
  uint32_t head, modifier, other = 0;  // other: the sibling or the grandchild
};

inline uint32_t distance_bucket(uint32_t distance) {
  return distance <= 5 ? distance : distance <= 10 ? 6 : 7;
}

template <class Rows>
class GraphScorer {
 public:
  GraphScorer(const GraphProgram& program, Rows rows, uint32_t labels)
      : program_(program), rows_(rows), lookups_(rows), labels_(labels), root_(hash_bytes("<root>")) {}

  const GraphProgram& program() const { return program_; }
  uint32_t labels() const { return labels_; }

  void sentence(ParseWords words, uint32_t length) {
    words_ = words;
    length_ = length;
    forget();
  }
  // Whatever was summed is no longer so.
  void forget() {
    arcs_.clear();
    others_.clear();
  }

  // The scores of an arc by relation; the last is of parts without one.
  const float* arc(uint32_t head, uint32_t modifier) {
    if (arcs_.empty()) score_arcs();
    return &arcs_[(static_cast<size_t>(head) * (length_ + 1) + modifier) * (labels_ + 1)];
  }
  // The score of a sibling or grandchild part.
  float other(PartKind kind, const PartWords& words) {
    const Key name =
        combine(combine(combine(static_cast<Key>(kind) + 1, words.head), words.modifier), words.other);
    const auto [at, is_new] = others_.try_emplace(name, 0.0f);
    if (!is_new) return at->second;
    keys_.clear();
    each_key(kind, words, [&](Key key) { keys_.push_back(key); });
    sums_.assign(labels_ + 1, 0.0f);
    add_rows(sums_.data());
    return at->second = sums_[labels_];
  }

  // f(id) for every feature of a part that can be learned.
  template <class F>
  void each_feature(PartKind kind, const PartWords& words, F&& f) {
    each_key(kind, words, [&](Key key) {
      const Key folded = rows_.folded(key);
      if (rows_.learns(folded)) f(rows_.intern(folded));
    });
  }
  template <class F>
  void each_key(PartKind kind, const PartWords& words, F&& f) const {
    for (const GraphProgram::Template& t : program_.templates(kind)) {
      Key key = t.base;
      const GraphProgram::Atom* between = nullptr;
      for (const GraphProgram::Atom& a : t.atoms) {
        if (a.place == PartPlace::between) {
          between = &a;
        } else {
          key += value(a, words) * a.multiplier;
        }
      }
      if (between == nullptr) {
        f(key);
        continue;
      }
      const uint32_t from = std::min(words.head, words.modifier), to = std::max(words.head, words.modifier);
      for (uint32_t w = from + 1; w < to; ++w) f(key + word(w, between->slot) * between->multiplier);
    }
  }

 private:
  Key word(int64_t w, uint16_t slot) const {
    if (w == 0) return root_;
    if (w < 0 || w > length_) return kBoundary;
    return words_.values[static_cast<size_t>(w) * words_.slots + slot];
  }
  Key value(const GraphProgram::Atom& a, const PartWords& words) const {
    const Key side = words.head < words.modifier ? 1 : 2;
    switch (a.place) {
      case PartPlace::head:
        return word(static_cast<int64_t>(words.head) + a.offset, a.slot);
      case PartPlace::modifier:
        return word(static_cast<int64_t>(words.modifier) + a.offset, a.slot);
      case PartPlace::direction:
        return side;
      case PartPlace::distance:
        return side + 4 * Key{distance_bucket(std::max(words.head, words.modifier) -
                                              std::min(words.head, words.modifier))};
      default:
        return word(static_cast<int64_t>(words.other) + a.offset, a.slot);
    }
  }

  // All arcs from one head are looked up together.
  void score_arcs() {
    const size_t width = labels_ + 1;
    arcs_.assign((length_ + 1) * (length_ + 1) * width, 0.0f);
    for (uint32_t h = 0; h <= length_; ++h) {
      keys_.clear();
      ends_.assign(1, 0);
      for (uint32_t m = 0; m <= length_; ++m) {
        if (m != h && m != 0) each_key(PartKind::arc, {h, m}, [&](Key key) { keys_.push_back(key); });
        ends_.push_back(keys_.size());
      }
      lookups_.begin(keys_.size());
      for (uint32_t m = 0; m <= length_; ++m)
        for (size_t k = ends_[m]; k < ends_[m + 1]; ++k) lookups_.add(keys_[k], 0, m);
      float* from_head = &arcs_[h * (length_ + 1) * width];
      for (const auto& found : lookups_.resolve(found_)) add(found.row, from_head + found.owner * width);
    }
  }
  // Adds the rows of keys_.
  void add_rows(float* sums) {
    lookups_.begin(keys_.size());
    for (Key key : keys_) lookups_.add(key, 0, 0);
    for (const auto& found : lookups_.resolve(found_)) add(found.row, sums);
  }
  void add(const RowView& row, float* __restrict sums) const {
    if (row.plain != nullptr) {
      const uint32_t end = std::min(row.used, labels_ + 1 - row.first);
      for (uint32_t c = 0; c < end; ++c) sums[row.first + c] += row.plain[c];
    } else {
      for (uint32_t c = 0; c < row.used; ++c) sums[row.cells[c].column] += row.cells[c].weight;
    }
  }

  const GraphProgram& program_;
  Rows rows_;
  Lookups<Rows> lookups_;
  std::vector<typename Lookups<Rows>::Found> found_;
  uint32_t labels_;
  Key root_;
  ParseWords words_{};
  uint32_t length_ = 0;
  std::vector<float> arcs_, sums_;
  std::unordered_map<Key, float> others_;
  std::vector<Key> keys_;
  std::vector<size_t> ends_;  // of the keys of each modifier
};

}  // namespace structron
