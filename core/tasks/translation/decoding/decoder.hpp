// What one thread needs to translate on its own.
#pragma once
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "search/beam/lattice_kbest.hpp"
#include "search/beam_search.hpp"
#include "search/decoders.hpp"
#include "search/watched.hpp"
#include "tasks/translation/decoding/loaded_sources.hpp"
#include "tasks/translation/decoding/space.hpp"

namespace structron {

class TranslationDecoder : public LoadedSources {
 public:
  using Space = TranslationSpace<FrozenRows>;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  // A phrase of a derivation: the source words it stands for, and which of the table it is, or kNone for a
  // copied word.
  struct Used {
    uint32_t start, end, entry;
  };
  struct Listed {
    Translated output;
    double score;
    std::array<double, Dense::kSize> dense;
  };

  TranslationDecoder(const Phrasebook& book, const TranslationSettings& settings, const Frozen& weights,
                     float largest)
      : space_(book, settings, FrozenRows(weights), 0, largest) {}

  Space& space() { return space_; }
  uint64_t& evictions() { return space_.evictions(); }

  void open(uint32_t k, const PhraseGold* gold = nullptr) {
    turn_to(k);
    space_.source(source(k), gold);
  }

  Translated best(const Search& search) const { return output(actions_to(search, best_item(search))); }
  // The phrases that the best output is made of, in its order.
  std::vector<Used> derivation(const Search& search) const {
    std::vector<Used> used;
    for (uint32_t action : actions_to(search, best_item(search))) {
      const PhraseOption& option = space_.options()[action];
      used.push_back({option.start, option.end, option.entry});
    }
    return used;
  }
  std::vector<std::pair<Translated, double>> kbest(const Search& search, uint32_t k) {
    if (!search.options().arcs)
      return distinct_best<Translated>(search, k,
                                       [&](uint32_t item) { return output(actions_to(search, item)); });
    std::vector<std::pair<Translated, double>> found;
    for (uint32_t path : paths_.run(space_, search, k)) {
      paths_.actions(path, actions_);
      found.emplace_back(output(actions_), paths_[path].score);
    }
    return found;
  }
  // The same with their dense features, not scaled: what a tuner wants to know.
  std::vector<Listed> listed(const Search& search, uint32_t k) {
    std::vector<Listed> found;
    for (uint32_t path : paths_.run(space_, search, k)) {
      paths_.actions(path, actions_);
      moves_.clear();
      auto state = space_.initial();
      for (uint32_t action : actions_) {
        moves_.push_back({state, action});
        state = space_.advance(state, action);
      }
      found.push_back({output(actions_), paths_[path].score, space_.features(moves_, 1)});
      space_.forget_sparse();  // they would pile up
    }
    return found;
  }

 private:
  static std::vector<uint32_t> actions_to(const Search& search, uint32_t at) {
    std::vector<uint32_t> actions;
    if (at == kRoot) return actions;
    for (; search.items[at].parent != kRoot; at = search.items[at].parent)
      actions.push_back(search.items[at].action);
    std::reverse(actions.begin(), actions.end());
    return actions;
  }
  Translated output(const std::vector<uint32_t>& actions) const {
    Translated out;
    const SentenceOptions& options = space_.options();
    for (uint32_t action : actions)
      for (uint32_t t : options.target(action)) say(options.tokens()[t], out);
    return out;
  }

  Space space_;
  LatticeKBest<Search> paths_;
  std::vector<uint32_t> actions_;
  Space::Moves moves_;
};

}  // namespace structron
