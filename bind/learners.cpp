#include "bind.hpp"
#include "learners/perceptron.hpp"

using namespace structron;

void bind_learners(nb::module_& m) {
  nb::class_<Learner>(m, "Learner").def_prop_ro("margin", &Learner::margin);
  nb::class_<Perceptron, Learner>(m, "Perceptron").def(nb::init<float>(), nb::arg("margin") = 0.0f);
}
