#include "predictor.hpp"

#include <algorithm>

#include "restricted.hpp"
#include "search/refusal.hpp"

using namespace structron;

// By length, as far as an input tells it; what is no sequence is refused when it is loaded.
uint64_t InputList::cost(size_t i) const {
  const Py_ssize_t length = PyObject_Length((*this)[i].ptr());
  if (length < 0) PyErr_Clear();
  return static_cast<uint64_t>(std::max<Py_ssize_t>(0, length));
}

void InputList::search(const std::function<void()>& work) const {
  nb::gil_scoped_release free;
  work();
}

void InputList::refuse(size_t i) const {
  const auto name = [&](const char* what) {
    return std::string(each_) + " " + std::to_string(i + 1) + ": " + what;
  };
  try {
    throw;
  } catch (const SearchTooLarge&) {  // what it says is true of any input
    throw;
  } catch (const ChartTooLarge& e) {
    throw ChartTooLarge(e.what(), static_cast<int64_t>(i));
  } catch (const nb::builtin_exception& e) {
    throw nb::builtin_exception(e.type(), name(e.what()).c_str());
  } catch (const std::invalid_argument& e) {
    throw nb::value_error(name(e.what()).c_str());
  }
}

void bind_predictor(nb::module_& m) {
  // In Python it is read as its input is.
  nb::class_<Restricted>(m, "Restricted")
      .def(nb::init<nb::object, nb::object>(), nb::arg("input"), nb::arg("parts"))
      .def_ro("input", &Restricted::input)
      .def_ro("parts", &Restricted::parts)
      .def("__len__", [](const Restricted& r) { return nb::len(r.input); })
      .def("__iter__", [](const Restricted& r) { return nb::iter(r.input); })
      .def("__getitem__",
           [](const Restricted& r, const nb::object& at) { return nb::object(r.input[at]); });
  nb::class_<Predictor>(m, "Predictor")
      .def("predict", &Predictor::predict, nb::arg("xs"), nb::arg("search"), nb::arg("threads") = 1)
      .def("kbest", &Predictor::kbest, nb::arg("xs"), nb::arg("k"), nb::arg("search"), nb::arg("threads") = 1)
      .def("trace", &Predictor::trace, nb::arg("x"), nb::arg("gold").none(), nb::arg("search"))
      .def_prop_ro("decode_seconds", &Predictor::decode_seconds)
      .def_prop_ro("evictions", &Predictor::evictions);
}
