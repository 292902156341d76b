// Classes become a binary tree: again and again the two are joined whose difference says least (Brown et al.
// 1992). What every pair would lose is kept, and after a merge only what the merged two had to do with it
// changes; whole numbers stay exact, so that this is the same as computing it anew.
#pragma once
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "text/exchange.hpp"
#include "util/interrupt.hpp"
#include "util/pool.hpp"

namespace structron {

class Agglomeration {
 public:
  using Merge = std::pair<uint32_t, uint32_t>;  // the second becomes part of the first

  explicit Agglomeration(const Exchange& exchange) : counts_(exchange.counts()) {
    for (uint32_t c = 0; c < counts_.size(); ++c) alive_.push_back(c);
    loss_.resize(static_cast<size_t>(counts_.classes()) * counts_.classes());
  }

  uint32_t left() const { return static_cast<uint32_t>(alive_.size()) - 2; }

  // So many merges, or fewer if one class is left.
  std::vector<Merge> run(uint32_t merges, Pool& pool) {
    std::vector<Merge> done;
    if (!begun_) {
      each_row(pool, [&](size_t i) {
        for (size_t j = i + 1; j < left(); ++j, hear()) at(i, j) = loss(alive_[i], alive_[j]);
      });
      begun_ = true;
    }
    for (; merges > 0 && left() > 1; --merges) done.push_back(merge(pool));
    return done;
  }

 private:
  int64_t& at(size_t i, size_t j) {
    return loss_[static_cast<size_t>(alive_[i]) * counts_.classes() + alive_[j]];
  }

  // f(i) for each row of the table of pairs, dealt out evenly: early rows are longer.
  template <class F>
  void each_row(Pool& pool, F&& f) {
    pool.run([&](uint32_t thread) {
      for (size_t i = thread; i < left(); i += pool.threads()) f(i);
    });
  }

  // What neighbour g has to do with the loss of i and j.
  int64_t share(uint32_t i, uint32_t j, uint32_t g) const {
    return f_.apart(counts_.at(i, g), counts_.at(j, g)) + f_.apart(counts_.at(g, i), counts_.at(g, j));
  }
  int64_t loss(uint32_t i, uint32_t j) const {
    int64_t sum = 0;
    for (uint32_t g : alive_)
      if (g != i && g != j) sum += share(i, j, g);
    const uint64_t ii = counts_.at(i, i), ij = counts_.at(i, j), ji = counts_.at(j, i), jj = counts_.at(j, j);
    sum += f_.of(ii) + f_.of(ij) + f_.of(ji) + f_.of(jj) - f_.of(ii + ij + ji + jj);
    return sum - 2 * f_.apart(counts_.times(i), counts_.times(j));
  }

  // Of equal losses the first pair.
  Merge cheapest(Pool& pool) {
    using Found = std::tuple<int64_t, uint32_t, uint32_t>;
    std::vector<Found> best(pool.threads(), {std::numeric_limits<int64_t>::max(), 0, 0});
    pool.run([&](uint32_t thread) {
      for (size_t i = thread; i < left(); i += pool.threads(), hear())
        for (size_t j = i + 1; j < left(); ++j)
          best[thread] = std::min(best[thread], Found(at(i, j), alive_[i], alive_[j]));
    });
    const Found found = *std::min_element(best.begin(), best.end());
    return {std::get<1>(found), std::get<2>(found)};
  }

  Merge merge(Pool& pool) {
    const auto [a, b] = cheapest(pool);
    const auto others = [&](auto&& f) {
      each_row(pool, [&](size_t i) {
        for (size_t j = i + 1; j < left(); ++j)
          if (alive_[i] != a && alive_[j] != a && alive_[i] != b && alive_[j] != b) f(i, j);
      });
    };
    others([&](size_t i, size_t j) {
      at(i, j) -= share(alive_[i], alive_[j], a) + share(alive_[i], alive_[j], b);
    });
    for (uint32_t g : alive_) {
      if (g == a || g == b) continue;
      counts_.add(a, g, counts_.at(b, g));
      counts_.add(g, a, counts_.at(g, b));
    }
    counts_.add(a, a, counts_.at(a, b) + counts_.at(b, a) + counts_.at(b, b));
    counts_.count(a, counts_.times(b));
    std::erase(alive_, b);
    others([&](size_t i, size_t j) { at(i, j) += share(alive_[i], alive_[j], a); });
    each_row(pool, [&](size_t i) {
      const uint32_t c = alive_[i];
      if (c != a)
        loss_[static_cast<size_t>(std::min(a, c)) * counts_.classes() + std::max(a, c)] = loss(a, c);
    });
    return {a, b};
  }

  Information f_;
  ClassCounts counts_;
  std::vector<uint32_t> alive_;  // in order; edge and rare words are the last two
  std::vector<int64_t> loss_;    // of pairs, by the numbers of their classes
  bool begun_ = false;
};

}  // namespace structron
