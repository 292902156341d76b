// What translation by rules with gaps is scored by.
#pragma once
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tasks/translation/decoding/templates.hpp"
#include "tasks/translation/hiero/rule_extraction.hpp"

namespace structron {

// The dense features, in the order of the definition's DENSE.
struct HieroDense {
  static constexpr uint32_t kRules = 4, kWords = 5, kGaps = 6, kSwaps = 7, kGlue = 8, kModel = 9,
                            kCopies = 10, kSize = 11;
  using Vector = std::array<double, kSize>;
};

struct HieroSettings {
  std::vector<PhraseTemplate> templates;
  uint32_t span_limit = 10;
  float scale = 1;      // what dense features are multiplied with
  bool frozen = false;  // whether their weights stay as they are
  RuleLimits limits;    // of the rules' extraction

  void check() const {
    limits.check();
    if (span_limit < 1 || span_limit > 255) throw std::invalid_argument("the span limit is not possible");
    if (!(scale > 0)) throw std::invalid_argument("the scale must be above 0");
    for (const PhraseTemplate& t : templates) {
      t.check();
      if (t.back() > 0) throw std::invalid_argument("a template looks beyond a rule");
    }
  }
};

}  // namespace structron
