// What one thread needs to learn classification on its own.
#pragma once
#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "search/beam_search.hpp"
#include "tasks/classification/corpus.hpp"
#include "tasks/classification/space.hpp"

namespace structron {

struct ClassificationWorker {
  using Space = ClassificationSpace;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  ClassificationWorker(const ClassificationCorpus& corpus, Weights& weights, const TrainOptions& options,
                       const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        classification(corpus.decisions(), &weights, learner.margin()),
        fixer(weights, learner, options) {}

  Space& space() { return classification; }
  uint64_t cost(uint32_t example) const { return packed.vector(example).features.size(); }
  void open(uint32_t example) { classification.input(packed.vector(example), packed.gold(example)); }

  const ClassificationCorpus& packed;
  Naming naming;
  Space classification;
  ViolationFixer<Watched> fixer;
};

}  // namespace structron
