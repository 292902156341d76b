// A task of a user's own: what its states are comes from outside, state by state, and is asked for once.
//
// The search, the weights and the learner are the engine's; structron/reference/sequence/search.py is the
// definition.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "learn/learner.hpp"
#include "learn/naming.hpp"
#include "search/search_space.hpp"
#include "weights/frozen.hpp"
#include "weights/weights.hpp"

namespace structron {

struct OwnFeature {
  Key key;
  float value;
  uint32_t id = kNone;  // of its row, once it has one
};

// The states of one input that have been met so far. They are numbered in the order in which they were met,
// from 0, the initial one.
class OwnStates {
 public:
  // Answers questions about states, perhaps slowly.
  class Source {
   public:
    virtual ~Source() = default;
    // Adds the actions of a state in increasing order, each with its features and its successor.
    virtual void expand(uint32_t state, OwnStates& states) = 0;
    virtual bool allows(uint32_t state, uint32_t action) = 0;
    virtual uint64_t merge_key(uint32_t state) = 0;
  };

  struct Arc {
    uint32_t action, to, begin, end;  // its features lie from begin to end
    uint8_t gold;                     // kUnasked, or whether it is
  };
  static constexpr uint64_t kNoKey = ~uint64_t{0};
  static constexpr uint8_t kNo = 0, kYes = 1, kUnasked = 2;

  explicit OwnStates(Source& source) : source_(source) {}

  // For Source::expand: a new state, an action to it from the state that is expanded, and its features.
  uint32_t add_state(int step, bool is_final) {
    states_.push_back({step, is_final, false, kNoKey, 0, 0});
    return static_cast<uint32_t>(states_.size() - 1);
  }
  void add_arc(uint32_t action, uint32_t to) {
    const uint32_t at = static_cast<uint32_t>(features_.size());
    arcs_.push_back({action, to, at, at, kUnasked});
  }
  void add_feature(Key folded, float value) {
    features_.push_back({folded, value});
    arcs_.back().end = static_cast<uint32_t>(features_.size());
  }

  int step(uint32_t state) const { return states_[state].step; }
  bool is_final(uint32_t state) const { return states_[state].is_final; }
  uint64_t merge_key(uint32_t state) {
    if (states_[state].merge_key == kNoKey) states_[state].merge_key = source_.merge_key(state);
    return states_[state].merge_key;
  }

  std::span<Arc> arcs(uint32_t state) {
    if (!states_[state].is_expanded) expand(state);
    const State& s = states_[state];
    return {arcs_.data() + s.begin, s.end - s.begin};
  }
  Arc& arc(uint32_t state, uint32_t action) {
    for (Arc& each : arcs(state))
      if (each.action == action) return each;
    throw std::logic_error("no such action");
  }
  bool allows(uint32_t state, uint32_t action) {
    Arc& found = arc(state, action);
    if (found.gold == kUnasked) {
      const bool answer = source_.allows(state, action);
      arc(state, action).gold = answer;  // asking may have moved the arcs
      return answer;
    }
    return found.gold == kYes;
  }
  std::span<OwnFeature> features(const Arc& arc) {
    return {features_.data() + arc.begin, arc.end - arc.begin};
  }

 private:
  struct State {
    int step;
    bool is_final, is_expanded;
    uint64_t merge_key;
    uint32_t begin, end;  // of its arcs
  };

  // What fails half-way leaves no trace.
  void expand(uint32_t state) {
    const size_t states = states_.size(), arcs = arcs_.size(), features = features_.size();
    try {
      source_.expand(state, *this);
      check(state, arcs);
    } catch (...) {
      states_.resize(states);
      arcs_.resize(arcs);
      features_.resize(features, OwnFeature{0, 0});
      throw;
    }
    State& s = states_[state];
    s.begin = static_cast<uint32_t>(arcs);
    s.end = static_cast<uint32_t>(arcs_.size());
    s.is_expanded = true;
  }

  void check(uint32_t state, size_t from) const {
    if (from == arcs_.size())
      throw std::invalid_argument("a state that is not final has no actions; check actions and is_final");
    for (size_t i = from; i < arcs_.size(); ++i) {
      if (i > from && arcs_[i].action <= arcs_[i - 1].action)
        throw std::invalid_argument("the actions of a state are not in increasing order; sort them");
      if (step(arcs_[i].to) <= step(state))
        throw std::invalid_argument("action " + std::to_string(arcs_[i].action) +
                                    " does not lead to a later step; check step and advance");
    }
    if (arcs_.size() > kRoot || features_.size() > kRoot)
      throw std::length_error("one input has too many states; make it shorter, or the beam narrower");
  }

  Source& source_;
  std::vector<State> states_;
  std::vector<Arc> arcs_;
  std::vector<OwnFeature> features_;
};

// Weights while they are learned; new features get their rows from the naming.
class OwnLiveRows {
 public:
  OwnLiveRows(const Weights& weights, Naming& naming) : weights_(weights), naming_(naming) {}
  float weight(OwnFeature& feature) const {
    if (feature.id == kNone) feature.id = weights_.find_folded(feature.key);
    return feature.id == kNone ? 0 : weights_.get(feature.id, 0);
  }
  uint32_t id(const OwnFeature& feature) const {
    return feature.id != kNone ? feature.id : naming_.id(feature.key);
  }

 private:
  const Weights& weights_;
  Naming& naming_;
};

// Weights of a finished model.
class OwnFrozenRows {
 public:
  explicit OwnFrozenRows(const Frozen& weights) : weights_(weights) {}
  float weight(const OwnFeature& feature) const {
    if (!weights_.perhaps(feature.key)) return 0;
    const auto cells = weights_.cells(feature.key);
    return cells.empty() ? 0 : cells[0].weight;
  }
  uint32_t id(const OwnFeature&) const { throw std::logic_error("a finished model does not learn"); }

 private:
  const Frozen& weights_;
};

template <class Rows>
class OwnSpace {
 public:
  using State = uint32_t;
  using Moves = std::vector<Move<State>>;
  static constexpr Offers kOffers{.few_actions = true};

  OwnSpace(Rows rows, float margin) : rows_(rows), margin_(margin) {}

  void input(OwnStates* states) { states_ = states; }

  State initial() const { return 0; }
  State advance(State s, uint32_t action) { return states_->arc(s, action).to; }
  int step(State s) const { return states_->step(s); }
  bool is_final(State s) const { return states_->is_final(s); }
  uint64_t merge_key(State s) const { return states_->merge_key(s); }
  bool allows(State s, uint32_t action) { return states_->allows(s, action); }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() {}

  Choices choices(State s) {
    choices_.clear();
    scores_.clear();
    const size_t n = states_->arcs(s).size();
    for (size_t i = 0; i < n; ++i) {
      // Asking whether an action is gold may run a user's code, so arcs are not held on to.
      const OwnStates::Arc arc = states_->arcs(s)[i];
      float score = margin_ != 0 && !states_->allows(s, arc.action) ? margin_ : 0;
      for (OwnFeature& f : states_->features(arc)) score += rows_.weight(f) * f.value;
      choices_.push_back({arc.action, static_cast<uint32_t>(i),
                          static_cast<uint32_t>(states_->step(arc.to) - states_->step(s))});
      scores_.push_back(score);
    }
    return {choices_, scores_.data()};
  }

  void difference(const Moves& gold, const Moves& guess, Difference& delta) {
    size_t same = 0;
    while (same < gold.size() && same < guess.size() && gold[same].state == guess[same].state &&
           gold[same].action == guess[same].action)
      ++same;
    for (size_t i = same; i < gold.size(); ++i) add(gold[i], 1, delta);
    for (size_t i = same; i < guess.size(); ++i) add(guess[i], -1, delta);
  }

 private:
  void add(const Move<State>& move, float sign, Difference& delta) {
    const OwnStates::Arc arc = states_->arc(move.state, move.action);
    for (const OwnFeature& f : states_->features(arc)) delta.push_back({rows_.id(f), 0, sign * f.value});
  }

  Rows rows_;
  float margin_;
  OwnStates* states_ = nullptr;
  std::vector<Choice> choices_;
  std::vector<float> scores_;
};

}  // namespace structron
