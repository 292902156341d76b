// Local violation fixing (Huang, Fayong & Guo 2012, Algorithm 2): find() decodes, chooses the prefix and
// collects what is violated there; apply() lets the learner make one change of all that was found.
#pragma once
#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "learners/learner.hpp"
#include "learners/substructures.hpp"
#include "violations.hpp"
#include "weights.hpp"

namespace structron {

struct Counts {
  uint64_t examples = 0, steps = 0, errors = 0, updates = 0, invalid = 0, early = 0;

  Counts& operator+=(const Counts& o) {
    examples += o.examples;
    steps += o.steps;
    errors += o.errors;
    updates += o.updates;
    invalid += o.invalid;
    early += o.early;
    return *this;
  }
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
  using Moves = std::vector<Move<State>>;
  // A space whose outputs are vectors of decisions offers mixed(gold moves, guess moves, positions, delta):
  // Phi(gold) - Phi(m), where m does as the guess in these positions and as gold elsewhere.
  static constexpr bool kMixes =
      requires(Space& space, const Moves& moves, std::span<const uint32_t> positions, Difference& delta) {
        space.mixed(moves, moves, positions, delta);
      };

  // The learner is kept by whoever made it.
  Trainer(Weights& weights, const Learner& learner, TrainOptions options)
      : weights_(weights),
        learner_(learner),
        options_(options),
        watched_(options.search),
        kbest_({0, true, std::max(1u, learner.constraints())}) {
    if (learner.mixes() != nullptr && !kMixes)
      throw std::invalid_argument("swvp: outputs of this task cannot be mixed; take another learner");
    if (exact_kbest() && options.update == Update::laso)
      throw std::invalid_argument("laso with exact search has no k best; use a beam, or one constraint");
  }

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
    int step = stopped ? t.steps() - 1 : choose(options_.update, t);
    if (step == kNoViolation && is_close_call()) step = t.steps() - 1;
    if (step != kNoViolation) collect(space, step, example, found);
  }

  // One change for all that was found with the weights as they are.
  void apply(Space& space, const Found& found, Counts& counts) {
    if (found.size() == 0) return;
    Made made;
    for (const Part& p : learner_.change(found.span(), change_, made))
      weights_.add(p.feature, p.column, p.value);
    space.weights_changed();
    counts.updates += made.updates;
    counts.invalid += made.invalid;
    counts.early += made.early;
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
      watched_.restart_from_gold(space);
    }
    const int last = t.steps() - 1;
    if (last >= 0 && !t.best_is_gold[last]) is_wrong = true;
    if (last >= 0 && (violates(t, last) || is_close_call())) fix(space, last, fixed);
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

  // A learner may look at the last row although the method has found nothing there: gold may be ahead by less
  // than the loss.
  bool is_close_call() const {
    const Trace& t = watched_.trace;
    return learner_.close_calls() && t.steps() > 0 && !std::isnan(t.gold_score.back());
  }
  bool exact_kbest() const { return options_.search.width == 0 && learner_.constraints() > 1; }

  // What the learner wants to know of a row: the best guess, the k best, or mixed assignments.
  void collect(Space& space, int step, uint32_t example, Found& found) {
    watched_.gold_path(step, gold_);
    if constexpr (kMixes)
      if (learner_.mixes() != nullptr && collect_mixed(space, step, example, found)) return;
    const SearchOf<Space>& search = exact_kbest() ? best_of_all(space, step) : watched_.free;
    const auto row = search.rows[step];
    const uint32_t end = row.begin + std::min(learner_.constraints(), row.end - row.begin);
    for (uint32_t i = row.begin; i < end; ++i) {
      if (search.items[i].good) continue;
      if constexpr (HasOwnSearch<Space>) {
        search.path(space, i, guess_);
      } else {
        path_to(search.items, search.items[i], guess_);
      }
      Violation& v = add(space, step, example, found);
      v.excess = search.items[i].score - watched_.trace.gold_score[step];
      v.loss = loss_between(space, gold_, guess_);
      space.difference(gold_, guess_, v.delta);
    }
  }

  // The k best paths of all to a row: exact search itself keeps only one path to each state.
  const SearchOf<Space>& best_of_all(Space& space, int step) {
    kbest_.start({0.0, space.initial(), kRoot, 0, true});
    while (static_cast<int>(kbest_.rows.size()) <= step && kbest_.advance(space)) {
    }
    return kbest_;
  }

  // Mixed assignments are scored by the parts in which they differ from gold. False, and nothing added, if
  // the learner can do nothing with them.
  bool collect_mixed(Space& space, int step, uint32_t example, Found& found) {
    watched_.best_path(step, guess_);
    wrong_.clear();
    for (uint32_t i = 0; i < gold_.size(); ++i)
      if (gold_[i].action != guess_[i].action) wrong_.push_back(i);
    const size_t first = found.size();
    const uint32_t length = static_cast<uint32_t>(gold_.size());
    const uint32_t among = learner_.mixes()->each(wrong_, length, [&](std::span<const uint32_t> positions) {
      Violation& v = add(space, step, example, found);
      space.mixed(gold_, guess_, positions, v.delta);
      v.loss = static_cast<double>(positions.size());
      v.excess = learner_.margin() * v.loss;
      for (const Part& p : v.delta)
        v.excess -= static_cast<double>(weights_.get(p.feature, p.column)) * p.value;
    });
    const std::span<Violation> mixed = found.from(first);
    for (Violation& v : mixed) v.among = among;
    if (!mixed.empty() && learner_.accepts(mixed)) return true;
    found.cut(first);
    return false;
  }

  Violation& add(Space& space, int step, uint32_t example, Found& found) {
    Violation& v = found.add(example);
    v.on_prefix = !space.is_final(watched_.free.best(step).state);
    return v;
  }

  Weights& weights_;
  const Learner& learner_;
  TrainOptions options_;
  Watched<Space> watched_;
  SearchOf<Space> kbest_;
  Found found_;
  Difference change_;
  Moves gold_, guess_;
  std::vector<uint32_t> wrong_;
};

}  // namespace structron
