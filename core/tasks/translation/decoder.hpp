// What one thread needs to translate on its own.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "beam_search.hpp"
#include "decoders.hpp"
#include "lattice_kbest.hpp"
#include "tasks/translation/space.hpp"
#include "watched.hpp"

namespace structron {

// Target words by their numbers; kNone stands for the next of the copied ones.
struct Translated {
  std::vector<uint32_t> words;
  std::vector<std::string> copied;

  auto operator<=>(const Translated&) const = default;
};

class TranslationDecoder {
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

  // Sources are loaded word by word.
  void begin_batch() {
    keys_.clear();
    texts_.clear();
    begin_.assign(1, 0);
  }
  void add_word(std::string_view word) {
    keys_.push_back(hash_bytes(word));
    texts_.emplace_back(word);
  }
  void close_source() { begin_.push_back(keys_.size()); }
  void open(uint32_t k, const PhraseGold* gold = nullptr) {
    at_ = k;
    space_.source(source(k), gold);
  }
  std::span<const Key> source(uint32_t k) const {
    return {keys_.data() + begin_[k], begin_[k + 1] - begin_[k]};
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
      for (uint32_t t : options.target(action)) {
        const Token& token = options.tokens()[t];
        out.words.push_back(token.target_id);
        if (token.target_id == kNone) out.copied.push_back(texts_[begin_[at_] + token.source_place]);
      }
    return out;
  }

  Space space_;
  uint32_t at_ = 0;
  std::vector<Key> keys_;
  std::vector<std::string> texts_;
  std::vector<size_t> begin_{0};
  LatticeKBest<Search> paths_;
  std::vector<uint32_t> actions_;
  Space::Moves moves_;
};

}  // namespace structron
