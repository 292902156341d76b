// How a search goes: structron/search.py is the definition.
#pragma once
#include <cstdint>
#include <limits>
#include <memory>

#include "search/row_keeper.hpp"

namespace structron {

struct SearchOptions {
  uint32_t width = 1;      // 0: unbounded
  bool merge = false;      // keep only the best of equivalent states
  uint32_t per_class = 1;  // with merge and no bound: how many of each class (k-best)
  bool distinct = false;   // of these, no two that have yielded the same, where paths may
  double within = std::numeric_limits<double>::infinity();  // of a row, only what is so close to its best
  bool arcs = false;  // with merge: keep what was merged into the items of a beam as well
  // Whether the scores of what is found are asked for. Otherwise a single item with a single action takes it
  // unscored: whatever it gains, all that follows gains the same.
  bool scores = true;
  std::shared_ptr<const RowKeeper> keeper = nullptr;  // says who stays in a row, in place of the width
};

// The same for the k best outputs: exact search must keep k of each class for it, a beam has its row. Two
// ways to the same class that have yielded the same so far will yield the same: the better one is enough.
inline SearchOptions for_kbest(SearchOptions options, uint32_t k) {
  if (options.width == 0) options.per_class = k;
  options.distinct = options.width == 0;
  return options;
}

}  // namespace structron
