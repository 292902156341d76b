// Violations that were found elsewhere, as arrays with features by their keys, and one change made of them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "learn/naming.hpp"
#include "weights/weights.hpp"

namespace structron {

// Per violation: example, among, on_prefix, excess, loss, and where its parts begin; of all parts key, column
// and value.
struct FoundArrays {
  std::vector<uint32_t> example, among;
  std::vector<uint8_t> on_prefix;
  std::vector<double> excess, loss;
  std::vector<uint64_t> offsets{0};
  std::vector<Key> key;
  std::vector<uint32_t> column;
  std::vector<float> value;

  void put(uint32_t number, std::span<const Violation> found, const std::vector<Key>& noted,
           const Weights& weights) {
    for (const Violation& v : found) {
      example.push_back(number);
      among.push_back(v.among);
      on_prefix.push_back(v.on_prefix);
      excess.push_back(v.excess);
      loss.push_back(v.loss);
      for (const Part& p : v.delta) {
        key.push_back(p.feature & kUnnamed ? noted[p.feature & ~kUnnamed] : weights.key_of(p.feature));
        column.push_back(p.column);
        value.push_back(p.value);
      }
      offsets.push_back(key.size());
    }
  }
};

// The same, lying elsewhere; nothing in it is trusted.
struct FoundSpans {
  std::span<const uint32_t> example, among;
  std::span<const uint8_t> on_prefix;
  std::span<const double> excess, loss;
  std::span<const uint64_t> offsets;
  std::span<const Key> key;
  std::span<const uint32_t> column;
  std::span<const float> value;

  void read(Weights& weights, std::vector<Violation>& found) const {
    const size_t n = example.size(), parts = key.size();
    if (among.size() != n || on_prefix.size() != n || excess.size() != n || loss.size() != n ||
        offsets.size() != n + 1 || column.size() != parts || value.size() != parts)
      throw std::invalid_argument("the arrays differ in length");
    for (size_t i = 0; i < n; ++i) {
      if (offsets[i] > offsets[i + 1] || offsets[i + 1] > parts)
        throw std::invalid_argument("the violations are out of order");
      Violation& v = found.emplace_back();
      v.example = example[i];
      v.among = among[i];
      v.on_prefix = on_prefix[i] != 0;
      v.excess = excess[i];
      v.loss = loss[i];
      for (uint64_t p = offsets[i]; p < offsets[i + 1]; ++p) {
        if (column[p] >= weights.width(key[p])) throw std::invalid_argument("no such column");
        v.delta.push_back({weights.intern_foreign(key[p]), column[p], value[p]});
      }
    }
  }
};

// A change that was made, by the features' keys.
struct Change {
  std::vector<Key> key;
  std::vector<uint32_t> column;
  std::vector<float> value;
  Made made;
};

// One change for all that others have found, in the order of the examples.
inline Change make_change(Weights& weights, const Learner& learner, std::span<const FoundSpans> all) {
  weights.keep_keys();
  std::vector<Violation> found;
  for (const FoundSpans& spans : all) spans.read(weights, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Violation& a, const Violation& b) { return a.example < b.example; });
  Change change;
  if (found.empty()) return change;
  Difference scratch;
  for (const Part& p : learner.change(found, scratch, change.made)) {
    weights.add(p.feature, p.column, p.value);
    change.key.push_back(weights.key_of(p.feature));
    change.column.push_back(p.column);
    change.value.push_back(p.value);
  }
  return change;
}

}  // namespace structron
