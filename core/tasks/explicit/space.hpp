// An explicit graph: the smallest task, and the one on which engine and definition are compared.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "learn/learner.hpp"
#include "search/search_space.hpp"
#include "weights/weights.hpp"

namespace structron {

struct Arc {
  uint32_t from, action, to;
  bool good;
  std::vector<Part> features;  // those of the dense vector have the feature kDense
};

// Ranked: states have a future, by which items compete besides their scores.
template <bool Ranked>
class ExplicitSpace {
 public:
  using State = uint32_t;
  static constexpr Offers kOffers{.numbered_keys = true, .future = Ranked};

  // Arcs sorted by state and action; a state without arcs is final.
  ExplicitSpace(std::vector<int> steps, std::vector<uint32_t> merge_keys, std::vector<Arc> arcs,
                uint32_t actions, Weights& weights, std::vector<double> futures)
      : futures_(std::move(futures)),
        steps_(std::move(steps)),
        keys_(std::move(merge_keys)),
        arcs_(std::move(arcs)),
        weights_(weights),
        scores_(actions) {
    if (keys_.size() != steps_.size() || (Ranked && futures_.size() != steps_.size()))
      throw std::invalid_argument("states, merge keys and futures differ in number");
    begin_.assign(steps_.size() + 1, 0);
    for (const Arc& a : arcs_) {
      if (a.from >= steps_.size() || a.to >= steps_.size() || a.action >= actions ||
          steps_[a.to] <= steps_[a.from])
        throw std::invalid_argument("an arc does not fit the graph");
      ++begin_[a.from + 1];
    }
    for (size_t s = 0; s < steps_.size(); ++s) begin_[s + 1] += begin_[s];
    for (uint32_t k : keys_) classes_ = std::max(classes_, k + 1);
  }

  State initial() const { return 0; }
  uint32_t num_actions() const { return static_cast<uint32_t>(scores_.size()); }
  State advance(State s, uint32_t action) const { return arc(s, action).to; }
  int step(State s) const { return steps_[s]; }
  bool is_final(State s) const { return begin_[s] == begin_[s + 1]; }
  uint32_t merge_keys() const { return classes_; }
  uint32_t merge_key(State s) const { return keys_[s]; }
  bool allows(State s, uint32_t action) const { return arc(s, action).good; }
  double future(State s, uint32_t action) const
    requires(Ranked)
  {
    return futures_[arc(s, action).to];
  }
  void weights_changed() {}
  void set_margin(float margin) { margin_ = margin; }

  const float* scores(State s) {
    std::fill(scores_.begin(), scores_.end(), kImpossible);
    for (uint32_t i = begin_[s]; i < begin_[s + 1]; ++i) {
      float score = arcs_[i].good ? 0 : margin_;
      for (const Part& p : arcs_[i].features) score += weights_.get(p.feature, p.column) * p.value;
      scores_[arcs_[i].action] = score;
    }
    return scores_.data();
  }

  void difference(const std::vector<Move<State>>& gold, const std::vector<Move<State>>& guess,
                  Difference& delta) const {
    for (const auto& m : gold)
      for (const Part& p : arc(m.state, m.action).features) delta.push_back(p);
    for (const auto& m : guess)
      for (const Part& p : arc(m.state, m.action).features) delta.push_back({p.feature, p.column, -p.value});
  }

 private:
  const Arc& arc(State s, uint32_t action) const {
    for (uint32_t i = begin_[s]; i < begin_[s + 1]; ++i)
      if (arcs_[i].action == action) return arcs_[i];
    throw std::logic_error("no such arc");
  }

  float margin_ = 0;             // cost-augmented search: every arc that is not gold scores this much more
  std::vector<double> futures_;  // by state
  std::vector<int> steps_;
  std::vector<uint32_t> keys_;
  std::vector<Arc> arcs_;
  Weights& weights_;
  std::vector<float> scores_;
  std::vector<uint32_t> begin_;
  uint32_t classes_ = 1;
};

}  // namespace structron
