// What one thread needs to learn semantic parsing on its own.
#pragma once
#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "search/forest/watched_forest.hpp"
#include "tasks/semantics/corpus.hpp"
#include "tasks/semantics/space.hpp"

namespace structron {

struct SemanticWorker {
  using Space = HybridSpace<LiveRows>;
  using Watched = WatchedForest<Space>;

  SemanticWorker(const SemanticCorpus& corpus, Weights& weights, const TrainOptions& options,
                 const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        parsing(corpus.grammar(), LiveRows(weights, naming, nullptr), learner.margin()),
        fixer(weights, learner, options) {}

  Space& space() { return parsing; }
  uint64_t cost(uint32_t example) const { return packed.question(example).length(); }
  void open(uint32_t example) { parsing.read(packed.question(example), &packed.gold(example)); }

  const SemanticCorpus& packed;
  Naming naming;
  Space parsing;
  ViolationFixer<Watched> fixer;
};

}  // namespace structron
