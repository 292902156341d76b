// What one thread needs to learn tagging on its own.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "learn/naming.hpp"
#include "learn/summing.hpp"
#include "learn/training.hpp"
#include "search/beam_search.hpp"
#include "tasks/tagging/expectations.hpp"
#include "tasks/tagging/label_sets.hpp"
#include "tasks/tagging/live_scorer.hpp"
#include "tasks/tagging/space.hpp"

namespace structron {

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
        sets(known),
        owned(tags),
        rules(rules),
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
    if constexpr (!Space::kSingleGold)
      if (sets != nullptr) open_gold({packed.gold(sentence), packed.length(sentence)});
  }

  // Gold is every sequence that agrees with what is known; no sequence, if the rules leave none.
  void open_gold(std::span<const uint16_t> numbers) {
    const auto is_set = [&](uint16_t number) { return number >= sets->labels(); };
    if (std::none_of(numbers.begin(), numbers.end(), is_set)) return;
    if (!open_tags(*sets, numbers, rules, owned.each, gold_tags))
      std::fill(gold_tags.begin(), gold_tags.end(), 0);
    if constexpr (!Space::kSingleGold) tagging.set_gold_tags(gold_tags.data());
  }

  const TaggingCorpus& packed;
  const LabelSets* sets;
  [[no_unique_address]] Tags owned;
  const TagRules& rules;
  std::vector<uint8_t> gold_tags;
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
                const std::vector<std::vector<uint16_t>>& open, const TrainOptions&, const Learner& learner,
                Tags tags)
      : packed(corpus),
        naming(weights, true),
        scorer(corpus, weights, naming),
        tagging(scorer, rules, corpus.program().order(), 0, tags),
        expectations(corpus, weights, naming),
        fixer(weights, learner, expectations) {
    if (!open.empty()) scorer.set_dictionary(&open);
  }

  Space& space() { return tagging; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    scorer.sentence(sentence);
    tagging.sentence(packed.length(sentence), packed.gold(sentence), packed.duties(sentence));
    expectations.start(sentence);
    check_sums(tagging, packed.length(sentence));
  }

  const TaggingCorpus& packed;
  Naming naming;
  LiveScorer scorer;
  Space tagging;
  TagExpectations expectations;
  Summer<Space, TagExpectations> fixer;
};

}  // namespace structron
