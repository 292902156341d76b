#include "text/conllu.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "bind.hpp"
#include "tasks/segmentation/text_view.hpp"
#include "text.hpp"

using namespace structron;

namespace {

uint64_t whole(PyObject* number) {
  const uint64_t value = PyLong_AsUnsignedLongLong(number);
  if (value == static_cast<uint64_t>(-1) && PyErr_Occurred()) throw nb::python_error();
  return value;
}

// A column of texts or of numbers, or None where nothing is known.
class Column {
 public:
  explicit Column(nb::handle values) : values_(values.ptr()) {
    if (values_ != Py_None && !PyList_CheckExact(values_)) bad_token("a column must be a list", values_);
  }
  void put(Py_ssize_t i, ConlluWriter& to) const {
    if (values_ == Py_None) {
      to.text("_");
      return;
    }
    if (i >= NB_LIST_GET_SIZE(values_)) throw nb::value_error("a column is shorter than the sentence");
    const nb::object value = nb::borrow(NB_LIST_GET_ITEM(values_, i));
    if (PyLong_Check(value.ptr())) {
      to.number(whole(value.ptr()));
    } else if (PyUnicode_Check(value.ptr())) {
      to.value(utf8(value.ptr()));
    } else {
      bad_token("a value must be a str or an int", value.ptr());
    }
  }

 private:
  PyObject* values_;
};

uint32_t place(nb::handle places, Py_ssize_t i, size_t size) {
  if (i < 0 || i >= NB_LIST_GET_SIZE(places.ptr())) throw nb::value_error("there are not so many tokens");
  const uint64_t at = whole(NB_LIST_GET_ITEM(places.ptr(), i));
  if (at > size) throw nb::value_error("a token is beyond the text");
  return static_cast<uint32_t>(at);
}

// The characters of tokens first to before last.
nb::object cut_out(nb::handle source, nb::list begins, nb::list ends, Py_ssize_t first, Py_ssize_t last) {
  const TextView text = view_of(source);
  nb::object all = nb::steal<nb::object>(PyList_New(std::max<Py_ssize_t>(0, last - first)));
  if (!all.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = first; i < last; ++i) {
    PyObject* form =
        PyUnicode_Substring(source.ptr(), place(begins, i, text.size()), place(ends, i, text.size()));
    if (form == nullptr) throw nb::python_error();
    NB_LIST_SET_ITEM(all.ptr(), i - first, form);
  }
  return all;
}

// The columns of word i after its form.
void put_columns(const std::array<Column, 6>& columns, Py_ssize_t i, ConlluWriter& to) {
  for (const Column& column : columns) {
    to.tab();
    column.put(i, to);
  }
  to.text("\t_\t");
}

// The lines of tokens first to before last, None if a value cannot stand in a file.
nb::object conllu(
    nb::handle source, nb::list begins, nb::list ends, nb::dict several, Py_ssize_t first, Py_ssize_t last,
    uint64_t offset, const std::string& comments,
    const std::tuple<nb::object, nb::object, nb::object, nb::object, nb::object, nb::object>& given) {
  const TextView text = view_of(source);
  const std::array<Column, 6> columns =
      std::apply([](const auto&... column) { return std::array<Column, 6>{Column(column)...}; }, given);
  if (first < 0 || first >= last) throw nb::value_error("a sentence has at least one token");
  ConlluWriter to(text, offset, comments);
  to.source(place(begins, first, text.size()), place(ends, last - 1, text.size()));
  uint32_t begin = place(begins, first, text.size());
  Py_ssize_t words = 0;
  for (Py_ssize_t i = first; i < last; ++i) {
    const uint32_t end = place(ends, i, text.size());
    const uint32_t next = i + 1 < last ? place(begins, i + 1, text.size()) : to.after_white(end);
    if (begin > end || end > next) throw nb::value_error("tokens are not in order");
    nb::object parts = several.size() == 0 ? nb::none() : several.get(nb::int_(i), nb::none());
    if (parts.is_none()) {
      to.number(static_cast<uint64_t>(words + 1));
      to.tab();
      to.characters(begin, end);
      put_columns(columns, words++, to);
      to.misc(begin, end, next);
      to.line();
    } else {
      const Sequence inner(parts.ptr(), "the words of a token must be a list of str");
      to.range(static_cast<uint64_t>(words + 1), static_cast<uint64_t>(words + inner.size()));
      to.tab();
      to.characters(begin, end);
      to.text("\t_\t_\t_\t_\t_\t_\t_\t");
      to.misc(begin, end, next);
      to.line();
      for (Py_ssize_t k = 0; k < inner.size(); ++k) {
        if (!PyUnicode_Check(inner[k])) bad_token("a word must be a str", inner[k]);
        to.number(static_cast<uint64_t>(words + 1));
        to.tab();
        to.value(utf8(inner[k]));
        put_columns(columns, words++, to);
        to.text("_\n");
      }
    }
    begin = next;
  }
  to.line();
  if (!to.fits()) return nb::none();
  return nb::str(to.out().c_str(), to.out().size());
}

}  // namespace

void bind_conllu(nb::module_& m) {
  m.def("cut_out", &cut_out, nb::arg("source"), nb::arg("begins"), nb::arg("ends"), nb::arg("first"),
        nb::arg("last"), "The tokens of a text from first to before last.");
  m.def("conllu", &conllu, nb::arg("source"), nb::arg("begins"), nb::arg("ends"), nb::arg("several"),
        nb::arg("first"), nb::arg("last"), nb::arg("offset"), nb::arg("comments"), nb::arg("columns"),
        "The lines of a sentence of raw text; None if a value cannot stand in a file.");
}
