// Training questions as integers, each with the derivations of its forms.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "tasks/semantics/bound.hpp"
#include "tasks/semantics/gold.hpp"

namespace structron {

class SemanticCorpus {
 public:
  explicit SemanticCorpus(const SemanticGrammar& grammar)
      : grammar_(grammar), bound_(grammar), layout_(grammar) {}

  const SemanticGrammar& grammar() const { return grammar_; }
  uint32_t examples() const { return static_cast<uint32_t>(questions_.size()); }
  uint64_t words() const { return words_; }
  uint64_t unreachable() const { return unreachable_; }
  const Question& question(uint32_t i) const { return questions_[i]; }
  const HybridGold& gold(uint32_t i) const { return golds_[i]; }

  // Refuses what is too large for a learner that asks for the k best.
  void check_all_ways() const {
    for (const Question& question : questions_) bound_.check(question, true);
  }

  // One whose forms have no derivation is left out, and counted.
  void add(Question question, const std::vector<Preorder>& forms) {
    bound_.check(question, false);
    layout_.read(question);
    HybridGold gold(grammar_, layout_, forms);
    if (!gold.reachable()) {
      ++unreachable_;
      return;
    }
    words_ += question.length();
    questions_.push_back(std::move(question));
    golds_.push_back(std::move(gold));
  }

 private:
  const SemanticGrammar& grammar_;
  ChartBound bound_;
  HybridLayout layout_;
  std::vector<Question> questions_;
  std::vector<HybridGold> golds_;
  uint64_t words_ = 0, unreachable_ = 0;
};

}  // namespace structron
