#include "learn/change.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "found.hpp"
#include "shared.hpp"

using namespace structron;

namespace {

// Makes one change for what others have found: (updates, invalid, early), and the change by the features'
// keys.
nb::tuple change_for(SharedWeights& weights, const Learner& learner, const std::vector<FoundTuple>& all) {
  std::vector<FoundSpans> found;
  for (const FoundTuple& arrays : all) found.push_back(spans_of(arrays));
  const WithWeights alone(weights);
  Change change = make_change(weights, learner, found);
  return nb::make_tuple(nb::make_tuple(change.made.updates, change.made.invalid, change.made.early),
                        nb::make_tuple(numpy_of(std::move(change.key)), numpy_of(std::move(change.column)),
                                       numpy_of(std::move(change.value))));
}

}  // namespace

void bind_change(nb::module_& m) {
  m.def("make_change", &change_for, nb::arg("weights"), nb::arg("learner"), nb::arg("found"));
}
