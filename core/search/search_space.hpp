// What a space gives to the searches over sequences of actions: every hook there is, in one place.
//
// A space says in kOffers which of the optional hooks it has, and the concept holds it to that: one that is
// misspelt, forgotten, of the wrong type, or there without being declared does not compile. Nothing is left
// to chance at which the search would quietly take a slower path. structron/reference/sequence/spaces.py is
// the definition.
#pragma once
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "learn/substructures.hpp"
#include "search/items.hpp"

namespace structron {

struct Offers {
  // Every action leads to the next step. Otherwise an action may skip steps.
  bool unit_steps = false;
  // gold_action(state): gold is one derivation. Otherwise gold is a search of its own, by allows().
  bool single_gold = false;
  // choices(state), the actions there are, in increasing order, and where their scores stand: for spaces in
  // which few of many actions apply. Otherwise scores(state), one float for each of num_actions(),
  // kImpossible where the action is not there.
  bool few_actions = false;
  // groups(state), the actions there are, in increasing order, in groups that lead to the same bin, with
  // bounds on their gains, and gain(state, action): for spaces in which a gain is dear and most actions are
  // hopeless. What is expected of the rest of the way stands with the group.
  bool grouped = false;
  // merge_keys(): merge keys are numbers below this one. Otherwise they are hashes.
  bool numbered_keys = false;
  // merge_base(state): successors have the merge keys base, base + 1, ... by action; -1 if they do not.
  bool merge_base = false;
  // bound(state): no state that leads to the same successors has scores above these; null if unknown.
  bool bound = false;
  // ready(items): items of one step that will be asked for soon, in this order.
  bool ready = false;
  // prefetch(state): scores(state) will be asked for soon.
  bool prefetch = false;
  // forced(state): its only action; kNone if there are several.
  bool forced = false;
  // output_after(key, action): the key of what a path has yielded after one more action, for spaces in which
  // several paths may yield one output.
  bool output_after = false;
  // gold_merge_key(state): gold's future depends on more than the state's own merge key.
  bool gold_merge_key = false;
  // Gold states are few: the gold side keeps them all, the best of each key.
  bool exhaustive_gold = false;
  // bin_class(state): states of one step that are about the same part of the input have the same.
  bool bin_class = false;
  // future(state, action): what is expected of the rest of the way after this action. It decides which items
  // are kept and is no part of the score; equal for equal merge keys, 0 for final states.
  bool future = false;
  // loss(gold, guess). Otherwise the number of places in which the two differ.
  bool loss = false;
  // decisions(gold, guess, wrong), how many decisions two derivations can exchange and which of them differ;
  // mixed(gold, guess, positions, delta), Phi(gold) - Phi(m), where m decides as the guess in these positions
  // and as gold elsewhere.
  bool mixed = false;
};

namespace hook {

template <class S>
using StateOf = typename S::State;
template <class S>
using Moves = std::vector<Move<typename S::State>>;

template <class S>
concept single_gold = requires(S& s, const StateOf<S>& x) {
  { s.gold_action(x) } -> std::convertible_to<uint32_t>;
};
template <class S>
concept few_actions = requires(S& s, const StateOf<S>& x) {
  { s.choices(x) } -> std::same_as<Choices>;
};
template <class S>
concept grouped = requires(S& s, const StateOf<S>& x) {
  { s.groups(x) } -> std::same_as<std::span<const ActionGroup>>;
  { s.gain(x, 0u) } -> std::same_as<float>;
};
template <class S>
concept all_actions = requires(S& s, const StateOf<S>& x) {
  { s.scores(x) } -> std::convertible_to<const float*>;
  { s.num_actions() } -> std::convertible_to<uint32_t>;
};
template <class S>
concept numbered_keys = requires(S& s) {
  { s.merge_keys() } -> std::convertible_to<uint32_t>;
};
template <class S>
concept merge_base = requires(S& s, const StateOf<S>& x) {
  { s.merge_base(x) } -> std::same_as<int64_t>;
};
template <class S>
concept bound = requires(S& s, const StateOf<S>& x) {
  { s.bound(x) } -> std::convertible_to<const float*>;
};
template <class S>
concept ready = requires(S& s) { s.ready(std::span<const Item<StateOf<S>>>()); };
template <class S>
concept prefetch = requires(S& s, const StateOf<S>& x) { s.prefetch(x); };
template <class S>
concept forced = requires(S& s, const StateOf<S>& x) {
  { s.forced(x) } -> std::same_as<uint32_t>;
};
template <class S>
concept output_after = requires(S& s) {
  { s.output_after(uint64_t{0}, 0u) } -> std::same_as<uint64_t>;
};
template <class S>
concept gold_merge_key = requires(S& s, const StateOf<S>& x) {
  { s.gold_merge_key(x) } -> std::same_as<uint64_t>;
};
template <class S>
concept bin_class = requires(S& s, const StateOf<S>& x) {
  { s.bin_class(x) } -> std::same_as<uint64_t>;
};
template <class S>
concept future = requires(S& s, const StateOf<S>& x) {
  { s.future(x, 0u) } -> std::floating_point;
};
template <class S>
concept loss = requires(S& s, const Moves<S>& moves) {
  { s.loss(moves, moves) } -> std::same_as<double>;
};
template <class S>
concept mixed = requires(S& s, const Moves<S>& moves, std::vector<uint32_t>& wrong,
                         std::span<const uint32_t> positions, Difference& delta) {
  { s.decisions(moves, moves, wrong) } -> std::same_as<uint32_t>;
  { s.mixed(moves, moves, positions, delta) } -> std::same_as<MixedAssignment>;
};

// What every space has: where to begin, what follows, which bin a state belongs to, which states may be
// merged, where it ends, what is gold, Phi(gold) - Phi(guess) of two paths, and that it is told of changes,
// and of another margin.
template <class S>
concept needed = requires(S& s, const StateOf<S>& x, const Moves<S>& moves, Difference& delta) {
  { S::kOffers } -> std::convertible_to<Offers>;
  { s.initial() } -> std::same_as<StateOf<S>>;
  { s.advance(x, 0u) } -> std::same_as<StateOf<S>>;
  { s.step(x) } -> std::same_as<int>;
  { s.merge_key(x) } -> std::unsigned_integral;
  { s.is_final(x) } -> std::same_as<bool>;
  { s.allows(x, 0u) } -> std::same_as<bool>;
  s.difference(moves, moves, delta);
  s.weights_changed();
  s.set_margin(0.0f);
};

// Declared and there, or neither.
template <class S>
concept as_declared = requires {
  requires S::kOffers.single_gold == single_gold<S>;
  requires S::kOffers.few_actions == few_actions<S>;
  requires S::kOffers.numbered_keys == numbered_keys<S>;
  requires S::kOffers.merge_base == merge_base<S>;
  requires S::kOffers.bound == bound<S>;
  requires S::kOffers.ready == ready<S>;
  requires S::kOffers.prefetch == prefetch<S>;
  requires S::kOffers.forced == forced<S>;
  requires S::kOffers.output_after == output_after<S>;
  requires S::kOffers.gold_merge_key == gold_merge_key<S>;
  requires S::kOffers.bin_class == bin_class<S>;
  requires S::kOffers.future == future<S>;
  requires S::kOffers.loss == loss<S>;
  requires S::kOffers.mixed == mixed<S>;
  requires S::kOffers.grouped == grouped<S>;
  requires S::kOffers.few_actions + S::kOffers.grouped + all_actions<S> == 1;
};

}  // namespace hook

template <class S>
concept SearchSpace = hook::needed<S> && hook::as_declared<S>;

}  // namespace structron
