// What one thread needs to learn words on its own.
#pragma once
#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "search/beam_search.hpp"
#include "tasks/segmentation/word_corpus.hpp"
#include "tasks/segmentation/word_space.hpp"

namespace structron {

struct WordWorker {
  using Space = WordSpace<LiveRows>;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  WordWorker(const WordCorpus& corpus, Weights& weights, const TrainOptions& options, const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        words(corpus.program(), LiveRows(weights, naming, corpus.open()), learner.margin()),
        fixer(weights, learner, options) {}

  Space& space() { return words; }
  uint64_t cost(uint32_t example) const { return packed.text(example).size(); }
  void open(uint32_t example) { words.text(packed.text(example), packed.gold(example)); }

  const WordCorpus& packed;
  Naming naming;
  Space words;
  ViolationFixer<Watched> fixer;
};

}  // namespace structron
