// Learning from sums over all outputs: gold and guess are expectations, and their difference is the gradient
// of the log-likelihood times the temperature. structron/reference/sequence/sums.py is the definition.
#pragma once
#include <cmath>
#include <vector>

#include "learn/learner.hpp"
#include "learn/training.hpp"
#include "search/forward_backward.hpp"
#include "search/refusal.hpp"
#include "weights/weights.hpp"

namespace structron {

// Expectations gives: start(example); add(state, probabilities, sign) for the states of a token, the last
// token first; close(token) when there are no more of it; put(delta).
template <class AnySpace, class Expectations>
class Summer {
 public:
  using Space = AnySpace;

  Summer(Weights& weights, const Learner& learner, Expectations& expectations)
      : weights_(weights), learner_(learner), expectations_(expectations) {}

  const Learner& learner() const { return learner_; }
  void prepare(Space&) const {}

  void example(Space& space, Counts& counts) {
    found_.cut(0);
    find(space, 0, found_, counts);
    apply(space, found_, counts);
    weights_.tick();
  }

  void find(Space& space, uint32_t example, Found& found, Counts& counts) {
    const double temperature = learner_.grown(weights_.clock() - 1);
    ++counts.examples;
    all_.start(space, temperature, false);
    gold_.start(space, temperature, true);
    while (all_.forward(space) && gold_.forward(space)) {
    }
    counts.steps += all_.steps();
    const double loss = std::max(0.0, all_.log_total() - gold_.log_total());
    // Gold that cannot be reached, whether by the rules or because a score is not finite, teaches nothing.
    const bool is_reached = std::isfinite(loss) && all_.steps() == gold_.steps() && all_.steps() > 0;
    counts.errors += !is_reached || loss > std::log(2.0);
    if (!is_reached) return;
    Violation& v = found.add(example);
    v.excess = temperature * loss;
    v.loss = loss;
    v.on_prefix = false;
    all_.turn();
    gold_.turn();
    for (uint32_t token = all_.steps(); token-- > 0;) {
      all_.back(space, [&](const auto& state, const double* p) { expectations_.add(state, p, -1.0); });
      gold_.back(space, [&](const auto& state, const double* p) { expectations_.add(state, p, 1.0); });
      expectations_.close(token, v.delta);
    }
    expectations_.put(v.delta);
  }

  void apply(Space& space, const Found& found, Counts& counts) {
    if (found.size() == 0) return;
    Made made;
    for (const Part& p : learner_.change(found.span(), change_, made))
      weights_.add(p.feature, p.column, p.value);
    space.weights_changed();
    counts.updates += made.updates;
    counts.invalid += made.invalid;
  }

  // There is no bin to choose.
  bool look(Space&, Counts&) { refuse(); }
  const Bins& bins() const { refuse(); }
  void take(Space&, std::span<const int>, uint32_t, Found&) { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw ChoiceRefused("crf: it sums over all outputs and has no bins to choose from; use standard");
  }

  Weights& weights_;
  const Learner& learner_;
  Expectations& expectations_;
  ForwardBackward<Space> all_, gold_;
  Found found_;
  Difference change_;
};

}  // namespace structron
