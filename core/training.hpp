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

  Trainer(Weights& weights, TrainOptions options) : weights_(weights), options_(options), watched_(options.search) {}

  void example(Space& space, Counts& counts) {
    ++counts.examples;
    const uint64_t updates_before = counts.updates;
    bool wrong_output = false;
    watched_.start(space);
    const bool stops = options_.update == Update::early;
    const bool laso = options_.update == Update::laso;
    while (watched_.advance(space, true)) {
      const Trace& t = watched_.trace;
      const int last = t.steps() - 1;
      if (t.gold_in_beam[last] || !(stops || laso) || !wrong(t, last)) continue;
      wrong_output = true;
      fix(space, last, counts);
      ++counts.early;
      if (stops) break;
      watched_.restart_from_gold(space);
    }
    const Trace& t = watched_.trace;
    counts.steps += static_cast<uint64_t>(t.steps());
    const int last = t.steps() - 1;
    if (laso) {
      // After a restart the last beam is judged alone.
      if (last >= 0 && wrong(t, last) && watched_.free.good_item(last) != nullptr) {
        if (!watched_.free.best(last).good) fix(space, last, counts);
        wrong_output = true;
      }
    } else if (counts.updates == updates_before) {
      wrong_output = last >= 0 && wrong(t, last);
      const int at = wrong_output || !options_.skip_correct ? choose(options_.update, t) : kNoViolation;
      if (at != kNoViolation) {
        fix(space, at, counts);
        if (at < last) ++counts.early;
      }
    }
    counts.errors += wrong_output;
    weights_.tick();
  }

 private:
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
