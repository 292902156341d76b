// A search that builds no parts of an output, only whole ones, watched from the gold side: a single bin.
// structron/reference/sequence/one_bin.py is the definition.
#pragma once
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "search/bins.hpp"
#include "search/search_options.hpp"

namespace structron {

// Search gives: Space; Output; run(space); found and score, of the best output. Space gives
// gold_output(output, score), which is false if gold cannot be built.
template <class AnySearch>
class OneBin {
 public:
  using Search = AnySearch;
  using Space = typename Search::Space;
  using Derivation = typename Search::Output;
  static constexpr bool kInOrder = false;  // there is nothing to go on from

  Search free;
  Bins bins;

  explicit OneBin(SearchOptions options) : free(options) {}

  void start(Space&) {
    bins.clear();
    is_built_ = false;
  }
  bool advance(Space& space, bool watch) {
    if (is_built_) return false;
    is_built_ = true;
    free.run(space);
    if (!watch) return true;
    double score = 0;
    const bool has_gold = space.gold_output(gold_, score);
    const bool is_gold = has_gold && gold_ == free.found;
    bins.add_apart(free.score, has_gold ? score : NAN, is_gold, is_gold);
    return true;
  }
  // The whole search, from its start.
  void run(Space& space, bool watch) {
    start(space);
    while (advance(space, watch)) {
    }
  }

  bool is_output(Space&, int) const { return true; }
  void best(Space&, int, Derivation& found) const { found = free.found; }
  void gold(Space&, int, Derivation& found) const { found = gold_; }

  // There is one guess, however many are wanted: whoever wants more is refused by check_k.
  template <class F>
  void each_guess(Space&, int, uint32_t, Derivation&, F&& f) {
    if (!bins.best_is_gold[0]) f(free.found, free.score);
  }

  static double distance(const Derivation& gold, const Derivation& guess) {
    double differing = 0;
    for (size_t i = 0; i < gold.size(); ++i) differing += !(gold[i] == guess[i]);
    return differing;
  }

 private:
  Derivation gold_;
  bool is_built_ = false;
};

inline void check_k(uint32_t k) {
  if (k > 1)
    throw std::invalid_argument("search: it finds one tree and not the " + std::to_string(k) +
                                " best; use k = 1, or forest");
}

}  // namespace structron
