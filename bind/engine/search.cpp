#include "search/search_options.hpp"

#include <limits>
#include <memory>

#include "bind.hpp"
#include "outside.hpp"
#include "search/forest/forest_search.hpp"

using structron::SearchOptions;

void bind_search(nb::module_& m) {
  nb::class_<SearchOptions>(m, "Search")
      .def(
          "__init__",
          [](SearchOptions* self, uint32_t width, bool merge, double within, nb::object keep) {
            if (!(within >= 0)) throw nb::value_error("within must be at least 0");
            if (width == 0 && !keep.is_none()) throw nb::value_error("a keeper of rows needs a width");
            new (self) SearchOptions{width, merge, 1, false, within};
            if (!keep.is_none()) self->keeper = std::make_shared<PythonKeeper>(std::move(keep));
          },
          nb::arg("width"), nb::arg("merge"), nb::arg("within") = std::numeric_limits<double>::infinity(),
          nb::arg("keep") = nb::none())
      .def_ro("width", &SearchOptions::width)
      .def_ro("merge", &SearchOptions::merge)
      .def_ro("within", &SearchOptions::within);
  m.def(
      "limit_combinations", [](double most) { return structron::most_combinations.exchange(most); },
      nb::arg("most"));
}
