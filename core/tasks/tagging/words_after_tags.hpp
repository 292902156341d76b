// Templates on one word and t[-1], such as `t[-1] lower[0]`, with a finished model: for each word of one
// column that was met, after which tags they say something, and what. As much as this is found out once for a
// word, nothing needs to be looked up while tags are sought.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "frozen.hpp"
#include "words/lexicon.hpp"

namespace structron {

class WordsAfterTags {
 public:
  static constexpr uint32_t kMost = Frozen::kNear - 2;  // labels: a bit each, and one for BOS

  using Place = uint32_t;  // of what one template says of one word

  // Whether a template is of this kind.
  static bool reads(const Template& t, const Frozen& weights) {
    if (!weights.together() || weights.columns() > kMost || t.tags != 1 || t.atoms.empty()) return false;
    for (const Atom& a : t.atoms)
      if (a.column != t.atoms[0].column || a.offset != t.atoms[0].offset) return false;
    return true;
  }

  explicit WordsAfterTags(const Frozen& weights)
      : weights_(weights),
        head_(((weights.columns() + 2) * sizeof(uint16_t) + sizeof(Cell) - 1) / sizeof(Cell)),
        cells_(head_) {}

  // The number of one more template; all are told before the first word.
  uint32_t add(const Template& t) {
    templates_.push_back(&t);
    wait_for(boundary_key(t));
    look_up();
    boundary_ = static_cast<uint32_t>(templates_.size());
    return boundary_ - 1;
  }

  // Words are numbered as they come, and are looked up together.
  void add(const Word& word) {
    for (const Template* t : templates_) wait_for(unary_key(*t, word));
  }
  void look_up() {
    if (waiting_.empty()) return;
    for (Key key : waiting_)
      if (key != 0) weights_.prefetch_filter(key);
    for (size_t from = 0; from < waiting_.size(); from += kTogether) {
      const size_t to = std::min(waiting_.size(), from + kTogether);
      for (size_t w = from; w < to; ++w) {
        if (waiting_[w] != 0 && !weights_.perhaps(waiting_[w])) waiting_[w] = 0;
        if (waiting_[w] != 0) weights_.prefetch_near(waiting_[w]);
      }
      for (size_t w = from; w < to; ++w) places_.push_back(found(waiting_[w]));
    }
    waiting_.clear();
  }

  // What the template of this number says of a word, and of what lies beyond a sentence.
  Place of(uint32_t word, uint32_t number) const {
    return places_[boundary_ + size_t{word} * templates_.size() + number];
  }
  Place of_boundary(uint32_t number) const { return places_[number]; }
  void add_cells(Place place, uint32_t tag, float* scores) const {
    uint16_t begins[2];
    std::memcpy(begins, reinterpret_cast<const char*>(cells_.data() + place) + 2 * tag, sizeof begins);
    const Cell* cells = cells_.data() + place + head_;
    for (const Cell *c = cells + begins[0], *end = cells + begins[1]; c != end; c += 2) {
      scores[c[0].column] += c[0].weight;
      scores[c[1].column] += c[1].weight;
    }
  }
  void prefetch(uint32_t word) const {
    if (!templates_.empty()) __builtin_prefetch(&places_[boundary_ + size_t{word} * templates_.size()]);
  }
  void prefetch_cells(Place place) const {
    const char* at = reinterpret_cast<const char*>(cells_.data() + place);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
    __builtin_prefetch(at + 128);
  }

  size_t bytes() const { return places_.size() * sizeof(Place) + cells_.size() * sizeof(Cell); }
  // All words are forgotten.
  void clear() {
    places_.clear();
    cells_.assign(head_, {});
    waiting_.clear();
    for (const Template* t : templates_) wait_for(boundary_key(*t));
    look_up();
  }

 private:
  static constexpr size_t kTogether = 64;

  void wait_for(Key key) { waiting_.push_back(key == 0 ? 0 : weights_.near(key)); }

  // The place of a key, which lies near those that it makes with tags.
  Place found(Key key) {
    if (key == 0) return 0;
    uint64_t tags = 0;
    weights_.each_near(key, [&](uint32_t value, const RowView& row) {
      if (value == 0 || value > weights_.columns() + 1) return;  // no tag: another's key, by chance
      tags |= uint64_t{1} << (value - 1);
      rows_[value - 1] = row;
    });
    if (tags == 0) return 0;
    const size_t place = cells_.size();
    uint16_t cells = 0;
    for (uint32_t t = 0; t <= weights_.columns(); ++t) {
      begins_[t] = cells;
      if (tags >> t & 1) cells += static_cast<uint16_t>((rows_[t].used + 1) / 2 * 2);
    }
    begins_[weights_.columns() + 1] = cells;
    cells_.resize(place + head_ + cells);
    std::memcpy(cells_.data() + place, begins_.data(), (weights_.columns() + 2) * sizeof(uint16_t));
    for (; tags != 0; tags &= tags - 1) {
      const int t = std::countr_zero(tags);
      Cell* to = cells_.data() + place + head_ + begins_[t];
      for (uint32_t c = 0; c < rows_[t].used; ++c) to[c] = rows_[t].cells[c];
    }
    return static_cast<Place>(place);
  }

  const Frozen& weights_;
  size_t head_;  // of a place: as many cells have room for its beginnings
  std::vector<const Template*> templates_;
  uint32_t boundary_ = 0;     // places of what lies beyond a sentence; those of words follow
  std::vector<Key> waiting_;  // of words that are not looked up yet, without tags; 0 where there is nothing
  std::array<RowView, Frozen::kNear> rows_;  // by tag
  std::array<uint16_t, Frozen::kNear + 1> begins_;
  std::vector<Place> places_;  // [template] beyond a sentence, then [word][template]
  // At a place: where the cells of each tag begin, and the last one's end; then the cells, of each tag an
  // even number. Where there is nothing to say, the place is the first.
  std::vector<Cell> cells_;
};

}  // namespace structron
