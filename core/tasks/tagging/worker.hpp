// What one thread needs to learn tagging on its own.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "learn/naming.hpp"
#include "learn/sums/summing.hpp"
#include "learn/training.hpp"
#include "search/beam_search.hpp"
#include "tasks/tagging/expectations.hpp"
#include "tasks/tagging/label_sets.hpp"
#include "tasks/tagging/live_scorer.hpp"
#include "tasks/tagging/space.hpp"

namespace structron {

// Gold whose labels are not all known: every sequence that agrees with what is.
template <class Tags>
struct KnownGold {
  const LabelSets* sets;  // null where all are labels
  [[no_unique_address]] Tags tags;
  const TagRules& rules;
  std::vector<uint8_t> may = {};

  // No sequence is gold, if the rules leave none.
  template <class Space>
  void open(Space& space, std::span<const uint16_t> numbers) {
    if constexpr (!Space::kSingleGold) {
      const auto is_set = [&](uint16_t number) { return number >= sets->labels(); };
      if (sets == nullptr || std::none_of(numbers.begin(), numbers.end(), is_set)) return;
      if (!open_tags(*sets, numbers, rules, tags.each, may)) std::fill(may.begin(), may.end(), 0);
      space.set_gold_tags(may.data());
    }
  }
};

template <class Tags>
struct TaggingWorker {
  using Space = TaggingSpace<LiveScorer, Tags>;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  // `open`: the tags of each word of the corpus, where a dictionary knows them. `known`: what gold's numbers
  // mean; null where all are labels.
  TaggingWorker(const TaggingCorpus& corpus, Weights& weights, const TagRules& rules,
                const std::vector<std::vector<uint16_t>>& open, const TrainOptions& options,
                const Learner& learner, Tags tags, const LabelSets* known)
      : packed(corpus),
        known_gold{known, tags, rules},
        naming(weights, true),
        scorer(corpus, weights, naming),
        tagging(scorer, rules, corpus.program().order(), learner.margin(), tags),
        fixer(weights, learner, options) {
    if (!open.empty()) scorer.set_dictionary(&open);
  }

  Space& space() { return tagging; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    scorer.sentence(sentence);
    tagging.sentence(packed.length(sentence), packed.gold(sentence), packed.duties(sentence));
    known_gold.open(tagging, {packed.gold(sentence), packed.length(sentence)});
  }

  const TaggingCorpus& packed;
  KnownGold<Tags> known_gold;
  Naming naming;
  LiveScorer scorer;
  Space tagging;
  ViolationFixer<Watched> fixer;
};

// The same for a learner of sums.
template <class Tags>
struct TaggingSummer {
  using Space = TaggingSpace<LiveScorer, Tags>;
  using Watched = structron::Watched<BeamSearch<Space>>;

  TaggingSummer(const TaggingCorpus& corpus, Weights& weights, const TagRules& rules,
                const std::vector<std::vector<uint16_t>>& open, const Learner& learner, const SeenTags* seen,
                Tags tags, const LabelSets* known)
      : packed(corpus),
        known_gold{known, tags, rules},
        naming(weights, true),
        scorer(corpus, weights, naming),
        tagging(scorer, rules, corpus.program().order(), 0, tags),
        expectations(corpus, weights, naming, seen),
        fixer(weights, learner, expectations) {
    if (!open.empty()) scorer.set_dictionary(&open);
  }

  Space& space() { return tagging; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    scorer.sentence(sentence);
    tagging.sentence(packed.length(sentence), packed.gold(sentence), packed.duties(sentence));
    known_gold.open(tagging, {packed.gold(sentence), packed.length(sentence)});
    expectations.start(sentence);
    check_sums(tagging, packed.length(sentence));
  }

  const TaggingCorpus& packed;
  KnownGold<Tags> known_gold;
  Naming naming;
  LiveScorer scorer;
  Space tagging;
  TagExpectations expectations;
  Summer<Space, TagExpectations> fixer;
};

}  // namespace structron
