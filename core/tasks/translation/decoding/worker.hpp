// What one thread needs to learn translation on its own.
#pragma once
#include <limits>
#include <memory>
#include <vector>

#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "search/beam_search.hpp"
#include "search/watched_classes.hpp"
#include "tasks/translation/decoding/corpus.hpp"
#include "tasks/translation/decoding/space.hpp"

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
        targets(options.search, corpus.aim(), corpus.among()),
        fixer(weights, learner, options) {
    for (const Phrasebook* book : corpus.books())
      translations.push_back(std::make_unique<Space>(*book, corpus.settings(),
                                                     LiveRows(weights, naming, nullptr), learner.margin(),
                                                     std::numeric_limits<float>::infinity()));
  }

  Space& space() { return *translations[at]; }
  uint64_t cost(uint32_t example) const { return packed.source(example).size(); }
  void open(uint32_t example) {
    at = packed.book_of(example);
    const bool is_given = packed.aim() == Aim::reference;
    space().source(packed.source(example), is_given ? &packed.gold(example) : nullptr, packed.left(example));
    if (!is_given)
      space().aim(targets.choose(space(), packed.references(example), packed.settings().distortion_limit,
                                 packed.cap()),
                  &targets.bleu());
  }

  const TranslationCorpus& packed;
  Naming naming;
  std::vector<std::unique_ptr<Space>> translations;  // one for each book
  uint32_t at = 0;                                   // the book of the example that is open
  Targets<Space> targets;
  ViolationFixer<Watched> fixer;
};

}  // namespace structron
