// What the gaps are worth that are still to be translated (Koehn, Och & Marcu 2003): the best phrases for
// them, as if nothing were known of their neighbours.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/items.hpp"
#include "tasks/translation/decoding/coverage.hpp"
#include "tasks/translation/phrases/options.hpp"

namespace structron {

class FutureCost {
 public:
  // estimates: for each option what it is worth by itself.
  void read(const SentenceOptions& options, std::span<const double> estimates, uint32_t limit) {
    const uint32_t n = static_cast<uint32_t>(options.source().size()), longest = options.book().longest();
    width_ = limit + 1;
    inner_.assign(size_t{n + 1} * width_, kLowest);
    tail_.assign(n + 1, kLowest);
    tail_[n] = 0;
    for (uint32_t start = n + 1; start-- > 0;) {
      inner_[size_t{start} * width_] = 0;
      for (uint32_t end = start + 1; end <= std::min(n, start + longest); ++end) {
        const auto [from, to] = options.of(start, end);
        if (from == to) continue;
        const double best = *std::max_element(estimates.begin() + from, estimates.begin() + to);
        tail_[start] = std::max(tail_[start], best + tail_[end]);
        for (uint32_t past = end; past <= std::min(n, start + limit); ++past) {
          double& whole = inner_[size_t{start} * width_ + (past - start)];
          whole = std::max(whole, best + inner_[size_t{end} * width_ + (past - end)]);
        }
      }
    }
  }

  double of(const Coverage& covered) const {
    double sum = 0;
    const uint32_t last = covered.each_gap(
        [&](uint32_t start, uint32_t end) { sum += inner_[size_t{start} * width_ + (end - start)]; });
    return sum + tail_[last];
  }

 private:
  uint32_t width_ = 1;
  std::vector<double> inner_;  // [start][length], for gaps between what is covered
  std::vector<double> tail_;   // from there to the end
};

}  // namespace structron
