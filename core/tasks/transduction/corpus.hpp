// Training pairs as integers, each with the lattice of its gold derivations.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/transduction/forced_decoding.hpp"
#include "tasks/transduction/scorer.hpp"
#include "util/counting.hpp"
#include "util/interrupt.hpp"

namespace structron {

class TransductionCorpus {
 public:
  // A pair whose references cannot be reached is left out, or learns the nearest output that can.
  TransductionCorpus(const Inventory& inventory, Weights& weights, bool nearest)
      : inventory_(inventory), weights_(weights), nearest_(nearest) {}

  const Inventory& inventory() const { return inventory_; }
  uint32_t examples() const { return static_cast<uint32_t>(golds_.size()); }
  uint64_t symbols() const { return source_.size(); }
  uint64_t unreachable() const { return unreachable_; }
  std::span<const Key> source(uint32_t i) const {
    return {source_.data() + begin_[i], begin_[i + 1] - begin_[i]};
  }
  const ForcedDecoding& gold(uint32_t i) const { return golds_[i]; }
  const Table* open() const { return is_cut_ ? &open_ : nullptr; }

  void add(std::span<const Key> source, const std::vector<std::vector<uint16_t>>& references) {
    ForcedDecoding gold(inventory_, source, references);
    if (!gold.reachable()) {
      ++unreachable_;
      if (!nearest_) return;
      gold = ForcedDecoding(inventory_, source, {nearest_of(source, references)});
    }
    golds_.push_back(std::move(gold));
    source_.insert(source_.end(), source.begin(), source.end());
    begin_.push_back(source_.size());
  }

  // At how many places each feature of the source is seen.
  Sightings counts() const {
    Counting counting;
    std::vector<Key> nodes;
    std::vector<Hints> hints;
    for (uint32_t e = 0; e < examples(); ++e) {
      hear();
      inventory_.read_hints(source(e), hints);
      for (size_t i = 0; i < source(e).size(); ++i) {
        inventory_.read_source(source(e), hints, i, nodes);
        for (uint32_t t : inventory_.local())
          if (const Key key = nodes[inventory_.templates()[t].source_node])
            counting.see(fold(combine(key, inventory_.templates()[t].base), weights_.bits()));
      }
    }
    return std::move(counting).give();
  }
  // Lets go of all other features of the source, for good. What depends on history has no count before it is
  // searched, and stays.
  void keep(std::span<const Key> keys) {
    open_ = Table();
    for (Key key : keys) open_.intern(key, 0);
    is_cut_ = true;
  }

 private:
  std::vector<uint16_t> nearest_of(std::span<const Key> source,
                                   const std::vector<std::vector<uint16_t>>& references) const {
    std::vector<uint16_t> best;
    uint32_t least = kNone;
    for (const auto& r : references) {
      uint32_t distance = 0;
      std::vector<uint16_t> found = nearest_output(inventory_, source, r, distance);
      if (distance >= least) continue;
      least = distance;
      best = std::move(found);
    }
    return best;
  }

  const Inventory& inventory_;
  Weights& weights_;
  bool nearest_;
  std::vector<Key> source_;  // all sources, one after the other
  std::vector<size_t> begin_{0};
  std::vector<ForcedDecoding> golds_;
  uint64_t unreachable_ = 0;
  bool is_cut_ = false;
  Table open_;
};

}  // namespace structron
