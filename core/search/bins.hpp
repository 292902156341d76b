// What update methods read of a search, whichever it was: bins in the order in which they are built.
// structron/reference/sequence/bins.py is the definition.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

namespace structron {

struct Bins {
  std::vector<double> best_score, gold_score;  // NaN where a bin has no guess, or no gold
  std::vector<uint8_t> gold_in_beam, best_is_gold;
  std::vector<uint8_t> fallen;  // gold has fallen out there, or on the way there

  int size() const { return static_cast<int>(best_score.size()); }
  bool has_gold(int bin) const { return !std::isnan(gold_score[bin]); }
  bool has_both(int bin) const { return has_gold(bin) && !std::isnan(best_score[bin]); }
  double excess(int bin) const { return best_score[bin] - gold_score[bin]; }

  void clear() {
    best_score.clear();
    gold_score.clear();
    gold_in_beam.clear();
    best_is_gold.clear();
    fallen.clear();
  }
  // One more bin after all bins before it; NaN for what is not there.
  void add(double best, double gold, bool in, bool is_gold) {
    const bool was_out = !fallen.empty() && fallen.back();
    add_apart(best, gold, in, is_gold);
    fallen.back() |= was_out;
  }
  // One more bin in a partial order.
  void add_apart(double best, double gold, bool in, bool is_gold) {
    fallen.push_back(!in && !std::isnan(gold));
    best_score.push_back(best);
    gold_score.push_back(gold);
    gold_in_beam.push_back(in);
    best_is_gold.push_back(is_gold);
  }
};

}  // namespace structron
