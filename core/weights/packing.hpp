// Finished weights as a model holds them: rows of cells one after the other, and the dense vector.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "util/interrupt.hpp"
#include "weights/cells.hpp"

namespace structron {

// keys[r] owns the cells offsets[r] .. offsets[r + 1].
struct PackedSpans {
  std::span<const Key> keys;
  std::span<const uint32_t> offsets, columns;
  std::span<const float> weights, dense;
};

struct Packed {
  std::vector<Key> keys;
  std::vector<uint32_t> offsets{0}, columns;
  std::vector<float> weights, dense;
};

// The weights as they are, or their average over all examples seen; cells below the threshold are left out.
inline Packed pack(const Weights& weights, bool averaged, float negligible) {
  const Cells cells = flatten(weights);
  if (cells.key.size() > 0xFFFFFFFFu)
    throw std::invalid_argument("a model has no room for more than 4 billion cells; cut rare features");
  const double clock = static_cast<double>(std::max<uint64_t>(1, weights.clock()));
  const auto finished = [&](size_t i) {
    return averaged ? static_cast<float>(cells.weight[i] - cells.past[i] / clock) : cells.weight[i];
  };
  Packed out;
  out.dense.resize(weights.dense());
  Pulse pulse;
  for (size_t i = 0; i < cells.key.size();) {
    pulse();
    const Key key = cells.key[i];
    for (; i < cells.key.size() && cells.key[i] == key; ++i) {
      const float x = finished(i);
      if (key == kDenseKey) {
        out.dense[cells.column[i]] = x;
      } else if (x != 0 && !(std::fabs(x) < negligible)) {
        out.columns.push_back(cells.column[i]);
        out.weights.push_back(x);
      }
    }
    if (out.columns.size() > out.offsets.back()) {
      out.keys.push_back(key);
      out.offsets.push_back(static_cast<uint32_t>(out.columns.size()));
    }
  }
  return out;
}

}  // namespace structron
