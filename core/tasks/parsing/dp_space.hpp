// Arc-standard parsing for the beam with dynamic programming: a parser's space with kernels.
#pragma once
#include <array>
#include <stdexcept>
#include <vector>

#include "search/dp_search.hpp"
#include "tasks/parsing/kernel.hpp"
#include "tasks/parsing/space.hpp"

namespace structron {

template <class Scorer>
class DPParseSpace : public ParseSpace<Scorer, true> {
 public:
  using Base = ParseSpace<Scorer, true>;
  using State = ParseState;

  DPParseSpace(Transitions& system, ParseOracle& oracle, Scorer& scorer, float margin = 0)
      : Base(system, oracle, scorer, margin),
        system_(system),
        oracle_(oracle),
        kernel_(scorer.program(), margin != 0),
        joins_{range(Kind::left), range(Kind::right), range(Kind::root)} {
    if (system.system() != System::arc_standard)
      throw std::invalid_argument("search dp shares the stacks of arc-standard, not of other systems");
  }

  // `words` are the scorer's current sentence; gold may be null.
  void sentence(ParseWords words, uint32_t length, const GoldTree* gold) {
    Base::sentence(words, length, gold);
    words_ = words;
    gold_.clear();
    if (gold == nullptr) return;
    for (State s; !system_.is_final(s); s = system_.advance(s, gold_.back())) {
      gold_.push_back(oracle_.action(s));
      if (gold_.back() >= system_.size())
        throw std::invalid_argument(
            "the tree cannot be built: crossing arcs, a second root or an unknown arc");
    }
  }

  uint32_t push_action() const { return system_.begin(Kind::shift); }
  const std::array<ActionRange, 3>& joins() const { return joins_; }
  bool labels_matter() const { return kernel_.sees_labels(); }
  State joined(const State& below, const State& s, uint32_t action) {
    return system_.advance(system_.on_top_of(below, s), action);
  }
  bool has_stack(const State& s) const { return s.top != 0; }
  State under(State s) const {
    s.top = system_.node(s.top).below;
    return s;
  }
  Key top_key(const State& s) const { return kernel_.top(system_, words_, s); }
  Key left_key(const State& s) const { return kernel_.left(system_, words_, s); }
  // The gold action from the step of this state on; no action where there is no gold.
  uint32_t gold_at(const State& s) const { return s.step < gold_.size() ? gold_[s.step] : system_.size(); }

 private:
  ActionRange range(Kind kind) const { return {system_.begin(kind), system_.end(kind)}; }

  Transitions& system_;
  ParseOracle& oracle_;
  Kernel kernel_;
  std::array<ActionRange, 3> joins_;
  ParseWords words_;
  std::vector<uint32_t> gold_;
};

}  // namespace structron
