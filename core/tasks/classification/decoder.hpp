// What one thread needs to classify on its own.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/beam_search.hpp"
#include "search/decoders.hpp"
#include "search/watched.hpp"
#include "tasks/classification/inputs.hpp"
#include "tasks/classification/space.hpp"
#include "weights/frozen.hpp"

namespace structron {

using Actions = std::vector<uint16_t>;  // one for each step

class ClassificationDecoder {
 public:
  using Space = ClassificationSpace;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  ClassificationDecoder(const Vectorizer& vectorizer, const Frozen& weights, Decisions decisions)
      : inputs_(vectorizer), weights_(weights), space_(decisions, nullptr, 0) {}

  Space& space() { return space_; }
  ClassificationInputs& inputs() { return inputs_; }
  uint64_t& evictions() { return evictions_; }
  void begin_batch() { inputs_.clear(); }

  void open(uint32_t k, const uint16_t* gold = nullptr) {
    const Bag& bag = inputs_.open(k);
    weights_.find_rows(bag.keys(), rows_);
    const std::span<float> sums = space_.ready(gold);
    // Parts that cancel out leave nothing but rounding errors: sum in double, and round once.
    exact_.assign(sums.size(), 0.0);
    for (size_t i = 0; i < rows_.size(); ++i) add_row(rows_[i], bag.values()[i], exact_.data());
    std::copy(exact_.begin(), exact_.end(), sums.begin());
  }
  // One for each column, of the input that is open.
  std::span<const float> sums() const { return space_.sums(); }

  Actions best(const Search& search) const { return output(search, best_item(search)); }
  std::vector<std::pair<Actions, double>> kbest(const Search& search, uint32_t k) const {
    return distinct_best<Actions>(search, k, [&](uint32_t item) { return output(search, item); });
  }

 private:
  Actions output(const Search& search, uint32_t at) const {
    Actions out;
    if (at == kRoot) return out;
    for (; search.items[at].parent != kRoot; at = search.items[at].parent)
      out.push_back(static_cast<uint16_t>(search.items[at].action));
    std::reverse(out.begin(), out.end());
    return out;
  }

  ClassificationInputs inputs_;
  const Frozen& weights_;
  Space space_;
  std::vector<RowView> rows_;
  std::vector<double> exact_;
  uint64_t evictions_ = 0;
};

}  // namespace structron
