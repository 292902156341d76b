// An input of which parts are given: the search keeps to them. What the parts are is the task's own.
#pragma once
#include "bind.hpp"

struct Restricted {
  nb::object input, parts;
};

// Of an input that may be restricted: the input itself, and what is given of it (null: nothing).
struct WithParts {
  nb::handle input, parts;

  explicit WithParts(nb::handle either) : input(either) {
    if (!nb::isinstance<Restricted>(either)) return;
    const Restricted* both = nb::inst_ptr<Restricted>(either);
    input = both->input;
    parts = both->parts;
  }
  bool is_restricted() const { return parts.is_valid(); }
};
