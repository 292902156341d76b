// Learning from sums over all trees: what one thread needs for it. structron/reference/forest/matrix_tree.py
// is the definition.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/training.hpp"
#include "search/one_bin.hpp"
#include "search/refusal.hpp"
#include "tasks/graph_parsing/corpus.hpp"
#include "tasks/graph_parsing/heads/matrix_tree.hpp"
#include "tasks/graph_parsing/heads/spanning_search.hpp"

namespace structron {

// The probabilities of arcs, and of the relations of each.
template <class Space>
class TreeSums {
 public:
  // Scores count over the temperature; returns log Z.
  double run(Space& space, double temperature) {
    n_ = space.length();
    labels_ = space.labels();
    logs_.assign(size_t{n_ + 1} * (n_ + 1), 0);
    relations_.assign(logs_.size() * labels_, 0);
    return trees_.run(n_, space.single_root(), [&](uint32_t h, uint32_t m) {
      const float* scores = space.arc(h, m);
      double* shares = &relations_[at(h, m) * labels_];
      const double top = *std::max_element(scores, scores + labels_) / temperature;
      double sum = 0;
      for (uint32_t l = 0; l < labels_; ++l) sum += shares[l] = std::exp(scores[l] / temperature - top);
      for (uint32_t l = 0; l < labels_; ++l) shares[l] /= sum;
      return logs_[at(h, m)] = top + std::log(sum);
    });
  }
  // f(head, modifier, the probability of each of its relations) for arcs that matter.
  template <class F>
  void each(F&& f) {
    shares_.resize(labels_);
    for (uint32_t m = 1; m <= n_; ++m)
      for (uint32_t h = 0; h <= n_; ++h) {
        const double arc = h == m ? 0 : trees_.probability(h, m);
        if (arc <= kNegligible) continue;
        for (uint32_t l = 0; l < labels_; ++l) shares_[l] = arc * relations_[at(h, m) * labels_ + l];
        f(h, m, shares_.data());
      }
  }

  static constexpr double kNegligible = 1e-6;

 private:
  size_t at(uint32_t h, uint32_t m) const { return size_t{h} * (n_ + 1) + m; }

  MatrixTree trees_;
  uint32_t n_ = 0, labels_ = 0;
  std::vector<double> logs_, relations_, shares_;
};

template <class AnySpace>
class TreeSummer {
 public:
  using Space = AnySpace;

  TreeSummer(Weights& weights, const Learner& learner) : weights_(weights), learner_(learner) {}

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
    ++counts.steps;
    double score = 0;
    const bool has_gold = space.gold_output(gold_, score);
    const double loss = has_gold ? std::max(0.0, sums_.run(space, temperature) - score / temperature) : 0;
    const bool is_reached = has_gold && std::isfinite(loss);
    counts.errors += !is_reached || loss > std::log(2.0);
    if (!is_reached) return;
    Violation& v = found.add(example);
    v.excess = temperature * loss;
    v.loss = loss;
    v.on_prefix = false;
    for (uint32_t m = 1; m <= space.length(); ++m)
      space.each_of_arc(gold_[m].head, m,
                        [&](uint32_t feature) { v.delta.push_back({feature, gold_[m].label, 1.0f}); });
    sums_.each([&](uint32_t h, uint32_t m, const double* shares) {
      space.each_of_arc(h, m, [&](uint32_t feature) {
        for (uint32_t l = 0; l < space.labels(); ++l)
          if (shares[l] > TreeSums<Space>::kNegligible)
            v.delta.push_back({feature, l, -static_cast<float>(shares[l])});
      });
    });
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
  void take(Space&, std::span<const Share>, uint32_t, Found&) { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw ChoiceRefused("crf: it sums over all outputs and has no bins to choose from; use standard");
  }

  Weights& weights_;
  const Learner& learner_;
  TreeSums<Space> sums_;
  HeadVector gold_;
  Found found_;
  Difference change_;
};

struct SpanningSummer {
  using Scorer = GraphScorer<LiveRows>;
  using Space = SpanningSpace<Scorer>;
  using Watched = OneBin<SpanningSearch<Scorer>>;

  SpanningSummer(const GraphCorpus& corpus, Weights& weights, const TrainOptions&, const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        scorer(corpus.program(), LiveRows(weights, naming, corpus.open()), corpus.labels()),
        heads(scorer, corpus.single_root()),
        fixer(weights, learner) {}

  Space& space() { return heads; }
  uint64_t cost(uint32_t sentence) const { return packed.length(sentence); }
  void open(uint32_t sentence) {
    packed.gold(sentence, gold);
    scorer.sentence(packed.words(sentence), packed.length(sentence), {});
    heads.sentence(packed.length(sentence), &gold);
  }

  const GraphCorpus& packed;
  Naming naming;
  Scorer scorer;
  Space heads;
  TreeSummer<Space> fixer;
  GoldTree gold;
};

}  // namespace structron
