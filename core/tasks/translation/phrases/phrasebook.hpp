// A phrase table as the decoder reads it: from source phrases to options, and from words to numbers.
//
// Source phrases are sorted, so that those which begin with the same words stand together, and a sentence is
// looked up word by word.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tasks/translation/decoding/coverage.hpp"
#include "tasks/translation/language_model/language_model.hpp"
#include "util/hash.hpp"
#include "weights/table.hpp"

namespace structron {

inline constexpr uint32_t kScores = 4, kTurns = 3;
inline constexpr uint32_t kTargetGivenSource = 0, kSourceGivenTarget = 2;  // among the scores

// Arrays as a phrase table has them. Phrase p has the source words from source_offsets[p] on and the options
// from first_option[p] on; option o the target words from target_offsets[o] on and the links, pairs of
// places, from link_offsets[o] on. Target words have a number in the language model, too.
struct PhraseSpans {
  std::span<const uint32_t> source_words, source_offsets, first_option, target_words, target_offsets;
  std::span<const uint32_t> model_words;
  std::span<const float> model_bounds;        // by word of the model, the most it may say of it
  std::span<const float> scores, reordering;  // kScores and 2 * kTurns for each option
  std::span<const uint32_t> link_offsets;
  std::span<const uint8_t> links;
};

class Phrasebook {
 public:
  // Nothing read from a file is trusted.
  Phrasebook(std::span<const std::string> source_vocabulary, std::span<const std::string> target_vocabulary,
             const PhraseSpans& arrays, const LanguageModel& model)
      : model_(model),
        source_words_(copy(arrays.source_words)),
        source_offsets_(copy(arrays.source_offsets)),
        first_option_(copy(arrays.first_option)),
        target_words_(copy(arrays.target_words)),
        target_offsets_(copy(arrays.target_offsets)),
        link_offsets_(copy(arrays.link_offsets)),
        links_(arrays.links.begin(), arrays.links.end()),
        scores_(arrays.scores.begin(), arrays.scores.end()),
        reordering_(arrays.reordering.begin(), arrays.reordering.end()),
        model_bounds_(arrays.model_bounds.begin(), arrays.model_bounds.end()),
        model_words_(copy(arrays.model_words)) {
    for (const std::string& word : source_vocabulary)
      if (source_ids_.intern(hash_bytes(word), source_ids_.size()) != source_ids_.size() - 1)
        throw std::invalid_argument("a source word is there twice");
    for (const std::string& word : target_vocabulary) {
      const Key key = hash_bytes(word);
      if (target_ids_.intern(key, target_ids_.size()) != target_ids_.size() - 1)
        throw std::invalid_argument("a target word is there twice");
      target_keys_.push_back(key);
    }
    check();
  }

  const LanguageModel& model() const { return model_; }
  uint32_t phrases() const { return static_cast<uint32_t>(first_option_.size()) - 1; }
  uint32_t options() const { return static_cast<uint32_t>(target_offsets_.size()) - 1; }
  uint32_t longest() const { return longest_; }
  uint32_t source_id(Key word) const { return source_ids_.find(word); }
  uint32_t target_id(Key word) const { return target_ids_.find(word); }
  Key target_key(uint32_t id) const { return target_keys_[id]; }
  uint32_t model_word(uint32_t id) const { return model_words_[id]; }
  // No context makes a word of the model more likely than this.
  float model_bound(uint32_t word) const { return model_bounds_[word]; }

  std::span<const uint32_t> target(uint32_t option) const {
    return {target_words_.data() + target_offsets_[option],
            target_offsets_[option + 1] - target_offsets_[option]};
  }
  const float* scores(uint32_t option) const { return scores_.data() + size_t{option} * kScores; }
  const float* reordering(uint32_t option) const { return reordering_.data() + size_t{option} * 2 * kTurns; }
  // Whether it translates one word by one word.
  bool is_of_single_words(uint32_t option) const {
    const auto after = std::upper_bound(first_option_.begin(), first_option_.end(), option);
    return target(option).size() == 1 &&
           source(static_cast<uint32_t>(after - first_option_.begin()) - 1).size() == 1;
  }
  // Source and target places in turn.
  std::span<const uint8_t> links(uint32_t option) const {
    return {links_.data() + size_t{link_offsets_[option]} * 2,
            size_t{link_offsets_[option + 1] - link_offsets_[option]} * 2};
  }

  // f(length, first option, last option) for each phrase with which these words begin, shortest first.
  template <class F>
  void each_phrase(std::span<const uint32_t> words, F&& f) const {
    uint32_t begin = 0, end = phrases();
    for (uint32_t length = 1; length <= std::min<size_t>(longest_, words.size()); ++length) {
      const uint32_t word = words[length - 1];
      if (word == kNone) return;
      begin = bound(begin, end, length - 1, [&](uint32_t w) { return w < word; });
      end = bound(begin, end, length - 1, [&](uint32_t w) { return w == word; });
      if (begin == end) return;
      // What is no longer than this stands first.
      if (source_offsets_[begin + 1] - source_offsets_[begin] == length)
        f(length, first_option_[begin], first_option_[begin + 1]);
    }
  }

 private:
  static std::vector<uint32_t> copy(std::span<const uint32_t> from) { return {from.begin(), from.end()}; }

  // The first phrase from begin to end of which the word at this place is no longer `before`. A phrase that
  // has no such word stands before all that have.
  template <class Before>
  uint32_t bound(uint32_t begin, uint32_t end, uint32_t place, Before&& before) const {
    while (begin < end) {
      const uint32_t middle = begin + (end - begin) / 2, at = source_offsets_[middle] + place;
      if (at >= source_offsets_[middle + 1] || before(source_words_[at])) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  static void check_offsets(const std::vector<uint32_t>& offsets, size_t last, const char* what) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != last ||
        !std::is_sorted(offsets.begin(), offsets.end()))
      throw std::invalid_argument(std::string("the phrase table's ") + what + " do not fit together");
  }
  void check() {
    check_offsets(source_offsets_, source_words_.size(), "source phrases");
    check_offsets(target_offsets_, target_words_.size(), "target phrases");
    check_offsets(first_option_, options(), "options");
    check_offsets(link_offsets_, links_.size() / 2, "links");
    const auto below = [](const std::vector<uint32_t>& words, uint32_t n) {
      return std::all_of(words.begin(), words.end(), [&](uint32_t w) { return w < n; });
    };
    const auto finite = [](const std::vector<float>& values) {
      return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
    };
    if (source_offsets_.size() != first_option_.size() || link_offsets_.size() != target_offsets_.size() ||
        links_.size() % 2 != 0 || model_words_.size() != target_keys_.size() ||
        scores_.size() != size_t{options()} * kScores || reordering_.size() != size_t{options()} * 2 * kTurns)
      throw std::invalid_argument("the phrase table's arrays do not fit together");
    if (!below(source_words_, source_ids_.size()) || !below(target_words_, target_ids_.size()))
      throw std::invalid_argument("the phrase table has a word that is not in its vocabulary");
    if (model_bounds_.size() != model_.words() || !below(model_words_, model_.words()))
      throw std::invalid_argument("the phrase table and the language model do not fit together");
    if (!finite(scores_) || !finite(reordering_) || !finite(model_bounds_))
      throw std::invalid_argument("the phrase table has a score that is no number");
    check_phrases();
  }
  void check_phrases() {
    for (uint32_t p = 0; p < phrases(); ++p) {
      const std::span<const uint32_t> words = source(p);
      longest_ = std::max(longest_, static_cast<uint32_t>(words.size()));
      if (words.empty() || words.size() > kLongestPhrase)
        throw std::invalid_argument("a source phrase must have 1 to " + std::to_string(kLongestPhrase) +
                                    " words");
      if (p > 0) {
        const std::span<const uint32_t> before = source(p - 1);
        if (!std::lexicographical_compare(before.begin(), before.end(), words.begin(), words.end()))
          throw std::invalid_argument("the phrase table is not sorted");
      }
      for (uint32_t o = first_option_[p]; o < first_option_[p + 1]; ++o) check_option(o, words.size());
    }
  }
  void check_option(uint32_t o, size_t source_length) const {
    if (target(o).empty()) throw std::invalid_argument("a target phrase is empty");
    const std::span<const uint8_t> places = links(o);
    for (size_t i = 0; i < places.size(); i += 2)
      if (places[i] >= source_length || places[i + 1] >= target(o).size())
        throw std::invalid_argument("a phrase is aligned outside of itself");
  }
  std::span<const uint32_t> source(uint32_t phrase) const {
    return {source_words_.data() + source_offsets_[phrase],
            source_offsets_[phrase + 1] - source_offsets_[phrase]};
  }

  const LanguageModel& model_;
  std::vector<uint32_t> source_words_, source_offsets_, first_option_, target_words_, target_offsets_,
      link_offsets_;
  std::vector<uint8_t> links_;
  std::vector<float> scores_, reordering_, model_bounds_;
  std::vector<uint32_t> model_words_;  // by target word, its number in the language model
  Table source_ids_, target_ids_;
  std::vector<Key> target_keys_;
  uint32_t longest_ = 1;
};

}  // namespace structron
