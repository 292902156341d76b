// Features of a gold and of a guessed derivation, counted by their keys and told apart.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "learn/learner.hpp"
#include "weights/weights.hpp"

namespace structron {

// A key as often as it was met: with 1 in gold, with -1 in the guess.
using SignedKeys = std::vector<std::pair<Key, int>>;

// Adds to `delta` what does not cancel out and may be learned, by rising keys; `keys` are sorted for it.
template <class Rows>
void add_difference(SignedKeys& keys, const Rows& rows, Difference& delta) {
  std::sort(keys.begin(), keys.end());
  for (size_t i = 0; i < keys.size();) {
    const Key key = keys[i].first;
    int sum = 0;
    for (; i < keys.size() && keys[i].first == key; ++i) sum += keys[i].second;
    if constexpr (!Rows::kFinished)
      if (sum != 0 && rows.learns(key)) delta.push_back({rows.intern(key), 0, static_cast<float>(sum)});
  }
}

// The same for features of the dense vector, times their scale.
template <class Vector>
void add_dense_difference(const Vector& gold, const Vector& guess, double scale, Difference& delta) {
  for (uint32_t i = 0; i < gold.size(); ++i)
    if (gold[i] != guess[i]) delta.push_back({kDense, i, static_cast<float>(scale * (gold[i] - guess[i]))});
}

}  // namespace structron
