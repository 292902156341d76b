// What one thread needs to learn, on its own, with a search for whole trees.
#pragma once
#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "search/one_bin.hpp"
#include "tasks/graph_parsing/corpus.hpp"
#include "tasks/graph_parsing/scorer.hpp"

namespace structron {

template <template <class> class AnySearch>
struct HeadWorker {
  using Scorer = GraphScorer<LiveRows>;
  using Search = AnySearch<Scorer>;
  using Space = typename Search::Space;
  using Watched = OneBin<Search>;

  HeadWorker(const GraphCorpus& corpus, Weights& weights, const TrainOptions& options, const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        scorer(corpus.program(), LiveRows(weights, naming, corpus.open()), corpus.labels()),
        heads(scorer, corpus.single_root(), learner.margin()),
        fixer(weights, learner, options) {
    check_k(learner.constraints());
    heads.prepare(options.search);
  }

  Space& space() { return heads; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    packed.gold(sentence, gold);
    const auto arcs = Space::kPrunes ? packed.arcs(sentence) : std::span<const PossibleArc>();
    scorer.sentence(packed.words(sentence), packed.length(sentence), arcs);
    heads.sentence(packed.length(sentence), &gold);
  }

  const GraphCorpus& packed;
  Naming naming;
  Scorer scorer;
  Space heads;
  ViolationFixer<Watched> fixer;
  GoldTree gold;
};

}  // namespace structron
