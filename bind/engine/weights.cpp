#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "bind.hpp"
#include "shared.hpp"
#include "weights/mixing.hpp"
#include "weights/packing.hpp"

using namespace structron;

namespace {

// One of their methods, for one caller at a time.
template <class R, class... A>
auto alone(R (Weights::*method)(A...)) {
  return [method](SharedWeights& w, A... a) {
    const WithWeights alone(w);
    return (w.*method)(a...);
  };
}
template <class R, class... A>
auto alone(R (Weights::*method)(A...) const) {
  return [method](const SharedWeights& w, A... a) {
    const WithWeights alone(w);
    return (w.*method)(a...);
  };
}

using CellArrays = std::tuple<Array<Key>, Array<uint32_t>, Array<float>, Array<double>>;

CellSpans spans_of(const CellArrays& cells) {
  const auto& [key, column, weight, past] = cells;
  return {span_of(key), span_of(column), span_of(weight), span_of(past)};
}

nb::tuple arrays_of(Cells cells) {
  return nb::make_tuple(numpy_of(std::move(cells.key)), numpy_of(std::move(cells.column)),
                        numpy_of(std::move(cells.weight)), numpy_of(std::move(cells.past)));
}

nb::tuple changed_rows(const SharedWeights& w) {
  const WithWeights alone(w);
  Cells found;
  {
    nb::gil_scoped_release free;
    found = changes(w);
  }
  return arrays_of(std::move(found));
}

// `fresh`: what was noted since the last mark is of the past.
void take_over(SharedWeights& w, const CellArrays& arrays, double scale, uint64_t clock, bool fresh) {
  const CellSpans cells = spans_of(arrays);
  const WithWeights alone(w);
  nb::gil_scoped_release free;
  cells.check(w);
  if (fresh) w.unmark();
  adopt(w, cells, scale, clock);
}

// Mixes the shards' changes into the weights: (cells, scale, clock) for the shards to adopt.
nb::tuple mix_shards(SharedWeights& w, const std::vector<CellArrays>& changed,
                     const std::vector<uint64_t>& clocks, const std::vector<double>& shares,
                     uint32_t threads) {
  if (clocks.size() != changed.size() || shares.size() != changed.size())
    throw nb::value_error("shards, clocks and shares differ in number");
  std::vector<ShardPart> parts;
  for (size_t i = 0; i < changed.size(); ++i) parts.push_back({spans_of(changed[i]), clocks[i], shares[i]});
  Mixture mixture;
  const WithWeights alone(w);
  {
    nb::gil_scoped_release free;
    mixture = mix(w, parts, std::min(threads, 64u));
    adopt(w, mixture.cells.spans(), mixture.scale, mixture.clock);
  }
  return nb::make_tuple(arrays_of(std::move(mixture.cells)), mixture.scale, mixture.clock);
}

// Rows for a model: (keys, offsets, columns, weights, dense weights).
nb::tuple packed_rows(const SharedWeights& w, bool averaged, float negligible) {
  const WithWeights alone(w);
  Packed rows;
  {
    nb::gil_scoped_release free;
    rows = pack(w, averaged, negligible);
  }
  return nb::make_tuple(numpy_of(std::move(rows.keys)), numpy_of(std::move(rows.offsets)),
                        numpy_of(std::move(rows.columns)), numpy_of(std::move(rows.weights)),
                        numpy_of(std::move(rows.dense)));
}

// The keys of the features from a number on, in the order in which they got their numbers.
nb::object keys_from(SharedWeights& w, uint32_t first) {
  const WithWeights alone(w);
  w.keep_keys();
  std::vector<Key> keys;
  for (uint32_t id = first; id < w.features(); ++id) keys.push_back(w.key_of(id));
  return numpy_of(std::move(keys));
}

// Features of another training, which get the numbers they had there: none may be known here.
void take_keys(SharedWeights& w, Array<Key> keys) {
  const WithWeights alone(w);
  for (Key key : span_of(keys))
    if (const uint32_t next = w.features(); w.intern_folded(key) != next)
      throw nb::value_error("a feature has a number already");
}

void check_column(const Weights& w, Key key, uint32_t column) {
  if (column >= w.width(key)) throw nb::value_error("no such column");
}

nb::tuple state_of(const SharedWeights& w) {
  const WithWeights alone(w);
  Cells cells;
  {
    nb::gil_scoped_release free;
    cells = flatten(w);
  }
  return arrays_of(std::move(cells));
}

void add_to_each(SharedWeights& w, Array<Key> key, Array<uint32_t> column, Array<float> value) {
  const size_t n = key.shape(0);
  if (column.shape(0) != n || value.shape(0) != n) throw nb::value_error("the arrays differ in length");
  const WithWeights alone(w);
  for (size_t i = 0; i < n; ++i) {
    check_column(w, key.data()[i], column.data()[i]);
    w.add(w.intern_foreign(key.data()[i]), column.data()[i], value.data()[i]);
  }
}

}  // namespace

void bind_weights(nb::module_& m) {
  nb::class_<SharedWeights>(m, "Weights")
      .def(nb::init<uint32_t, int, uint32_t>(), nb::arg("columns"), nb::arg("bits") = 0, nb::arg("dense") = 0)
      .def_prop_ro("columns", &Weights::columns)
      .def_prop_ro("dense", &Weights::dense)
      .def_prop_ro("features", alone(&Weights::features))
      .def_prop_ro("bytes", alone(&Weights::bytes))
      .def_prop_ro("longest_probe", alone(&Weights::longest_probe))
      .def_prop_rw("clock", alone(&Weights::clock), alone(&Weights::set_clock))
      .def("tick", alone(&Weights::tick))
      .def("get",
           [](const SharedWeights& w, Key key, uint32_t column) {
             const WithWeights alone(w);
             const uint32_t id = w.find(key);
             return id == kNone || column >= w.width(key) ? 0.0f : w.get(id, column);
           })
      .def("add",
           [](SharedWeights& w, Key key, uint32_t column, float change) {
             check_column(w, key, column);
             const WithWeights alone(w);
             w.add(w.intern(key), column, change);
           })
      .def("pack", &packed_rows, nb::arg("averaged"), nb::arg("negligible") = 0.0f)
      .def("state", &state_of)
      .def("restore", [](SharedWeights& w, Array<Key> key, Array<uint32_t> column, Array<float> weight,
                         Array<double> past,
                         uint64_t clock) { take_over(w, {key, column, weight, past}, 1.0, clock, false); })
      .def("copy",
           [](const SharedWeights& w) {
             const WithWeights alone(w);
             return SharedWeights(w);
           })
      .def("keys_from", &keys_from)
      .def("take_keys", &take_keys)
      .def("mark", alone(&Weights::mark))
      .def("changes", &changed_rows)
      .def("mix", &mix_shards, nb::arg("changes"), nb::arg("clocks"), nb::arg("shares"),
           nb::arg("threads") = 1)
      .def(
          "adopt",
          [](SharedWeights& w, const CellArrays& cells, double scale, uint64_t clock) {
            take_over(w, cells, scale, clock, true);
          },
          nb::arg("cells"), nb::arg("scale"), nb::arg("clock"))
      .def("add_all", &add_to_each)
      .attr("DENSE") = kDenseKey;
}
