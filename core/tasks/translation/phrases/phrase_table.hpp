// The phrase table: what is left of all phrase pairs, as arrays, sorted by source phrase with the best
// options of each first. See `PhraseTable` in structron/tasks/translation/phrases/table.py.
#pragma once
#include "tasks/translation/phrases/phrase_counts.hpp"
#include "util/interrupt.hpp"

namespace structron {

struct PhraseArrays {
  std::vector<uint32_t> source_words, source_offsets{0}, source_counts;
  std::vector<uint32_t> first_option;  // by source phrase: its first option; and how many there are
  std::vector<uint32_t> target_words, target_offsets{0}, target_counts, counts;
  std::vector<float> scores;  // four of each option: phi(e|f), lex(e|f), phi(f|e), lex(f|e)
  std::vector<float>
      reordering;  // six: monotone, swap, discontinuous to what is before, and to what is after
  std::vector<uint32_t> link_offsets{0};
  std::vector<uint8_t> links;  // inside the option: source position, then target position
};

// Keeps pairs seen `least` times and those of one word and one word, of each source phrase the `most` best.
class PhraseScorer {
 public:
  PhraseScorer(const PhraseCounts& counts, uint32_t least, uint32_t most)
      : counts_(counts),
        inner_(counts.inner()),
        totals_{counts.totals(0), counts.totals(1)},
        least_(least),
        most_(most) {
    choose();
    size_t begin = 0;
    while (begin < options_.size()) {
      size_t end = begin;
      while (end < options_.size() && options_[end].source == options_[begin].source) ++end;
      for (size_t k = begin; k < std::min<size_t>(end, begin + most_); ++k, pulse_())
        put(options_[k], k == begin);
      begin = end;
    }
    table_.first_option.push_back(static_cast<uint32_t>(table_.counts.size()));
  }

  PhraseArrays take() { return std::move(table_); }

 private:
  struct Option {
    uint32_t pair, count;
    float lexical;
    std::vector<uint32_t> source, target;
  };

  void choose() {
    std::vector<uint32_t> links;
    for (uint32_t p = 0; p < counts_.pairs().size(); ++p) {
      pulse_();
      const PhraseCounts::Pair& pair = counts_.pairs()[p];
      Option option{p, pair.count, 0, {}, {}};
      counts_.sources().spell(pair.source, option.source);
      counts_.targets().spell(pair.target, option.target);
      if (pair.count < least_ && (option.source.size() > 1 || option.target.size() > 1)) continue;
      counts_.inner_links().spell(inner_[p], links);
      option.lexical = static_cast<float>(counts_.weight(option.source, option.target, links, 0));
      options_.push_back(std::move(option));
    }
    const auto before = [](const Option& a, const Option& b) {
      if (a.source != b.source) return a.source < b.source;
      if (a.count != b.count) return a.count > b.count;
      if (a.lexical != b.lexical) return a.lexical > b.lexical;
      return a.target < b.target;
    };
    std::sort(options_.begin(), options_.end(), heard(before));
  }

  void put(const Option& option, bool is_first) {
    const PhraseCounts::Pair& pair = counts_.pairs()[option.pair];
    if (is_first) {
      table_.first_option.push_back(static_cast<uint32_t>(table_.counts.size()));
      append(table_.source_words, table_.source_offsets, option.source);
      table_.source_counts.push_back(static_cast<uint32_t>(totals_[0][pair.source]));
    }
    append(table_.target_words, table_.target_offsets, option.target);
    table_.counts.push_back(pair.count);
    table_.target_counts.push_back(static_cast<uint32_t>(totals_[1][pair.target]));
    std::vector<uint32_t> links;
    counts_.inner_links().spell(inner_[option.pair], links);
    for (uint32_t link : links) {
      table_.links.push_back(static_cast<uint8_t>(link >> 4));
      table_.links.push_back(static_cast<uint8_t>(link & 15));
    }
    table_.link_offsets.push_back(static_cast<uint32_t>(table_.links.size() / 2));
    const double count = pair.count;
    const double back = counts_.weight(option.source, option.target, links, 1);
    table_.scores.push_back(
        static_cast<float>(std::log(count / static_cast<double>(totals_[0][pair.source]))));
    table_.scores.push_back(option.lexical);
    table_.scores.push_back(
        static_cast<float>(std::log(count / static_cast<double>(totals_[1][pair.target]))));
    table_.scores.push_back(static_cast<float>(back));
    for (uint32_t seen : pair.orientation)
      table_.reordering.push_back(
          static_cast<float>(std::log((seen + kSmoothing) / (count + 3 * kSmoothing))));
  }

  static void append(std::vector<uint32_t>& all, std::vector<uint32_t>& offsets,
                     const std::vector<uint32_t>& more) {
    all.insert(all.end(), more.begin(), more.end());
    offsets.push_back(static_cast<uint32_t>(all.size()));
  }

  static constexpr double kSmoothing = 0.5;  // added to the count of each orientation, as in Moses

  const PhraseCounts& counts_;
  std::vector<uint32_t> inner_;
  std::array<std::vector<uint64_t>, 2> totals_;
  uint32_t least_, most_;
  std::vector<Option> options_;
  Pulse pulse_;
  PhraseArrays table_;
};

}  // namespace structron
