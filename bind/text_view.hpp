// A text as Python holds it, read where it is.
#pragma once
#include "bind.hpp"
#include "tasks/segmentation/units.hpp"
#include "text.hpp"

inline structron::TextView view_of(nb::handle text) {
  PyObject* s = text.ptr();
  if (!PyUnicode_Check(s)) bad_token("a text must be a str", s);
  const auto size = static_cast<size_t>(PyUnicode_GET_LENGTH(s));
  if (size > 0xFFFFFFF0u) throw nb::value_error("a text has too many characters; give it in parts");
  return {PyUnicode_DATA(s), static_cast<int>(PyUnicode_KIND(s)), size};
}
