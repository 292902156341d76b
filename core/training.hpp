// The local violation-fixing perceptron (Huang, Fayong & Guo 2012, Algorithm 2), one example at a time.
#pragma once
#include <cstdint>

#include "learners/perceptron.hpp"
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

template <class Space, class Learner = Perceptron>
class Trainer {
 public:
  using State = typename Space::State;

  Trainer(Weights& weights, TrainOptions options)
      : weights_(weights), options_(options), watched_(options.search) {}

  void example(Space& space, Counts& counts) {
    ++counts.examples;
    watched_.start(space);
    if (options_.update == Update::early) {
      early_update(space, counts);
    } else if (options_.update == Update::laso) {
      laso(space, counts);
    } else {
      while (watched_.advance(space, true)) {
      }
      const Trace& t = watched_.trace;
      const bool is_wrong = t.steps() > 0 && !t.best_is_gold.back();
      counts.errors += is_wrong;
      if (is_wrong || !options_.skip_correct) fix_at(space, choose(options_.update, t), counts);
    }
    counts.steps += static_cast<uint64_t>(watched_.trace.steps());
    weights_.tick();
  }

 private:
  // Once gold has fallen off and the row is a violation, the rest of the example is skipped (Algorithm 8).
  void early_update(Space& space, Counts& counts) {
    bool fallen = false;
    const Trace& t = watched_.trace;
    while (watched_.advance(space, true)) {
      const int last = t.steps() - 1;
      fallen = fallen || (!t.gold_in_beam[last] && !std::isnan(t.gold_score[last]));
      if (!fallen || !violates(t, last)) continue;
      ++counts.errors;
      return fix_at(space, last, counts);
    }
    const bool is_wrong = t.steps() > 0 && !t.best_is_gold.back();
    counts.errors += is_wrong;
    if (is_wrong || !options_.skip_correct) fix_at(space, early(t), counts);
  }

  // Where gold falls off, update at once and go on from gold alone (Sec. 7, line 8').
  void laso(Space& space, Counts& counts) {
    const Trace& t = watched_.trace;
    bool is_wrong = false, on_prefix = false;
    while (watched_.advance(space, true)) {
      const int last = t.steps() - 1;
      if (t.gold_in_beam[last] || std::isnan(t.gold_score[last])) continue;
      is_wrong = true;
      const bool ends = !watched_.free.empty(last) && space.is_final(watched_.free.best(last).state);
      if (ends) break;  // judged below
      if (violates(t, last)) {
        fix(space, last, counts);
        on_prefix = true;
      }
      watched_.restart_from_gold();
    }
    const int last = t.steps() - 1;
    if (last >= 0 && !t.best_is_gold[last]) is_wrong = true;
    if (last >= 0 && violates(t, last)) fix(space, last, counts);
    counts.errors += is_wrong;
    counts.early += on_prefix;
  }

  void fix_at(Space& space, int step, Counts& counts) {
    if (step == kNoViolation) return;
    const bool on_prefix = !space.is_final(watched_.free.best(step).state);
    fix(space, step, counts);
    counts.early += on_prefix;
  }

  void fix(Space& space, int step, Counts& counts) {
    watched_.gold_path(step, gold_);
    watched_.best_path(step, guess_);
    violation_.excess = watched_.trace.excess(step);
    violation_.delta.clear();
    space.difference(gold_, guess_, violation_.delta);
    for (const Part& p : learner_.change(violation_)) weights_.add(p.feature, p.action, p.value);
    space.weights_changed();
    ++counts.updates;
    counts.invalid += violation_.excess < 0;
  }

  Weights& weights_;
  TrainOptions options_;
  Watched<Space> watched_;
  Learner learner_;
  Violation violation_;
  std::vector<Move<State>> gold_, guess_;
};

}  // namespace structron
