// An explicit forest: the one on which engine and definition are compared.
#pragma once
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/forest/forest_space.hpp"
#include "weights/weights.hpp"

namespace structron {

// What an edge makes of its tails: by the keys of their states, row by row.
struct ExplicitUse {
  int32_t key;                                       // of the result; below 0 if the tails do not fit
  std::vector<std::pair<uint32_t, float>> features;  // ids of the weights' table
};
struct ExplicitEdge {
  ForestEdge edge;
  bool good;
  std::vector<ExplicitUse> uses;
};

class ExplicitForest {
 public:
  using State = uint32_t;  // a key
  using Uses = std::vector<Use<State>>;
  static constexpr ForestOffers kOffers{.span = true};

  ExplicitForest(std::vector<uint32_t> groups, std::vector<std::array<uint32_t, 2>> spans,
                 std::vector<std::vector<ExplicitEdge>> edges, uint32_t keys, Weights& weights)
      : groups_(std::move(groups)),
        spans_(std::move(spans)),
        edges_(std::move(edges)),
        keys_(keys),
        weights_(weights) {
    if (edges_.size() != groups_.size() || spans_.size() != groups_.size())
      throw std::invalid_argument("nodes, spans and edges differ in number");
    for (uint32_t node = 0; node < edges_.size(); ++node)
      for (const ExplicitEdge& e : edges_[node]) check(node, e);
  }

  uint32_t nodes() const { return static_cast<uint32_t>(groups_.size()); }
  uint32_t group(uint32_t node) const { return groups_[node]; }
  std::array<uint32_t, 2> span(uint32_t node) const { return spans_[node]; }
  template <class F>
  void each_edge(uint32_t node, F&& f) const {
    for (const ExplicitEdge& e : edges_[node]) f(e.edge);
  }
  bool join(uint32_t node, const ForestEdge& edge, const TailStates<State>& states, State& made) const {
    const int32_t key = use(node, edge, states).key;
    made = static_cast<State>(key);
    return key >= 0;
  }
  float gain(uint32_t node, const ForestEdge& edge, const TailStates<State>& states) const {
    return gold_gain(node, edge, states) + (allows(node, edge, states) ? 0 : margin_);
  }
  float gold_gain(uint32_t node, const ForestEdge& edge, const TailStates<State>& states) const {
    float sum = 0;
    for (const auto& [feature, value] : use(node, edge, states).features)
      sum += weights_.get(feature, 0) * value;
    return sum;
  }
  uint32_t merge_key(State s) const { return s; }
  bool allows(uint32_t node, const ForestEdge& edge, const TailStates<State>&) const {
    return find(node, edge).good;
  }
  void weights_changed() {}
  void set_margin(float margin) { margin_ = margin; }

  void difference(const Uses& gold, const Uses& guess, Difference& delta) const {
    for (const auto& [uses, sign] : {std::pair(&gold, 1.0f), std::pair(&guess, -1.0f)})
      for (const Use<State>& u : *uses)
        for (const auto& [feature, value] : use(u.node, u.edge, u.states).features)
          delta.push_back({feature, 0, sign * value});
  }

 private:
  void check(uint32_t node, const ExplicitEdge& e) const {
    size_t wanted = 1;
    for (uint32_t k = 0; k < e.edge.arity; ++k) {
      wanted *= keys_;
      if (e.edge.tails[k] >= node) throw std::invalid_argument("an edge does not fit the forest");
    }
    if (e.uses.size() != wanted) throw std::invalid_argument("an edge has not one use for each of its tails");
    for (const ExplicitUse& u : e.uses)
      if (u.key >= static_cast<int32_t>(keys_)) throw std::invalid_argument("there is no such key");
  }
  const ExplicitEdge& find(uint32_t node, const ForestEdge& edge) const {
    for (const ExplicitEdge& e : edges_[node])
      if (e.edge == edge) return e;
    throw std::logic_error("no such edge");
  }
  const ExplicitUse& use(uint32_t node, const ForestEdge& edge, const TailStates<State>& states) const {
    size_t at = 0;
    for (uint32_t k = 0; k < edge.arity; ++k) at = at * keys_ + states[k];
    return find(node, edge).uses[at];
  }

  float margin_ = 0;  // cost-augmented search: every use of an edge that is not gold scores this much more
  std::vector<uint32_t> groups_;
  std::vector<std::array<uint32_t, 2>> spans_;
  std::vector<std::vector<ExplicitEdge>> edges_;
  uint32_t keys_;
  Weights& weights_;
};

}  // namespace structron
