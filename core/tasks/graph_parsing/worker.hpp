// What one thread needs to learn graph-based parsing on its own.
#pragma once
#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "search/forest/watched_forest.hpp"
#include "tasks/graph_parsing/corpus.hpp"
#include "tasks/graph_parsing/space.hpp"

namespace structron {

struct GraphWorker {
  using Scorer = GraphScorer<LiveRows>;
  using Space = GraphSpace<Scorer>;
  using Watched = WatchedForest<Space>;

  GraphWorker(const GraphCorpus& corpus, Weights& weights, const TrainOptions& options,
              const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        scorer(corpus.program(), LiveRows(weights, naming, corpus.open()), corpus.labels()),
        parsing(scorer, corpus.single_root(), learner.margin()),
        fixer(weights, learner, options) {
    parsing.prepare(options.search, learner.constraints() > 1);
  }

  Space& space() { return parsing; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    packed.gold(sentence, gold);
    scorer.sentence(packed.words(sentence), packed.length(sentence), packed.arcs(sentence));
    parsing.sentence(packed.length(sentence), &gold);
  }

  const GraphCorpus& packed;
  Naming naming;
  Scorer scorer;
  Space parsing;
  ViolationFixer<Watched> fixer;
  GoldTree gold;
};

}  // namespace structron
