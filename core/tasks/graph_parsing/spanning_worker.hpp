// What one thread needs to learn to find the best tree of all on its own.
#pragma once
#include "naming.hpp"
#include "tasks/graph_parsing/corpus.hpp"
#include "tasks/graph_parsing/spanning_search.hpp"
#include "training.hpp"

namespace structron {

struct SpanningWorker {
  using Scorer = GraphScorer<LiveRows>;
  using Space = HeadSpace<Scorer>;
  using Watched = OneBin<SpanningSearch<Space>>;

  SpanningWorker(const GraphCorpus& corpus, Weights& weights, const TrainOptions& options,
                 const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        scorer(corpus.program(), LiveRows(weights, naming, corpus.open()), corpus.labels()),
        heads(scorer, corpus.single_root(), learner.margin()),
        trainer(weights, learner, options) {
    check_k(learner.constraints());
  }

  Space& space() { return heads; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    packed.gold(sentence, gold);
    // All arcs: what a pruner leaves need not make a tree, and there is little to gain.
    scorer.sentence(packed.words(sentence), packed.length(sentence));
    heads.sentence(packed.length(sentence), &gold);
  }

  const GraphCorpus& packed;
  Naming naming;
  Scorer scorer;
  Space heads;
  Trainer<Watched> trainer;
  GoldTree gold;
};

}  // namespace structron
