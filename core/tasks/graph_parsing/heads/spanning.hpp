// The best tree of words, crossing arcs or not: Chu-Liu-Edmonds in quadratic time (Tarjan 1977).
// structron/reference/forest/spanning_trees.py is the definition, of ties too.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "util/interrupt.hpp"

namespace structron {

// The definition chooses all heads again after each cycle. Here a walk follows the best heads, from one node
// after the other, and chooses a head only for the node that it stands at. A cycle is the end of the walk,
// and of the nodes that have a head already only the one before the cycle must choose again: all others have
// theirs outside the cycle, and keep it, because a contracted cycle offers no better arcs than its nodes did
// and comes last among equals. So there are at most three choices for each word, each linear in the number of
// words.
class ChuLiuEdmonds {
 public:
  // The heads of the words 1 ... n, by word; score(h, m) is of the arc from h to m, minus infinity where
  // there is none. Trees with fewer such arcs are better, whatever their scores, and where one word hangs
  // from the root, so are those with fewer words there.
  template <class Score>
  const std::vector<uint32_t>& best_tree(uint32_t n, bool single_root, Score&& score) {
    start(n);
    for (uint32_t m = 1; m <= n; ++m, hear())
      for (uint32_t h = 0; h <= n; ++h)
        if (h != m) cell(m, h) = arc(h, m, single_root, score(h, m));
    for (uint32_t node = 1; node < place_.size(); ++node)
      if (steps_[node] == Step::ahead) walk(node);
    expand();
    return heads_;
  }
  // How many arcs were looked at for the last tree.
  uint64_t looks() const { return looks_; }

 private:
  // An arc between two nodes: what it is worth, and the words it connects.
  struct Arc {
    int32_t missing = 0, at_root = 0;  // how many arcs more that are none, or from the root; negative
    double score = 0;
    uint32_t head = 0, modifier = 0;

    bool is_better(const Arc& other) const {
      if (missing != other.missing) return missing > other.missing;
      return at_root != other.at_root ? at_root > other.at_root : score > other.score;
    }
    Arc minus(const Arc& other) const {
      return {missing - other.missing, at_root - other.at_root, score - other.score, head, modifier};
    }
  };
  static Arc arc(uint32_t head, uint32_t modifier, bool single_root, double score) {
    const int32_t at_root = single_root && head == 0 ? -1 : 0;
    if (score == -std::numeric_limits<double>::infinity()) return {-1, at_root, 0, head, modifier};
    return {0, at_root, score, head, modifier};
  }

  // Nodes are numbered: the root, the words, then cycles in the order in which they are contracted. A cycle
  // takes over the place of one of its nodes in the table.
  void start(uint32_t n) {
    n_ = n;
    table_.resize(static_cast<size_t>(n + 1) * (n + 1));
    place_.resize(n + 1);
    for (uint32_t i = 0; i <= n; ++i) place_[i] = i;
    owner_.assign(n + 1, 0);
    nodes_.assign(place_.begin(), place_.end());
    taken_.assign(n + 1, {});
    steps_.assign(n + 1, Step::ahead);
    steps_[0] = Step::done;
    looks_ = 0;
  }
  Arc& cell(uint32_t m, uint32_t h) { return table_[static_cast<size_t>(place_[m]) * (n_ + 1) + place_[h]]; }

  // Where a node stands: no walk has reached it, the present one has, or it is connected with the root.
  enum class Step : uint8_t { ahead, on_path, done, contracted };

  void walk(uint32_t start) {
    path_.assign(1, start);
    while (!path_.empty()) {
      pulse_();
      const uint32_t node = path_.back();
      steps_[node] = Step::on_path;
      const uint32_t head = best_head(node);
      taken_[node] = cell(node, head);
      if (steps_[head] == Step::ahead) {
        path_.push_back(head);
      } else if (steps_[head] == Step::on_path) {
        const auto first = std::find(path_.begin(), path_.end(), head);
        cycle_.assign(first, path_.end());
        std::sort(cycle_.begin(), cycle_.end());
        path_.erase(first, path_.end());
        contract();
      } else {
        for (uint32_t each : path_) steps_[each] = Step::done;
        return;
      }
    }
  }

  uint32_t best_head(uint32_t m) {
    uint32_t best = 0;
    for (uint32_t h : nodes_)
      if (h != m && h != 0 && cell(m, h).is_better(cell(m, best))) best = h;
    looks_ += nodes_.size();
    return best;
  }

  void contract() {
    const uint32_t node = static_cast<uint32_t>(place_.size());
    for (uint32_t m : cycle_) {
      owner_[m] = node;
      steps_[m] = Step::contracted;
    }
    std::erase_if(nodes_, [&](uint32_t each) { return owner_[each] == node; });
    for (uint32_t other : nodes_) {
      // The first of the cycle has the place that the new node will have.
      Arc in = cell(cycle_[0], other).minus(taken_[cycle_[0]]);
      Arc out = other == 0 ? Arc{} : cell(other, cycle_[0]);
      for (size_t i = 1; i < cycle_.size(); ++i) {
        const Arc into = cell(cycle_[i], other).minus(taken_[cycle_[i]]);
        if (into.is_better(in)) in = into;
        if (other != 0 && cell(other, cycle_[i]).is_better(out)) out = cell(other, cycle_[i]);
      }
      cell(cycle_[0], other) = in;
      if (other != 0) cell(other, cycle_[0]) = out;
    }
    looks_ += 2 * nodes_.size() * cycle_.size();
    place_.push_back(place_[cycle_[0]]);
    owner_.push_back(0);
    taken_.emplace_back();
    steps_.push_back(Step::ahead);
    nodes_.push_back(node);
  }

  // Cycles are opened again, the last one first: where the arc into one arrives, its own arc gives way.
  void expand() {
    for (size_t node = place_.size() - 1; node > n_; --node) {
      uint32_t entered = taken_[node].modifier;
      while (owner_[entered] != node) entered = owner_[entered];
      taken_[entered] = taken_[node];
    }
    heads_.assign(n_ + 1, 0);
    for (uint32_t m = 1; m <= n_; ++m) heads_[m] = taken_[m].head;
  }

  uint32_t n_ = 0;
  uint64_t looks_ = 0;
  std::vector<Arc> table_, taken_;       // [modifier][head] by place; [node] the arc into it
  std::vector<uint32_t> place_, owner_;  // [node]; owner_: the cycle that a node has gone into
  std::vector<Step> steps_;              // [node]
  std::vector<uint32_t> nodes_, path_;   // those that are left, in order; those of the walk
  std::vector<uint32_t> cycle_, heads_;
  Pulse pulse_;
};

}  // namespace structron
