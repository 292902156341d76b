// A tree as a vector of heads and relations, scored by its arcs. Any vector has features, also one that is no
// tree. structron/reference/spanning.py is the definition.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "forest_space.hpp"
#include "learners/learner.hpp"
#include "learners/substructures.hpp"
#include "tasks/graph_parsing/parts.hpp"
#include "tasks/graph_parsing/scorer.hpp"
#include "tasks/parsing/oracle.hpp"

namespace structron {

using HeadVector = std::vector<ArcChoice>;  // by word; the root has none

template <class AnyScorer>
class HeadSpace {
 public:
  using Scorer = AnyScorer;
  static constexpr ForestOffers kOffers{.span = true, .loss = true, .mixed = true};

  HeadSpace(Scorer& scorer, bool single_root, float margin = 0)
      : scorer_(scorer), single_root_(single_root), margin_(margin) {
    if (scorer.program().is_higher_order())
      throw std::invalid_argument(
          "mst: a tree is the sum of its arcs, but templates see siblings or grandchildren; leave those "
          "out, or use forest");
  }

  // The scorer has the sentence; gold may be null when nothing is watched.
  void sentence(uint32_t length, const GoldTree* gold) {
    length_ = length;
    gold_ = gold;
  }

  uint32_t length() const { return length_; }
  bool single_root() const { return single_root_; }
  std::array<uint32_t, 2> span(uint32_t) const { return {0, length_}; }
  void weights_changed() { scorer_.forget(); }

  struct Scored {
    uint32_t label;
    float score;
  };
  // The best relation of an arc, of equals the first; with the margin, if there is one.
  Scored best_label(uint32_t head, uint32_t modifier) {
    const float* scores = scorer_.arc(head, modifier);
    Scored best{0, 0};
    for (uint32_t l = 0; l < scorer_.labels(); ++l) {
      const float score = scores[l] + (margin_ != 0 && !is_gold(modifier, {head, l}) ? margin_ : 0);
      if (l == 0 || score > best.score) best = {l, score};
    }
    return best;
  }
  // The gold tree and its score, without the margin; false if it cannot be built.
  bool gold_output(HeadVector& tree, double& score) {
    tree.assign(length_ + 1, {});
    uint32_t at_root = 0;
    for (uint32_t m = 1; m <= length_; ++m) {
      tree[m] = {gold_->head[m], gold_->label[m]};
      score += scorer_.arc(tree[m].head, m)[tree[m].label];
      at_root += tree[m].head == 0;
      uint32_t up = m, steps = 0;
      while (up != 0 && steps++ <= length_) up = gold_->head[up];
      if (up != 0) return false;
    }
    return !single_root_ || at_root <= 1;
  }

  // What both have cancels unseen.
  void difference(const HeadVector& gold, const HeadVector& guess, Difference& delta) {
    for (uint32_t m = 1; m <= length_; ++m)
      if (!(gold[m] == guess[m])) put_both(m, gold[m], guess[m], delta);
  }

  // How many words have another head or relation.
  double loss(const HeadVector& gold, const HeadVector& guess) const {
    double wrong = 0;
    for (uint32_t m = 1; m <= length_; ++m) wrong += !(gold[m] == guess[m]);
    return wrong;
  }

  // Each word's head and relation is a decision.
  uint32_t decisions(const HeadVector& gold, const HeadVector& guess, std::vector<uint32_t>& wrong) const {
    wrong.clear();
    for (uint32_t m = 1; m <= length_; ++m)
      if (!(gold[m] == guess[m])) wrong.push_back(m - 1);
    return length_;
  }
  // Some of the wrong decisions, and gold in the others.
  MixedAssignment mixed(const HeadVector& gold, const HeadVector& guess, std::span<const uint32_t> positions,
                        Difference& delta) {
    for (uint32_t k : positions) put_both(k + 1, gold[k + 1], guess[k + 1], delta);
    return {positions.empty(), static_cast<uint32_t>(positions.size())};
  }

 private:
  bool is_gold(uint32_t modifier, const ArcChoice& choice) const {
    return gold_ == nullptr ||
           (gold_->head[modifier] == choice.head && gold_->label[modifier] == choice.label);
  }
  void put_both(uint32_t m, const ArcChoice& gold, const ArcChoice& guess, Difference& delta) {
    put(m, gold, 1, delta);
    put(m, guess, -1, delta);
  }
  void put(uint32_t m, const ArcChoice& choice, float value, Difference& delta) {
    scorer_.each_of_arc(choice.head, m,
                        [&](uint32_t feature) { delta.push_back({feature, choice.label, value}); });
  }

  Scorer& scorer_;
  bool single_root_;
  float margin_;  // cost-augmented search: every wrong arc scores this much more
  const GoldTree* gold_ = nullptr;
  uint32_t length_ = 0;
};

}  // namespace structron
