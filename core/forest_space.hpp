// What a forest gives to the search over it: nodes in bottom-up order, edges, and how items are joined.
// structron/reference/forest/forest.py is the definition.
#pragma once
#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/learner.hpp"
#include "learners/substructures.hpp"

namespace structron {

inline constexpr uint32_t kMostTails = 3;

// A way to build a node from its tails, nodes with smaller numbers.
struct ForestEdge {
  std::array<uint32_t, kMostTails> tails{};
  uint32_t arity = 0;
  uint32_t action = 0;

  bool operator==(const ForestEdge&) const = default;
};

// The states of the tails of an edge, as many as it has.
template <class State>
using TailStates = std::array<State, kMostTails>;

// One use of an edge: a part of a derivation.
template <class State>
struct Use {
  uint32_t node;
  ForestEdge edge;
  TailStates<State> states;

  bool operator==(const Use&) const = default;
};

struct ForestOffers {
  bool span = false;   // span(node): what of the input a node covers
  bool loss = false;   // loss(gold, guess); otherwise how many edges of the guess are not in gold
  bool mixed = false;  // decisions(gold, guess, wrong) and mixed(gold, guess, positions, delta)
  // gold_merge_key(state): gold items are few, and the best of each such key is kept
  bool exhaustive_gold = false;
  bool is_compared = false;  // is_compared(node): whether updates look at it; otherwise at all nodes
  // All items of a node have one key, any tails fit, and gains do not depend on their states:
  // each_scored_edge(node, f) calls f(edge, gain)
  bool one_key = false;
  bool next_gold = false;  // next_gold(node): the first node from there on that can have a gold item
};

// Every hook is named here, and a forest must have exactly those that it declares in kOffers.
template <class S>
concept ForestSpace = std::equality_comparable<typename S::State> &&
                      requires(S& s, const ForestEdge& edge, const TailStates<typename S::State>& states,
                               typename S::State& state, const std::vector<Use<typename S::State>>& uses,
                               Difference& delta, void (*f)(const ForestEdge&)) {
                        { S::kOffers } -> std::convertible_to<ForestOffers>;
                        { s.nodes() } -> std::same_as<uint32_t>;
                        { s.group(0u) } -> std::same_as<uint32_t>;  // whose items compete for the same places
                        s.each_edge(0u, f);
                        {
                          s.join(0u, edge, states, state)
                        } -> std::same_as<bool>;  // false: these tails do not fit
                        {
                          s.gain(0u, edge, states)
                        } -> std::same_as<float>;  // with the margin, if there is one
                        { s.gold_gain(0u, edge, states) } -> std::same_as<float>;  // without it
                        { s.merge_key(state) } -> std::unsigned_integral;
                        { s.allows(0u, edge, states) } -> std::same_as<bool>;
                        s.difference(uses, uses, delta);
                        s.weights_changed();
                      } &&
                      (S::kOffers.span ==
                       requires(S& s) {
                         { s.span(0u) } -> std::same_as<std::array<uint32_t, 2>>;
                       }) &&
                      (S::kOffers.exhaustive_gold ==
                       requires(S& s, const typename S::State& state) {
                         { s.gold_merge_key(state) } -> std::unsigned_integral;
                       }) &&
                      (S::kOffers.is_compared ==
                       requires(S& s) {
                         { s.is_compared(0u) } -> std::same_as<bool>;
                       }) &&
                      (S::kOffers.one_key ==
                       requires(S& s, void (*f)(const ForestEdge&, float)) { s.each_scored_edge(0u, f); }) &&
                      (S::kOffers.next_gold ==
                       requires(S& s) {
                         { s.next_gold(0u) } -> std::same_as<uint32_t>;
                       }) &&
                      (S::kOffers.loss ==
                       requires(S& s, const std::vector<Use<typename S::State>>& uses) {
                         { s.loss(uses, uses) } -> std::same_as<double>;
                       }) &&
                      (S::kOffers.mixed == requires(S& s, const std::vector<Use<typename S::State>>& uses,
                                                    std::vector<uint32_t>& wrong,
                                                    std::span<const uint32_t> positions, Difference& delta) {
                        { s.decisions(uses, uses, wrong) } -> std::same_as<uint32_t>;
                        { s.mixed(uses, uses, positions, delta) } -> std::same_as<MixedAssignment>;
                      });

}  // namespace structron
