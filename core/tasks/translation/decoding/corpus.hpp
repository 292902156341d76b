// Training pairs as integers, each with its gold derivations.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tasks/translation/decoding/forced_decoding.hpp"
#include "tasks/translation/decoding/scorer.hpp"
#include "tasks/translation/decoding/targets.hpp"

namespace structron {

class TranslationCorpus {
 public:
  // A pair whose references cannot be reached is left out, or with `prefix` learns as much of its beginning
  // as can; where learning does not aim at references it stays in. There may be several books: each pair is
  // learned with one of them.
  TranslationCorpus(std::vector<const Phrasebook*> books, const TranslationSettings& settings, bool prefix,
                    uint32_t cap, Aim aim, uint32_t among)
      : books_(std::move(books)), settings_(settings), prefix_(prefix), cap_(cap), aim_(aim), among_(among) {
    for (const Phrasebook* book : books_) options_.emplace_back(*book);
  }

  const std::vector<const Phrasebook*>& books() const { return books_; }
  uint32_t book_of(uint32_t i) const { return book_of_[i]; }
  const TranslationSettings& settings() const { return settings_; }
  uint32_t examples() const { return static_cast<uint32_t>(book_of_.size()); }
  uint64_t words() const { return source_.size(); }
  // Pairs that cannot be reached whole, and those of them of which a beginning is learned.
  uint64_t unreachable() const { return unreachable_; }
  uint64_t prefixes() const { return prefixes_; }
  std::span<const Key> source(uint32_t i) const {
    return {source_.data() + begin_[i], begin_[i + 1] - begin_[i]};
  }
  Aim aim() const { return aim_; }
  uint32_t among() const { return among_; }
  uint32_t cap() const { return cap_; }
  // If learning aims at references.
  const PhraseGold& gold(uint32_t i) const { return golds_[i]; }
  // If it does not.
  const std::vector<std::vector<Key>>& references(uint32_t i) const { return references_[i]; }

  std::span<const LeftOption> left(uint32_t i) const {
    return {left_.data() + left_begin_[i], left_begin_[i + 1] - left_begin_[i]};
  }

  // `left`: what the table would be without this pair, sorted by the options' numbers.
  void add(std::span<const Key> source, const std::vector<std::vector<Key>>& references,
           std::span<const LeftOption> left, uint32_t book = 0) {
    options_[book].read(source, left);
    PhraseGold gold(options_[book], references, settings_.distortion_limit, prefix_, cap_);
    unreachable_ += !gold.reachable();
    if (aim_ == Aim::reference) {
      if (!gold.reachable() && gold.words() == 0) return;
      prefixes_ += !gold.reachable();
      golds_.push_back(std::move(gold));
    } else {
      references_.push_back(references);
    }
    book_of_.push_back(book);
    source_.insert(source_.end(), source.begin(), source.end());
    begin_.push_back(source_.size());
    left_.insert(left_.end(), left.begin(), left.end());
    left_begin_.push_back(left_.size());
  }

 private:
  std::vector<const Phrasebook*> books_;
  const TranslationSettings& settings_;
  bool prefix_;
  uint32_t cap_;
  Aim aim_;
  uint32_t among_;
  std::vector<SentenceOptions> options_;  // of each book
  std::vector<uint32_t> book_of_;
  std::vector<Key> source_;  // all sources, one after the other
  std::vector<size_t> begin_{0};
  std::vector<LeftOption> left_;  // of all pairs
  std::vector<size_t> left_begin_{0};
  std::vector<PhraseGold> golds_;
  std::vector<std::vector<std::vector<Key>>> references_;
  uint64_t unreachable_ = 0, prefixes_ = 0;
};

}  // namespace structron
