// The compiled engine's Python face: arrays in, arrays out, no algorithm.
#include <nanobind/nanobind.h>

#include "bind.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The compiled engine.";
  bind_features(m);
  bind_weights(m);
  bind_tagging(m);
  bind_graph(m);
}
