// The Structured Weighted Violations Perceptron (Dror & Reichart 2016, Algorithm 2): a weighted sum of the
// differences between gold and its mixed assignments. structron/reference/learners/swvp.py is the definition.
#pragma once
#include <cmath>
#include <numeric>

#include "learn/hildreth.hpp"
#include "learn/learner.hpp"
#include "learn/substructures.hpp"

namespace structron {

enum class Gamma : int { wm = 0, wmr = 1, uniform = 2, best = 3, optimal = 4 };

class Swvp final : public Learner {
 public:
  struct Options {
    Substructures jj;
    Gamma gamma = Gamma::wm;
    double beta = 1;
    bool aggressive = false, enforced = false, printed = false;
    float margin = 0;
    uint32_t guesses = 1;
  };

  explicit Swvp(Options options) : options_(options) {}

  const Difference& change(std::span<const Violation> found, Difference& scratch, Made& made) const override {
    scratch.clear();
    uint32_t examples = 0;
    each_example(found, [&](std::span<const Violation>) { ++examples; });
    const double share = 1.0 / examples;
    const bool alone = found.size() == 1;
    std::vector<double> gamma;
    Summed total;  // mixed assignments are many and their shares small: floats would round each
    each_example(found, [&](std::span<const Violation> of_one) {
      gammas(of_one, gamma);
      made.count(of_one[0], mean_excess(of_one, gamma) < 0);
      if (alone) return;
      for (size_t j = 0; j < of_one.size(); ++j) {
        if (gamma[j] == 0) continue;
        for (const Part& p : of_one[j].delta) total.emplace_back(coordinate(p), gamma[j] * share * p.value);
      }
    });
    if (alone) return found[0].delta;
    add_up(total);
    for (const auto& sum : total) scratch.push_back(part_of(sum));
    return scratch;
  }
  float margin() const override { return options_.margin; }
  uint32_t constraints() const override { return options_.guesses; }
  const Substructures* substructures() const override { return &options_.jj; }
  bool accepts(std::span<const Violation> found) const override {
    if (!options_.aggressive && !options_.enforced) return true;
    return std::any_of(found.begin(), found.end(), [](const Violation& v) { return v.excess >= 0; });
  }

 private:
  // SETGAMMA for the mixed assignments of one example.
  void gammas(std::span<const Violation> found, std::vector<double>& gamma) const {
    std::vector<uint32_t> left;
    for (uint32_t j = 0; j < found.size(); ++j)
      if (!options_.aggressive || found[j].excess >= 0) left.push_back(j);
    // A plain pair that violates nothing stays: a standard update was asked for.
    if (left.empty()) {
      left.resize(found.size());
      std::iota(left.begin(), left.end(), 0u);
    }
    for (;;) {
      weigh(found, left, gamma);
      if (!options_.enforced || left.size() == 1 || mean_excess(found, gamma) >= 0) return;
      auto least = left.begin();  // of equals the last
      for (auto j = left.begin(); j != left.end(); ++j)
        if (found[*j].excess <= found[*least].excess) least = j;
      left.erase(least);
    }
  }

  void weigh(std::span<const Violation> found, const std::vector<uint32_t>& left,
             std::vector<double>& gamma) const {
    gamma.assign(found.size(), 0);
    double greatest = 0, most = found[left[0]].excess;
    for (uint32_t j : left) {
      greatest = std::max(greatest, std::fabs(found[j].excess));
      most = std::max(most, found[j].excess);
    }
    switch (options_.gamma) {
      case Gamma::wm:
        for (uint32_t j : left)
          gamma[j] = greatest > 0 ? std::pow(std::fabs(found[j].excess) / greatest, options_.beta) : 1;
        break;
      case Gamma::wmr: {
        const double among =
            options_.aggressive ? static_cast<double>(left.size()) : static_cast<double>(found[0].among);
        for (uint32_t j : left) {
          double rank = 0;
          for (uint32_t i : left) rank += std::fabs(found[i].excess) > std::fabs(found[j].excess);
          gamma[j] = std::pow((among - rank) / among, options_.beta);
        }
        break;
      }
      case Gamma::uniform:
        for (uint32_t j : left) gamma[j] = 1;
        break;
      case Gamma::best:
        for (uint32_t j : left) gamma[j] = found[j].excess == most;
        break;
      case Gamma::optimal:
        optimal(found, left, gamma);
        break;
    }
    if (options_.printed) return;
    double total = 0;
    for (uint32_t j : left) total += gamma[j];
    for (uint32_t j : left) gamma[j] /= total;
  }

  // min |w' - w|^2 / 2 + max_J (loss_J - w' . delta_J), w' = w + sum of gamma_J delta_J.
  static void optimal(std::span<const Violation> found, const std::vector<uint32_t>& left,
                      std::vector<double>& gamma) {
    std::vector<Summed> deltas;
    std::vector<double> lacking;
    for (uint32_t j : left) {
      deltas.push_back(summed(found[j].delta));
      lacking.push_back(found[j].excess + found[j].loss);
    }
    const std::vector<double> solved = simplex(gram(deltas), lacking);
    for (size_t i = 0; i < left.size(); ++i) gamma[left[i]] = solved[i];
  }

  static double mean_excess(std::span<const Violation> found, const std::vector<double>& gamma) {
    double total = 0;
    for (size_t j = 0; j < found.size(); ++j) total += gamma[j] * found[j].excess;
    return total;
  }

  Options options_;
};

}  // namespace structron
