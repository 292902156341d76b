// Trees whose scores come from outside: one for each head, word and relation. The best is found by Eisner's
// chart, or by Chu-Liu-Edmonds where arcs may cross.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "learn/learner.hpp"
#include "search/one_bin.hpp"
#include "search/search_space.hpp"
#include "tasks/graph_parsing/heads/spanning.hpp"

namespace structron {

struct ScoredArc {
  uint32_t head = 0, label = 0;
  bool operator==(const ScoredArc&) const = default;
};

class ScoredTrees {
 public:
  static constexpr Offers kOffers{};

  ScoredTrees(std::span<const float> scores, uint32_t labels, float margin, bool crossing)
      : scores_(scores), labels_(labels), margin_(margin), crossing_(crossing) {}

  // Where the table of one sentence begins: heads 0 ... n by words 1 ... n by relations.
  void input(size_t first, uint32_t words, std::span<const ScoredArc> gold) {
    first_ = first;
    words_ = words;
    gold_ = gold;
  }

  uint32_t words() const { return words_; }
  bool crossing() const { return crossing_; }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() {}

  // The best relation of an arc, of equals the first, and its score.
  std::pair<float, uint32_t> best(uint32_t head, uint32_t word) const {
    const float* from = scores_.data() + place(head, word);
    uint32_t at = 0;
    float most = -std::numeric_limits<float>::infinity();
    for (uint32_t r = 0; r < labels_; ++r) {
      const float score = from[r] + (is_gold(head, word, r) ? 0 : margin_);
      if (score > most) most = score, at = r;
    }
    return {most, at};
  }
  bool gold_output(std::vector<ScoredArc>& out, double& score) const {
    out.assign(1, {});
    score = 0;
    for (uint32_t m = 1; m <= words_; ++m) {
      const ScoredArc& arc = gold_[m - 1];
      out.push_back(arc);
      score += scores_[place(arc.head, m) + arc.label];
    }
    return true;
  }
  // Features are the rows of the table: one for each head and word.
  void difference(const std::vector<ScoredArc>& gold, const std::vector<ScoredArc>& guess,
                  Difference& delta) const {
    for (uint32_t m = 1; m <= words_; ++m) {
      if (gold[m] == guess[m]) continue;
      delta.push_back({row(gold[m].head, m), gold[m].label, 1});
      delta.push_back({row(guess[m].head, m), guess[m].label, -1});
    }
  }

 private:
  bool is_gold(uint32_t head, uint32_t word, uint32_t label) const {
    return gold_.empty() || gold_[word - 1] == ScoredArc{head, label};
  }
  size_t place(uint32_t head, uint32_t word) const {
    return first_ + (static_cast<size_t>(head) * words_ + word - 1) * labels_;
  }
  uint32_t row(uint32_t head, uint32_t word) const {
    return static_cast<uint32_t>(place(head, word) / labels_);
  }

  std::span<const float> scores_;
  uint32_t labels_;
  float margin_;
  bool crossing_;
  size_t first_ = 0;
  uint32_t words_ = 0;
  std::span<const ScoredArc> gold_;
};

class ScoredTreeSearch {
 public:
  using Space = ScoredTrees;
  using Output = std::vector<ScoredArc>;

  Output found;
  double score = 0;

  explicit ScoredTreeSearch(SearchOptions) {}

  void run(const Space& space) {
    n_ = space.words();
    arcs_.assign(static_cast<size_t>(n_ + 1) * (n_ + 1), {});
    for (uint32_t h = 0; h <= n_; ++h)
      for (uint32_t m = 1; m <= n_; ++m)
        if (h != m) arcs_[at(h, m)] = space.best(h, m);
    heads_.assign(n_ + 1, 0);
    if (space.crossing()) {
      heads_ = spanning_.best_tree(n_, false, [&](uint32_t h, uint32_t m) { return arc(h, m); });
    } else {
      eisner();
    }
    found.assign(1, {});
    score = 0;
    for (uint32_t m = 1; m <= n_; ++m) {
      found.push_back({heads_[m], arcs_[at(heads_[m], m)].second});
      score += arc(heads_[m], m);
    }
  }

 private:
  // The four kinds of spans of Eisner (1996): who is the head, and whether it is complete.
  enum Kind : uint32_t { left_arc, right_arc, left, right };
  struct Cell {
    double score = 0;
    uint32_t split = 0;
  };

  size_t at(uint32_t i, uint32_t j) const { return static_cast<size_t>(i) * (n_ + 1) + j; }
  double arc(uint32_t h, uint32_t m) const { return static_cast<double>(arcs_[at(h, m)].first); }
  Cell& cell(uint32_t i, uint32_t j, Kind kind) { return cells_[at(i, j) * 4 + kind]; }

  // Of equals the first split stays.
  template <class F>
  Cell best_split(uint32_t from, uint32_t to, F&& score) const {
    Cell best{-std::numeric_limits<double>::infinity(), from};
    for (uint32_t k = from; k < to; ++k)
      if (const double s = score(k); s > best.score) best = {s, k};
    return best;
  }

  void eisner() {
    cells_.assign(arcs_.size() * 4, {});
    for (uint32_t width = 1; width <= n_; ++width, hear())
      for (uint32_t i = 0; i + width <= n_; ++i) {
        const uint32_t j = i + width;
        const Cell halves = best_split(
            i, j, [&](uint32_t k) { return cell(i, k, right).score + cell(k + 1, j, left).score; });
        cell(i, j, right_arc) = {halves.score + arc(i, j), halves.split};
        cell(i, j, left_arc) = {i == 0 ? -std::numeric_limits<double>::infinity() : halves.score + arc(j, i),
                                halves.split};
        cell(i, j, left) =
            best_split(i, j, [&](uint32_t k) { return cell(i, k, left).score + cell(k, j, left_arc).score; });
        cell(i, j, right) = best_split(
            i + 1, j + 1, [&](uint32_t k) { return cell(i, k, right_arc).score + cell(k, j, right).score; });
      }
    walk();
  }

  void walk() {
    struct Span {
      uint32_t i, j;
      Kind kind;
    };
    std::vector<Span> open{{0, n_, right}};
    while (!open.empty()) {
      const auto [i, j, kind] = open.back();
      open.pop_back();
      if (i == j) continue;
      const uint32_t k = cell(i, j, kind).split;
      if (kind == left) {
        open.insert(open.end(), {{i, k, left}, {k, j, left_arc}});
      } else if (kind == right) {
        open.insert(open.end(), {{i, k, right_arc}, {k, j, right}});
      } else {
        heads_[kind == left_arc ? i : j] = kind == left_arc ? j : i;
        open.insert(open.end(), {{i, k, right}, {k + 1, j, left}});
      }
    }
  }

  uint32_t n_ = 0;
  ChuLiuEdmonds spanning_;
  std::vector<std::pair<float, uint32_t>> arcs_;
  std::vector<uint32_t> heads_;
  std::vector<Cell> cells_;
};

}  // namespace structron
