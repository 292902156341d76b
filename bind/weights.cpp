#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "bind.hpp"
#include "mixing.hpp"
#include "shared.hpp"

using namespace structron;

namespace {

// All cells, sorted by key and action: the same weights always give the same bytes.
Cells flatten(const Weights& w) {
  struct Cell {
    Key key;
    uint16_t action;
    float weight;
    double past;
  };
  std::vector<Cell> cells;
  w.each([&](Key k, uint32_t a, float x, double p) {
    if (x != 0 || p != 0) cells.push_back({k, static_cast<uint16_t>(a), x, p});
  });
  std::sort(cells.begin(), cells.end(), [](const Cell& x, const Cell& y) {
    return x.key != y.key ? x.key < y.key : x.action < y.action;
  });
  Cells f;
  for (const Cell& c : cells) f.put(c.key, c.action, c.weight, c.past);
  return f;
}

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

nb::tuple arrays_of(Cells f) {
  return nb::make_tuple(numpy_of(std::move(f.key)), numpy_of(std::move(f.action)),
                        numpy_of(std::move(f.weight)), numpy_of(std::move(f.past)));
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

using CellArrays = std::tuple<Array<Key>, Array<uint16_t>, Array<float>, Array<double>>;

void check(const CellArrays& cells, const Weights& w) {
  const auto& [key, action, weight, past] = cells;
  const size_t n = key.shape(0);
  if (action.shape(0) != n || weight.shape(0) != n || past.shape(0) != n)
    throw nb::value_error("the arrays differ in length");
  for (size_t i = 0; i < n; ++i)
    if (action.data()[i] >= w.actions()) throw nb::value_error("no such action");
}

// `fresh`: what was noted since the last mark is of the past.
void take_over(SharedWeights& w, const CellArrays& cells, double scale, uint64_t clock, bool fresh) {
  check(cells, w);
  const auto& [key, action, weight, past] = cells;
  const size_t n = key.shape(0);
  const WithWeights alone(w);
  nb::gil_scoped_release free;
  if (fresh) w.unmark();
  adopt(w, {key.data(), n}, {action.data(), n}, {weight.data(), n}, {past.data(), n}, scale, clock);
}

// Mixes the shards' changes into the weights: (cells, scale, clock) for the shards to adopt.
nb::tuple mix_shards(SharedWeights& w, const std::vector<CellArrays>& changed,
                     const std::vector<uint64_t>& clocks, const std::vector<double>& shares,
                     uint32_t threads) {
  if (changed.empty() || clocks.size() != changed.size() || shares.size() != changed.size())
    throw nb::value_error("shards, clocks and shares differ in number");
  std::vector<ShardPart> parts;
  for (size_t i = 0; i < changed.size(); ++i) {
    check(changed[i], w);
    if (clocks[i] == 0) throw nb::value_error("a clock cannot be 0");
    const auto& [key, action, weight, past] = changed[i];
    const size_t n = key.shape(0);
    parts.push_back(
        {{key.data(), n}, {action.data(), n}, {weight.data(), n}, {past.data(), n}, clocks[i], shares[i]});
  }
  Mixture mixture;
  const WithWeights alone(w);
  {
    nb::gil_scoped_release free;
    mixture = mix(w, parts, std::min(threads, 64u));
    const Cells& c = mixture.cells;
    adopt(w, c.key, c.action, c.weight, c.past, mixture.scale, mixture.clock);
  }
  return nb::make_tuple(arrays_of(std::move(mixture.cells)), mixture.scale, mixture.clock);
}

// Rows for a model: (keys, offsets, actions, weights), cells below the threshold left out.
nb::tuple pack(const SharedWeights& w, bool averaged, float negligible) {
  const WithWeights alone(w);
  std::vector<Key> keys;
  std::vector<uint32_t> offsets{0};
  std::vector<uint16_t> actions;
  std::vector<float> weights;
  {
    nb::gil_scoped_release free;
    const Cells f = flatten(w);
    const double clock = static_cast<double>(std::max<uint64_t>(1, w.clock()));
    for (size_t i = 0; i < f.key.size();) {
      size_t j = i;
      for (; j < f.key.size() && f.key[j] == f.key[i]; ++j) {
        const float x = averaged ? static_cast<float>(f.weight[j] - f.past[j] / clock) : f.weight[j];
        if (x == 0 || std::fabs(x) < negligible) continue;
        actions.push_back(f.action[j]);
        weights.push_back(x);
      }
      if (actions.size() > offsets.back()) {
        keys.push_back(f.key[i]);
        offsets.push_back(static_cast<uint32_t>(actions.size()));
      }
      i = j;
    }
  }
  return nb::make_tuple(numpy_of(std::move(keys)), numpy_of(std::move(offsets)), numpy_of(std::move(actions)),
                        numpy_of(std::move(weights)));
}

}  // namespace

void bind_weights(nb::module_& m) {
  nb::class_<SharedWeights>(m, "Weights")
      .def(nb::init<uint32_t, int>(), nb::arg("actions"), nb::arg("bits") = 0)
      .def_prop_ro("actions", &Weights::actions)
      .def_prop_ro("features", alone(&Weights::features))
      .def_prop_ro("bytes", alone(&Weights::bytes))
      .def_prop_rw("clock", alone(&Weights::clock), alone(&Weights::set_clock))
      .def("tick", alone(&Weights::tick))
      .def("get",
           [](const SharedWeights& w, Key key, uint32_t action) {
             const WithWeights alone(w);
             const uint32_t id = w.find(key);
             return id == kNone || action >= w.actions() ? 0.0f : w.get(id, action);
           })
      .def("add",
           [](SharedWeights& w, Key key, uint32_t action, float change) {
             if (action >= w.actions()) throw nb::value_error("no such action");
             const WithWeights alone(w);
             w.add(w.intern(key), action, change);
           })
      .def("pack", &pack, nb::arg("averaged"), nb::arg("negligible") = 0.0f)
      .def("state",
           [](const SharedWeights& w) {
             const WithWeights alone(w);
             return arrays_of(flatten(w));
           })
      .def("restore", [](SharedWeights& w, Array<Key> key, Array<uint16_t> action, Array<float> weight,
                         Array<double> past,
                         uint64_t clock) { take_over(w, {key, action, weight, past}, 1.0, clock, false); })
      .def("copy",
           [](const SharedWeights& w) {
             const WithWeights alone(w);
             return SharedWeights(w);
           })
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
      .def("add_all", [](SharedWeights& w, Array<Key> key, Array<uint32_t> action, Array<float> value) {
        const size_t n = key.shape(0);
        if (action.shape(0) != n || value.shape(0) != n) throw nb::value_error("the arrays differ in length");
        const WithWeights alone(w);
        for (size_t i = 0; i < n; ++i) {
          if (action.data()[i] >= w.actions()) throw nb::value_error("no such action");
          w.add(w.intern_foreign(key.data()[i]), action.data()[i], value.data()[i]);
        }
      });
}
