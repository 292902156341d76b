// Violations as arrays, so that they can travel: features by their keys.
#pragma once
#include <span>
#include <tuple>

#include "bind.hpp"
#include "naming.hpp"

// example, among, on_prefix, excess, loss, offsets; key, action, value of all parts.
using FoundTuple = std::tuple<Array<uint32_t>, Array<uint32_t>, Array<uint8_t>, Array<double>, Array<double>,
                              Array<uint64_t>, Array<structron::Key>, Array<uint32_t>, Array<float>>;

struct FoundArrays {
  std::vector<uint32_t> example, among;
  std::vector<uint8_t> on_prefix;
  std::vector<double> excess, loss;
  std::vector<uint64_t> offsets{0};
  std::vector<structron::Key> key;
  std::vector<uint32_t> action;
  std::vector<float> value;

  void put(uint32_t number, std::span<const structron::Violation> found,
           const std::vector<structron::Key>& noted, const structron::Weights& weights) {
    for (const structron::Violation& v : found) {
      example.push_back(number);
      among.push_back(v.among);
      on_prefix.push_back(v.on_prefix);
      excess.push_back(v.excess);
      loss.push_back(v.loss);
      for (const structron::Part& p : v.delta) {
        key.push_back(p.feature & structron::kUnnamed ? noted[p.feature & ~structron::kUnnamed]
                                                      : weights.key_of(p.feature));
        action.push_back(p.action);
        value.push_back(p.value);
      }
      offsets.push_back(key.size());
    }
  }

  nb::tuple arrays() {
    return nb::make_tuple(numpy_of(std::move(example)), numpy_of(std::move(among)),
                          numpy_of(std::move(on_prefix)), numpy_of(std::move(excess)),
                          numpy_of(std::move(loss)), numpy_of(std::move(offsets)), numpy_of(std::move(key)),
                          numpy_of(std::move(action)), numpy_of(std::move(value)));
  }
};
