// Violations as arrays, so that they can travel: features by their keys (core/learn/change.hpp).
#pragma once
#include <tuple>

#include "bind.hpp"
#include "learn/change.hpp"

using FoundTuple = std::tuple<Array<uint32_t>, Array<uint32_t>, Array<uint8_t>, Array<double>, Array<double>,
                              Array<uint64_t>, Array<structron::Key>, Array<uint32_t>, Array<float>>;

inline structron::FoundSpans spans_of(const FoundTuple& found) {
  return std::apply([](const auto&... array) { return structron::FoundSpans{span_of(array)...}; }, found);
}

inline nb::tuple arrays_of(structron::FoundArrays found) {
  return nb::make_tuple(numpy_of(std::move(found.example)), numpy_of(std::move(found.among)),
                        numpy_of(std::move(found.on_prefix)), numpy_of(std::move(found.excess)),
                        numpy_of(std::move(found.loss)), numpy_of(std::move(found.offsets)),
                        numpy_of(std::move(found.key)), numpy_of(std::move(found.column)),
                        numpy_of(std::move(found.value)));
}
