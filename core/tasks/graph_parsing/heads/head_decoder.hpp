// What one thread needs to parse, on its own, with a search for whole trees.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "search/decoders.hpp"
#include "search/one_bin.hpp"
#include "tasks/graph_parsing/pruner.hpp"
#include "tasks/graph_parsing/scorer.hpp"
#include "tasks/parsing/decoder.hpp"
#include "tasks/parsing/tree.hpp"

namespace structron {

template <template <class> class AnySearch>
class HeadDecoder {
 public:
  using Scorer = GraphScorer<FrozenRows>;
  using Search = AnySearch<Scorer>;
  using Space = typename Search::Space;
  using Watched = OneBin<Search>;

  // The pruner may be null.
  HeadDecoder(const GraphProgram& program, uint32_t labels, bool single_root, const Frozen& weights,
              const GraphPruner* pruner, size_t room)
      : loaded_(program, room), scorer_(program, FrozenRows(weights), labels), space_(scorer_, single_root) {
    if (pruner != nullptr && Space::kPrunes) pruning_.emplace(program, *pruner);
  }

  void prepare(const SearchOptions& options) { space_.prepare(options); }
  Space& space() { return space_; }
  uint32_t length() const { return space_.length(); }
  uint64_t& evictions() { return loaded_.evictions(); }
  LoadedSentences& loaded() { return loaded_; }

  void begin_batch() { loaded_.begin_batch(); }
  void open(uint32_t k, const GoldTree* gold = nullptr) {
    const GoldTree* given = loaded_.given(k);
    const uint32_t n = loaded_.length(k);
    arcs_left_.clear();
    if (!space_.crosses(given, n)) {
      if (pruning_) pruning_->choose(loaded_.words(k), n, arcs_left_);
      if (Space::kPrunes && given != nullptr) keep_to(*given, n, arcs_left_);
    }
    scorer_.sentence(loaded_.words(k), n, arcs_left_);
    space_.sentence(n, gold, given);
  }

  Tree best(const Search& search) const {
    Tree tree(space_.length());
    for (uint32_t m = 1; m <= space_.length(); ++m)
      tree.put({search.found[m].head, m, static_cast<uint16_t>(search.found[m].label)});
    return tree;
  }
  std::vector<std::pair<Tree, double>> kbest(const Search& search, uint32_t k) const {
    if (k == 0) return {};
    return {{best(search), search.score}};
  }

 private:
  LoadedSentences loaded_;
  std::optional<GraphPruning> pruning_;
  std::vector<PossibleArc> arcs_left_;
  Scorer scorer_;
  Space space_;
};

}  // namespace structron
