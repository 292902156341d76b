// What one thread needs to find the best trees of all on its own.
#pragma once
#include <utility>
#include <vector>

#include "decoders.hpp"
#include "tasks/graph_parsing/pruner.hpp"
#include "tasks/graph_parsing/spanning_search.hpp"
#include "tasks/parsing/decoder.hpp"
#include "tasks/parsing/tree.hpp"

namespace structron {

class SpanningDecoder {
 public:
  using Scorer = GraphScorer<FrozenRows>;
  using Space = HeadSpace<Scorer>;
  using Search = SpanningSearch<Space>;
  using Watched = OneBin<Search>;

  // All arcs are looked at, whatever the pruner says.
  SpanningDecoder(const GraphProgram& program, uint32_t labels, bool single_root, const Frozen& weights,
                  const GraphPruner*, size_t room)
      : loaded_(program, room), scorer_(program, FrozenRows(weights), labels), space_(scorer_, single_root) {}

  Space& space() { return space_; }
  uint32_t length() const { return space_.length(); }
  uint64_t& evictions() { return loaded_.evictions(); }
  LoadedSentences& loaded() { return loaded_; }

  void begin_batch() { loaded_.begin_batch(); }
  void open(uint32_t k, const GoldTree* gold = nullptr) {
    scorer_.sentence(loaded_.words(k), loaded_.length(k));
    space_.sentence(loaded_.length(k), gold);
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
  Scorer scorer_;
  Space space_;
};

}  // namespace structron
