// Projective dependency trees as a forest: the items of Eisner (1996).
// structron/tasks/parsing/graph/space.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "search/forest/forest_space.hpp"
#include "search/search_options.hpp"
#include "tasks/graph_parsing/chart.hpp"
#include "tasks/graph_parsing/parts.hpp"
#include "tasks/graph_parsing/scorer.hpp"
#include "tasks/parsing/oracle.hpp"

namespace structron {

template <class Scorer>
class GraphSpace {
 public:
  using State = uint64_t;  // see SeenOfItem
  using Uses = std::vector<Use<State>>;
  static constexpr ForestOffers kOffers{.span = true, .loss = true, .mixed = true};

  GraphSpace(Scorer& scorer, bool single_root, float margin = 0)
      : scorer_(scorer), chart_(single_root), parts_(scorer.program()), margin_(margin) {}

  // Which relations of an arc can matter: as many as a node keeps, or the best alone where no state tells
  // them apart, unless the k best are wanted.
  void prepare(const SearchOptions& options, bool wants_kbest) {
    wanted_ = parts_.sees_relation() ? options.width : wants_kbest ? 0 : 1;
    best_labels_.clear();
  }

  // The scorer has the sentence; gold may be null when nothing is watched.
  void sentence(uint32_t length, const GoldTree* gold) {
    gold_ = gold;
    length_ = length;
    chart_.sentence(length, scorer_.possible());
    if (!chart_.is_whole()) {
      scorer_.allow_neighbours();
      chart_.sentence(length, scorer_.possible());
    }
    best_labels_.clear();
  }
  const GraphChart& chart() const { return chart_; }

  uint32_t nodes() const { return chart_.nodes(); }
  uint32_t group(uint32_t n) const { return n; }
  std::array<uint32_t, 2> span(uint32_t n) const { return {chart_[n].begin, chart_[n].end}; }

  // Of the relations of an arc those that can matter, and the gold one: others would not stay.
  template <class F>
  void each_edge(uint32_t n, F&& f) {
    const GraphItem item = chart_[n];
    ForestEdge edge;
    if (item.begin == item.end) return f(edge);
    if (!item.is_arc()) return chart_.each_edge(n, edge, f);
    const uint32_t right = gold_ != nullptr && gold_->head[item.modifier()] == item.head()
                               ? gold_->label[item.modifier()]
                               : kNone;
    const std::span<const uint32_t> labels = best_labels(item, right);
    bool has_gold = right == kNone;
    for (uint32_t label : labels) {
      edge.action = label;
      has_gold |= label == right;
      f(edge);
    }
    if (has_gold) return;
    edge.action = right;
    f(edge);
  }
  bool join(uint32_t n, const ForestEdge& edge, const TailStates<State>& states, State& made) const {
    const GraphItem& item = chart_[n];
    made = 0;
    if (!parts_.is_higher_order() || item.begin == item.end) return true;
    if (item.is_arc()) {
      made = parts_.arc(edge.action);
    } else if (item.is_incomplete()) {
      made = parts_.incomplete(states[1], states[item.to_right() ? 0 : 2]);
    } else {
      const uint32_t inner = item.to_right() ? 0 : 1;
      made = parts_.complete(chart_[edge.tails[inner]].modifier(), states[inner]);
    }
    return true;
  }
  float gain(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) {
    const GraphItem& item = chart_[n];
    const float wrong =
        item.is_arc() && margin_ != 0 && gold_ != nullptr && !is_gold(item, edge.action) ? margin_ : 0;
    return gold_gain(n, edge, states) + wrong;
  }
  float gold_gain(uint32_t n, const ForestEdge& edge, const TailStates<State>& states) {
    const GraphItem& item = chart_[n];
    if (item.is_arc()) return scorer_.arc(item.head(), item.modifier())[edge.action];
    float sum = 0;
    each_other(item, edge, states,
               [&](PartKind kind, const GraphPart& part) { sum += scorer_.other(kind, part); });
    return sum;
  }
  uint64_t merge_key(State s) const { return s; }
  bool allows(uint32_t n, const ForestEdge& edge, const TailStates<State>&) const {
    return gold_ != nullptr && (!chart_[n].is_arc() || is_gold(chart_[n], edge.action));
  }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() {
    scorer_.forget();
    best_labels_.clear();
  }

  // What both have cancels unseen.
  void difference(const Uses& gold, const Uses& guess, Difference& delta) {
    std::vector<bool> shared(guess.size());
    for (const Use<State>& use : gold) {
      size_t i = 0;
      while (i < guess.size() && (shared[i] || !(guess[i] == use))) ++i;
      if (i < guess.size()) {
        shared[i] = true;
      } else {
        put(use, 1, delta);
      }
    }
    for (size_t i = 0; i < guess.size(); ++i)
      if (!shared[i]) put(guess[i], -1, delta);
  }

  // How many words have another head or relation.
  double loss(const Uses& gold, const Uses& guess) const {
    arcs_of(gold, gold_arcs_);
    arcs_of(guess, guess_arcs_);
    double wrong = 0;
    for (uint32_t m = 1; m <= length_; ++m)
      wrong += gold_arcs_[m].head != kNone && !(gold_arcs_[m] == guess_arcs_[m]);
    return wrong;
  }

  // Each word's head and relation is a decision.
  uint32_t decisions(const Uses& gold, const Uses& guess, std::vector<uint32_t>& wrong) const {
    arcs_of(gold, gold_arcs_);
    arcs_of(guess, guess_arcs_);
    wrong.clear();
    uint32_t number = 0;
    for (uint32_t m = 1; m <= length_; ++m) {
      if (gold_arcs_[m].head == kNone || guess_arcs_[m].head == kNone) continue;
      if (!(gold_arcs_[m] == guess_arcs_[m])) wrong.push_back(number);
      ++number;
    }
    return number;
  }
  // A head vector that need not be a tree: its parts are those that the vector has.
  MixedAssignment mixed(const Uses& gold, const Uses& guess, std::span<const uint32_t> positions,
                        Difference& delta) {
    arcs_of(gold, gold_arcs_);
    arcs_of(guess, guess_arcs_);
    mixed_arcs_.assign(length_ + 1, {});
    uint32_t number = 0, wrong = 0;
    for (uint32_t m = 1; m <= length_; ++m) {
      if (gold_arcs_[m].head == kNone || guess_arcs_[m].head == kNone) continue;
      const bool taken = !positions.empty() && positions.front() == number;
      if (taken) positions = positions.subspan(1);
      mixed_arcs_[m] = taken ? guess_arcs_[m] : gold_arcs_[m];
      wrong += gold_ == nullptr || gold_->head[m] != mixed_arcs_[m].head ||
               gold_->label[m] != mixed_arcs_[m].label;
      ++number;
    }
    for (const Use<State>& use : gold) put(use, 1, delta);
    put_vector(mixed_arcs_, chart_[gold.back().node], -1, delta);
    return {wrong == 0, wrong};
  }

  // By modifier; no head where there is no arc.
  void arcs_of(const Uses& uses, std::vector<ArcChoice>& arcs) const {
    arcs.assign(length_ + 1, {});
    for (const Use<State>& use : uses)
      if (chart_[use.node].is_arc())
        arcs[chart_[use.node].modifier()] = {chart_[use.node].head(), use.edge.action};
  }

 private:
  bool is_gold(const GraphItem& item, uint32_t label) const {
    return gold_->head[item.modifier()] == item.head() && gold_->label[item.modifier()] == label;
  }

  // The relations of an arc that can matter, best first.
  std::span<const uint32_t> best_labels(const GraphItem& item, uint32_t right) {
    const uint32_t labels = scorer_.labels(), most = wanted_ == 0 ? labels : std::min(wanted_, labels);
    if (best_labels_.empty()) {
      best_labels_.resize(scorer_.possible().size() * most);
      is_ranked_.assign(scorer_.possible().size(), 0);
    }
    const uint32_t arc = scorer_.place(item.head(), item.modifier());
    uint32_t* best = &best_labels_[size_t{arc} * most];
    if (is_ranked_[arc]) return {best, most};
    is_ranked_[arc] = 1;
    const float* scores = scorer_.arc(item.head(), item.modifier());
    const float margin = gold_ != nullptr ? margin_ : 0;
    const auto score = [&](uint32_t l) { return scores[l] + (l != right ? margin : 0); };
    if (most == labels) {
      for (uint32_t l = 0; l < labels; ++l) best[l] = l;
      return {best, most};
    }
    uint32_t found = 0;
    for (uint32_t l = 0; l < labels; ++l) {
      const float its = score(l);
      if (found == most && !(its > score(best[most - 1]))) continue;
      uint32_t at = found < most ? found++ : most - 1;
      for (; at > 0 && its > score(best[at - 1]); --at) best[at] = best[at - 1];
      best[at] = l;
    }
    return {best, most};
  }

  // f(kind, part) for the siblings and grandchildren that a use of an edge brings together.
  template <class F>
  void each_other(const GraphItem& item, const ForestEdge& edge, const TailStates<State>& states,
                  F&& f) const {
    if (!parts_.is_higher_order() || item.begin == item.end) return;
    if (item.is_incomplete()) {
      const bool to_right = item.to_right();
      f(PartKind::sibling,
        GraphParts::sibling(item.head(), item.modifier(), states[1], states[to_right ? 0 : 2]));
      f(PartKind::grandchild,
        GraphParts::grandchild(item.head(), item.modifier(), states[1], states[to_right ? 2 : 0], 1));
      return;
    }
    const uint32_t inner = item.to_right() ? 0 : 1;
    const GraphItem& arc = chart_[edge.tails[inner]];
    f(PartKind::grandchild,
      GraphParts::grandchild(arc.head(), arc.modifier(), states[inner], states[1 - inner], 2));
  }

  void put(const Use<State>& use, float value, Difference& delta) {
    const GraphItem& item = chart_[use.node];
    if (item.is_arc()) return put_arc(item.head(), item.modifier(), use.edge.action, value, delta);
    each_other(item, use.edge, use.states,
               [&](PartKind kind, const GraphPart& part) { put_other(kind, part, value, delta); });
  }
  void put_arc(uint32_t head, uint32_t modifier, uint32_t label, float value, Difference& delta) {
    scorer_.each_of_arc(head, modifier, [&](uint32_t feature) { delta.push_back({feature, label, value}); });
  }
  void put_other(PartKind kind, const GraphPart& part, float value, Difference& delta) {
    scorer_.each_of_other(kind, part,
                          [&](uint32_t feature) { delta.push_back({feature, scorer_.labels(), value}); });
  }
  // The parts of a head vector that an item has: an arc has nothing else, and a modifier's children on the
  // far side come in when its item is completed.
  void put_vector(const std::vector<ArcChoice>& arcs, const GraphItem& item, float value, Difference& delta) {
    parts_.each(
        arcs, [&](uint32_t h, uint32_t m, uint32_t label) { put_arc(h, m, label, value, delta); },
        [&](PartKind kind, const GraphPart& part) {
          const bool to_come = item.is_incomplete() && part.modifier == item.modifier() && part.side == 2;
          if (!item.is_arc() && !to_come) put_other(kind, part, value, delta);
        });
  }

  Scorer& scorer_;
  GraphChart chart_;
  GraphParts parts_;
  float margin_;  // cost-augmented search: every wrong arc scores this much more
  const GoldTree* gold_ = nullptr;
  uint32_t length_ = 0, wanted_ = 0;
  std::vector<uint32_t> best_labels_;  // [possible arc][rank]
  std::vector<uint8_t> is_ranked_;
  mutable std::vector<ArcChoice> gold_arcs_, guess_arcs_;
  std::vector<ArcChoice> mixed_arcs_;
};

}  // namespace structron
