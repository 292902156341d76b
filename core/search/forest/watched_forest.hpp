// A search over a forest watched from the gold side: its bins are the nodes.
#pragma once
#include <cmath>
#include <memory>
#include <vector>

#include "search/bins.hpp"
#include "search/forest/forest_kbest.hpp"
#include "search/forest/forest_search.hpp"

namespace structron {

template <ForestSpace AnySpace>
class WatchedForest {
 public:
  using Space = AnySpace;
  using State = typename Space::State;
  using Search = ForestSearch<Space>;
  using Derivation = std::vector<Use<State>>;
  static constexpr bool kInOrder = false;  // a node comes after those below it, not after all before it

  Search free;
  Bins bins;

  explicit WatchedForest(SearchOptions options)
      : free(options), options_(options), gold_(gold_options(options), true) {}

  void start(Space&) {
    bins.clear();
    is_built_ = false;
  }

  // All bins at once.
  bool advance(Space& space, bool watch) {
    if (is_built_) return false;
    is_built_ = true;
    free.run(space);
    if (!watch) return true;
    gold_.run(space);
    for (uint32_t node = 0; node < free.nodes(); ++node) {
      const NodeItems found = free.of_node(node), gold = gold_.of_node(node);
      bool in = false;
      for (uint32_t k = 0; k < found.size(); ++k) in |= free.items[found[k]].good;
      bool is_compared = !gold.empty();
      if constexpr (Space::kOffers.is_compared) is_compared = is_compared && space.is_compared(node);
      bins.add_apart(found.empty() ? NAN : free.items[found[0]].score,
                     is_compared ? gold_.items[gold[0]].score : NAN, in,
                     !found.empty() && free.items[found[0]].good);
    }
    return true;
  }

  // The whole search, from its start.
  void run(Space& space, bool watch) {
    start(space);
    while (advance(space, watch)) {
    }
  }

  bool is_output(Space&, int bin) const { return bin + 1 == static_cast<int>(free.nodes()); }

  const Search& gold_side() const { return gold_; }
  void best(Space&, int bin, Derivation& found) const { first(free, bin, found); }
  void gold(Space&, int bin, Derivation& found) const { first(gold_, bin, found); }

  template <class F>
  void each_guess(Space& space, int bin, uint32_t k, Derivation& scratch, F&& f) {
    if (k == 1) {
      const NodeItems found = free.of_node(static_cast<uint32_t>(bin));
      if (found.empty() || free.items[found[0]].good) return;
      best(space, bin, scratch);
      return f(scratch, free.items[found[0]].score);
    }
    if (!kbest_ || kbest_->options().per_class != k) {
      SearchOptions options = options_;
      options.per_class = k;
      kbest_ = std::make_unique<Search>(options);
    }
    kbest_->run(space);
    ForestKBest<Search>(*kbest_).each(
        static_cast<uint32_t>(bin), k, [&](const Derivation& uses, double score) {
          const bool good = std::all_of(uses.begin(), uses.end(), [&](const Use<State>& use) {
            return space.allows(use.node, use.edge, use.states);
          });
          if (!good) f(uses, score);
        });
  }

  // How many edges of the guess are not in gold.
  static double distance(const Derivation& gold, const Derivation& guess) {
    std::vector<bool> taken(gold.size());
    double missing = 0;
    for (const Use<State>& use : guess) {
      size_t i = 0;
      while (i < gold.size() && (taken[i] || gold[i].node != use.node || !(gold[i].edge == use.edge))) ++i;
      if (i < gold.size()) {
        taken[i] = true;
      } else {
        ++missing;
      }
    }
    return missing;
  }

 private:
  static SearchOptions gold_options(SearchOptions options) {
    if constexpr (Space::kOffers.exhaustive_gold) options.width = 0;
    return options;
  }
  static void first(const Search& search, int bin, Derivation& found) {
    found.clear();
    search.derivation(search.of_node(static_cast<uint32_t>(bin))[0], found);
  }

  SearchOptions options_;
  Search gold_;
  std::unique_ptr<Search> kbest_;
  bool is_built_ = false;
};

}  // namespace structron
