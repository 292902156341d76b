#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind.hpp"
#include "learn/gradient.hpp"
#include "learn/mira.hpp"
#include "learn/perceptron.hpp"
#include "learn/swvp.hpp"

using namespace structron;

namespace {

using PartTuple = std::tuple<uint32_t, uint32_t, float>;
// delta, excess, loss, example, among
using ViolationTuple = std::tuple<std::vector<PartTuple>, double, double, uint32_t, uint32_t>;

nb::tuple change(const Learner& learner, const std::vector<ViolationTuple>& given) {
  if (given.empty()) throw nb::value_error("there is no violation to learn from");
  std::vector<Violation> found;
  for (const auto& [delta, excess, loss, example, among] : given) {
    Violation& v = found.emplace_back();
    for (const auto& [feature, action, value] : delta) v.delta.push_back({feature, action, value});
    v.excess = excess;
    v.loss = loss;
    v.example = example;
    v.among = among;
  }
  Difference scratch;
  Made made;
  std::vector<PartTuple> parts;
  for (const Part& p : learner.change(found, scratch, made)) parts.emplace_back(p.feature, p.column, p.value);
  return nb::make_tuple(parts, made.updates, made.invalid);
}

Swvp swvp(int jj, uint32_t n, int gamma, double beta, bool aggressive, bool enforced, bool printed,
          float margin) {
  if (jj < 0 || jj > Substructures::all_subsets || n == 0) throw nb::value_error("no such sub-structures");
  if (gamma < 0 || gamma > static_cast<int>(Gamma::optimal)) throw nb::value_error("no such gamma");
  return Swvp({{static_cast<Substructures::Kind>(jj), n},
               static_cast<Gamma>(gamma),
               beta,
               aggressive,
               enforced,
               printed,
               margin});
}

}  // namespace

void bind_learners(nb::module_& m) {
  nb::class_<Learner>(m, "Learner")
      .def_prop_ro("margin", &Learner::margin)
      .def_prop_ro("constraints", &Learner::constraints)
      .def("change", &change, nb::arg("violations"));
  nb::class_<Perceptron, Learner>(m, "Perceptron")
      .def(nb::init<float, float, bool>(), nb::arg("margin") = 0.0f, nb::arg("step") = 1.0f,
           nb::arg("mean") = false);
  nb::class_<Gradient, Learner>(m, "Gradient")
      .def("__init__",
           [](Gradient* self, bool sums, double c2, double step, double examples) {
             if (!(c2 >= 0) || !(step > 0) || !(examples > 0)) throw nb::value_error("no such gradient");
             new (self) Gradient(sums, c2, step, examples);
           },
           nb::arg("sums"), nb::arg("c2"), nb::arg("step"), nb::arg("examples"))
      .def("grown", &Gradient::grown, nb::arg("seen"));
  nb::class_<Mira, Learner>(m, "Mira").def(nb::init<uint32_t, double, bool, bool>(), nb::arg("k"),
                                           nb::arg("C"), nb::arg("augmented"), nb::arg("squared") = false);
  nb::class_<Swvp, Learner>(m, "SWVP").def(
      "__init__",
      [](Swvp* self, int jj, uint32_t n, int gamma, double beta, bool aggressive, bool enforced, bool printed,
         float margin) { new (self) Swvp(swvp(jj, n, gamma, beta, aggressive, enforced, printed, margin)); },
      nb::arg("jj"), nb::arg("n"), nb::arg("gamma"), nb::arg("beta"), nb::arg("aggressive"),
      nb::arg("enforced"), nb::arg("printed"), nb::arg("margin"));
}
