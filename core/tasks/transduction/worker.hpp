// What one thread needs to learn transduction on its own.
#pragma once
#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "search/beam_search.hpp"
#include "tasks/transduction/corpus.hpp"
#include "tasks/transduction/space.hpp"

namespace structron {

struct TransductionWorker {
  using Space = TransductionSpace<LiveRows>;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  TransductionWorker(const TransductionCorpus& corpus, Weights& weights, const TrainOptions& options,
                     const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        transduction(corpus.inventory(), LiveRows(weights, naming, corpus.open()), learner.margin()),
        fixer(weights, learner, options) {}

  Space& space() { return transduction; }
  uint64_t cost(uint32_t example) const { return packed.source(example).size(); }
  void open(uint32_t example) { transduction.source(packed.source(example), &packed.gold(example)); }

  const TransductionCorpus& packed;
  Naming naming;
  Space transduction;
  ViolationFixer<Watched> fixer;
};

}  // namespace structron
