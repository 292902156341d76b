// Transitions whose scores come from outside: one for each word on top of the stack, word in front of the
// buffer and action. The space is that of parsing; structron/tasks/parsing/transitions/scored.py is the
// definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "search/beam_search.hpp"
#include "search/watched.hpp"
#include "tasks/parsing/space.hpp"
#include "tasks/scores/trees.hpp"

namespace structron {

// All actions of a system with so many relations: those without one, then left, right and root with each.
inline std::vector<Transition> scored_actions(System system, uint32_t relations) {
  if (system != System::arc_eager && system != System::arc_hybrid)
    throw std::invalid_argument("two words tell all of a state in arc-hybrid and arc-eager alone");
  std::vector<Transition> made{{Kind::shift, kNoLabel}};
  if (system == System::arc_eager) made.push_back({Kind::reduce, kNoLabel});
  for (Kind kind : {Kind::left, Kind::right, Kind::root})
    for (uint32_t r = 0; r < relations; ++r) made.push_back({kind, static_cast<uint16_t>(r)});
  return made;
}

// A table of one sentence: tops 0 ... n by fronts 0 ... n by actions; 0 where there is no word.
class TableScorer {
 public:
  TableScorer(std::span<const float> scores, uint32_t actions) : scores_(scores), row_(actions) {}

  void input(size_t first, uint32_t words) {
    first_ = first / row_.size();
    words_ = words;
  }
  uint32_t stride() const { return static_cast<uint32_t>(row_.size()); }
  void weights_changed() {}

  float* scores(const Transitions& system, const ParseState& s) {
    const float* from = scores_.data() + row(system, s) * row_.size();
    std::copy(from, from + row_.size(), row_.begin());
    return row_.data();
  }
  template <class F>
  void each_feature(const Transitions& system, const ParseState& s, F&& f) const {
    f(static_cast<uint32_t>(row(system, s)));
  }

 private:
  size_t row(const Transitions& system, const ParseState& s) const {
    return first_ + static_cast<size_t>(system.node(s.top).token) * (words_ + 1) + system.buffer_word(s);
  }

  std::span<const float> scores_;
  std::vector<float> row_;
  size_t first_ = 0;
  uint32_t words_ = 0;
};

// The space of one table after the other, with everything that it refers to.
class ScoredTransitions {
 public:
  using Space = ParseSpace<TableScorer, true>;
  using Search = BeamSearch<Space>;

  ScoredTransitions(std::span<const float> scores, System system, uint32_t relations, float margin,
                    bool merge)
      : system_(system, true, relations, scored_actions(system, relations), 0),
        oracle_(system_, false),
        scorer_(scores, system_.size()),
        space_(system_, oracle_, scorer_, margin) {
    system_.keep_signatures(merge);
  }
  ScoredTransitions(const ScoredTransitions&) = delete;
  ScoredTransitions& operator=(const ScoredTransitions&) = delete;

  Space& space() { return space_; }
  const Transitions& system() const { return system_; }

  void input(size_t first, uint32_t words, std::span<const ScoredArc> gold) {
    scorer_.input(first, words);
    if (gold.empty()) return space_.sentence({}, words, nullptr);
    heads_.clear();
    labels_.clear();
    for (const ScoredArc& arc : gold) {
      heads_.push_back(static_cast<uint16_t>(arc.head));
      labels_.push_back(static_cast<uint16_t>(arc.label));
    }
    gold_.set(heads_.data(), labels_.data(), words, false);
    space_.sentence({}, words, &gold_);
  }

  // f(top, front, action) along gold's derivation; false if the tree has none.
  template <class F>
  bool follow(F&& f) {
    uint32_t arcs = 0;
    ParseState s;
    while (!system_.is_final(s)) {
      const uint32_t a = oracle_.action(s);
      if (a >= system_.size()) return false;
      const Attached arc = system_.attached(s, a);
      arcs += arc.dependent != 0 && gold_.head[arc.dependent] == arc.head &&
              gold_.label[arc.dependent] == arc.label;
      f(system_.node(s.top).token, system_.buffer_word(s), a);
      s = system_.advance(s, a);
    }
    return arcs == system_.length();
  }

 private:
  Transitions system_;
  ParseOracle oracle_;
  TableScorer scorer_;
  Space space_;
  std::vector<uint16_t> heads_, labels_;
  GoldTree gold_;
};

}  // namespace structron
