// Sums over all outputs in place of the maximum: forward over the lattice of exact search, then back.
// structron/reference/sequence/sums.py is the definition.
//
// Going back needs nothing but what going forward has left: of the ways to a node, each has its share, and
// the probability of the node is divided among them. So there is no second sum that could lose its digits.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "search/items.hpp"
#include "search/refusal.hpp"
#include "search/search_space.hpp"
#include "util/exponentials.hpp"

namespace structron {

// For spaces with unit steps, numbered merge keys and scores of all actions.
template <class Space>
class ForwardBackward {
 public:
  using State = typename Space::State;
  static_assert(Space::kOffers.unit_steps && Space::kOffers.numbered_keys);

  // Scores count over the temperature; `gold`: only what is allowed.
  void start(const Space& space, double temperature, bool gold) {
    by_ = 1 / temperature;
    gold_ = gold;
    actions_ = space.num_actions();
    stride_ = (actions_ + 3) / 4 * 4;
    steps_ = 0;
    log_total_ = 0;
    at(0).nodes.assign(1, {space.merge_key(space.initial()), space.initial(), 1, 0, 0, 0});
  }

  // One step further; false where the input ends, or where nothing goes on.
  bool forward(Space& space) {
    if (at(steps_).nodes.empty() || space.is_final(at(steps_).nodes[0].state)) return false;
    at(steps_ + 1).nodes.clear();
    Step& step = at(steps_);
    step.gains.resize(step.nodes.size() * stride_);
    double most = -kInfinity;
    for (size_t n = 0; n < step.nodes.size(); ++n) most = std::max(most, expand(space, step, n));
    if (most > -kInfinity) {
      log_total_ += most;
      for (Node& node : step.nodes) node.amount = std::exp(node.log - most);
      collect(space, step, at(steps_ + 1));
    }
    ++steps_;
    return true;
  }

  // The logarithm of the sum over all outputs; minus infinity if there is none.
  double log_total() const {
    double sum = 0;
    for (const Node& node : all_[steps_].nodes) sum += node.sum;
    return log_total_ + std::log(sum);
  }

  uint32_t steps() const { return steps_; }

  // Back from the end, which must be there.
  void turn() {
    std::vector<Node>& ends = at(steps_).nodes;
    double sum = 0;
    for (const Node& node : ends) sum += node.sum;
    for (Node& node : ends) node.probability = node.sum / sum;
  }
  // f(state, probability of each action from there) for all states of the step before.
  template <class F>
  void back(Space& space, F&& f) {
    const Step& after = at(steps_);
    Step& step = at(--steps_);
    ratio_.resize(std::max<size_t>(ratio_.size(), space.merge_keys() + size_t{stride_}));
    for (const Node& node : after.nodes) ratio_[node.key] = node.probability / node.sum;
    shares_.resize(stride_);
    for (size_t n = 0; n < step.nodes.size(); ++n) {
      Node& node = step.nodes[n];
      const float* gains = &step.gains[n * stride_];
      const int64_t base = space.merge_base(node.state);
      double sum = 0;
      for (uint32_t a = 0; a < actions_; ++a) {
        const uint32_t key = base >= 0 ? static_cast<uint32_t>(base) + a : key_after(space, node.state, a);
        shares_[a] = gains[a] == 0 ? 0 : node.amount * gains[a] * ratio_[key];
        sum += shares_[a];
      }
      node.probability = sum;
      if (sum > kNegligible) f(node.state, shares_.data());
    }
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNegligible = 1e-9;

  struct Node {
    uint32_t key;
    State state;
    double sum;     // over all ways to it, but for what all nodes of its step have in common
    double log;     // of that, with its best gain
    double amount;  // that, over the most of its step
    double probability;
  };
  struct Step {
    std::vector<Node> nodes;
    std::vector<float> gains;  // [node][action], over the best of the node
  };
  Step& at(size_t step) {
    if (step >= all_.size()) all_.resize(step + 1);
    return all_[step];
  }
  static uint32_t key_after(const Space& space, const State& state, uint32_t action) {
    return static_cast<uint32_t>(space.merge_key(space.advance(state, action)));
  }

  // The gains of a node; returns the logarithm of its sum with the best of them.
  double expand(Space& space, Step& step, size_t n) {
    Node& node = step.nodes[n];
    const float* scores = space.scores(node.state);
    float* gains = &step.gains[n * stride_];
    std::copy_n(scores, actions_, gains);
    std::fill(gains + actions_, gains + stride_, kImpossible);
    if (gold_)
      for (uint32_t a = 0; a < actions_; ++a)
        if (!space.allows(node.state, a)) gains[a] = kImpossible;
    const float top = *std::max_element(gains, gains + actions_);
    if (top == kImpossible) {
      std::fill(gains, gains + stride_, 0.0f);
      return node.log = -kInfinity;
    }
    exp_vectors(gains, top, static_cast<float>(by_), stride_);
    node.log = std::log(node.sum) + static_cast<double>(top) * by_;
    return node.log;
  }

  void collect(Space& space, const Step& step, Step& next) {
    const size_t keys = space.merge_keys() + size_t{stride_};
    sums_.assign(keys, 0);
    if (states_.size() < keys) states_.resize(keys);
    if (filled_.size() < keys) filled_.resize(keys, 0);
    ++time_;
    for (size_t n = 0; n < step.nodes.size(); ++n) {
      const Node& node = step.nodes[n];
      if (node.amount == 0) continue;
      const float* __restrict gains = &step.gains[n * stride_];
      const int64_t base = space.merge_base(node.state);
      if (base < 0) {
        for (uint32_t a = 0; a < actions_; ++a) {
          if (gains[a] == 0) continue;
          const State after = space.advance(node.state, a);
          const uint32_t key = static_cast<uint32_t>(space.merge_key(after));
          sums_[key] += node.amount * gains[a];
          states_[key] = after;
        }
        continue;
      }
      double* __restrict sums = &sums_[static_cast<size_t>(base)];
      for (uint32_t a = 0; a < actions_; ++a) sums[a] += node.amount * static_cast<double>(gains[a]);
      if (filled_[static_cast<size_t>(base)] == time_) continue;
      filled_[static_cast<size_t>(base)] = time_;
      for (uint32_t a = 0; a < actions_; ++a)
        states_[static_cast<size_t>(base) + a] = space.advance(node.state, a);
    }
    for (uint32_t key = 0; key < space.merge_keys(); ++key)
      if (sums_[key] > 0) next.nodes.push_back({key, states_[key], sums_[key], 0, 0, 0});
  }

  double by_ = 1, log_total_ = 0;
  bool gold_ = false;
  uint32_t actions_ = 0, stride_ = 0, steps_ = 0;
  std::vector<Step> all_;
  std::vector<double> sums_, ratio_, shares_;
  std::vector<State> states_;
  std::vector<uint64_t> filled_;
  uint64_t time_ = 0;
};

// Sums keep the gains of the whole input: it must be possible to hold these.
template <class Space>
void check_sums(const Space& space, uint32_t length) {
  const uint64_t bytes = uint64_t{4} * space.merge_keys() * (space.num_actions() + 3) * length;
  if (bytes > uint64_t{2} << 30)
    throw SearchTooLarge("sums over " + std::to_string(space.num_actions()) + " labels and " +
                         std::to_string(length) + " tokens would take " + std::to_string(bytes >> 30) +
                         " GiB of memory; use order 1, or another learner");
}

}  // namespace structron
