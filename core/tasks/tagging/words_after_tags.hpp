// Templates on one word and t[-1], such as `t[-1] lower[0]`, with a finished model: for each word of one
// column that was met, after which tags they say something, and what. As much as this is found out once for a
// word, nothing needs to be looked up while tags are sought.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/lexicon.hpp"
#include "weights/frozen.hpp"
#include "weights/pages.hpp"

namespace structron {

class WordsAfterTags {
 public:
  static constexpr uint32_t kMost = Frozen::kNear - 2;  // labels, and BOS

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
        head_(((weights.columns() + 1) * sizeof(Range) + sizeof(Cell) - 1) / sizeof(Cell)),
        cells_(head_) {}

  // The number of one more template; all are told before the first word.
  uint32_t add(const Template& t) {
    cells_.reserve(kUsual);
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
  // Many at once: the memory answers many questions in the time of one, those for rows and those for cells.
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
      rows_.clear();
      for (size_t w = from; w < to; ++w) find_rows(waiting_[w]);
      const TagRow* next = rows_.data();
      for (size_t w = from; w < to; ++w) places_.push_back(put(next));
    }
    waiting_.clear();
  }

  // What the template of this number says of a word, and of what lies beyond a sentence.
  Place of(uint32_t word, uint32_t number) const {
    return places_[boundary_ + size_t{word} * templates_.size() + number];
  }
  Place of_boundary(uint32_t number) const { return places_[number]; }
  void add_cells(Place place, uint32_t tag, float* scores) const {
    Range range;
    std::memcpy(&range, reinterpret_cast<const char*>(cells_.data() + place) + tag * sizeof range,
                sizeof range);
    const Cell* cells = cells_.data() + place;
    for (const Cell *c = cells + range.begin, *end = cells + range.end; c != end; c += 2) {
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
  static constexpr size_t kUsual = size_t{1}
                                   << 19;  // cells of the words of a usual text: room that need not grow

  struct Range {
    uint16_t begin, end;  // cells, counted from the place
  };

  void wait_for(Key key) { waiting_.push_back(key == 0 ? 0 : weights_.near(key)); }

  // The rows of a key with tags, which lie near each other; the last one of a key has no tag.
  struct TagRow {
    uint32_t tag;
    RowView row;
  };
  void find_rows(Key key) {
    if (key != 0)
      weights_.each_near(key, [&](uint32_t value, const RowView& row) {
        if (value == 0 || value > weights_.columns() + 1) return;  // no tag: another's key, by chance
        __builtin_prefetch(row.cells);
        rows_.push_back({value - 1, row});
      });
    rows_.push_back({kNone, {}});
  }
  // The place of the next of these keys.
  Place put(const TagRow*& next) {
    if (next->tag == kNone) return ++next, 0;
    const size_t place = cells_.size();
    size_t end = place + head_;
    for (const TagRow* r = next; r->tag != kNone; ++r) end += (r->row.used + 1) / 2 * 2;
    cells_.resize(end);
    size_t begin = head_;
    for (; next->tag != kNone; ++next) {
      std::copy_n(next->row.cells, next->row.used, &cells_[place + begin]);
      const size_t past = begin + (next->row.used + 1) / 2 * 2;
      const Range range{static_cast<uint16_t>(begin), static_cast<uint16_t>(past)};
      std::memcpy(reinterpret_cast<char*>(&cells_[place]) + next->tag * sizeof range, &range, sizeof range);
      begin = past;
    }
    ++next;
    return static_cast<Place>(place);
  }

  const Frozen& weights_;
  size_t head_;  // of a place: as many cells have room for its beginnings
  std::vector<const Template*> templates_;
  uint32_t boundary_ = 0;      // places of what lies beyond a sentence; those of words follow
  std::vector<Key> waiting_;   // of words that are not looked up yet, without tags; 0 where there is nothing
  std::vector<Place> places_;  // [template] beyond a sentence, then [word][template]
  // At a place: a range for each tag, then the cells, of each tag an even number. Where there is nothing to
  // say the place is the first, whose ranges are empty.
  std::vector<Cell, Paged<Cell>> cells_;
  std::vector<TagRow> rows_;  // scratch
};

}  // namespace structron
