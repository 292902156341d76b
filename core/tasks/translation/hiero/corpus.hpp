// Training pairs as integers, each with its gold derivations over a forest.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/translation/hiero/forced_decoding.hpp"
#include "tasks/translation/hiero/space.hpp"

namespace structron {

// A reference with its links to the source, for leaving the pair out of the table's counts.
struct LinkedReference {
  std::vector<uint32_t> target, source_links, target_links;
};

class HieroCorpus {
 public:
  // A pair whose references cannot be reached is left out, or with `prefix` learns as much of its beginning
  // as can. Rules of which fewer than `least` are left without a pair are gone for it.
  HieroCorpus(const Rulebook& book, const HieroSettings& settings, bool prefix, uint32_t cap, uint32_t least)
      : book_(book),
        settings_(settings),
        prefix_(prefix),
        cap_(cap),
        least_(least),
        rules_(book, settings.span_limit),
        left_(settings.limits) {}

  const Rulebook& book() const { return book_; }
  const HieroSettings& settings() const { return settings_; }
  uint32_t least() const { return least_; }
  uint32_t examples() const { return static_cast<uint32_t>(golds_.size()); }
  uint64_t words() const { return source_.size(); }
  uint64_t unreachable() const { return unreachable_; }
  uint64_t prefixes() const { return prefixes_; }
  std::span<const Key> source(uint32_t i) const {
    return {source_.data() + begin_[i], begin_[i + 1] - begin_[i]};
  }
  const HieroGold& gold(uint32_t i) const { return golds_[i]; }

  // What the counts of an example are; null if it stays in the table.
  const RulesLeft* left(uint32_t i, RulesLeft& counts) const { return count(source(i), links_[i], counts); }

  void add(std::span<const Key> source, const std::vector<std::vector<Key>>& references,
           std::vector<LinkedReference> links) {
    rules_.read(source, count(source, links, left_), least_);
    layout_.read(rules_);
    HieroGold gold(rules_, layout_, references, prefix_, cap_);
    unreachable_ += !gold.reachable();
    if (!gold.reachable() && gold.words() == 0) return;
    prefixes_ += !gold.reachable();
    golds_.push_back(std::move(gold));
    source_.insert(source_.end(), source.begin(), source.end());
    begin_.push_back(source_.size());
    links_.push_back(std::move(links));
  }

 private:
  const RulesLeft* count(std::span<const Key> source, const std::vector<LinkedReference>& links,
                         RulesLeft& counts) const {
    if (links.empty()) return nullptr;
    counts.clear();
    std::vector<uint32_t> ids;
    // Words that the table does not know have rules of their own nowhere.
    for (Key word : source) {
      const uint32_t id = book_.source_id(word);
      ids.push_back(id == kNone || is_gap(id) ? kUnknownWord : id);
    }
    for (const LinkedReference& each : links)
      counts.add(ids, each.target, each.source_links, each.target_links);
    return &counts;
  }

  const Rulebook& book_;
  const HieroSettings& settings_;
  bool prefix_;
  uint32_t cap_, least_;
  SentenceRules rules_;
  HieroLayout layout_;
  RulesLeft left_;
  std::vector<Key> source_;  // all sources, one after the other
  std::vector<size_t> begin_{0};
  std::vector<std::vector<LinkedReference>> links_;
  std::vector<HieroGold> golds_;
  uint64_t unreachable_ = 0, prefixes_ = 0;
};

}  // namespace structron
