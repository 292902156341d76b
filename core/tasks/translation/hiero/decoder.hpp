// What one thread needs to translate by rules with gaps on its own.
#pragma once
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decoders.hpp"
#include "forest_kbest.hpp"
#include "tasks/translation/decoder.hpp"
#include "tasks/translation/hiero/space.hpp"
#include "watched_forest.hpp"

namespace structron {

class HieroDecoder {
 public:
  using Space = HieroSpace<FrozenRows>;
  using Search = ForestSearch<Space>;
  using Watched = WatchedForest<Space>;

  struct Listed {
    Translated output;
    double score;
    HieroDense::Vector dense;
  };

  HieroDecoder(const Rulebook& book, const HieroSettings& settings, const Frozen& weights)
      : space_(book, settings, FrozenRows(weights), 0) {}

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
  void open(uint32_t k, const HieroGold* gold = nullptr) {
    at_ = k;
    space_.source(source(k), gold);
  }
  std::span<const Key> source(uint32_t k) const {
    return {keys_.data() + begin_[k], begin_[k + 1] - begin_[k]};
  }

  Translated best(const Search& search) {
    uses_.clear();
    search.derivation(search.of_node(search.nodes() - 1)[0], uses_);
    return output(uses_);
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
    for (uint32_t t : tokens_) {
      const Token& token = space_.rules().tokens()[t];
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
  Space::Uses uses_;
  std::vector<uint32_t> tokens_;
};

}  // namespace structron
