#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "words/program.hpp"

using namespace structron;

void bind_features(nb::module_& m) {
  m.def("hash_bytes", [](nb::bytes b) { return hash_bytes({b.c_str(), b.size()}); });
  m.def("combine", &combine);
  m.def(
      "aspect",
      [](int what, int length, std::string_view text) {
        return Word(text).aspect(static_cast<Aspect>(what), length);
      },
      "The value of one atom of a word; 0 if it is absent.");

  using AtomTuple = std::tuple<int, int, int, int>;
  nb::class_<Program>(m, "Program")
      .def(
          "__init__",
          [](Program* self, const std::vector<std::tuple<Key, std::vector<AtomTuple>, int>>& templates,
             int columns) {
            std::vector<Template> compiled;
            for (const auto& [base, atoms, tags] : templates) {
              Template t{base, {}, tags};
              for (const auto& [look, length, column, offset] : atoms)
                t.atoms.push_back({static_cast<Aspect>(look), length, column, offset});
              compiled.push_back(std::move(t));
            }
            new (self) Program(std::move(compiled), columns);
          },
          nb::arg("templates"), nb::arg("columns"))
      .def_prop_ro("columns", &Program::columns)
      .def_prop_ro("order", &Program::order);
}
