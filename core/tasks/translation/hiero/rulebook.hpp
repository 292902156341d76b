// Rules as the engine looks them up: arrays sorted by source sides, and a tree over the symbols of these.
#pragma once
#include <array>
#include <cmath>
#include <string>

#include "tasks/translation/hiero/rule_extraction.hpp"
#include "tasks/translation/language_model/language_model.hpp"
#include "tasks/translation/phrases/phrasebook.hpp"
#include "weights/table.hpp"

namespace structron {

struct RuleSpans {
  std::span<const uint32_t> source_words, source_offsets, source_counts, first_option, target_words,
      target_offsets, target_counts, counts, link_offsets, model_words;
  std::span<const float> scores;
  std::span<const uint8_t> links;
};

class Rulebook {
 public:
  static constexpr uint32_t kRoot = 0;

  // Nothing read from a file is trusted.
  Rulebook(std::span<const std::string> source_vocabulary, std::span<const std::string> target_vocabulary,
           const RuleSpans& a, const LanguageModel& model)
      : model_(model),
        source_words_(copy(a.source_words)),
        source_offsets_(copy(a.source_offsets)),
        source_counts_(copy(a.source_counts)),
        first_option_(copy(a.first_option)),
        target_words_(copy(a.target_words)),
        target_offsets_(copy(a.target_offsets)),
        target_counts_(copy(a.target_counts)),
        counts_(copy(a.counts)),
        link_offsets_(copy(a.link_offsets)),
        model_words_(copy(a.model_words)),
        scores_(a.scores.begin(), a.scores.end()),
        links_(a.links.begin(), a.links.end()) {
    for (const std::string& word : source_vocabulary) intern(source_ids_, hash_bytes(word));
    for (const std::string& word : target_vocabulary) {
      target_keys_.push_back(hash_bytes(word));
      intern(target_ids_, target_keys_.back());
    }
    check();
    for (uint32_t p = 0; p < patterns(); ++p) enter(p);
  }

  const LanguageModel& model() const { return model_; }
  uint32_t patterns() const { return static_cast<uint32_t>(first_option_.size()) - 1; }
  uint32_t options() const { return static_cast<uint32_t>(target_offsets_.size()) - 1; }
  uint32_t source_id(Key word) const { return source_ids_.find(word); }
  uint32_t target_id(Key word) const { return target_ids_.find(word); }
  Key target_key(uint32_t id) const { return target_keys_[id]; }
  uint32_t model_word(uint32_t id) const { return model_words_[id]; }

  std::span<const uint32_t> source(uint32_t pattern) const {
    return part(source_words_, source_offsets_, pattern);
  }
  std::span<const uint32_t> target(uint32_t option) const {
    return part(target_words_, target_offsets_, option);
  }
  std::pair<uint32_t, uint32_t> options_of(uint32_t pattern) const {
    return {first_option_[pattern], first_option_[pattern + 1]};
  }
  const float* scores(uint32_t option) const { return scores_.data() + size_t{option} * kScores; }
  // Source and target places in turn.
  std::span<const uint8_t> links(uint32_t option) const {
    return {links_.data() + size_t{link_offsets_[option]} * 2,
            size_t{link_offsets_[option + 1] - link_offsets_[option]} * 2};
  }
  uint32_t count(uint32_t option) const { return counts_[option]; }
  uint32_t target_count(uint32_t option) const { return target_counts_[option]; }
  uint32_t source_count(uint32_t pattern) const { return source_counts_[pattern]; }

  // The tree of source sides: where a symbol leads from a node, kNone if nowhere; and which side ends there.
  uint32_t child(uint32_t node, uint32_t symbol) const { return children_.find(edge_key(node, symbol)); }
  uint32_t pattern_at(uint32_t node) const { return pattern_at_[node]; }

 private:
  static std::vector<uint32_t> copy(std::span<const uint32_t> from) { return {from.begin(), from.end()}; }
  static Key edge_key(uint32_t node, uint32_t symbol) { return combine(0, uint64_t{node} << 32 | symbol); }
  static std::span<const uint32_t> part(const std::vector<uint32_t>& all,
                                        const std::vector<uint32_t>& offsets, uint32_t i) {
    return {all.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }
  static void intern(Table& ids, Key key) {
    if (const uint32_t next = ids.size(); ids.intern(key, next) != next)
      throw std::invalid_argument("a word of the rules is there twice");
  }
  void enter(uint32_t pattern) {
    uint32_t node = kRoot;
    for (uint32_t symbol : source(pattern)) {
      node = children_.intern(edge_key(node, symbol), static_cast<uint32_t>(pattern_at_.size()));
      if (node == pattern_at_.size()) pattern_at_.push_back(kNone);
    }
    pattern_at_[node] = pattern;
  }

  static void wrong(const char* what) { throw std::invalid_argument(what); }
  static void check_offsets(const std::vector<uint32_t>& offsets, size_t last) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != last ||
        !std::is_sorted(offsets.begin(), offsets.end()))
      wrong("the arrays of the rules do not fit together");
  }
  void check() const {
    check_offsets(source_offsets_, source_words_.size());
    check_offsets(target_offsets_, target_words_.size());
    check_offsets(first_option_, options());
    check_offsets(link_offsets_, links_.size() / 2);
    if (source_offsets_.size() != first_option_.size() || source_counts_.size() != patterns() ||
        target_counts_.size() != options() || counts_.size() != options() ||
        link_offsets_.size() != target_offsets_.size() || links_.size() % 2 != 0 ||
        scores_.size() != size_t{options()} * kScores || model_words_.size() != target_keys_.size())
      wrong("the arrays of the rules do not fit together");
    const auto below = [](const std::vector<uint32_t>& words, uint32_t n) {
      return std::all_of(words.begin(), words.end(), [&](uint32_t w) { return w < n; });
    };
    if (!below(source_words_, source_ids_.size()) || !below(target_words_, target_ids_.size()) ||
        !below(model_words_, model_.words()))
      wrong("a rule has a word that is not in its vocabulary");
    for (float score : scores_)
      if (!std::isfinite(score)) wrong("a rule has a score that is no number");
    for (uint32_t p = 0; p < patterns(); ++p) check_pattern(p);
  }
  void check_pattern(uint32_t p) const {
    const auto symbols = source(p);
    const uint32_t gaps = check_side(symbols, true);
    if (p > 0) {
      const auto before = source(p - 1);
      if (!std::lexicographical_compare(before.begin(), before.end(), symbols.begin(), symbols.end()))
        wrong("the rules are not sorted");
    }
    for (uint32_t o = first_option_[p]; o < first_option_[p + 1]; ++o) {
      if (check_side(target(o), false) != gaps) wrong("the gaps of a rule differ between its sides");
      const auto places = links(o);
      for (size_t i = 0; i < places.size(); i += 2)
        if (places[i] >= symbols.size() || places[i + 1] >= target(o).size() || is_gap(symbols[places[i]]) ||
            is_gap(target(o)[places[i + 1]]))
          wrong("a rule is aligned outside of its words");
    }
  }
  // How many gaps there are; in the source they are in order and do not touch.
  static uint32_t check_side(std::span<const uint32_t> symbols, bool is_source) {
    uint32_t gaps = 0, words = 0;
    bool first = false, second = false, touching = false;
    for (size_t k = 0; k < symbols.size(); ++k) {
      if (!is_gap(symbols[k])) {
        ++words;
        continue;
      }
      bool& seen = symbols[k] == kFirstGap ? first : second;
      if (seen || (is_source && &seen == &second && !first)) wrong("a rule has a gap that cannot be");
      touching |= k > 0 && is_gap(symbols[k - 1]);
      seen = true;
      ++gaps;
    }
    if (words == 0 || (gaps == 1 && second) || (is_source && touching) || symbols.size() > 2 * kMostLinked)
      wrong("a rule has a side that cannot be");
    return gaps;
  }

  const LanguageModel& model_;
  std::vector<uint32_t> source_words_, source_offsets_, source_counts_, first_option_, target_words_,
      target_offsets_, target_counts_, counts_, link_offsets_, model_words_;
  std::vector<float> scores_;
  std::vector<uint8_t> links_;
  Table source_ids_, target_ids_, children_;
  std::vector<Key> target_keys_;
  std::vector<uint32_t> pattern_at_{kNone};  // by node of the tree
};

}  // namespace structron
