// What one thread needs to transduce on its own.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "search/beam_search.hpp"
#include "search/decoders.hpp"
#include "search/watched.hpp"
#include "tasks/transduction/space.hpp"

namespace structron {

using SymbolNumbers = std::vector<uint16_t>;

class TransductionDecoder {
 public:
  using Space = TransductionSpace<FrozenRows>;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  TransductionDecoder(const Inventory& inventory, const Frozen& weights, size_t room)
      : inventory_(inventory), space_(inventory, FrozenRows(weights), 0, room) {}

  const Inventory& inventory() const { return inventory_; }
  Space& space() { return space_; }
  uint64_t& evictions() { return space_.evictions(); }

  // Sources are loaded symbol by symbol.
  void begin_batch() {
    symbols_.clear();
    begin_.assign(1, 0);
  }
  void add_symbol(std::string_view symbol) { symbols_.push_back(hash_bytes(symbol)); }
  // The source that is now whole; one that is read from its end is turned round.
  std::span<const Key> close_source(bool backward) {
    if (backward) std::reverse(symbols_.begin() + static_cast<std::ptrdiff_t>(begin_.back()), symbols_.end());
    begin_.push_back(symbols_.size());
    return source(static_cast<uint32_t>(begin_.size()) - 2);
  }
  void open(uint32_t k, const ForcedDecoding* gold = nullptr) { space_.source(source(k), gold); }
  std::span<const Key> source(uint32_t k) const {
    return {symbols_.data() + begin_[k], begin_[k + 1] - begin_[k]};
  }

  SymbolNumbers best(const Search& search) const { return output(search, best_item(search)); }
  // An output that is `lead` ahead of the next, or more, comes alone.
  std::vector<std::pair<SymbolNumbers, double>> kbest(const Search& search, uint32_t k, double lead) const {
    const auto best = [&](uint32_t n) {
      return distinct_best<SymbolNumbers>(search, n, [&](uint32_t item) { return output(search, item); });
    };
    if (k > 1 && lead < std::numeric_limits<double>::infinity()) {
      auto two = best(2);
      if (two.size() == 2 && two[0].second - two[1].second >= lead) {
        two.pop_back();
        return two;
      }
    }
    return best(k);
  }

 private:
  SymbolNumbers output(const Search& search, uint32_t at) const {
    SymbolNumbers out;
    if (at == kRoot) return out;
    for (; search.items[at].parent != kRoot; at = search.items[at].parent) {
      const std::span<const uint16_t> e = inventory_.emits(search.items[at].action);
      out.insert(out.end(), e.rbegin(), e.rend());
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

  const Inventory& inventory_;
  Space space_;
  std::vector<Key> symbols_;
  std::vector<size_t> begin_{0};
};

}  // namespace structron
