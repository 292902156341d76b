// A search over sequences watched from the gold side, bin by bin; gold is the same search, restricted.
//
// This is what training asks of a member of the family of searches (WatchedSearch below): its bins, and the
// derivations of the best gold item and of the best guesses of a bin. Beam and DP beam both come this way.
#pragma once
#include <cmath>
#include <concepts>
#include <memory>
#include <vector>

#include "search/bins.hpp"
#include "search/items.hpp"
#include "search/search_options.hpp"

namespace structron {

// Search gives: Space; start(root); advance(space), or with a GoldStep to be filled in; rows, best(row),
// best_index(row), best_indices(row, k, found), empty(row), has_good(); path(space, item, moves);
// restart(space, gold items, last).
template <class AnySearch>
class Watched {
 public:
  using Search = AnySearch;
  using Space = typename Search::Space;
  using State = typename Space::State;
  using Derivation = std::vector<Move<State>>;
  static constexpr bool kInOrder = true;  // every bin comes after all bins before it

  Search free;
  Bins bins;

  explicit Watched(SearchOptions options)
      : free(options), options_(options), gold_(gold_options(options), true) {}

  void start(Space& space) {
    const Item<State> root{0.0, space.initial(), kRoot, 0, true};
    free.start(root);
    bins.clear();
    if constexpr (Space::kOffers.single_gold) {
      single_.assign(1, root);
    } else {
      gold_.start(root);
      gold_alive_ = true;
    }
  }

  // One more bin of both; false at the end. With watch == false only the free search moves.
  bool advance(Space& space, bool watch) {
    if (!watch) return free.advance(space);
    if constexpr (Space::kOffers.single_gold) {
      // While gold is in the beam its scores are computed there anyway.
      const Item<State> g = single_.back();
      const bool going = !space.is_final(g.state);
      const uint32_t action = going ? space.gold_action(g.state) : 0;
      GoldStep next{action, NAN};
      if (!free.advance(space, &next)) return false;
      double score = next.score;
      if constexpr (!Search::kSumsInOrder)  // then sums may be rounded another way
        if (const auto* good = free.good_item()) score = good->score;
      if (going) {
        if (std::isnan(score)) score = g.score + space.scores(g.state)[action];
        single_.push_back(
            {score, space.advance(g.state, action), static_cast<uint32_t>(single_.size()) - 1, action, true});
      }
      record(score);
    } else {
      const bool any = free.advance(space);
      if (gold_alive_) gold_alive_ = gold_.advance(space);
      if (!any) return false;
      const size_t r = free.rows.size() - 1;
      record(r < gold_.rows.size() && !gold_.empty(r) ? gold_.best(r).score : NAN);
    }
    return true;
  }

  // The whole search, from its start.
  void run(Space& space, bool watch) {
    start(space);
    while (advance(space, watch)) {
    }
  }

  // Whether the best item of a bin is an output, and not the beginning of one.
  bool is_output(Space& space, int bin) const {
    return !free.empty(bin) && space.is_final(free.best(bin).state);
  }

  void best(Space& space, int bin, Derivation& found) const { free.path(space, free.best_index(bin), found); }
  void gold(Space&, int bin, Derivation& found) const {
    if constexpr (Space::kOffers.single_gold) {
      path_to(single_, single_[bin + 1], found);
    } else {
      path_to(gold_.items, gold_.best(bin), found);
    }
  }

  // f(derivation, score) for the k best items of a bin that are not gold, best first. Exact search itself
  // keeps only one path to each state, so it is made again for more than one.
  template <class F>
  void each_guess(Space& space, int bin, uint32_t k, Derivation& scratch, F&& f) {
    const Search& search = options_.width == 0 && k > 1 ? best_of_all(space, bin, k) : free;
    search.best_indices(bin, k, indices_);
    for (uint32_t i : indices_) {
      if (search.items[i].good) continue;
      search.path(space, i, scratch);
      f(scratch, search.items[i].score);
    }
  }

  // In how many places two paths differ; where one is longer, the rest counts.
  static double distance(const Derivation& gold, const Derivation& guess) {
    const size_t shared = std::min(gold.size(), guess.size());
    size_t differing = std::max(gold.size(), guess.size()) - shared;
    for (size_t i = 0; i < shared; ++i) differing += gold[i].action != guess[i].action;
    return static_cast<double>(differing);
  }

  // LaSO: both sides go on from the best gold item of the last bin, and from it alone.
  void restart_from_gold(Space& space) {
    if constexpr (Space::kOffers.single_gold) {
      free.restart(space, single_, single_.back());
    } else {
      const Item<State> g = gold_.best(gold_.rows.size() - 1);
      free.restart(space, gold_.items, g);
      gold_.restart(g);
    }
  }

 private:
  static SearchOptions gold_options(SearchOptions options) {
    if constexpr (Space::kOffers.exhaustive_gold) {
      options.width = 0;
      options.merge = true;
    }
    return options;
  }

  void record(double gold_score) {
    const size_t r = free.rows.size() - 1;
    const bool any = !free.empty(r);
    bins.add(any ? free.best(r).score : NAN, gold_score, free.has_good(), any && free.best(r).good);
  }

  const Search& best_of_all(Space& space, int bin, uint32_t k) {
    if (!kbest_ || kbest_->options().per_class != k) {
      SearchOptions options = options_;
      options.per_class = k;
      kbest_ = std::make_unique<Search>(options);
    }
    kbest_->start({0.0, space.initial(), kRoot, 0, true});
    while (static_cast<int>(kbest_->rows.size()) <= bin && kbest_->advance(space)) {
    }
    return *kbest_;
  }

  SearchOptions options_;
  Search gold_;
  std::vector<Item<State>> single_;
  bool gold_alive_ = true;
  std::unique_ptr<Search> kbest_;
  std::vector<uint32_t> indices_;
};

// What training asks of a search.
template <class W>
concept WatchedSearch = requires(W& w, typename W::Space& space, typename W::Derivation& derivation,
                                 void (*f)(const typename W::Derivation&, double)) {
  { W::kInOrder } -> std::convertible_to<bool>;
  { w.bins } -> std::convertible_to<const Bins&>;
  w.start(space);
  { w.advance(space, true) } -> std::same_as<bool>;
  { w.is_output(space, 0) } -> std::same_as<bool>;
  w.best(space, 0, derivation);
  w.gold(space, 0, derivation);
  { W::distance(derivation, derivation) } -> std::same_as<double>;
  w.each_guess(space, 0, 1u, derivation, f);
};

}  // namespace structron
