// What one thread needs to parse with a graph on its own.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "search/decoders.hpp"
#include "search/forest/forest_kbest.hpp"
#include "search/forest/watched_forest.hpp"
#include "tasks/graph_parsing/pruner.hpp"
#include "tasks/graph_parsing/space.hpp"
#include "tasks/parsing/decoder.hpp"
#include "tasks/parsing/tree.hpp"

namespace structron {

class GraphDecoder {
 public:
  using Scorer = GraphScorer<FrozenRows>;
  using Space = GraphSpace<Scorer>;
  using Search = ForestSearch<Space>;
  using Watched = WatchedForest<Space>;

  // The pruner may be null.
  GraphDecoder(const GraphProgram& program, uint32_t labels, bool single_root, const Frozen& weights,
               const GraphPruner* pruner, size_t room)
      : loaded_(program, room), scorer_(program, FrozenRows(weights), labels), space_(scorer_, single_root) {
    if (pruner != nullptr) pruning_.emplace(program, *pruner);
  }

  void prepare(const SearchOptions& options) { space_.prepare(options, options.per_class > 1); }
  Space& space() { return space_; }
  uint32_t length() const { return length_; }
  uint64_t& evictions() { return loaded_.evictions(); }
  LoadedSentences& loaded() { return loaded_; }
  // Those that the pruner leaves of the open sentence.
  const std::vector<PossibleArc>& arcs_left() const { return arcs_left_; }

  void begin_batch() { loaded_.begin_batch(); }
  void open(uint32_t k, const GoldTree* gold = nullptr) {
    length_ = loaded_.length(k);
    arcs_left_.clear();
    if (pruning_) pruning_->choose(loaded_.words(k), length_, arcs_left_);
    const GoldTree* given = loaded_.given(k);
    if (given != nullptr) keep_to(*given, length_, arcs_left_);
    scorer_.sentence(loaded_.words(k), length_, arcs_left_);
    space_.sentence(length_, gold, given);
  }

  Tree best(const Search& search) {
    uses_.clear();
    search.derivation(search.of_node(search.nodes() - 1)[0], uses_);
    return tree_of(uses_);
  }
  // All different: every tree has one derivation.
  std::vector<std::pair<Tree, double>> kbest(const Search& search, uint32_t k) {
    std::vector<std::pair<Tree, double>> found;
    ForestKBest<Search>(search).each(search.nodes() - 1, k, [&](const Space::Uses& uses, double score) {
      found.emplace_back(tree_of(uses), score);
    });
    return found;
  }

 private:
  Tree tree_of(const Space::Uses& uses) {
    space_.arcs_of(uses, arcs_);
    Tree tree(length_);
    for (uint32_t m = 1; m <= length_; ++m)
      tree.put({arcs_[m].head, m, static_cast<uint16_t>(arcs_[m].label)});
    return tree;
  }

  LoadedSentences loaded_;
  std::optional<GraphPruning> pruning_;
  std::vector<PossibleArc> arcs_left_;
  Scorer scorer_;
  Space space_;
  uint32_t length_ = 0;
  Space::Uses uses_;
  std::vector<ArcChoice> arcs_;
};

}  // namespace structron
