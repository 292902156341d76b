// Python tokens to words and ready features. All of this needs the interpreter's lock.
#pragma once
#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "text/ready_features.hpp"

namespace nb = nanobind;

inline std::string_view utf8(PyObject* s) {
  Py_ssize_t n = 0;
  const char* p = PyUnicode_AsUTF8AndSize(s, &n);
  if (p == nullptr) throw nb::python_error();
  return {p, static_cast<size_t>(n)};
}

[[noreturn]] inline void bad_token(const char* what, PyObject* token) {
  const std::string message = std::string(what) + ", not " + nb::inst_name(token).c_str();
  throw nb::type_error(message.c_str());
}

// Of a list or a tuple; as PySequence_Fast_GET_SIZE and _ITEM, which the stable interface does not have.
inline Py_ssize_t length_of(PyObject* many) {
  return PyList_Check(many) ? NB_LIST_GET_SIZE(many) : NB_TUPLE_GET_SIZE(many);
}
inline PyObject* item_of(PyObject* many, Py_ssize_t i) {
  return PyList_Check(many) ? NB_LIST_GET_ITEM(many, i) : NB_TUPLE_GET_ITEM(many, i);
}

// A token with one column is a str; with several, a tuple or list of as many.
template <class AddWord>
void read_words(PyObject* token, int columns, AddWord&& add) {
  if (PyUnicode_Check(token)) {
    if (columns != 1) bad_token("a token must be a tuple of its columns", token);
    add(0, utf8(token));
    return;
  }
  const bool tuple = PyTuple_Check(token), list = PyList_Check(token);
  if (!tuple && !list) bad_token("a token must be a str, or a tuple of str", token);
  const Py_ssize_t n = tuple ? NB_TUPLE_GET_SIZE(token) : NB_LIST_GET_SIZE(token);
  if (n < columns) throw nb::value_error("a token has fewer columns than the templates read");
  for (int c = 0; c < columns; ++c) {
    PyObject* field = tuple ? NB_TUPLE_GET_ITEM(token, c) : NB_LIST_GET_ITEM(token, c);
    if (!PyUnicode_Check(field)) bad_token("a column must be a str", field);
    add(c, utf8(field));
  }
}

// A sentence as columns, each a list of as many str: what a list of tuples would say, without the tuples.
class TokenColumns {
 public:
  explicit TokenColumns(nb::tuple columns) : columns_(std::move(columns)) {
    if (columns_.size() == 0) throw nb::value_error("a sentence has at least one column");
    for (nb::handle column : columns_) {
      if (!PyList_CheckExact(column.ptr())) bad_token("a column must be a list", column.ptr());
      if (size_ < 0) size_ = NB_LIST_GET_SIZE(column.ptr());
      if (NB_LIST_GET_SIZE(column.ptr()) != size_) throw nb::value_error("columns are not equally long");
    }
  }
  Py_ssize_t size() const { return size_; }

  template <class AddWord>
  void read_words(Py_ssize_t i, int columns, AddWord&& add) const {
    if (static_cast<Py_ssize_t>(columns_.size()) < columns)
      throw nb::value_error("a token has fewer columns than the templates read");
    for (int c = 0; c < columns; ++c) {
      PyObject* column = NB_TUPLE_GET_ITEM(columns_.ptr(), c);
      if (i >= NB_LIST_GET_SIZE(column)) throw nb::value_error("columns are not equally long");
      const nb::object field = nb::borrow(NB_LIST_GET_ITEM(column, i));
      if (!PyUnicode_Check(field.ptr())) bad_token("a column must be a str", field.ptr());
      add(c, utf8(field.ptr()));
    }
  }

 private:
  nb::tuple columns_;
  Py_ssize_t size_ = -1;
};

// How many columns the tokens of a list have, if all are tuples of as many str; 0 for whatever else.
inline Py_ssize_t token_width(nb::handle sentence) {
  PyObject* list = sentence.ptr();
  if (!PyList_CheckExact(list) || NB_LIST_GET_SIZE(list) == 0) return 0;
  Py_ssize_t width = 0;
  for (Py_ssize_t i = 0; i < NB_LIST_GET_SIZE(list); ++i) {
    PyObject* token = NB_LIST_GET_ITEM(list, i);
    if (!PyTuple_CheckExact(token)) return 0;
    if (i == 0) width = NB_TUPLE_GET_SIZE(token);
    if (NB_TUPLE_GET_SIZE(token) != width) return 0;
    for (Py_ssize_t c = 0; c < width; ++c)
      if (!PyUnicode_CheckExact(NB_TUPLE_GET_ITEM(token, c))) return 0;
  }
  return width;
}

// The items of a list, tuple or set; those of a set sorted, since their own order changes from run to run.
inline nb::object items_of(PyObject* many) {
  PyObject* list = PySequence_List(many);
  if (list == nullptr || (PyAnySet_Check(many) && PyList_Sort(list) != 0)) {
    Py_XDECREF(list);
    throw nb::python_error();
  }
  return nb::steal<nb::object>(list);
}

// f(key, value) of a dict. A value may run Python code when it is read, so that both are held; what that code
// adds or takes away is met or not, as in any walk through a dict that changes.
template <class F>
void each_item(PyObject* dict, F&& f) {
  PyObject *k = nullptr, *v = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &k, &v);) {
    if (!PyUnicode_Check(k)) bad_token("a feature name must be a str", k);
    const nb::object key = nb::borrow(k), value = nb::borrow(v);
    f(utf8(key.ptr()), value.ptr());
  }
}

// A value of a feature dict, by its type in Python; what counts as which feature is in
// core/text/ready_features.hpp.
template <class Add>
void read_feature(const std::string& name, PyObject* value, Add&& add, int depth = 0) {
  structron::check_nesting(depth);
  if (PyUnicode_Check(value)) {
    structron::add_text(name, utf8(value), add);
  } else if (PyBool_Check(value)) {
    structron::add_flag(name, value == Py_True, add);
  } else if (PyDict_Check(value)) {
    each_item(value, [&](std::string_view key, PyObject* inner) {
      read_feature(structron::inner_name(name, key), inner, add, depth + 1);
    });
  } else if (PyList_Check(value) || PyTuple_Check(value) || PyAnySet_Check(value)) {
    for (nb::handle item : items_of(value)) {
      if (!PyUnicode_Check(item.ptr())) bad_token("a feature in a list must be a str", item.ptr());
      structron::add_text(name, utf8(item.ptr()), add);
    }
  } else {
    const double x = PyFloat_AsDouble(value);
    if (x == -1.0 && PyErr_Occurred()) {
      if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_OverflowError))
        throw nb::python_error();  // the value's own trouble
      PyErr_Clear();
      bad_token("a feature value must be a str, a number, a bool, a list or a dict", value);
    }
    structron::add_number(name, x, add);
  }
}

// A ready token: a dict of features, or a list of feature names.
template <class Add>
void read_ready(PyObject* token, Add&& add) {
  if (PyDict_Check(token)) {
    each_item(token,
              [&](std::string_view key, PyObject* value) { read_feature(std::string(key), value, add); });
  } else if (PyList_Check(token) || PyTuple_Check(token) || PyAnySet_Check(token)) {
    for (nb::handle item : items_of(token)) {
      if (!PyUnicode_Check(item.ptr())) bad_token("a feature name must be a str", item.ptr());
      structron::add_named(utf8(item.ptr()), add);
    }
  } else {
    bad_token("ready features must be a dict or a list of str per token", token);
  }
}

// f(item) of a list or tuple, whatever else is a sequence made into a list first; how many there were. As in
// any walk through a list that changes, what others add or take away is met or not; the item at hand is held.
template <class F>
Py_ssize_t each_of(PyObject* many, const char* what, F&& f) {
  const nb::object fast = nb::steal<nb::object>(PySequence_Fast(many, what));
  if (!fast.is_valid()) throw nb::python_error();
  Py_ssize_t i = 0;
  for (; i < length_of(fast.ptr()); ++i) {
    if (constexpr Py_ssize_t kAhead = 8; i + kAhead < length_of(fast.ptr())) {
      const char* later = reinterpret_cast<const char*>(item_of(fast.ptr(), i + kAhead));
      __builtin_prefetch(later);
      __builtin_prefetch(later + 48);  // a short text lies behind its head
    }
    const nb::object item = nb::borrow(item_of(fast.ptr(), i));
    f(item.ptr());
  }
  return i;
}

// The items of a list or tuple, whatever else is a sequence made into a list first. They are its own:
// whatever others do to a list while it is read, its items stay, and as many as there were.
class Sequence {
 public:
  Sequence(PyObject* o, const char* what)
      : fast_(PyList_CheckExact(o) ? PyList_AsTuple(o) : PySequence_Fast(o, what)) {
    if (fast_ == nullptr) throw nb::python_error();
  }
  ~Sequence() { Py_DECREF(fast_); }
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;
  Py_ssize_t size() const { return length_of(fast_); }
  PyObject* operator[](Py_ssize_t i) const { return item_of(fast_, i); }

 private:
  PyObject* fast_;
};

// The tokens of a sentence of words, a list of them or columns: add(column, word), then close() for each; how
// many there were.
template <class AddWord, class Close>
Py_ssize_t each_token(nb::handle sentence, int columns, AddWord&& add, Close&& close) {
  if (nb::isinstance<TokenColumns>(sentence)) {
    const TokenColumns& apart = *nb::inst_ptr<TokenColumns>(sentence);
    for (Py_ssize_t i = 0; i < apart.size(); ++i) {
      apart.read_words(i, columns, add);
      close();
    }
    return apart.size();
  }
  return each_of(sentence.ptr(), "a sentence must be a list of tokens", [&](PyObject* token) {
    read_words(token, columns, add);
    close();
  });
}
