// What one thread needs to learn parsing on its own: gold is one derivation or many, as the space has it.
#pragma once
#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "tasks/parsing/corpus.hpp"
#include "tasks/parsing/scorer.hpp"
#include "tasks/parsing/space.hpp"

namespace structron {

template <class AnySearch>
struct ParsingWorker {
  using Search = AnySearch;
  using Space = typename Search::Space;
  using Watched = structron::Watched<Search>;

  ParsingWorker(const ParseProgram& program, const Transitions& transitions, const ParseCorpus& corpus,
                Weights& weights, const TrainOptions& options, const Learner& learner, bool dynamic)
      : packed(corpus),
        naming(weights, false),
        system(transitions),
        oracle(system, dynamic),
        scorer(program, LiveRows(weights, naming, packed.open()), options.search.width != 1),
        parsing(system, oracle, scorer, learner.margin()),
        fixer(weights, learner, options) {
    system.keep_signatures(options.search.merge);
  }

  Space& space() { return parsing; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    packed.gold(sentence, gold);
    scorer.sentence(packed.words(sentence));
    parsing.sentence(packed.words(sentence), packed.length(sentence), &gold);
  }

  const ParseCorpus& packed;
  Naming naming;
  Transitions system;
  ParseOracle oracle;
  ParseScorer<LiveRows> scorer;
  Space parsing;
  ViolationFixer<Watched> fixer;
  GoldTree gold;
};

}  // namespace structron
