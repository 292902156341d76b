#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "text/program.hpp"

using namespace structron;

void bind_features(nb::module_& m) {
  m.def("hash_bytes", [](nb::bytes b) { return hash_bytes({b.c_str(), b.size()}); });
  m.def("combine", &combine);
  m.def(
      "aspect",
      [](int what, int length, std::string_view text, const WordClusters* clusters) {
        return Word(text, clusters).aspect(static_cast<Aspect>(what), length);
      },
      nb::arg("what"), nb::arg("length"), nb::arg("text"), nb::arg("clusters") = nb::none(),
      "The value of one atom of a word; 0 if it is absent.");

  nb::class_<WordClusters>(m, "WordClusters")
      .def(
          "__init__",
          [](WordClusters* self, Array<uint8_t> words, Array<uint32_t> of_words, Array<uint8_t> paths) {
            const auto text = [](const Array<uint8_t>& bytes) {
              return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.shape(0));
            };
            new (self) WordClusters(text(words), span_of(of_words), text(paths));
          },
          nb::arg("words"), nb::arg("of_words"), nb::arg("paths"));

  using AtomTuple = std::tuple<int, int, int, int>;
  nb::class_<Program>(m, "Program")
      .def(
          "__init__",
          [](Program* self, const std::vector<std::tuple<Key, std::vector<AtomTuple>, int>>& templates,
             int columns, const WordClusters* clusters) {
            std::vector<Template> compiled;
            for (const auto& [base, atoms, tags] : templates) {
              Template t{base, {}, tags};
              for (const auto& [look, length, column, offset] : atoms)
                t.atoms.push_back({static_cast<Aspect>(look), length, column, offset});
              compiled.push_back(std::move(t));
            }
            new (self) Program(std::move(compiled), columns, clusters);
          },
          nb::arg("templates"), nb::arg("columns"), nb::arg("clusters") = nb::none(), nb::keep_alive<1, 4>())
      .def_prop_ro("columns", &Program::columns)
      .def_prop_ro("order", &Program::order);
}
