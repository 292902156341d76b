// A search watched from the gold side, class by class: guess and gold over the same part of the input.
//
// Items of one row need not be about the same; those of one class are (Offers::bin_class). Every class of a
// row in which there is gold is a bin. structron/reference/sequence/class_bins.py is the definition.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "search/bins.hpp"
#include "search/items.hpp"
#include "search/search_options.hpp"

namespace structron {

template <class AnySearch>
class WatchedClasses {
 public:
  using Search = AnySearch;
  using Space = typename Search::Space;
  using State = typename Space::State;
  using Derivation = std::vector<Move<State>>;
  static constexpr bool kInOrder = false;

  Search free;
  Bins bins;

  explicit WatchedClasses(SearchOptions options) : free(options), gold_(whole(options), true) {}

  void start(Space& space) {
    const Item<State> root{0.0, space.initial(), kRoot, 0, true};
    free.start(root);
    gold_.start(root);
    gold_alive_ = true;
    bins.clear();
    places_.clear();
    items_.clear();
  }

  // One more row of both, and its bins; false at the end.
  bool advance(Space& space, bool watch) {
    if (!free.advance(space)) return false;
    if (!watch) return true;
    if (gold_alive_) gold_alive_ = gold_.advance(space);
    if (const size_t r = free.rows.size() - 1; r < gold_.rows.size()) add_bins(space, r);
    return true;
  }
  void run(Space& space, bool watch) {
    start(space);
    while (advance(space, watch)) {
    }
  }

  bool is_output(Space&, int bin) const { return bin + 1 == bins.size(); }
  void best(Space& space, int bin, Derivation& found) const {
    free.path(space, items_[places_[bin].first], found);
  }
  void gold(Space&, int bin, Derivation& found) const {
    path_to(gold_.items, gold_.items[places_[bin].gold], found);
  }
  // f(derivation, score) for the k best items of a bin that are not gold, best first.
  template <class F>
  void each_guess(Space& space, int bin, uint32_t k, Derivation& scratch, F&& f) {
    const Place& place = places_[bin];
    for (uint32_t i = place.first; i < std::min(place.last, place.first + k); ++i) {
      const Item<State>& item = free.items[items_[i]];
      if (item.good) continue;
      free.path(space, items_[i], scratch);
      f(scratch, item.score);
    }
  }
  static double distance(const Derivation& gold, const Derivation& guess) {
    const size_t shared = std::min(gold.size(), guess.size());
    size_t differing = std::max(gold.size(), guess.size()) - shared;
    for (size_t i = 0; i < shared; ++i) differing += gold[i].action != guess[i].action;
    return static_cast<double>(differing);
  }

 private:
  struct Place {
    uint32_t first, last;  // its items, best first
    uint32_t gold;
  };
  static SearchOptions whole(SearchOptions options) {
    static_assert(Space::kOffers.exhaustive_gold && Space::kOffers.bin_class);
    options.width = 0;
    options.merge = true;
    return options;
  }

  // Classes come in the order of their first gold items.
  void add_bins(Space& space, size_t r) {
    const auto row = gold_.rows[r];
    known_.clear();
    for (uint32_t g = row.begin; g < row.end; ++g) {
      const uint64_t name = space.bin_class(gold_.items[g].state);
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      known_.push_back(name);
      uint32_t best = g;
      for (uint32_t other = g + 1; other < row.end; ++other)
        if (space.bin_class(gold_.items[other].state) == name &&
            gold_.items[other].score > gold_.items[best].score)
          best = other;
      add_bin(space, r, name, best);
    }
  }
  void add_bin(Space& space, size_t r, uint64_t name, uint32_t gold) {
    const uint32_t first = static_cast<uint32_t>(items_.size());
    bool in = false;
    for (uint32_t i = free.rows[r].begin; i < free.rows[r].end; ++i) {
      if (space.bin_class(free.items[i].state) != name) continue;
      items_.push_back(i);
      in |= free.items[i].good;
    }
    std::stable_sort(items_.begin() + first, items_.end(),
                     [&](uint32_t a, uint32_t b) { return free.items[a].score > free.items[b].score; });
    places_.push_back({first, static_cast<uint32_t>(items_.size()), gold});
    const bool any = first < items_.size();
    bins.add_apart(any ? free.items[items_[first]].score : NAN, gold_.items[gold].score, in,
                   any && free.items[items_[first]].good);
  }

  Search gold_;
  bool gold_alive_ = true;
  std::vector<Place> places_;    // by bin
  std::vector<uint32_t> items_;  // of all bins
  std::vector<uint64_t> known_;
};

}  // namespace structron
