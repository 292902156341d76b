// What a phrase table would say had it not seen one pair of sentences: without it, a training sentence would
// be translated by phrases that it has supplied itself. The definition is `without` in
// structron/tasks/translation/phrases/left_out.py.
#pragma once
#include <map>
#include <utility>

#include "tasks/translation/phrases/phrase_table.hpp"

namespace structron {

class LeaveOneOut {
 public:
  // An option whose scores change: what is left of its count, and the two logarithms from it.
  struct Left {
    uint32_t option, count;
    float target_given_source, source_given_target;
  };

  // `least` takes the place of a count of which nothing is left.
  LeaveOneOut(const PhraseArrays& table, uint32_t longest, double least) : longest_(longest), least_(least) {
    if (!(least > 0)) throw std::invalid_argument("what takes the place of no count is above 0");
    check(table);
    for (size_t s = 0; s + 1 < table.source_offsets.size(); ++s)
      numbered(table.source_words, table.source_offsets, s, sources_, source_of_, static_cast<uint32_t>(s));
    for (size_t o = 0; o + 1 < table.target_offsets.size(); ++o)
      target_.push_back(numbered(table.target_words, table.target_offsets, o, targets_, target_of_, 0));
    counts_ = table.counts;
    source_counts_ = table.source_counts;
    target_counts_ = table.target_counts;
    first_ = table.first_option;
  }

  // All options for phrases of a source that the pair has a part in, in the order of the table.
  std::vector<Left> without(std::span<const uint32_t> source, std::span<const uint32_t> target,
                            std::span<const uint32_t> source_links, std::span<const uint32_t> target_links) {
    extraction_.load(static_cast<uint32_t>(source.size()), static_cast<uint32_t>(target.size()), source_links,
                     target_links);
    std::map<uint32_t, uint32_t> of_source, of_target;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> of_pair;
    extraction_.each(longest_, [&](const PhraseSpan& span) {
      const uint32_t s = find(source.subspan(span.i1, span.i2 - span.i1 + 1), sources_);
      const uint32_t t = find(target.subspan(span.j1, span.j2 - span.j1 + 1), targets_);
      if (s != kNone) ++of_source[s];
      if (t != kNone) ++of_target[t];
      if (s != kNone && t != kNone) ++of_pair[{s, t}];
    });
    std::vector<uint32_t> phrases;
    for (size_t i = 0; i < source.size(); ++i)
      for (size_t n = 1; n <= longest_ && i + n <= source.size(); ++n) {
        const uint32_t s = find(source.subspan(i, n), sources_);
        if (s == kNone) break;  // nothing longer begins with it
        if (source_of_[s] != kNone) phrases.push_back(s);
      }
    const auto times = [](const auto& seen, const auto& key) {
      const auto found = seen.find(key);
      return found == seen.end() ? 0u : found->second;
    };
    std::sort(phrases.begin(), phrases.end(),
              [&](uint32_t a, uint32_t b) { return source_of_[a] < source_of_[b]; });
    phrases.erase(std::unique(phrases.begin(), phrases.end()), phrases.end());
    std::vector<Left> found;
    for (uint32_t s : phrases)
      for (uint32_t o = first_[source_of_[s]]; o < first_[source_of_[s] + 1]; ++o) {
        const uint32_t own = times(of_pair, std::pair(s, target_[o]));
        const uint32_t ours = times(of_source, s), theirs = times(of_target, target_[o]);
        if (ours != 0 || theirs != 0) found.push_back(left(o, source_of_[s], own, ours, theirs));
      }
    return found;
  }

 private:
  static void check(const PhraseArrays& t) {
    const size_t phrases = t.source_counts.size(), options = t.counts.size();
    if (t.source_offsets.size() != phrases + 1 || t.first_option.size() != phrases + 1 ||
        t.target_offsets.size() != options + 1 || t.target_counts.size() != options)
      throw std::invalid_argument("the arrays of a phrase table differ in length");
    const auto rises = [](const std::vector<uint32_t>& offsets, size_t end) {
      if (offsets.front() != 0 || offsets.back() != end || !std::is_sorted(offsets.begin(), offsets.end()))
        throw std::invalid_argument("offsets do not rise or point too far");
    };
    rises(t.source_offsets, t.source_words.size());
    rises(t.target_offsets, t.target_words.size());
    rises(t.first_option, options);
  }

  // The number of a phrase in the tree of all; `value` is kept with it.
  static uint32_t numbered(const std::vector<uint32_t>& words, const std::vector<uint32_t>& offsets, size_t i,
                           Table& tree, std::vector<uint32_t>& values, uint32_t value) {
    uint32_t now = 0;
    for (uint32_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      now = tree.intern(combine(0, static_cast<uint64_t>(now) << 32 | words[k]), tree.size() + 1);
      if (values.size() <= now) values.resize(now + 1ull, kNone);
    }
    if (values.size() <= now) values.resize(now + 1ull, kNone);
    values[now] = value;
    return now;
  }
  static uint32_t find(std::span<const uint32_t> words, const Table& tree) {
    uint32_t now = 0;
    for (uint32_t word : words) {
      now = tree.find(combine(0, static_cast<uint64_t>(now) << 32 | word));
      if (now == kNone) return kNone;
    }
    return now;
  }

  Left left(uint32_t option, uint32_t phrase, uint32_t own, uint32_t ours, uint32_t theirs) const {
    const auto minus = [](uint32_t count, uint32_t taken) { return count > taken ? count - taken : 0; };
    const uint32_t count = minus(counts_[option], own);
    const double kept = std::max<double>(count, least_);
    const double by_source = std::max<double>(minus(source_counts_[phrase], ours), kept);
    const double by_target = std::max<double>(minus(target_counts_[option], theirs), kept);
    return {option, count, static_cast<float>(std::log(kept / by_source)),
            static_cast<float>(std::log(kept / by_target))};
  }

  uint32_t longest_;
  double least_;
  Table sources_, targets_;  // trees of words
  std::vector<uint32_t> source_of_,
      target_of_;                 // by number in the tree: the phrase, kNone if it is only a part
  std::vector<uint32_t> target_;  // by option: its target's number in the tree
  std::vector<uint32_t> counts_, source_counts_, target_counts_, first_;
  Extraction extraction_;
};

}  // namespace structron
