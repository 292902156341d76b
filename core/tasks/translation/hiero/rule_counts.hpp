// Counts rules over a parallel text and makes the table of those that are kept.
//
// There are tens of times more different rules than are kept, most of them seen once. So the text is gone
// through several times: rules are counted by hashes, a part of them at a time, and only those that are seen
// often enough are spelled and scored. The definition is structron/tasks/translation/hiero/rules.py.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tasks/translation/hiero/rule_extraction.hpp"
#include "tasks/translation/phrases/phrase_counts.hpp"
#include "util/interrupt.hpp"
#include "util/numbers.hpp"
#include "weights/key_table.hpp"
#include "weights/table.hpp"

namespace structron {

struct RuleArrays {
  std::vector<uint32_t> source_words, source_offsets{0}, source_counts;
  std::vector<uint32_t> first_option;  // by source: its first option; and how many there are
  std::vector<uint32_t> target_words, target_offsets{0}, target_counts, counts;
  std::vector<float> scores;  // four of each option, as those of phrases
  std::vector<uint32_t> link_offsets{0};
  std::vector<uint8_t> links;  // source place, then target place
};

// How often keys were seen.
class KeyCounts {
 public:
  void clear() {
    slots_.reset(1024);
    size_ = 0;
  }
  size_t size() const { return size_; }
  void add(Key key) {
    Slot& slot = slots_.at(key);
    if (slot.count++ > 0) return;
    slot.key = key;
    if (++size_ * 5 > slots_.room() * 3) slots_.grow();
  }
  uint32_t of(Key key) const { return slots_.at(key).count; }
  template <class F>
  void each(F&& f) const {
    slots_.each([&](const Slot& s) { f(s.key, s.count); });
  }

 private:
  struct Slot {
    Key key = 0;
    uint32_t count = 0;
    bool empty() const { return count == 0; }
  };
  KeyTable<Slot> slots_{1024};
  size_t size_ = 0;
};

// Texts gives: size(); source(i), target(i), source_links(i), target_links(i).
template <class Texts>
class RuleCounts {
 public:
  RuleCounts(const Texts& texts, uint32_t source_words, uint32_t target_words, RuleLimits limits,
             uint32_t least, uint32_t most)
      : texts_(texts), extraction_(limits), lexical_(source_words, target_words), least_(least), most_(most) {
    for (size_t i = 0; i < texts.size(); ++i) {
      check(texts.source(i), source_words);
      check(texts.target(i), target_words);
      open(i);
      count_words(i);
      extraction_.each([&](const RuleSpan&) { ++instances_; });
    }
    choose();
    spell();
    total();
    put_all();
  }

  uint64_t instances() const { return instances_; }
  uint64_t different() const { return different_; }
  RuleArrays take() { return std::move(table_); }

 private:
  static constexpr uint64_t kTogether = 8'000'000;  // so many are counted at a time

  struct Kept {
    std::vector<uint32_t> source, target, links;  // links: source place << 4 | target place
    uint32_t count = 0, links_count = 0;
    float forth = 0, back = 0;
  };

  static void check(std::span<const uint32_t> words, uint32_t vocabulary) {
    for (uint32_t w : words)
      if (w >= vocabulary || is_gap(w)) throw std::invalid_argument("a word is not in the vocabulary");
  }
  void open(size_t i) {
    extraction_.load(texts_.source(i), texts_.target(i), texts_.source_links(i), texts_.target_links(i));
  }
  void count_words(size_t i) {
    const auto source = texts_.source(i), target = texts_.target(i);
    const auto from = texts_.source_links(i), to = texts_.target_links(i);
    for (size_t k = 0; k < from.size(); ++k) lexical_.add(source[from[k]], target[to[k]]);
    for (uint32_t x = 0; x < source.size(); ++x)
      if (!extraction_.phrases().is_source_linked(x)) lexical_.add(source[x], lexical_.none(1));
    for (uint32_t y = 0; y < target.size(); ++y)
      if (!extraction_.phrases().is_target_linked(y)) lexical_.add(lexical_.none(0), target[y]);
  }

  // f(rule span, key of source, key of target, whether the pair has it for the first time) for every rule of
  // the text; the spelling is in the members. A rule counts once for a pair of sentences.
  template <class F>
  void each_rule(F&& f) {
    for (size_t i = 0; i < texts_.size(); ++i) {
      open(i);
      seen_.clear();
      extraction_.each([&](const RuleSpan& rule) {
        extraction_.spell(rule, source_, target_);
        const Key source = symbols_key(source_), target = symbols_key(target_);
        f(rule, source, target, is_new(rule_key(source, target)));
      });
    }
  }
  bool is_new(Key key) {
    const uint32_t before = seen_.size();
    return seen_.of(key) == before;
  }

  // The keys of rules that are seen often enough.
  void choose() {
    const uint64_t parts = 1 + instances_ / kTogether;
    KeyCounts counts;
    for (uint64_t part = 0; part < parts; ++part) {
      counts.clear();
      each_rule([&](const RuleSpan&, Key source, Key target, bool is_first) {
        const Key key = rule_key(source, target);
        if (!is_first || (parts > 1 && key % parts != part)) return;
        counts.add(key);
        if (source_.size() == 1 && target_.size() == 1 && least_ > 1) single_.intern(key, single_.size());
      });
      different_ += counts.size();
      counts.each([&](Key key, uint32_t count) {
        if (count >= least_ || single_.find(key) != kNone) wanted_.intern(key, wanted_.size());
      });
    }
    kept_.resize(wanted_.size());
  }
  // What they are, how often each was seen, and its most frequent links; of equals, the first in order.
  void spell() {
    Sequences inner;
    Table linked;
    std::vector<uint32_t> linked_count, linked_rule, linked_links;
    each_rule([&](const RuleSpan& rule, Key source, Key target, bool is_first) {
      const uint32_t number = wanted_.find(rule_key(source, target));
      if (number == kNone) return;
      Kept& kept = kept_[number];
      if (is_first && kept.count++ == 0) {
        kept.source = source_;
        kept.target = target_;
        sources_.intern(source, sources_.size());
        targets_.intern(target, targets_.size());
      }
      uint32_t links = Sequences::kEmpty;
      extraction_.inner(rule, [&](uint32_t i, uint32_t j) { links = inner.longer(links, i << 4 | j); });
      if (!is_new(combine(rule_key(source, target), links))) return;
      const uint32_t at = linked.intern(combine(0, uint64_t{number} << 32 | links),
                                        static_cast<uint32_t>(linked_count.size()));
      if (at == linked_count.size()) {
        linked_count.push_back(0);
        linked_rule.push_back(number);
        linked_links.push_back(links);
      }
      ++linked_count[at];
    });
    std::vector<uint32_t> spelled;
    Pulse pulse;
    for (size_t at = 0; at < linked_count.size(); ++at) {
      pulse();
      Kept& kept = kept_[linked_rule[at]];
      if (linked_count[at] < kept.links_count) continue;
      inner.spell(linked_links[at], spelled);
      if (linked_count[at] > kept.links_count || spelled < kept.links) {
        kept.links = spelled;
        kept.links_count = linked_count[at];
      }
    }
  }
  // How often the sides of what is kept were seen, with whatever on the other side.
  void total() {
    source_totals_.assign(sources_.size(), 0);
    target_totals_.assign(targets_.size(), 0);
    each_rule([&](const RuleSpan&, Key source, Key target, bool is_first) {
      if (!is_first) return;
      if (const uint32_t s = sources_.find(source); s != kNone) ++source_totals_[s];
      if (const uint32_t t = targets_.find(target); t != kNone) ++target_totals_[t];
    });
  }

  // The logarithm of its words' probability word by word, given that of a side.
  double weight(const Kept& rule, int given) const {
    const std::vector<uint32_t>& words = given == 0 ? rule.target : rule.source;
    double sum = 0;
    for (uint32_t k = 0; k < words.size(); ++k) {
      if (is_gap(words[k])) continue;
      double share = 0;
      uint32_t others = 0;
      for (uint32_t link : rule.links)
        if ((given == 0 ? link & 15 : link >> 4) == k) {
          ++others;
          share += lexical_.share(rule.source[link >> 4], rule.target[link & 15], given);
        }
      if (others == 0)
        share = given == 0 ? lexical_.share(lexical_.none(0), words[k], 0)
                           : lexical_.share(words[k], lexical_.none(1), 1);
      sum += std::log(share / std::max(others, 1u));
    }
    return sum;
  }

  void put_all() {
    Pulse pulse;
    for (Kept& kept : kept_) {
      pulse();
      kept.forth = static_cast<float>(weight(kept, 0));
      kept.back = static_cast<float>(weight(kept, 1));
    }
    std::vector<uint32_t> order(kept_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto before = [&](uint32_t a, uint32_t b) {
      const Kept &x = kept_[a], &y = kept_[b];
      if (x.source != y.source) return x.source < y.source;
      if (x.count != y.count) return x.count > y.count;
      if (x.forth != y.forth) return x.forth > y.forth;
      return x.target < y.target;
    };
    std::sort(order.begin(), order.end(), heard(before));
    for (size_t k = 0, rank = 0; k < order.size(); ++k) {
      const bool is_first = k == 0 || kept_[order[k - 1]].source != kept_[order[k]].source;
      rank = is_first ? 0 : rank + 1;
      pulse();
      if (rank < most_) put(kept_[order[k]], is_first);
    }
    table_.first_option.push_back(static_cast<uint32_t>(table_.counts.size()));
  }
  void put(const Kept& kept, bool is_first) {
    const uint32_t by_source = source_totals_[sources_.find(symbols_key(kept.source))];
    const uint32_t by_target = target_totals_[targets_.find(symbols_key(kept.target))];
    if (is_first) {
      append(table_.source_words, table_.source_offsets, kept.source);
      table_.source_counts.push_back(by_source);
      table_.first_option.push_back(static_cast<uint32_t>(table_.counts.size()));
    }
    append(table_.target_words, table_.target_offsets, kept.target);
    table_.target_counts.push_back(by_target);
    table_.counts.push_back(kept.count);
    const double count = kept.count;
    table_.scores.push_back(static_cast<float>(std::log(count / by_source)));
    table_.scores.push_back(kept.forth);
    table_.scores.push_back(static_cast<float>(std::log(count / by_target)));
    table_.scores.push_back(kept.back);
    for (uint32_t link : kept.links) {
      table_.links.push_back(static_cast<uint8_t>(link >> 4));
      table_.links.push_back(static_cast<uint8_t>(link & 15));
    }
    table_.link_offsets.push_back(static_cast<uint32_t>(table_.links.size() / 2));
  }
  static void append(std::vector<uint32_t>& all, std::vector<uint32_t>& offsets,
                     const std::vector<uint32_t>& more) {
    all.insert(all.end(), more.begin(), more.end());
    offsets.push_back(static_cast<uint32_t>(all.size()));
  }

  const Texts& texts_;
  RuleExtraction extraction_;
  LexicalCounts lexical_;
  uint32_t least_, most_;
  uint64_t instances_ = 0, different_ = 0;
  Table single_, wanted_;    // keys of rules: of one word and one word; that are kept
  Table sources_, targets_;  // keys of sides of what is kept
  std::vector<Kept> kept_;
  std::vector<uint32_t> source_totals_, target_totals_;
  std::vector<uint32_t> source_, target_;
  Numbers seen_;  // rules, and rules with links, of the pair at hand
  RuleArrays table_;
};

}  // namespace structron
