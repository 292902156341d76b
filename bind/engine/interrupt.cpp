#include "util/interrupt.hpp"

#include "bind.hpp"

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

}  // namespace

void bind_interrupt(nb::module_& m) {
  ask_for_signals = &ask_python;
  nb::exception<Stopped>(m, "Stopped");
  nb::class_<Stop>(m, "Stop")
      .def(nb::init<>())
      .def("set", &Stop::set)
      .def("enter", &Stop::enter)
      .def("leave", &Stop::leave);
}
