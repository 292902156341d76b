// A tree as a vector of heads and relations. Any vector has features, also one that is no tree.
// structron/reference/sequence/one_bin.py is the definition of what is learned from it.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "learn/substructures.hpp"
#include "search/forest/forest_space.hpp"
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
      : scorer_(scorer), parts_(scorer.program()), single_root_(single_root), margin_(margin) {}

  // The scorer has the sentence; gold may be null when nothing is watched, and `given` where no part of the
  // output is given.
  void sentence(uint32_t length, const GoldTree* gold, const GoldTree* given = nullptr) {
    length_ = length;
    gold_ = gold;
    given_ = given;
    arcs_.clear();
  }

  uint32_t length() const { return length_; }
  bool single_root() const { return single_root_; }
  std::array<uint32_t, 2> span(uint32_t) const { return {0, length_}; }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() { scorer_.forget(); }
  // Whether there may be this arc.
  bool has(uint32_t head, uint32_t modifier) const {
    return head != modifier &&
           (given_ == nullptr || given_->head[modifier] == kUnknown || given_->head[modifier] == head) &&
           (arcs_.empty() || arcs_[static_cast<size_t>(head) * (length_ + 1) + modifier] != 0);
  }

  uint32_t labels() const { return scorer_.labels(); }
  // The scores of an arc by relation, and f(feature) for all its features.
  const float* arc(uint32_t head, uint32_t modifier) { return scorer_.arc(head, modifier); }
  template <class F>
  void each_of_arc(uint32_t head, uint32_t modifier, F&& f) {
    scorer_.each_of_arc(head, modifier, f);
  }

  struct Scored {
    uint32_t label;
    float score;
  };
  // The best relation of an arc, of equals the first, unless one is given; with the margin, if there is one.
  Scored best_label(uint32_t head, uint32_t modifier) {
    const float* scores = scorer_.arc(head, modifier);
    const uint32_t label = given_ == nullptr ? kUnknown : given_->label[modifier];
    if (label != kUnknown) return {label, scores[label] + wrong(modifier, {head, label})};
    Scored best{0, 0};
    for (uint32_t l = 0; l < scorer_.labels(); ++l) {
      const float score = scores[l] + wrong(modifier, {head, l});
      if (l == 0 || score > best.score) best = {l, score};
    }
    return best;
  }
  // The score of a word's own parts in a vector, with the margin if its arc is wrong.
  double score(const HeadVector& tree, uint32_t m) {
    return plain_score(tree, m) + static_cast<double>(wrong(m, tree[m]));
  }

  // The gold tree and its score, without the margin; false if it cannot be built.
  bool gold_output(HeadVector& tree, double& score) {
    tree.assign(length_ + 1, {});
    if (gold_->is_partial) return false;
    uint32_t at_root = 0;
    for (uint32_t m = 1; m <= length_; ++m) {
      tree[m] = {gold_->head[m], gold_->label[m]};
      if (!has(tree[m].head, m)) return false;
      if (given_ != nullptr && given_->label[m] != kUnknown && given_->label[m] != gold_->label[m])
        return false;
      at_root += tree[m].head == 0;
      uint32_t up = m, steps = 0;
      while (up != 0 && steps++ <= length_) up = gold_->head[up];
      if (up != 0) return false;
    }
    for (uint32_t m = 1; m <= length_; ++m) score += plain_score(tree, m);
    return !single_root_ || at_root <= 1;
  }

  // What both have cancels unseen.
  void difference(const HeadVector& gold, const HeadVector& guess, Difference& delta) {
    for (uint32_t m = 1; m <= length_; ++m) {
      const auto right = parts_.of_word(gold, m), found = parts_.of_word(guess, m);
      if (right == found) continue;
      put(m, right, 1, delta);
      put(m, found, -1, delta);
    }
  }

  // How many words have another head or relation.
  double loss(const HeadVector& gold, const HeadVector& guess) const {
    double differing = 0;
    for (uint32_t m = 1; m <= length_; ++m) differing += !(gold[m] == guess[m]);
    return differing;
  }

  // Each word's head and relation is a decision.
  uint32_t decisions(const HeadVector& gold, const HeadVector& guess, std::vector<uint32_t>& wrong) const {
    wrong.clear();
    for (uint32_t m = 1; m <= length_; ++m)
      if (!(gold[m] == guess[m])) wrong.push_back(m - 1);
    return length_;
  }
  // Some of the wrong decisions, and gold in the others: a vector that need not be a tree.
  MixedAssignment mixed(const HeadVector& gold, const HeadVector& guess, std::span<const uint32_t> positions,
                        Difference& delta) {
    mixed_ = gold;
    for (uint32_t k : positions) mixed_[k + 1] = guess[k + 1];
    difference(gold, mixed_, delta);
    return {positions.empty(), static_cast<uint32_t>(positions.size())};
  }

 protected:
  std::vector<uint8_t> arcs_;  // [head][modifier] those that there may be; empty for all

 private:
  // What the margin adds.
  float wrong(uint32_t modifier, const ArcChoice& choice) const {
    if (margin_ == 0 || gold_ == nullptr) return 0;
    return gold_->head[modifier] == choice.head && gold_->label[modifier] == choice.label ? 0 : margin_;
  }
  double plain_score(const HeadVector& tree, uint32_t m) {
    double sum = 0;
    parts_.each_of_word(
        m, parts_.of_word(tree, m),
        [&](uint32_t h, uint32_t modifier, uint32_t label) { sum += scorer_.arc(h, modifier)[label]; },
        [&](PartKind kind, const GraphPart& part) { sum += scorer_.other(kind, part); });
    return sum;
  }
  void put(uint32_t m, const GraphParts::OfWord& found, float value, Difference& delta) {
    parts_.each_of_word(
        m, found,
        [&](uint32_t h, uint32_t modifier, uint32_t label) {
          scorer_.each_of_arc(h, modifier,
                              [&](uint32_t feature) { delta.push_back({feature, label, value}); });
        },
        [&](PartKind kind, const GraphPart& part) {
          scorer_.each_of_other(
              kind, part, [&](uint32_t feature) { delta.push_back({feature, scorer_.labels(), value}); });
        });
  }

  Scorer& scorer_;
  GraphParts parts_;
  bool single_root_;
  float margin_;  // cost-augmented search: every wrong arc scores this much more
  const GoldTree *gold_ = nullptr, *given_ = nullptr;
  uint32_t length_ = 0;
  HeadVector mixed_;
};

}  // namespace structron
