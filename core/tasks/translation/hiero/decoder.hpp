// What one thread needs to translate by rules with gaps on its own.
#pragma once
#include <set>
#include <utility>
#include <vector>

#include "search/decoders.hpp"
#include "search/forest/forest_kbest.hpp"
#include "search/forest/watched_forest.hpp"
#include "tasks/translation/decoding/loaded_sources.hpp"
#include "tasks/translation/hiero/space.hpp"

namespace structron {

class HieroDecoder : public LoadedSources {
 public:
  using Space = HieroSpace<FrozenRows>;
  using Search = ForestSearch<Space>;
  using Watched = WatchedForest<Space>;

  // A rule of a derivation: the source words it stands for, how many gaps it has, and which of the table it
  // is, or kNone for a copied word.
  struct Used {
    uint32_t start, end, gaps, entry;
  };
  struct Listed {
    Translated output;
    double score;
    HieroDense::Vector dense;
  };

  HieroDecoder(const Rulebook& book, const HieroSettings& settings, const Frozen& weights)
      : space_(book, settings, FrozenRows(weights), 0) {}

  Space& space() { return space_; }
  uint64_t& evictions() { return space_.evictions(); }

  void open(uint32_t k, const HieroGold* gold = nullptr) {
    turn_to(k);
    space_.source(source(k), gold);
  }

  Translated best(const Search& search) {
    uses_.clear();
    search.derivation(search.of_node(search.nodes() - 1)[0], uses_);
    return output(uses_);
  }
  // The rules that the best output is made of, each after those in its gaps; glue is left out.
  std::vector<Used> derivation(const Search& search) {
    uses_.clear();
    search.derivation(search.of_node(search.nodes() - 1)[0], uses_);
    std::vector<Used> used;
    for (const auto& use : uses_) {
      if (space_.layout().is_pattern(use.node) || space_.layout().is_beginning(use.node)) continue;
      const auto [begin, end] = space_.span(use.node);
      used.push_back(
          {begin, end, use.edge.arity - 1, space_.rules().option(Space::rule_of(use.states[0])).entry});
    }
    return used;
  }
  std::vector<std::pair<Translated, double>> kbest(const Search& search, uint32_t k) {
    std::vector<std::pair<Translated, double>> found;
    each_best(search, k, [&](const Space::Uses&, Translated&& words, double score) {
      found.emplace_back(std::move(words), score);
    });
    return found;
  }
  // The same with their dense features, not scaled: what a tuner wants to know.
  std::vector<Listed> listed(const Search& search, uint32_t k) {
    std::vector<Listed> found;
    each_best(search, k, [&](const Space::Uses& uses, Translated&& words, double score) {
      found.push_back({std::move(words), score, space_.features(uses, 1)});
      space_.forget_sparse();  // they would pile up
    });
    return found;
  }

 private:
  template <class F>
  void each_best(const Search& search, uint32_t k, F&& f) {
    std::set<Translated> known;
    ForestKBest<Search, Space::Output>(search, {&space_})
        .each(search.nodes() - 1, kNone, [&](const Space::Uses& uses, double score) -> bool {
          Translated words = output(uses);
          if (known.insert(words).second) f(uses, std::move(words), score);
          return known.size() < k;
        });
  }
  Translated output(const Space::Uses& uses) {
    Translated out;
    space_.words_of(uses, tokens_);
    for (uint32_t t : tokens_) say(space_.rules().tokens()[t], out);
    return out;
  }

  Space space_;
  Space::Uses uses_;
  std::vector<uint32_t> tokens_;
};

}  // namespace structron
