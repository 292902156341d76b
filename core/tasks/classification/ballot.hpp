// Votes (Freund & Schapire 1999): every weight vector that training passes through is kept.
//
// One vector differs from the next by one example, added to some columns and taken from others. So all of
// them together are the examples that were mistaken, each once, and a list of the mistakes.
// structron/reference/learners/voted_perceptron.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interrupt.hpp"
#include "packing.hpp"
#include "tasks/classification/corpus.hpp"
#include "training.hpp"

namespace structron {

// mistakes[m] moved the columns changed[begin[m]] .. changed[begin[m + 1]] by example[m]: twice the column,
// and one more where it was taken away. votes[m] is how long the vector before it stood, and votes.back() how
// long the last one has.
struct MistakeSpans {
  std::span<const uint32_t> example, begin, changed, votes;
};
struct Mistakes {
  std::vector<uint32_t> example, begin{0}, changed, votes{0};
};

class Ballot {
 public:
  // Trains on these examples one by one, and remembers. The learner moves by differences, as they are.
  template <class Worker>
  void run(Worker& worker, Weights& weights, std::span<const uint32_t> order, Counts& counts) {
    weights.keep_keys();
    Found found;
    Pulse pulse;
    for (uint32_t example : order) {
      pulse();
      worker.open(example);
      found.cut(0);
      worker.trainer.find(worker.space(), 0, found, counts);
      if (found.size() != 0) put(worker.packed.vector(example), example, found.span()[0].delta, weights);
      worker.trainer.apply(worker.space(), found, counts);
      weights.tick();
      ++mistakes_.votes.back();
    }
  }

  const Mistakes& mistakes() const { return mistakes_; }
  // How many examples were mistaken.
  uint32_t examples() const { return static_cast<uint32_t>(number_.size()); }

  // Those examples as rows of a model: a column for each.
  Packed pack() const {
    std::vector<uint32_t> order(cells_.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return std::tie(cells_[a].key, cells_[a].column) < std::tie(cells_[b].key, cells_[b].column);
    });
    Packed out;
    for (uint32_t i : order) {
      const auto& [key, column, value] = cells_[i];
      if (out.keys.empty() || out.keys.back() != key) {
        if (!out.keys.empty()) out.offsets.push_back(static_cast<uint32_t>(out.columns.size()));
        out.keys.push_back(key);
      }
      out.columns.push_back(column);
      out.weights.push_back(value);
    }
    if (!out.keys.empty()) out.offsets.push_back(static_cast<uint32_t>(out.columns.size()));
    return out;
  }

 private:
  struct SupportCell {
    Key key;
    uint32_t column;
    float value;
  };

  void put(const Vector& x, uint32_t example, const Difference& delta, const Weights& weights) {
    const auto [at, is_new] = number_.try_emplace(example, examples());
    if (is_new) {
      if (cells_.size() + x.features.size() > 0xFFFFFFFFu)
        throw std::invalid_argument("votes have no room for more than 4 billion cells; cut rare features");
      for (size_t i = 0; i < x.features.size(); ++i)
        if (x.values[i] != 0) cells_.push_back({weights.key_of(x.features[i]), at->second, x.values[i]});
    }
    mistakes_.example.push_back(at->second);
    // Any one feature that is there tells which columns were moved, and in which direction.
    const auto first = std::find_if(delta.begin(), delta.end(), [](const Part& p) { return p.value != 0; });
    if (first != delta.end()) {
      const auto where = std::lower_bound(x.features.begin(), x.features.end(), first->feature);
      const float value = x.values[static_cast<size_t>(where - x.features.begin())];
      for (auto p = first; p != delta.end() && p->feature == first->feature; ++p)
        mistakes_.changed.push_back(2 * p->column + ((p->value > 0) != (value > 0)));
    }
    mistakes_.begin.push_back(static_cast<uint32_t>(mistakes_.changed.size()));
    mistakes_.votes.push_back(0);
  }

  Mistakes mistakes_;
  std::unordered_map<uint32_t, uint32_t> number_;  // of an example among those that were mistaken
  std::vector<SupportCell> cells_;
};

}  // namespace structron
