#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind.hpp"
#include "found.hpp"
#include "shared.hpp"

using namespace structron;

namespace {

void read(const FoundTuple& arrays, Weights& weights, std::vector<Violation>& found) {
  const auto& [example, among, on_prefix, excess, loss, offsets, key, action, value] = arrays;
  const size_t n = example.shape(0), parts = key.shape(0);
  if (among.shape(0) != n || on_prefix.shape(0) != n || excess.shape(0) != n || loss.shape(0) != n ||
      offsets.shape(0) != n + 1 || action.shape(0) != parts || value.shape(0) != parts)
    throw nb::value_error("the arrays differ in length");
  for (size_t i = 0; i < n; ++i) {
    if (offsets.data()[i] > offsets.data()[i + 1] || offsets.data()[i + 1] > parts)
      throw nb::value_error("the violations are out of order");
    Violation& v = found.emplace_back();
    v.example = example.data()[i];
    v.among = among.data()[i];
    v.on_prefix = on_prefix.data()[i] != 0;
    v.excess = excess.data()[i];
    v.loss = loss.data()[i];
    for (uint64_t p = offsets.data()[i]; p < offsets.data()[i + 1]; ++p) {
      if (action.data()[p] >= weights.actions()) throw nb::value_error("no such action");
      v.delta.push_back({weights.intern_foreign(key.data()[p]), action.data()[p], value.data()[p]});
    }
  }
}

// Makes one change for what others have found: (updates, invalid, early), and the change by the features'
// keys.
nb::tuple make_change(SharedWeights& weights, const Learner& learner, const std::vector<FoundTuple>& all) {
  const WithWeights alone(weights);
  weights.keep_keys();
  std::vector<Violation> found;
  for (const FoundTuple& arrays : all) read(arrays, weights, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Violation& a, const Violation& b) { return a.example < b.example; });
  std::vector<Key> key;
  std::vector<uint32_t> action;
  std::vector<float> value;
  Made made;
  if (!found.empty()) {
    Difference scratch;
    for (const Part& p : learner.change(found, scratch, made)) {
      weights.add(p.feature, p.action, p.value);
      key.push_back(weights.key_of(p.feature));
      action.push_back(p.action);
      value.push_back(p.value);
    }
  }
  return nb::make_tuple(
      nb::make_tuple(made.updates, made.invalid, made.early),
      nb::make_tuple(numpy_of(std::move(key)), numpy_of(std::move(action)), numpy_of(std::move(value))));
}

}  // namespace

void bind_change(nb::module_& m) {
  m.def("make_change", &make_change, nb::arg("weights"), nb::arg("learner"), nb::arg("found"));
}
