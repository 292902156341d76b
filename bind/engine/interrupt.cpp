#include "util/interrupt.hpp"

#include "bind.hpp"
#include "search/refusal.hpp"

using namespace structron;

namespace {

// Runs Python's handlers of signals that have come, if this is the thread that has them; what they raise is
// thrown.
void ask_python() {
  const nb::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Tells threads of Python, which no signal reaches, to give up what they do in the engine.
class Stop {
 public:
  void set() { is_set_ = true; }
  void enter() { hearing.stop = &is_set_; }
  void leave() { hearing.stop = nullptr; }

 private:
  std::atomic<bool> is_set_ = false;
};

// The number of the input that is too large travels with the error.
void raise_chart_too_large(const std::exception_ptr& thrown, void* type) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ChartTooLarge& e) {
    nb::object raised = nb::handle(static_cast<PyObject*>(type))(e.what());
    if (e.input >= 0) raised.attr("input") = e.input;
    PyErr_SetObject(static_cast<PyObject*>(type), raised.ptr());
  }
}

void bind_refusals(nb::module_& m) {
  nb::exception<SearchTooLarge>(m, "SearchTooLarge", PyExc_ValueError);
  nb::exception<ChoiceRefused>(m, "ChoiceRefused", PyExc_ValueError);
  const nb::exception<ChartTooLarge> type(m, "ChartTooLarge", PyExc_ValueError);
  type.attr("input") = nb::none();
  nb::register_exception_translator(&raise_chart_too_large, type.ptr());
}

}  // namespace

void bind_interrupt(nb::module_& m) {
  ask_for_signals = &ask_python;
  nb::exception<Stopped>(m, "Stopped");
  bind_refusals(m);
  nb::class_<Stop>(m, "Stop")
      .def(nb::init<>())
      .def("set", &Stop::set)
      .def("enter", &Stop::enter)
      .def("leave", &Stop::leave);
}
