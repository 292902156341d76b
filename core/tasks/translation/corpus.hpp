// Training pairs as integers, each with its gold derivations.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/translation/forced_decoding.hpp"
#include "tasks/translation/scorer.hpp"

namespace structron {

class TranslationCorpus {
 public:
  // A pair whose references cannot be reached is left out, or with `prefix` learns as much of its beginning
  // as can.
  TranslationCorpus(const Phrasebook& book, const TranslationSettings& settings, bool prefix, uint32_t cap)
      : book_(book), settings_(settings), prefix_(prefix), cap_(cap), options_(book) {}

  const Phrasebook& book() const { return book_; }
  const TranslationSettings& settings() const { return settings_; }
  uint32_t examples() const { return static_cast<uint32_t>(golds_.size()); }
  uint64_t words() const { return source_.size(); }
  // Pairs that cannot be reached whole, and those of them of which a beginning is learned.
  uint64_t unreachable() const { return unreachable_; }
  uint64_t prefixes() const { return prefixes_; }
  std::span<const Key> source(uint32_t i) const {
    return {source_.data() + begin_[i], begin_[i + 1] - begin_[i]};
  }
  const PhraseGold& gold(uint32_t i) const { return golds_[i]; }

  std::span<const LeftOption> left(uint32_t i) const {
    return {left_.data() + left_begin_[i], left_begin_[i + 1] - left_begin_[i]};
  }

  // `left`: what the table would be without this pair, sorted by the options' numbers.
  void add(std::span<const Key> source, const std::vector<std::vector<Key>>& references,
           std::span<const LeftOption> left) {
    options_.read(source, left);
    PhraseGold gold(options_, references, settings_.distortion_limit, prefix_, cap_);
    unreachable_ += !gold.reachable();
    if (!gold.reachable() && gold.words() == 0) return;
    prefixes_ += !gold.reachable();
    golds_.push_back(std::move(gold));
    source_.insert(source_.end(), source.begin(), source.end());
    begin_.push_back(source_.size());
    left_.insert(left_.end(), left.begin(), left.end());
    left_begin_.push_back(left_.size());
  }

 private:
  const Phrasebook& book_;
  const TranslationSettings& settings_;
  bool prefix_;
  uint32_t cap_;
  SentenceOptions options_;
  std::vector<Key> source_;  // all sources, one after the other
  std::vector<size_t> begin_{0};
  std::vector<LeftOption> left_;  // of all pairs
  std::vector<size_t> left_begin_{0};
  std::vector<PhraseGold> golds_;
  uint64_t unreachable_ = 0, prefixes_ = 0;
};

}  // namespace structron
