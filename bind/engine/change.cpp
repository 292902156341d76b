#include "learn/change.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "found.hpp"
#include "learn/correcting/closest.hpp"
#include "row_arrays.hpp"
#include "shared.hpp"
#include "weights/changing.hpp"

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

void add(ClosestChange& problem, Array<Key> key, Array<uint32_t> column, Array<float> value) {
  problem.add(span_of(key), span_of(column), span_of(value));
}

// (alphas, what each still lacks, (keys, columns, values)).
nb::tuple solve(ClosestChange& problem, Array<double> lacking, double tolerance, int sweeps,
                Array<double> start) {
  Closest found;
  {
    nb::gil_scoped_release free;
    found = problem.solve(span_of(lacking), tolerance, sweeps, span_of(start));
  }
  return nb::make_tuple(numpy_of(std::move(found.alpha)), numpy_of(std::move(found.lacking)),
                        nb::make_tuple(numpy_of(std::move(found.key)), numpy_of(std::move(found.column)),
                                       numpy_of(std::move(found.value))));
}

// Rows with a change added to them, as memory: predicting must not wait for numpy.
nb::tuple changed_rows(const RowArrays& rows, Array<Key> key, Array<uint32_t> column, Array<float> value) {
  const ChangeSpans change{span_of(key), span_of(column), span_of(value)};
  Packed found;
  {
    nb::gil_scoped_release free;
    found = with_change(spans_of(rows), change);
  }
  return nb::make_tuple(memory_of(std::move(found.keys)), memory_of(std::move(found.offsets)),
                        memory_of(std::move(found.columns)), memory_of(std::move(found.weights)),
                        memory_of(std::move(found.dense)));
}

}  // namespace

void bind_change(nb::module_& m) {
  nb::class_<ClosestChange>(m, "ClosestChange")
      .def(nb::init<>())
      .def_prop_ro("size", &ClosestChange::size)
      .def("add", &add, nb::arg("keys"), nb::arg("columns"), nb::arg("values"))
      .def("solve", &solve, nb::arg("lacking"), nb::arg("tolerance"), nb::arg("sweeps"), nb::arg("start"));
  m.def("with_change", &changed_rows, nb::arg("rows"), nb::arg("keys"), nb::arg("columns"),
        nb::arg("values"));
  m.def("make_change", &change_for, nb::arg("weights"), nb::arg("learner"), nb::arg("found"));
}
