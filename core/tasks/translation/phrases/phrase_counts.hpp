// Counts phrase pairs over a parallel text and scores them: relative frequencies, lexical weights and
// orientations. The definition is structron/tasks/translation/phrases/extraction.py.
#pragma once
#include <array>
#include <cmath>

#include "tasks/translation/phrases/extraction.hpp"
#include "util/hash.hpp"
#include "util/interrupt.hpp"
#include "weights/table.hpp"

namespace structron {

// Sequences of numbers, each known by one: that of all but its last, and the last.
class Sequences {
 public:
  static constexpr uint32_t kEmpty = 0;

  // The number of a sequence and one more at its end; numbers are given in the order of first sight, from 1.
  uint32_t longer(uint32_t sequence, uint32_t last) {
    const uint64_t both = static_cast<uint64_t>(sequence) << 32 | last;
    const uint32_t number = table_.intern(combine(0, both), static_cast<uint32_t>(parts_.size() + 1));
    if (number > parts_.size()) parts_.push_back(both);
    return number;
  }
  size_t size() const { return parts_.size() + 1; }

  void spell(uint32_t sequence, std::vector<uint32_t>& out) const {
    out.clear();
    for (; sequence != kEmpty; sequence = static_cast<uint32_t>(parts_[sequence - 1] >> 32))
      out.push_back(static_cast<uint32_t>(parts_[sequence - 1]));
    std::reverse(out.begin(), out.end());
  }

 private:
  Table table_;
  std::vector<uint64_t> parts_;
};

// How often words are linked; number `vocabulary` of a side is nothing, to which a word without links is.
class LexicalCounts {
 public:
  LexicalCounts(uint32_t sources, uint32_t targets) : none_{sources, targets} {
    totals_[0].assign(sources + 1ull, 0);
    totals_[1].assign(targets + 1ull, 0);
  }

  uint32_t none(int side) const { return none_[side]; }

  void add(uint32_t source, uint32_t target) {
    const uint32_t pair = table_.intern(key_of(source, target), static_cast<uint32_t>(joint_.size()));
    if (pair == joint_.size()) joint_.push_back(0);
    ++joint_[pair];
    ++totals_[0][source];
    ++totals_[1][target];
  }

  // Of one word, given that of a side.
  double share(uint32_t source, uint32_t target, int given) const {
    const uint32_t pair = table_.find(key_of(source, target));
    const double joint = pair == kNone ? 0.0 : static_cast<double>(joint_[pair]);
    return joint / static_cast<double>(totals_[given][given == 0 ? source : target]);
  }

 private:
  static Key key_of(uint32_t source, uint32_t target) {
    return combine(0, static_cast<uint64_t>(source) << 32 | target);
  }

  std::array<uint32_t, 2> none_;
  Table table_;
  std::vector<uint64_t> joint_;
  std::array<std::vector<uint64_t>, 2> totals_;
};

class PhraseCounts {
 public:
  struct Pair {
    uint32_t source, target;  // numbers of sequences
    uint32_t count = 0;
    std::array<uint32_t, 6> orientation{};
  };

  PhraseCounts(uint32_t source_words, uint32_t target_words, uint32_t longest)
      : lexical_(source_words, target_words), words_{source_words, target_words}, longest_(longest) {
    if (longest < 1 || longest > kMostLinked) throw std::invalid_argument("phrases have 1 to 15 words");
  }

  // One pair of sentences with its links, sorted.
  void add(std::span<const uint32_t> source, std::span<const uint32_t> target,
           std::span<const uint32_t> source_links, std::span<const uint32_t> target_links) {
    hear();
    for (uint32_t w : source)
      if (w >= words_[0]) throw std::invalid_argument("a word is not in the vocabulary");
    for (uint32_t w : target)
      if (w >= words_[1]) throw std::invalid_argument("a word is not in the vocabulary");
    const uint32_t n = static_cast<uint32_t>(source.size()), m = static_cast<uint32_t>(target.size());
    extraction_.load(n, m, source_links, target_links);
    for (size_t k = 0; k < source_links.size(); ++k)
      lexical_.add(source[source_links[k]], target[target_links[k]]);
    for (uint32_t i = 0; i < n; ++i)
      if (!extraction_.is_source_linked(i)) lexical_.add(source[i], lexical_.none(1));
    for (uint32_t j = 0; j < m; ++j)
      if (!extraction_.is_target_linked(j)) lexical_.add(lexical_.none(0), target[j]);
    number(source, sources_, source_at_);
    number(target, targets_, target_at_);
    extraction_.each(longest_, [&](const PhraseSpan& span) { count(span); });
  }

  const std::vector<Pair>& pairs() const { return pairs_; }
  const Sequences& sources() const { return sources_; }
  const Sequences& targets() const { return targets_; }
  uint64_t instances() const { return instances_; }

  // How often a phrase occurs in pairs, by its number.
  std::vector<uint64_t> totals(int side) const {
    std::vector<uint64_t> found(side == 0 ? sources_.size() : targets_.size(), 0);
    for (const Pair& p : pairs_) found[side == 0 ? p.source : p.target] += p.count;
    return found;
  }

  // For each pair its most frequent inner links as a sequence of bytes (source, then target, four bits each);
  // of equals, the first in order.
  std::vector<uint32_t> inner() const {
    std::vector<uint32_t> best(pairs_.size(), kNone);
    std::vector<uint32_t> ours, theirs;
    Pulse pulse;
    for (uint32_t k = 0; k < linked_.size(); ++k) {
      pulse();
      uint32_t& b = best[linked_[k].pair];
      if (b == kNone || linked_[k].count > linked_[b].count) {
        b = k;
      } else if (linked_[k].count == linked_[b].count) {
        inner_.spell(linked_[k].links, ours);
        inner_.spell(linked_[b].links, theirs);
        if (ours < theirs) b = k;
      }
    }
    for (uint32_t& b : best) b = linked_[b].links;
    return best;
  }
  const Sequences& inner_links() const { return inner_; }

  // The logarithm of a phrase's probability word by word, given that of a side.
  double weight(std::span<const uint32_t> source, std::span<const uint32_t> target,
                std::span<const uint32_t> links, int given) const {
    const std::span<const uint32_t> words = given == 0 ? target : source;
    double total = 0;
    for (uint32_t k = 0; k < words.size(); ++k) {
      double share = 0;
      uint32_t others = 0;
      for (uint32_t link : links)
        if ((given == 0 ? link & 15 : link >> 4) == k) {
          ++others;
          share += lexical_.share(source[link >> 4], target[link & 15], given);
        }
      if (others == 0)
        share = given == 0 ? lexical_.share(lexical_.none(0), words[k], 0)
                           : lexical_.share(words[k], lexical_.none(1), 1);
      total += std::log(share / std::max(others, 1u));
    }
    return total;
  }

 private:
  struct Linked {
    uint32_t pair, links;
    uint32_t count = 0;
  };

  // Numbers of all phrases of a sentence, by first position and length.
  void number(std::span<const uint32_t> words, Sequences& sequences, std::vector<uint32_t>& at) {
    at.resize(words.size() * longest_);
    for (size_t i = 0; i < words.size(); ++i) {
      uint32_t now = Sequences::kEmpty;
      for (size_t k = 0; k < longest_ && i + k < words.size(); ++k)
        at[i * longest_ + k] = now = sequences.longer(now, words[i + k]);
    }
  }

  void count(const PhraseSpan& span) {
    pulse_();
    const uint32_t source = source_at_[static_cast<size_t>(span.i1) * longest_ + (span.i2 - span.i1)];
    const uint32_t target = target_at_[static_cast<size_t>(span.j1) * longest_ + (span.j2 - span.j1)];
    const uint32_t pair = pair_table_.intern(combine(0, static_cast<uint64_t>(source) << 32 | target),
                                             static_cast<uint32_t>(pairs_.size()));
    if (pair == pairs_.size()) pairs_.push_back({source, target});
    ++instances_;
    ++pairs_[pair].count;
    ++pairs_[pair].orientation[span.before];
    ++pairs_[pair].orientation[3u + span.after];
    uint32_t links = Sequences::kEmpty;
    extraction_.inner(span, [&](uint32_t i, uint32_t j) { links = inner_.longer(links, i << 4 | j); });
    const uint32_t linked = linked_table_.intern(combine(0, static_cast<uint64_t>(pair) << 32 | links),
                                                 static_cast<uint32_t>(linked_.size()));
    if (linked == linked_.size()) linked_.push_back({pair, links});
    ++linked_[linked].count;
  }

  Extraction extraction_;
  LexicalCounts lexical_;
  std::array<uint32_t, 2> words_;
  uint32_t longest_;
  Sequences sources_, targets_, inner_;
  std::vector<uint32_t> source_at_, target_at_;
  Table pair_table_, linked_table_;
  std::vector<Pair> pairs_;
  std::vector<Linked> linked_;
  uint64_t instances_ = 0;
  Pulse pulse_;
};

}  // namespace structron
