// What a finished parser by transitions thinks of trees that others have found; nothing is searched.
// structron/tasks/parsing/transitions/scoring.py is the definition.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "tasks/parsing/decoder.hpp"
#include "tasks/parsing/experts/expert.hpp"
#include "tasks/parsing/oracle.hpp"
#include "tasks/parsing/tree.hpp"

namespace structron {

// The sums that the decoder's beam has kept are used: most steps to a tree that was found are in it.
class TransitionTreeScore {
 public:
  TransitionTreeScore(ParsingDecoder& decoder, const Transitions& system)
      : decoder_(decoder), system_(system), oracle_(system_, false) {
    system_.keep_signatures(true);
  }

  void open(uint32_t) { known_.clear(); }
  // The score of the static oracle's derivation of each tree; minus infinity if the system cannot build it.
  void score(std::span<const Tree> trees, std::vector<double>& scores) {
    scorer_ = &decoder_.summing_scorer();
    scores.clear();
    for (const Tree& tree : trees) {
      const uint32_t length = decoder_.length();
      system_.sentence(length);
      gold_.set(tree.heads.data(), tree.labels.data(), length, system_.system() == System::swap);
      oracle_.sentence(&gold_);
      scores.push_back(derivation());
    }
  }

 private:
  double derivation() {
    double sum = 0;
    for (ParseState s; !system_.is_final(s);) {
      const uint32_t action = oracle_.action(s);
      if (action >= system_.size() || !is_right(s, action)) return -std::numeric_limits<double>::infinity();
      if (system_[action].kind != Kind::idle) sum += static_cast<double>(score(s, action));
      s = system_.advance(s, action);
    }
    return sum;
  }
  // Trees of one sentence are much alike, and so are the ways to them.
  float score(const ParseState& s, uint32_t action) {
    const auto [at, is_new] = known_.try_emplace(combine(system_.signature(s), action), 0.0f);
    if (is_new) at->second = scorer_->score(system_, s, action);
    return at->second;
  }
  // Where arcs cross the oracle makes others.
  bool is_right(const ParseState& s, uint32_t action) const {
    const Attached arc = system_.attached(s, action);
    return arc.dependent == 0 ||
           (gold_.head[arc.dependent] == arc.head && gold_.label[arc.dependent] == arc.label);
  }

  ParsingDecoder& decoder_;
  Transitions system_;
  ParseOracle oracle_;
  ParsingDecoder::Scorer* scorer_ = nullptr;
  GoldTree gold_;
  std::unordered_map<Key, float> known_;
};

using TransitionExpert = ExpertOf<ParsingDecoder, TransitionTreeScore>;

}  // namespace structron
