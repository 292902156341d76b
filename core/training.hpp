// Local violation fixing (Huang, Fayong & Guo 2012, Algorithm 2): find() decodes, chooses the prefix and
// collects what is violated there; apply() lets the learner make one change of all that was found.
#pragma once
#include <algorithm>
#include <cstdint>

#include "learners/learner.hpp"
#include "violations.hpp"
#include "weights.hpp"

namespace structron {

struct Counts {
  uint64_t examples = 0, steps = 0, errors = 0, updates = 0, invalid = 0, early = 0;
};

struct TrainOptions {
  SearchOptions search;
  Update update = Update::max_violation;
  bool skip_correct = false;  // max-violation: leave alone a sentence whose final output is right
};

// A space may say what its loss is: loss(gold moves, guess moves). The default is the number of places in
// which the two differ; where one is longer, the rest counts.
template <class Space, class Moves>
double loss_between(const Space& space, const Moves& gold, const Moves& guess) {
  if constexpr (requires { space.loss(gold, guess); }) {
    return space.loss(gold, guess);
  } else {
    const size_t shared = std::min(gold.size(), guess.size());
    size_t differing = std::max(gold.size(), guess.size()) - shared;
    for (size_t i = 0; i < shared; ++i) differing += gold[i].action != guess[i].action;
    return static_cast<double>(differing);
  }
}

template <class Space>
class Trainer {
 public:
  using State = typename Space::State;

  // The learner is kept by whoever made it.
  Trainer(Weights& weights, const Learner& learner, TrainOptions options)
      : weights_(weights), learner_(learner), options_(options), watched_(options.search) {}

  // One example, updated at once.
  void example(Space& space, Counts& counts) {
    found_.cut(0);
    if (options_.update == Update::laso) {
      laso(space, counts);
    } else {
      find(space, 0, found_, counts);
      apply(space, found_, counts);
    }
    weights_.tick();
  }

  // Decodes an example and adds what its update would fix. LaSO updates while it searches and has no such
  // half.
  void find(Space& space, uint32_t example, Found& found, Counts& counts) {
    ++counts.examples;
    watched_.start(space);
    const Trace& t = watched_.trace;
    bool fallen = false, stopped = false;
    while (!stopped && watched_.advance(space, true)) {
      if (options_.update != Update::early) continue;
      // Once gold has fallen off and the row is a violation, the rest is skipped (Algorithm 8).
      const int last = t.steps() - 1;
      fallen = fallen || (!t.gold_in_beam[last] && !std::isnan(t.gold_score[last]));
      stopped = fallen && violates(t, last);
    }
    counts.steps += static_cast<uint64_t>(t.steps());
    const bool is_wrong = stopped || (t.steps() > 0 && !t.best_is_gold.back());
    counts.errors += is_wrong;
    if (!is_wrong && options_.skip_correct) return;
    const int step = stopped ? t.steps() - 1 : choose(options_.update, t);
    if (step != kNoViolation) collect(space, step, example, found);
  }

  // One change for all that was found with the weights as they are.
  void apply(Space& space, const Found& found, Counts& counts) {
    if (found.size() == 0) return;
    Made made;
    for (const Part& p : learner_.change(found.span(), change_, made))
      weights_.add(p.feature, p.action, p.value);
    space.weights_changed();
    counts.updates += made.updates;
    counts.invalid += made.invalid;
    if (made.updates)
      each_example(found.span(),
                   [&](std::span<const Violation> of_one) { counts.early += of_one[0].on_prefix; });
  }

 private:
  // Where gold falls off, update at once and go on from gold alone (Sec. 7, line 8').
  void laso(Space& space, Counts& counts) {
    ++counts.examples;
    watched_.start(space);
    const Trace& t = watched_.trace;
    Counts fixed;
    bool is_wrong = false;
    while (watched_.advance(space, true)) {
      const int last = t.steps() - 1;
      if (t.gold_in_beam[last] || std::isnan(t.gold_score[last])) continue;
      is_wrong = true;
      const bool ends = !watched_.free.empty(last) && space.is_final(watched_.free.best(last).state);
      if (ends) break;  // judged below
      if (violates(t, last)) fix(space, last, fixed);
      watched_.restart_from_gold();
    }
    const int last = t.steps() - 1;
    if (last >= 0 && !t.best_is_gold[last]) is_wrong = true;
    if (last >= 0 && violates(t, last)) fix(space, last, fixed);
    counts.steps += static_cast<uint64_t>(t.steps());
    counts.errors += is_wrong;
    counts.updates += fixed.updates;
    counts.invalid += fixed.invalid;
    counts.early += fixed.early > 0;
  }

  void fix(Space& space, int step, Counts& counts) {
    found_.cut(0);
    collect(space, step, 0, found_);
    apply(space, found_, counts);
  }

  void collect(Space& space, int step, uint32_t example, Found& found) {
    watched_.gold_path(step, gold_);
    watched_.best_path(step, guess_);
    Violation& v = found.add(example);
    v.excess = watched_.trace.excess(step);
    v.on_prefix = !space.is_final(watched_.free.best(step).state);
    v.loss = loss_between(space, gold_, guess_);
    space.difference(gold_, guess_, v.delta);
  }

  Weights& weights_;
  const Learner& learner_;
  TrainOptions options_;
  Watched<Space> watched_;
  Found found_;
  Difference change_;
  std::vector<Move<State>> gold_, guess_;
};

}  // namespace structron
