// What one thread needs to find the forms of questions on its own.
#pragma once
#include <set>
#include <utility>
#include <vector>

#include "search/decoders.hpp"
#include "search/forest/forest_kbest.hpp"
#include "search/forest/watched_forest.hpp"
#include "tasks/semantics/bound.hpp"
#include "tasks/semantics/space.hpp"

namespace structron {

class SemanticDecoder {
 public:
  using Space = HybridSpace<FrozenRows>;
  using Search = ForestSearch<Space>;
  using Watched = WatchedForest<Space>;

  SemanticDecoder(const SemanticGrammar& grammar, const Frozen& weights)
      : bound_(grammar), space_(grammar, FrozenRows(weights), 0) {}

  Space& space() { return space_; }
  uint64_t& evictions() { return space_.evictions(); }

  void begin_batch() { questions_.clear(); }
  // With all ways to build a node, which the k best need.
  void add(Question question, bool all_ways) {
    bound_.check(question, all_ways);
    questions_.push_back(std::move(question));
  }
  const Question& question(uint32_t k) const { return questions_[k]; }
  void open(uint32_t k, const HybridGold* gold = nullptr) { space_.read(questions_[k], gold); }

  // Empty where nothing can be built.
  Preorder best(const Search& search) {
    const NodeItems goal = search.of_node(search.nodes() - 1);
    if (goal.empty()) return {};
    uses_.clear();
    search.derivation(goal[0], uses_);
    return space_.form_of(uses_);
  }
  std::vector<std::pair<Preorder, double>> kbest(const Search& search, uint32_t k) {
    std::vector<std::pair<Preorder, double>> found;
    std::set<Preorder> known;
    ForestKBest<Search, Space::Output>(search, {&space_})
        .each(search.nodes() - 1, kNone, [&](const Space::Uses& uses, double score) -> bool {
          Preorder form = space_.form_of(uses);
          if (known.insert(form).second) found.emplace_back(std::move(form), score);
          return found.size() < k;
        });
    return found;
  }

 private:
  ChartBound bound_;
  Space space_;
  std::vector<Question> questions_;
  Space::Uses uses_;
};

}  // namespace structron
