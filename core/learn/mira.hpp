// MIRA: the smallest move after which gold is ahead of each guess by its loss. With one constraint it is the
// passive-aggressive update (Crammer et al. 2006) in closed form, with k those of McDonald et al. (2005).
// structron/reference/learners/mira.py is the definition.
#pragma once
#include <limits>

#include "learn/hildreth.hpp"
#include "learn/learner.hpp"

namespace structron {

class Mira final : public Learner {
 public:
  // `squared`: no cap, but what is still lacking is paid for by C times its square (PA-II).
  Mira(uint32_t k, double C, bool augmented, bool squared)
      : k_(k),
        cap_(squared ? std::numeric_limits<double>::infinity() : C),
        soft_(squared ? 0.5 / C : 0),
        augmented_(augmented) {}

  const Difference& change(std::span<const Violation> found, Difference& scratch, Made& made) const override {
    scratch.clear();
    if (double size; found.size() == 1 && each_once(found[0].delta, size)) {
      const double alpha = step(size, lack(found[0]));
      if (alpha <= 0) return scratch;
      scratch.reserve(found[0].delta.size());
      for (const Part& p : found[0].delta)
        scratch.push_back({p.feature, p.column, static_cast<float>(alpha * p.value)});
      made.count(found[0], false);
      return scratch;
    }
    std::vector<Summed> deltas;
    std::vector<double> lacking;
    for (const Violation& v : found) {
      deltas.push_back(summed(v.delta));
      lacking.push_back(lack(v));
    }
    const std::vector<double> alpha = solve(deltas, lacking);
    bool moved = false;
    for (size_t j = 0; j < found.size(); ++j) {
      if (alpha[j] > 0) {
        moved = true;
        for (const auto& [at, value] : deltas[j]) scratch.push_back(part_of({at, alpha[j] * value}));
      }
      const bool last = j + 1 == found.size() || found[j + 1].example != found[j].example;
      if (!last) continue;
      if (moved) made.count(found[j], false);
      moved = false;
    }
    return scratch;
  }
  float margin() const override { return augmented_ ? 1.0f : 0.0f; }
  uint32_t constraints() const override { return k_; }
  bool close_calls() const override { return true; }

 private:
  std::vector<double> solve(const std::vector<Summed>& deltas, const std::vector<double>& lacking) const {
    if (*std::max_element(lacking.begin(), lacking.end()) <= kMet)
      return std::vector<double>(lacking.size(), 0.0);
    if (deltas.size() == 1) return {step(dot(deltas[0], deltas[0]), lacking[0])};
    std::vector<double> A = gram(deltas);
    for (size_t j = 0; j < A.size(); j += deltas.size() + 1)
      if (A[j] > 0) A[j] += soft_;
    return hildreth(A, lacking, cap_);
  }
  // Augmented search has put the loss into the excess.
  double lack(const Violation& v) const { return v.excess + (augmented_ ? 0 : v.loss); }
  double step(double size, double lacking) const {
    return size > 0 && lacking > kMet ? std::min(lacking / (size + soft_), cap_) : 0.0;
  }
  // Whether coordinates come in order and each once, as those of most tasks do; and their squares, summed.
  static bool each_once(const Difference& delta, double& size) {
    size = 0;
    for (size_t i = 0; i < delta.size(); ++i) {
      if (i > 0 && coordinate(delta[i - 1]) >= coordinate(delta[i])) return false;
      size += static_cast<double>(delta[i].value) * delta[i].value;
    }
    return true;
  }

  // Below this nothing moves: a step leaves gold ahead by exactly the loss, up to the rounding of floats.
  static constexpr double kMet = 1e-4;

  uint32_t k_;
  double cap_, soft_;
  bool augmented_;
};

}  // namespace structron
