// The compiled engine's Python face: arrays in, arrays out, no algorithm.
#include <nanobind/nanobind.h>

#include "bind.hpp"

NB_MODULE(_core, m) {
  // A tagger kept in a global until the interpreter ends is no leak worth a warning.
  nb::set_leak_warnings(false);
  m.doc() = "The compiled engine.";
  bind_features(m);
  bind_weights(m);
  bind_search(m);
  bind_learners(m);
  bind_change(m);
  bind_tagging(m);
  bind_parsing(m);
  bind_parsing_dp(m);
  bind_explicit(m);
  bind_explicit_forest(m);
  bind_alignment(m);
  bind_transduction(m);
}
