#include "bind.hpp"
#include "guards.hpp"
#include "tasks/transduction/align.hpp"

using namespace structron;

namespace {

using Symbols = Array<uint32_t>;
using Offsets = Array<uint64_t>;

std::span<const uint32_t> part(const Symbols& all, const Offsets& offsets, size_t i) {
  const uint64_t begin = offsets.data()[i], end = offsets.data()[i + 1];
  if (begin > end || end > all.shape(0)) throw nb::value_error("offsets do not rise or point too far");
  return {all.data() + begin, all.data() + end};
}

// Several threads may hold one.
struct SharedAligner : Aligner {
  explicit SharedAligner(Aligner made) : Aligner(std::move(made)) {}
  mutable Lock lock;
};

// One of its methods, for one caller at a time and without the interpreter's lock.
template <class Method>
auto alone(Method method) {
  return [method](SharedAligner& a) {
    const Alone alone(a.lock, "the aligner");
    nb::gil_scoped_release free;
    return (a.*method)();
  };
}

void make(SharedAligner* self, Symbols sources, Offsets source_offsets, Symbols targets,
          Offsets target_offsets, uint32_t m, uint32_t n, bool deletions, bool both, int maximise) {
  if (m < 1 || n < 1 || m > 15 || n > 15) throw nb::value_error("pieces have 1 to 15 symbols");
  if (maximise < 0 || maximise > 2) throw nb::value_error("no such way to maximise");
  const size_t count = source_offsets.shape(0);
  if (count == 0 || target_offsets.shape(0) != count) throw nb::value_error("the offsets differ in length");
  Aligner made(m, n, deletions, both, static_cast<Maximise>(maximise));
  for (size_t i = 0; i + 1 < count; ++i)
    made.add(part(sources, source_offsets, i), part(targets, target_offsets, i));
  new (self) SharedAligner(std::move(made));
}

// Where each piece stood first: source begin and length, target begin and length.
nb::tuple pieces(const SharedAligner& a) {
  const Alone alone(a.lock, "the aligner");
  std::vector<uint64_t> x, y;
  std::vector<uint32_t> k, l;
  for (const auto& p : a.pieces()) {
    x.push_back(p.source_at);
    k.push_back(p.source_length);
    y.push_back(p.target_at);
    l.push_back(p.target_length);
  }
  return nb::make_tuple(numpy_of(std::move(x)), numpy_of(std::move(k)), numpy_of(std::move(y)),
                        numpy_of(std::move(l)));
}

}  // namespace

void bind_alignment(nb::module_& m) {
  nb::class_<SharedAligner>(m, "Aligner")
      .def("__init__", &make, nb::arg("sources"), nb::arg("source_offsets"), nb::arg("targets"),
           nb::arg("target_offsets"), nb::arg("m"), nb::arg("n"), nb::arg("deletions"), nb::arg("both"),
           nb::arg("maximise"))
      .def("alignable",
           [](const SharedAligner& a) {
             const Alone alone(a.lock, "the aligner");
             std::vector<uint8_t> out(a.pairs());
             for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<uint8_t>(a.alignable(i));
             return numpy_of(std::move(out));
           })
      .def("expect", alone<double (Aligner::*)()>(&Aligner::expect))
      .def("maximise", alone(&Aligner::maximise))
      .def(
          "restore",
          [](SharedAligner& a, Array<double> weights, Array<double> counts, uint32_t steps) {
            const Alone alone(a.lock, "the aligner");
            a.restore(span_of(weights), span_of(counts), steps);
          },
          nb::arg("weights"), nb::arg("counts"), nb::arg("steps"))
      .def_prop_ro("steps",
                   [](const SharedAligner& a) {
                     const Alone alone(a.lock, "the aligner");
                     return a.steps();
                   })
      .def("pieces", &pieces)
      .def("weights",
           [](const SharedAligner& a) {
             const Alone alone(a.lock, "the aligner");
             return numpy_of(a.weights());
           })
      .def("counts",
           [](const SharedAligner& a) {
             const Alone alone(a.lock, "the aligner");
             return numpy_of(a.counts());
           })
      .def("best", [](SharedAligner& a) {
        const Alone alone(a.lock, "the aligner");
        std::vector<uint64_t> offsets;
        std::vector<uint32_t> found;
        {
          nb::gil_scoped_release free;
          a.best(offsets, found);
        }
        return nb::make_tuple(numpy_of(std::move(offsets)), numpy_of(std::move(found)));
      });
}
