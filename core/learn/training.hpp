// Local violation fixing (Huang, Fayong & Guo 2012, Algorithm 2): find() decodes, chooses the bin and
// collects what is violated there; apply() lets the learner make one change of all that was found.
#pragma once
#include <algorithm>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <vector>

#include "learn/choosing.hpp"
#include "learn/learner.hpp"
#include "learn/substructures.hpp"
#include "learn/violations.hpp"
#include "search/refusal.hpp"
#include "search/watched.hpp"
#include "weights/weights.hpp"

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

template <WatchedSearch Watched>
class ViolationFixer {
 public:
  using Space = typename Watched::Space;
  using Derivation = typename Watched::Derivation;
  static constexpr bool kMixes = Space::kOffers.mixed;

  // The learner is kept by whoever made it.
  ViolationFixer(Weights& weights, const Learner& learner, TrainOptions options)
      : weights_(weights), learner_(learner), options_(options), watched_(options.search) {
    if (learner.sums())
      throw ChoiceRefused("crf: sums over all outputs of this task are not known; take another learner");
    if (learner.substructures() != nullptr && !kMixes)
      throw ChoiceRefused("swvp: outputs of this task cannot be mixed; take another learner");
    if (options.update != Update::laso) return;
    if (!Watched::kInOrder)
      throw ChoiceRefused("laso needs a search whose bins follow one another; use max_violation");
    if (options.search.width == 0 && learner.constraints() > 1)
      throw ChoiceRefused("laso with exact search has no k best; use a beam, or one constraint");
  }

  const Learner& learner() const { return learner_; }

  // Comes before an example is opened.
  void prepare(Space& space) const {
    if (learner_.grows()) space.set_margin(static_cast<float>(learner_.grown(weights_.clock() - 1)));
  }

  // One example, updated at once.
  void example(Space& space, Counts& counts) {
    found_.cut(0);
    if constexpr (Watched::kInOrder) {
      if (options_.update == Update::laso) {
        laso(space, counts);
        weights_.tick();
        return;
      }
    }
    find(space, 0, found_, counts);
    apply(space, found_, counts);
    weights_.tick();
  }

  // Decodes an example and adds what its update would fix. LaSO updates while it searches and has no such
  // half.
  void find(Space& space, uint32_t example, Found& found, Counts& counts) {
    if (!look(space, counts)) return;
    // Bins that do not say what they span all begin where the input does, and overlap: then it is
    // max-violation.
    if constexpr (!Watched::kInOrder && requires { Space::kOffers.span; })
      if (options_.update == Update::parallel) return collect_parallel(space, example, found);
    const Bins& bins = watched_.bins;
    int bin = stopped_ ? bins.size() - 1 : choose(options_.update, bins);
    if (bin == kNoViolation && is_close_call()) bin = bins.size() - 1;
    if (bin != kNoViolation) collect(space, bin, example, found);
  }

  // The first half of find(): decodes, and says whether there is to be an update at all.
  bool look(Space& space, Counts& counts) {
    ++counts.examples;
    watched_.start(space);
    const Bins& bins = watched_.bins;
    stopped_ = false;
    while (!stopped_ && watched_.advance(space, true)) {
      // Once gold has fallen off and the bin is a violation, the rest is skipped (Algorithm 8).
      if (Watched::kInOrder && options_.update == Update::early)
        stopped_ = bins.fallen.back() && violates(bins, bins.size() - 1);
    }
    counts.steps += static_cast<uint64_t>(bins.size());
    const bool is_wrong = stopped_ || (bins.size() > 0 && !bins.best_is_gold.back());
    counts.errors += is_wrong;
    return is_wrong || !options_.skip_correct;
  }
  const Bins& bins() const { return watched_.bins; }

  // The second half, with bins that were chosen elsewhere.
  void take(Space& space, std::span<const Share> chosen, uint32_t example, Found& found) {
    if (chosen.size() > 1) return collect_sum(space, chosen, example, found);
    if (!chosen.empty()) return collect(space, chosen[0].bin, example, found);
    if (is_close_call()) collect(space, watched_.bins.size() - 1, example, found);
  }

  // One change for all that was found with the weights as they are. Nothing interrupts it.
  void apply(Space& space, const Found& found, Counts& counts) { apply(space, found, counts, nullptr); }

 private:
  // What LaSO has changed for the example at hand: if its search is given up, this is as it was.
  struct Undo {
    struct Was {
      uint32_t feature;
      Weights::Before cell;
    };
    Weights& weights;
    std::vector<Was> cells = {};
    int thrown = std::uncaught_exceptions();

    void note(const Part& p) { cells.push_back({p.feature, weights.cell(p.feature, p.column)}); }
    ~Undo() {
      if (std::uncaught_exceptions() == thrown) return;
      for (size_t i = cells.size(); i-- > 0;)
        weights.restore(cells[i].feature, cells[i].cell.column, cells[i].cell.weight, cells[i].cell.past);
    }
  };

  void apply(Space& space, const Found& found, Counts& counts, Undo* undo) {
    if (found.size() == 0) return;
    Made made;
    const auto& change = learner_.change(found.span(), change_, made);
    if (undo != nullptr)
      for (const Part& p : change) undo->note(p);
    for (const Part& p : change) weights_.add(p.feature, p.column, p.value);
    space.weights_changed();
    counts.updates += made.updates;
    counts.invalid += made.invalid;
    counts.early += made.early;
  }

  // Where gold falls off, update at once and go on from gold alone (Sec. 7, line 8').
  void laso(Space& space, Counts& counts) {
    Undo undo{weights_};
    ++counts.examples;
    watched_.start(space);
    const Bins& bins = watched_.bins;
    Counts fixed;
    bool is_wrong = false;
    while (watched_.advance(space, true)) {
      const int last = bins.size() - 1;
      if (bins.gold_in_beam[last] || !bins.has_gold(last)) continue;
      is_wrong = true;
      if (watched_.is_output(space, last)) break;  // judged below
      if (violates(bins, last)) fix(space, last, fixed, undo);
      watched_.restart_from_gold(space);
    }
    const int last = bins.size() - 1;
    if (last >= 0 && !bins.best_is_gold[last]) is_wrong = true;
    if (last >= 0 && (violates(bins, last) || is_close_call())) fix(space, last, fixed, undo);
    counts.steps += static_cast<uint64_t>(bins.size());
    counts.errors += is_wrong;
    counts.updates += fixed.updates;
    counts.invalid += fixed.invalid;
    counts.early += fixed.early > 0;
  }

  void fix(Space& space, int bin, Counts& counts, Undo& undo) {
    found_.cut(0);
    collect(space, bin, 0, found_);
    apply(space, found_, counts, &undo);
  }

  // A learner may look at the last bin although the method has found nothing there: gold may be ahead by less
  // than the loss.
  bool is_close_call() const {
    const Bins& bins = watched_.bins;
    return learner_.close_calls() && bins.size() > 0 && bins.has_both(bins.size() - 1);
  }

  // What the learner wants to know of a bin: the best guess, the k best, or mixed assignments.
  void collect(Space& space, int bin, uint32_t example, Found& found) {
    watched_.gold(space, bin, gold_);
    if constexpr (kMixes)
      if (learner_.substructures() != nullptr && collect_mixed(space, bin, example, found)) return;
    const bool mixes = learner_.substructures() != nullptr;
    watched_.each_guess(space, bin, mixes ? 1 : learner_.constraints(), guess_,
                        [&](const Derivation& guess, double score) {
                          Violation& v = add(space, bin, example, found);
                          v.excess = score - watched_.bins.gold_score[bin];
                          v.loss = loss(space, gold_, guess);
                          space.difference(gold_, guess, v.delta);
                        });
  }

  static double loss(const Space& space, const Derivation& gold, const Derivation& guess) {
    if constexpr (Space::kOffers.loss) {
      return space.loss(gold, guess);
    } else {
      return Watched::distance(gold, guess);
    }
  }

  // Greedily the greatest violations that do not overlap, as one: their sum.
  void collect_parallel(Space& space, uint32_t example, Found& found) {
    if constexpr (!Space::kOffers.span) {
      throw std::invalid_argument("parallel needs to know which nodes overlap; use max_violation");
    } else {
      const Bins& bins = watched_.bins;
      std::vector<int> order;
      std::vector<Share> chosen;
      for (int bin = bins.size() - 1; bin >= 0; --bin)
        if (violates(bins, bin)) order.push_back(bin);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return bins.excess(a) > bins.excess(b); });
      for (int bin : order) {
        const auto [begin, end] = space.span(static_cast<uint32_t>(bin));
        const bool apart = std::all_of(chosen.begin(), chosen.end(), [&](const Share& other) {
          const auto [from, to] = space.span(static_cast<uint32_t>(other.bin));
          return end <= from || to <= begin;
        });
        if (apart) chosen.push_back({bin});
      }
      std::sort(chosen.begin(), chosen.end(), [](const Share& a, const Share& b) { return a.bin < b.bin; });
      if (chosen.empty()) {
        if (is_close_call()) collect(space, bins.size() - 1, example, found);
        return;
      }
      if (chosen.size() == 1) return collect(space, chosen[0].bin, example, found);
      collect_sum(space, chosen, example, found);
    }
  }

  // The best guesses of several bins as one violation: their sum, each as often as its share says.
  void collect_sum(Space& space, std::span<const Share> chosen, uint32_t example, Found& found) {
    Violation& v = add(space, chosen[0].bin, example, found);
    v.excess = v.loss = 0;
    for (const auto& [bin, share] : chosen) {
      watched_.gold(space, bin, gold_);
      watched_.best(space, bin, guess_);
      v.excess += share * watched_.bins.excess(bin);
      v.loss += share * loss(space, gold_, guess_);
      const size_t first = v.delta.size();
      space.difference(gold_, guess_, v.delta);
      if (share == 1) continue;
      for (size_t i = first; i < v.delta.size(); ++i) v.delta[i].value *= share;
    }
  }

  // Mixed assignments are scored by the parts in which they differ from gold. False, and nothing added, if
  // the learner can do nothing with them.
  bool collect_mixed(Space& space, int bin, uint32_t example, Found& found) {
    const size_t first = found.size();
    uint32_t among = 0;
    if (learner_.constraints() == 1) {
      watched_.best(space, bin, guess_);
      among = mix(space, bin, example, found);
    } else {
      watched_.each_guess(space, bin, learner_.constraints(), guess_,
                          [&](const Derivation&, double) { among += mix(space, bin, example, found); });
    }
    const std::span<Violation> mixed = found.from(first);
    for (Violation& v : mixed) v.among = among;
    if (!mixed.empty() && learner_.accepts(mixed)) return true;
    found.cut(first);
    return false;
  }

  // The mixed assignments of gold and one guess; returns how many sub-structures there are.
  uint32_t mix(Space& space, int bin, uint32_t example, Found& found) {
    const uint32_t decisions = space.decisions(gold_, guess_, wrong_);
    return learner_.substructures()->each(wrong_, decisions, [&](std::span<const uint32_t> positions) {
      Violation& v = add(space, bin, example, found);
      const MixedAssignment mixture = space.mixed(gold_, guess_, positions, v.delta);
      if (mixture.is_gold) return found.cut(found.size() - 1);
      v.loss = static_cast<double>(positions.size());
      v.excess = learner_.margin() * static_cast<double>(mixture.wrong_parts);
      for (const Part& p : v.delta)
        v.excess -= static_cast<double>(weights_.get(p.feature, p.column)) * p.value;
    });
  }

  Violation& add(Space& space, int bin, uint32_t example, Found& found) {
    Violation& v = found.add(example);
    v.on_prefix = !watched_.is_output(space, bin);
    return v;
  }

  Weights& weights_;
  const Learner& learner_;
  TrainOptions options_;
  Watched watched_;
  Found found_;
  Difference change_;
  Derivation gold_, guess_;
  std::vector<uint32_t> wrong_;
  bool stopped_ = false;
};

}  // namespace structron
