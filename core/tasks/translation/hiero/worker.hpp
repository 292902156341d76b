// What one thread needs to learn hierarchical translation on its own.
#pragma once
#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "search/forest/watched_forest.hpp"
#include "tasks/translation/hiero/corpus.hpp"

namespace structron {

struct HieroWorker {
  using Space = HieroSpace<LiveRows>;
  using Watched = WatchedForest<Space>;

  HieroWorker(const HieroCorpus& corpus, Weights& weights, const TrainOptions& options,
              const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        translation(corpus.book(), corpus.settings(), LiveRows(weights, naming, nullptr), learner.margin()),
        counts(corpus.settings().limits),
        fixer(weights, learner, options) {}

  Space& space() { return translation; }
  uint64_t cost(uint32_t example) const { return packed.source(example).size(); }
  void open(uint32_t example) {
    translation.source(packed.source(example), &packed.gold(example), packed.left(example, counts),
                       packed.least());
  }

  const HieroCorpus& packed;
  Naming naming;
  Space translation;
  RulesLeft counts;
  ViolationFixer<Watched> fixer;
};

}  // namespace structron
