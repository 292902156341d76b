// From the best projective tree to one that no change of a single head makes better, crossing arcs or not.
// structron/reference/forest/hill_climbing.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/forest/forest_search.hpp"
#include "search/one_bin.hpp"
#include "tasks/graph_parsing/heads/head_space.hpp"
#include "tasks/graph_parsing/heads/spanning_search.hpp"
#include "tasks/graph_parsing/space.hpp"
#include "tasks/parsing/known_tree.hpp"
#include "util/interrupt.hpp"

namespace structron {

// Trees as vectors of heads, and the chart that the search starts from.
template <class Scorer>
class ClimbingSpace : public HeadSpace<Scorer> {
 public:
  static constexpr bool kPrunes = true;

  ClimbingSpace(Scorer& scorer, bool single_root, float margin = 0)
      : HeadSpace<Scorer>(scorer, single_root, margin), chart_(scorer, single_root, margin) {}

  void prepare(const SearchOptions& options) { chart_.prepare(options, false); }
  // Whether no projective tree has all arcs that are given for the next sentence; then there is no chart.
  bool crosses(const GoldTree* given, uint32_t length) {
    crosses_ = given != nullptr && !exists_(length, this->single_root(), given->head.data() + 1);
    return crosses_;
  }
  bool crosses() const { return crosses_; }
  void sentence(uint32_t length, const GoldTree* gold, const GoldTree* given = nullptr) {
    if (!crosses_) chart_.sentence(length, gold, given);
    HeadSpace<Scorer>::sentence(length, gold, given);
    if (crosses_ || !chart_.chart().is_pruned()) return;
    // An arc that the pruner has left, but that no projective tree could have, is none of the chart's.
    this->arcs_.assign(static_cast<size_t>(length + 1) * (length + 1), 0);
    for (uint32_t node = 0; node < chart_.nodes(); ++node) {
      const GraphItem& item = chart_.chart()[node];
      if (item.is_arc()) this->arcs_[static_cast<size_t>(item.head()) * (length + 1) + item.modifier()] = 1;
    }
  }
  void set_margin(float margin) {
    HeadSpace<Scorer>::set_margin(margin);
    chart_.set_margin(margin);
  }
  void weights_changed() { chart_.weights_changed(); }
  GraphSpace<Scorer>& chart() { return chart_; }

 private:
  GraphSpace<Scorer> chart_;
  TreeExists exists_;
  bool crosses_ = false;
};

template <class AnyScorer>
class ClimbingSearch {
 public:
  using Scorer = AnyScorer;
  using Space = ClimbingSpace<Scorer>;
  using Output = HeadVector;

  HeadVector found;
  double score = 0;

  explicit ClimbingSearch(SearchOptions options) : forest_(options) {}

  static SearchOptions kbest_options(SearchOptions options, uint32_t k) {
    check_k(k);
    return options;
  }

  void run(Space& space) {
    if (space.crosses()) {
      best_.find(space, found);
    } else {
      forest_.run(space.chart());
      uses_.clear();
      forest_.derivation(forest_.of_node(forest_.nodes() - 1)[0], uses_);
      space.chart().arcs_of(uses_, found);
    }
    const uint32_t n = space.length();
    suited_.assign(static_cast<size_t>(n + 1) * (n + 1), kNone);
    scores_.assign(n + 1, 0);
    for (uint32_t m = 1; m <= n; ++m) scores_[m] = space.score(found, m);
    for (uint32_t changes = 0; changes < n && change_one(space); ++changes) {
    }
    score = 0;
    for (uint32_t m = 1; m <= n; ++m) score += scores_[m];
  }

 private:
  // The change that gains most, of equals that of the first word to the first head; false if none gains.
  bool change_one(Space& space) {
    const uint32_t n = space.length();
    double best = 0;
    uint32_t word = 0;
    ArcChoice choice;
    for (uint32_t m = 1; m <= n; ++m)
      for (uint32_t h = 0; h <= n; ++h) {
        pulse_();
        // Where one word hangs from the root, it stays that one.
        if (!space.has(h, m) || is_above(m, h) || (space.single_root() && (h == 0) != (found[m].head == 0)))
          continue;
        const ArcChoice other{h, suited(space, h, m)};
        if (other == found[m]) continue;
        const double gain = gain_of(space, m, other);
        if (!(gain > best)) continue;
        best = gain;
        word = m;
        choice = other;
      }
    if (word == 0) return false;
    list_touched(found[word].head, choice.head, word);
    found[word] = choice;
    for (uint32_t w : touched_) scores_[w] = space.score(found, w);
    return true;
  }

  // Whether m is h or above it.
  bool is_above(uint32_t m, uint32_t h) const {
    while (h != 0 && h != m) h = found[h].head;
    return h == m;
  }

  // The relation that suits an arc best by itself.
  uint32_t suited(Space& space, uint32_t head, uint32_t modifier) {
    uint32_t& label = suited_[static_cast<size_t>(head) * (space.length() + 1) + modifier];
    if (label == kNone) label = space.best_label(head, modifier).label;
    return label;
  }

  // The words whose own parts may see the change: the word, both heads, and the children of both.
  void list_touched(uint32_t old_head, uint32_t new_head, uint32_t m) {
    touched_.clear();
    for (uint32_t w = 1; w < found.size(); ++w)
      if (w == m || w == old_head || w == new_head || found[w].head == old_head || found[w].head == new_head)
        touched_.push_back(w);
  }
  double gain_of(Space& space, uint32_t m, const ArcChoice& other) {
    const ArcChoice old = found[m];
    list_touched(old.head, other.head, m);
    double before = 0, after = 0;
    for (uint32_t w : touched_) before += scores_[w];
    found[m] = other;
    for (uint32_t w : touched_) after += space.score(found, w);
    found[m] = old;
    return after - before;
  }

  ForestSearch<GraphSpace<Scorer>> forest_;
  BestOfArcs<Space> best_;
  typename GraphSpace<Scorer>::Uses uses_;
  std::vector<uint32_t> suited_;  // [head][modifier]
  std::vector<double> scores_;    // by word: of its own parts
  std::vector<uint32_t> touched_;
  Pulse pulse_;
};

}  // namespace structron
