// What training aims at where that is not the reference: one of the outputs that the search itself finds.
// structron/tasks/translation/decoding/targets.py is the definition.
#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "search/beam/lattice_kbest.hpp"
#include "search/beam_search.hpp"
#include "tasks/translation/decoding/forced_decoding.hpp"
#include "tasks/translation/decoding/sentence_bleu.hpp"

namespace structron {

enum class Aim : uint8_t {
  reference = 0,
  hope = 1,   // scores well and has a high BLEU (Chiang, Marton & Resnik 2008)
  local = 2,  // has the highest BLEU (Liang et al. 2006)
};

template <class Space>
class Targets {
 public:
  using Search = BeamSearch<Space>;

  // Lists come from the arcs that merging leaves.
  Targets(SearchOptions options, Aim aim, uint32_t among)
      : aim_(aim), among_(among), search_(list(options, among)) {
    if (aim != Aim::reference && options.width == 0)
      throw std::invalid_argument("translations to choose a target from come from a beam");
  }

  // The derivations of the chosen output, with the weights as they are. The space is open, without gold.
  const PhraseGold* choose(Space& space, const std::vector<std::vector<Key>>& references, uint32_t limit,
                           uint32_t cap) {
    search_.start({0.0, space.initial(), kRoot, 0, true});
    while (search_.advance(space)) {
    }
    bleu_.read(references);
    double best = 0;
    std::vector<std::vector<Key>> chosen(1);
    bool any = false;
    for (uint32_t path : paths_.run(space, search_, among_)) {
      paths_.actions(path, actions_);
      output_.clear();
      for (uint32_t action : actions_)
        for (uint32_t token : space.options().target(action))
          output_.push_back(space.options().tokens()[token].key);
      const double worth = bleu_.gain(output_) + (aim_ == Aim::hope ? paths_[path].score : 0);
      if (any && worth <= best) continue;
      any = true;
      best = worth;
      chosen[0] = output_;
    }
    gold_.emplace(space.options(), chosen, limit, false, cap);
    return &*gold_;
  }

  // What the references of the last one are worth.
  SentenceBleu& bleu() { return bleu_; }

 private:
  static SearchOptions list(SearchOptions options, uint32_t among) {
    options.merge = true;
    return Search::kbest_options(options, among);
  }

  Aim aim_;
  uint32_t among_;
  Search search_;
  LatticeKBest<Search> paths_;
  SentenceBleu bleu_;
  std::optional<PhraseGold> gold_;
  std::vector<uint32_t> actions_;
  std::vector<Key> output_;
};

}  // namespace structron
