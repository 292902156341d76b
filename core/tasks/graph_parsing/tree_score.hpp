// What a finished graph parser thinks of trees that others have found; nothing is searched.
// structron/tasks/parsing/graph/space.py is the definition of the parts.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/graph_parsing/decoder.hpp"
#include "tasks/graph_parsing/parts.hpp"
#include "tasks/graph_parsing/scorer.hpp"
#include "tasks/parsing/experts/expert.hpp"
#include "tasks/parsing/tree.hpp"
#include "weights/frozen.hpp"
#include "weights/rows.hpp"

namespace structron {

class GraphTreeScore {
 public:
  GraphTreeScore(GraphDecoder& decoder, const GraphProgram& program, const Frozen& weights, uint32_t labels)
      : decoder_(decoder), scorer_(program, FrozenRows(weights), labels), parts_(program) {}

  void open(uint32_t k) { words_ = decoder_.loaded().words(k); }
  // Only the arcs that one of the trees has are scored, whatever a pruner would say of them.
  void score(std::span<const Tree> trees, std::vector<double>& scores) {
    const uint32_t length = decoder_.length();
    scores.assign(trees.size(), 0);
    if (length == 0 || trees.empty()) return;
    is_asked_.assign(static_cast<size_t>(length + 1) * (length + 1), 0);
    for (const Tree& tree : trees)
      for (uint32_t m = 1; m <= length; ++m) is_asked_[at(m, tree.heads[m - 1], length)] = 1;
    possible_.clear();
    for (uint32_t m = 1; m <= length; ++m)
      for (uint32_t h = 0; h <= length; ++h)
        if (is_asked_[at(m, h, length)])
          possible_.push_back({static_cast<uint16_t>(h), static_cast<uint16_t>(m)});
    scorer_.sentence(words_, length, possible_);
    for (size_t t = 0; t < trees.size(); ++t) scores[t] = score(trees[t], length);
  }

 private:
  static size_t at(uint32_t modifier, uint32_t head, uint32_t length) {
    return static_cast<size_t>(modifier) * (length + 1) + head;
  }
  double score(const Tree& tree, uint32_t length) {
    arcs_.assign(length + 1, {});
    for (uint32_t m = 1; m <= length; ++m) arcs_[m] = {tree.heads[m - 1], tree.labels[m - 1]};
    double sum = 0;
    parts_.each(
        arcs_,
        [&](uint32_t h, uint32_t m, uint32_t label) { sum += static_cast<double>(scorer_.arc(h, m)[label]); },
        [&](PartKind kind, const GraphPart& part) { sum += static_cast<double>(scorer_.other(kind, part)); });
    return sum;
  }

  GraphDecoder& decoder_;
  ParseWords words_{};
  GraphScorer<FrozenRows> scorer_;
  GraphParts parts_;
  std::vector<uint8_t> is_asked_;  // [modifier][head]
  std::vector<PossibleArc> possible_;
  std::vector<ArcChoice> arcs_;
};

using GraphExpert = ExpertOf<GraphDecoder, GraphTreeScore>;

}  // namespace structron
