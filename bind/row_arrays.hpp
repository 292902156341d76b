// The rows of a model, as arrays: keys, offsets, columns, weights and dense weights.
#pragma once
#include <tuple>

#include "bind.hpp"
#include "weights/packing.hpp"

using RowArrays =
    std::tuple<Array<structron::Key>, Array<uint32_t>, Array<uint32_t>, Array<float>, Array<float>>;

inline structron::PackedSpans spans_of(const RowArrays& rows) {
  const auto& [keys, offsets, columns, weights, dense] = rows;
  return {span_of(keys), span_of(offsets), span_of(columns), span_of(weights), span_of(dense)};
}
