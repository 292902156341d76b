// What one thread needs to learn translation on its own.
#pragma once
#include <limits>

#include "beam_search.hpp"
#include "naming.hpp"
#include "tasks/translation/corpus.hpp"
#include "tasks/translation/space.hpp"
#include "training.hpp"
#include "watched_classes.hpp"

namespace structron {

// How guess and gold are compared: stack by stack (Watched), or over the same words (WatchedClasses).
template <template <class> class Comparing>
struct TranslationWorker {
  using Space = TranslationSpace<LiveRows>;
  using Search = BeamSearch<Space>;
  using Watched = Comparing<Search>;

  TranslationWorker(const TranslationCorpus& corpus, Weights& weights, const TrainOptions& options,
                    const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        translation(corpus.book(), corpus.settings(), LiveRows(weights, naming, nullptr), learner.margin(),
                    std::numeric_limits<float>::infinity()),
        trainer(weights, learner, options) {}

  Space& space() { return translation; }
  uint64_t cost(uint32_t example) const { return packed.source(example).size(); }
  void open(uint32_t example) {
    translation.source(packed.source(example), &packed.gold(example), packed.left(example));
  }

  const TranslationCorpus& packed;
  Naming naming;
  Space translation;
  Trainer<Watched> trainer;
};

}  // namespace structron
