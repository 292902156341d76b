// The ways to translate the spans of one sentence, numbered as actions: by start, end, and the table's order.
// structron/tasks/translation/phrases/options.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tasks/translation/decoding/coverage.hpp"
#include "tasks/translation/phrases/phrasebook.hpp"
#include "util/numbers.hpp"

namespace structron {

// A target word as it is met in a sentence. Words that are copied need not be in any vocabulary.
struct Token {
  Key key;
  uint32_t model_word;
  uint32_t target_id;     // kNone for what only this sentence has
  uint32_t source_place;  // where it was copied from
};

// What is left of an option without the training pair at hand: two of its scores, or nothing.
struct LeftOption {
  uint32_t entry;
  float target_given_source, source_given_target;
  bool is_gone;
};

struct PhraseOption {
  uint32_t start, end;
  uint32_t first_token, tokens;  // among all target words of the sentence's options
  uint32_t entry;                // in the phrasebook; kNone for a copied word
  std::array<float, kScores> scores;
};

class SentenceOptions {
 public:
  explicit SentenceOptions(const Phrasebook& book) : book_(book) {}

  // The source as keys of words. `left`: options that are not as in the table, sorted by their numbers.
  void read(std::span<const Key> source, std::span<const LeftOption> left = {}) {
    source_.assign(source.begin(), source.end());
    options_.clear();
    words_.clear();
    tokens_.clear();
    numbers_.clear();
    copies_ = 0;
    ids_.clear();
    for (Key word : source_) ids_.push_back(book_.source_id(word));
    first_.assign(source_.size() * book_.longest() + 1, 0);
    for (uint32_t start = 0; start < source_.size(); ++start) {
      const size_t spans = size_t{start} * book_.longest();
      uint32_t done = 0;  // spans from here for which first_ is known
      book_.each_phrase(std::span(ids_).subspan(start), [&](uint32_t length, uint32_t from, uint32_t to) {
        if (done == 0 && length > 1) add_copy(start, spans, done);
        while (done < length) first_[spans + done++] = size();
        const uint32_t before = size();
        for (uint32_t entry = from; entry < to; ++entry) add(start, start + length, entry, left);
        if (length == 1 && size() == before) add_copy_here(start);
      });
      if (done == 0) add_copy(start, spans, done);
      while (done < book_.longest()) first_[spans + done++] = size();
    }
    first_.back() = size();
  }

  const Phrasebook& book() const { return book_; }
  std::span<const Key> source() const { return source_; }
  uint32_t size() const { return static_cast<uint32_t>(options_.size()); }
  // Words that were copied for want of an option.
  uint32_t copies() const { return copies_; }
  const PhraseOption& operator[](uint32_t option) const { return options_[option]; }
  std::span<const uint32_t> target(uint32_t option) const {
    return {words_.data() + options_[option].first_token, options_[option].tokens};
  }
  std::span<const Token> tokens() const { return tokens_; }
  const float* reordering(uint32_t option) const {
    static constexpr float kNoPreference[2 * kTurns] = {};
    const uint32_t entry = options_[option].entry;
    return entry == kNone ? kNoPreference : book_.reordering(entry);
  }

  // f(start, end, first option, last option) for every span that can come next: nothing is covered twice, it
  // does not begin too far from the end of the last phrase, and leaves a way back to the first gap.
  template <class F>
  void each_span(const Coverage& covered, uint32_t last_end, uint32_t limit, F&& f) const {
    const uint32_t n = static_cast<uint32_t>(source_.size()), gap = covered.gap;
    const uint32_t from = std::max(gap, last_end > limit ? last_end - limit : 0);
    const uint32_t to = std::min({n, last_end + limit + 1, gap + limit + 1});
    for (uint32_t start = from; start < to; ++start) {
      const uint32_t farthest = start == gap ? n : std::min(n, gap + limit);
      for (uint32_t end = start + 1; end <= std::min(farthest, start + book_.longest()); ++end) {
        if (!covered.is_free(start, end)) break;
        const uint32_t* first = &first_[size_t{start} * book_.longest() + (end - start - 1)];
        if (first[0] != first[1]) f(start, end, first[0], first[1]);
      }
    }
  }
  // The options of a span.
  std::pair<uint32_t, uint32_t> of(uint32_t start, uint32_t end) const {
    const uint32_t* first = &first_[size_t{start} * book_.longest() + (end - start - 1)];
    return {first[0], first[1]};
  }

 private:
  void add_copy(uint32_t start, size_t spans, uint32_t& done) {
    first_[spans + done++] = size();
    add_copy_here(start);
  }
  void add_copy_here(uint32_t start) {
    ++copies_;
    const Key key = source_[start];
    const uint32_t id = book_.target_id(key);
    options_.push_back({start, start + 1, static_cast<uint32_t>(words_.size()), 1, kNone, {}});
    words_.push_back(token(key, id == kNone ? 0 : book_.model_word(id), id, start));
  }
  void add(uint32_t start, uint32_t end, uint32_t entry, std::span<const LeftOption> left) {
    std::array<float, kScores> scores;
    std::copy_n(book_.scores(entry), kScores, scores.begin());
    const auto at = std::lower_bound(left.begin(), left.end(), entry,
                                     [](const LeftOption& l, uint32_t e) { return l.entry < e; });
    if (at != left.end() && at->entry == entry) {
      if (at->is_gone) return;
      scores[kTargetGivenSource] = at->target_given_source;
      scores[kSourceGivenTarget] = at->source_given_target;
    }
    const std::span<const uint32_t> target = book_.target(entry);
    options_.push_back({start, end, static_cast<uint32_t>(words_.size()),
                        static_cast<uint32_t>(target.size()), entry, scores});
    for (uint32_t id : target) words_.push_back(token(book_.target_key(id), book_.model_word(id), id, start));
  }
  uint32_t token(Key key, uint32_t model_word, uint32_t id, uint32_t place) {
    const uint32_t number = numbers_.of(key);
    if (number == tokens_.size()) tokens_.push_back({key, model_word, id, place});
    return number;
  }

  const Phrasebook& book_;
  std::vector<Key> source_;
  std::vector<uint32_t> ids_;
  std::vector<PhraseOption> options_;
  std::vector<uint32_t> first_;  // by start and length, the first option
  std::vector<uint32_t> words_;  // of all options, numbers of tokens
  std::vector<Token> tokens_;
  Numbers numbers_;
  uint32_t copies_ = 0;
};

}  // namespace structron
