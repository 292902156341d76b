// A parser and its experts as one: candidates from each, and the sum of what all think of them.
// structron/tasks/parsing/experts/combined_parser.py says which candidate is the best.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "search/search_options.hpp"
#include "tasks/parsing/experts/expert.hpp"
#include "tasks/parsing/tree.hpp"

namespace structron {

// A parser that is asked, and how. The first of several is the one that the others belong to: its relations
// have the numbers of all.
struct TreeMember {
  std::unique_ptr<TreeExpert> parser;
  double weight = 1;  // of its scores
  SearchOptions how;
  uint32_t trees = 1;               // how many of its best become candidates
  bool is_backward = false;         // it reads sentences from their ends
  std::vector<uint16_t> ours, its;  // the first one's number for each relation of its own, and the other way

  // Its tree as the first one has it, and back.
  Tree to_ours(const Tree& tree) const { return turned(tree, ours); }
  Tree to_its(const Tree& tree) const { return turned(tree, its); }

 private:
  Tree turned(const Tree& tree, const std::vector<uint16_t>& numbers) const {
    const size_t n = tree.heads.size();
    Tree found(static_cast<uint32_t>(n));
    for (size_t i = 0; i < n; ++i) {
      const uint16_t head = tree.heads[i];
      const size_t at = is_backward ? n - 1 - i : i;
      found.heads[at] = is_backward && head != 0 ? static_cast<uint16_t>(n + 1 - head) : head;
      found.labels[at] = numbers[tree.labels[i]];
    }
    return found;
  }
};

class CombinedDecoder;

// What is found of one sentence: all candidates that every member can build, best first.
class CombinedSearch {
 public:
  explicit CombinedSearch(SearchOptions) {}

  // So many of the first parser's own trees become candidates.
  static SearchOptions kbest_options(SearchOptions options, uint32_t k) {
    options.per_class = k;
    return options;
  }
  inline void run(CombinedDecoder& members);

  std::vector<std::pair<Tree, double>> ranked;
};

class CombinedDecoder {
 public:
  using Search = CombinedSearch;

  explicit CombinedDecoder(std::vector<TreeMember> members) : members_(std::move(members)) {
    for (size_t m = 1; m < members_.size(); ++m)
      members_[m].parser->prepare(members_[m].how, members_[m].trees);
  }

  std::vector<TreeMember>& members() { return members_; }
  // How the first parser searches; the others do as they always do.
  void prepare(SearchOptions how) {
    const uint32_t trees = std::exchange(how.per_class, 1);
    members_[0].parser->prepare(how, std::max(2u, trees));
  }
  void begin_batch() {
    for (TreeMember& each : members_) each.parser->begin_batch();
  }
  void open(uint32_t k) {
    for (TreeMember& each : members_) each.parser->open(k);
  }
  CombinedDecoder& space() { return *this; }
  uint64_t& evictions() {
    for (TreeMember& each : members_) evictions_ += std::exchange(each.parser->loaded().evictions(), 0);
    return evictions_;
  }

  Tree best(const Search& search) const { return search.ranked[0].first; }
  std::vector<std::pair<Tree, double>> kbest(const Search& search, uint32_t) const { return search.ranked; }

  // Of equal candidates the first found wins. If none can be built by all members, the first parser's own
  // best tree is the answer.
  void rank(std::vector<std::pair<Tree, double>>& ranked) {
    collect();
    sums_.assign(candidates_.size(), 0.0);
    for (size_t m = 0; m < members_.size(); ++m) {
      TreeMember& each = members_[m];
      if (m > 0) {
        turned_.clear();
        for (const Tree& tree : candidates_) turned_.push_back(each.to_its(tree));
      }
      each.parser->score(m == 0 ? candidates_ : turned_, scores_);
      for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += each.weight * scores_[i];
    }
    order_.clear();
    for (uint32_t i = 0; i < sums_.size(); ++i)
      if (sums_[i] > -std::numeric_limits<double>::infinity()) order_.push_back(i);
    if (order_.empty()) order_.push_back(0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](uint32_t a, uint32_t b) { return sums_[a] > sums_[b]; });
    ranked.clear();
    for (uint32_t i : order_) ranked.emplace_back(candidates_[i], sums_[i]);
  }

 private:
  void collect() {
    candidates_.clear();
    for (size_t m = 0; m < members_.size(); ++m) {
      members_[m].parser->best(found_);
      for (Tree& tree : found_) {
        if (m > 0) tree = members_[m].to_ours(tree);
        if (std::find(candidates_.begin(), candidates_.end(), tree) == candidates_.end())
          candidates_.push_back(std::move(tree));
      }
    }
  }

  std::vector<TreeMember> members_;
  uint64_t evictions_ = 0;
  std::vector<Tree> candidates_, found_, turned_;
  std::vector<double> sums_, scores_;
  std::vector<uint32_t> order_;
};

void CombinedSearch::run(CombinedDecoder& members) {
  members.rank(ranked);
}

}  // namespace structron
