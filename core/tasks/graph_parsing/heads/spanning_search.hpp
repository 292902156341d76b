// The search for the best tree of all. structron/reference/forest/spanning_trees.py is the definition.
#pragma once
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "search/one_bin.hpp"
#include "search/search_options.hpp"
#include "tasks/graph_parsing/heads/head_space.hpp"
#include "tasks/graph_parsing/heads/spanning.hpp"

namespace structron {

// Trees as sums of their arcs; all arcs are looked at, whatever a pruner says.
template <class Scorer>
class SpanningSpace : public HeadSpace<Scorer> {
 public:
  static constexpr bool kPrunes = false;

  SpanningSpace(Scorer& scorer, bool single_root, float margin = 0)
      : HeadSpace<Scorer>(scorer, single_root, margin) {
    if (scorer.program().is_higher_order())
      throw std::invalid_argument(
          "mst: a tree is the sum of its arcs, but templates see siblings or grandchildren; leave those out, "
          "or use forest:8+swaps");
  }
  void prepare(const SearchOptions&) {}
  // Whether the search would need another start; it has none.
  bool crosses(const GoldTree*, uint32_t) const { return false; }
};

// The best tree by the scores of its arcs alone, with the best relation of each.
template <class Space>
class BestOfArcs {
 public:
  // Returns its score.
  double find(Space& space, HeadVector& found) {
    const uint32_t n = space.length();
    const auto at = [n](uint32_t head, uint32_t modifier) {
      return static_cast<size_t>(head) * (n + 1) + modifier;
    };
    arcs_.resize(static_cast<size_t>(n + 1) * (n + 1));
    const std::vector<uint32_t>& heads =
        trees_.best_tree(n, space.single_root(), [&](uint32_t head, uint32_t modifier) -> double {
          if (!space.has(head, modifier)) return -std::numeric_limits<double>::infinity();
          return (arcs_[at(head, modifier)] = space.best_label(head, modifier)).score;
        });
    found.assign(n + 1, {});
    double score = 0;
    uint32_t at_root = 0;
    for (uint32_t m = 1; m <= n; ++m) {
      at_root += heads[m] == 0;
      if (!space.has(heads[m], m) || (space.single_root() && at_root > 1))
        throw std::invalid_argument("no tree has all arcs given");
      const auto& arc = arcs_[at(heads[m], m)];
      found[m] = {heads[m], arc.label};
      score += arc.score;
    }
    return score;
  }

 private:
  ChuLiuEdmonds trees_;
  std::vector<typename Space::Scored> arcs_;
};

template <class AnyScorer>
class SpanningSearch {
 public:
  using Scorer = AnyScorer;
  using Space = SpanningSpace<Scorer>;
  using Output = HeadVector;

  HeadVector found;
  double score = 0;

  explicit SpanningSearch(SearchOptions) {}

  static SearchOptions kbest_options(SearchOptions options, uint32_t k) {
    check_k(k);
    return options;
  }

  void run(Space& space) { score = best_.find(space, found); }

 private:
  BestOfArcs<Space> best_;
};

}  // namespace structron
