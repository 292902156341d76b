// MIRA: the smallest move after which gold is ahead of each guess by its loss. With one constraint it is the
// passive-aggressive update (Crammer et al. 2006) in closed form, with k those of McDonald et al. (2005).
// structron/reference/mira.py is the definition.
#pragma once
#include "learners/hildreth.hpp"
#include "learners/learner.hpp"

namespace structron {

class Mira final : public Learner {
 public:
  Mira(uint32_t k, double cap, bool augmented) : k_(k), cap_(cap), augmented_(augmented) {}

  const Difference& change(std::span<const Violation> found, Difference& scratch, Made& made) const override {
    std::vector<Summed> deltas;
    std::vector<double> lacking;
    for (const Violation& v : found) {
      deltas.push_back(summed(v.delta));
      // Augmented search has put the loss into the excess.
      lacking.push_back(v.excess + (augmented_ ? 0 : v.loss));
    }
    const std::vector<double> alpha = solve(deltas, lacking);
    scratch.clear();
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
    if (deltas.size() > 1) return hildreth(gram(deltas), lacking, cap_);
    const double size = dot(deltas[0], deltas[0]);
    return {size > 0 ? std::min(std::max(0.0, lacking[0] / size), cap_) : 0.0};
  }

  // Below this nothing moves: a step leaves gold ahead by exactly the loss, up to the rounding of floats.
  static constexpr double kMet = 1e-4;

  uint32_t k_;
  double cap_;
  bool augmented_;
};

}  // namespace structron
