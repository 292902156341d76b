#include <algorithm>
#include <cmath>
#include <numeric>

#include "bind.hpp"
#include "weights.hpp"

using namespace structron;

namespace {

struct Flat {
  std::vector<Key> key;
  std::vector<uint16_t> action;
  std::vector<float> weight;
  std::vector<double> past;
};

// All cells, sorted by key and action: the same weights always give the same bytes.
Flat flatten(const Weights& w) {
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
  Flat f;
  for (const Cell& c : cells) {
    f.key.push_back(c.key);
    f.action.push_back(c.action);
    f.weight.push_back(c.weight);
    f.past.push_back(c.past);
  }
  return f;
}

// Rows for a model: (keys, offsets, actions, weights), cells below the threshold left out.
nb::tuple pack(const Weights& w, bool averaged, float negligible) {
  std::vector<Key> keys;
  std::vector<uint32_t> offsets{0};
  std::vector<uint16_t> actions;
  std::vector<float> weights;
  {
    nb::gil_scoped_release free;
    const Flat f = flatten(w);
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
  nb::class_<Weights>(m, "Weights")
      .def(
          "__init__",
          [](Weights* self, uint32_t actions, int bits) {
            if (bits < 0 || bits > 32) throw nb::value_error("bits must be from 0 to 32");
            new (self) Weights(actions, bits);
          },
          nb::arg("actions"), nb::arg("bits") = 0)
      .def_prop_ro("actions", &Weights::actions)
      .def_prop_ro("features", &Weights::features)
      .def_prop_ro("bytes", &Weights::bytes)
      .def_prop_rw("clock", &Weights::clock, &Weights::set_clock)
      .def("tick", &Weights::tick)
      .def("get",
           [](const Weights& w, Key key, uint32_t action) {
             const uint32_t id = w.find(key);
             return id == kNone || action >= w.actions() ? 0.0f : w.get(id, action);
           })
      .def("add",
           [](Weights& w, Key key, uint32_t action, float change) {
             if (action >= w.actions()) throw nb::value_error("no such action");
             w.add(w.intern(key), action, change);
           })
      .def("pack", &pack, nb::arg("averaged"), nb::arg("negligible") = 0.0f)
      .def("state",
           [](const Weights& w) {
             Flat f = flatten(w);
             return nb::make_tuple(numpy_of(std::move(f.key)), numpy_of(std::move(f.action)),
                                   numpy_of(std::move(f.weight)), numpy_of(std::move(f.past)));
           })
      .def("restore", [](Weights& w, Array<Key> key, Array<uint16_t> action, Array<float> weight,
                         Array<double> past, uint64_t clock) {
        const size_t n = key.shape(0);
        if (action.shape(0) != n || weight.shape(0) != n || past.shape(0) != n)
          throw nb::value_error("the arrays differ in length");
        for (size_t i = 0; i < n; ++i) {
          if (action.data()[i] >= w.actions()) throw nb::value_error("no such action");
          w.restore(key.data()[i], action.data()[i], weight.data()[i], past.data()[i]);
        }
        w.set_clock(clock);
      });
}
