#include "search_options.hpp"

#include <limits>

#include "bind.hpp"
#include "forest_search.hpp"

using structron::SearchOptions;

void bind_search(nb::module_& m) {
  nb::class_<SearchOptions>(m, "Search")
      .def(
          "__init__",
          [](SearchOptions* self, uint32_t width, bool merge, double within) {
            if (!(within >= 0)) throw nb::value_error("within must be at least 0");
            new (self) SearchOptions{width, merge, 1, false, within};
          },
          nb::arg("width"), nb::arg("merge"), nb::arg("within") = std::numeric_limits<double>::infinity())
      .def_ro("width", &SearchOptions::width)
      .def_ro("merge", &SearchOptions::merge)
      .def_ro("within", &SearchOptions::within);
  m.def(
      "limit_combinations", [](double most) { return structron::most_combinations.exchange(most); },
      nb::arg("most"));
}
