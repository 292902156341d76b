// A text as Python holds it, read where it is.
#pragma once
#include <vector>

#include "bind.hpp"
#include "tasks/segmentation/units.hpp"
#include "text.hpp"

// It is read before the next one is asked for, and with the interpreter's lock all the while.
inline structron::TextView view_of(nb::handle text) {
  PyObject* s = text.ptr();
  if (!PyUnicode_Check(s)) bad_token("a text must be a str", s);
  const auto size = static_cast<size_t>(PyUnicode_GetLength(s));
  if (size > 0xFFFFFFF0u) throw nb::value_error("a text has too many characters; give it in parts");
#ifdef Py_LIMITED_API
  // The stable interface cannot read a str where it is. Sentences of a text are written one after the other:
  // the copy of the last text is kept, and the text with it, so that it is not taken for another.
  struct Kept {
    nb::object text;
    std::vector<Py_UCS4> characters;
  };
  static auto& kept = *new Kept;  // never destroyed: the interpreter may be gone before
  if (!kept.text.is(text)) {
    kept.text = nb::object();
    kept.characters.resize(size);
    if (size > 0 && PyUnicode_AsUCS4(s, kept.characters.data(), static_cast<Py_ssize_t>(size), 0) == nullptr)
      throw nb::python_error();
    kept.text = nb::borrow(text);
  }
  return {kept.characters.data(), 4, size};
#else
  return {PyUnicode_DATA(s), static_cast<int>(PyUnicode_KIND(s)), size};
#endif
}
