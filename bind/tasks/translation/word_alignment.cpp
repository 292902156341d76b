#include "tasks/translation/words/word_alignment.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bind.hpp"
#include "guards.hpp"
#include "tasks/translation/words/symmetrisation.hpp"

using namespace structron;

namespace {

using Words = Array<uint32_t>;
using Offsets = Array<uint64_t>;

// Several threads may hold one.
struct SharedWordAligner : WordAligner {
  using WordAligner::WordAligner;
  mutable Lock lock;
};

using Linked = std::tuple<Offsets, Words, Words>;  // offsets, source positions, target positions

Symmetriser::Links links_of(const Linked& all, size_t pair) {
  const auto& [offsets, source, target] = all;
  const uint64_t begin = offsets.data()[pair], end = offsets.data()[pair + 1];
  if (begin > end || end > source.shape(0) || end > target.shape(0))
    throw std::invalid_argument("offsets do not rise or point too far");
  Symmetriser::Links links;
  for (uint64_t k = begin; k < end; ++k) links.emplace_back(source.data()[k], target.data()[k]);
  return links;
}

nb::tuple symmetrise(Linked forth, Linked back, int method) {
  if (method < 0 || method > 2) throw nb::value_error("no such way to symmetrise");
  const size_t offsets = std::get<0>(forth).shape(0);
  if (offsets == 0 || std::get<0>(back).shape(0) != offsets)
    throw nb::value_error("the two directions have different numbers of pairs");
  LinkArrays found;
  {
    nb::gil_scoped_release free;
    Symmetriser symmetriser;
    for (size_t pair = 0; pair + 1 < offsets; ++pair) {
      for (const auto& [i, j] :
           symmetriser(links_of(forth, pair), links_of(back, pair), static_cast<Symmetrise>(method))) {
        found.source.push_back(i);
        found.target.push_back(j);
      }
      found.offsets.push_back(found.source.size());
    }
  }
  return nb::make_tuple(numpy_of(std::move(found.offsets)), numpy_of(std::move(found.source)),
                        numpy_of(std::move(found.target)));
}

int checked(int direction) {
  if (direction != 0 && direction != 1) throw nb::value_error("a direction is 0 or 1");
  return direction;
}

using Self = SharedWordAligner;

// One of its methods that give an array of a direction, for one caller at a time.
template <class Read>
auto array_from(Read read) {
  return [read](const Self& self, int direction) {
    const Alone alone(self.lock, "the aligner");
    return numpy_of((self.*read)(checked(direction)));
  };
}

std::pair<double, double> step(Self& self, bool hmm) {
  const Alone alone(self.lock, "the aligner");
  nb::gil_scoped_release free;
  const auto found = self.step(hmm);
  return {found[0], found[1]};
}

nb::object best(Self& self, int direction) {
  const Alone alone(self.lock, "the aligner");
  std::vector<uint32_t> found;
  {
    nb::gil_scoped_release free;
    found = self.best(checked(direction));
  }
  return numpy_of(std::move(found));
}

}  // namespace

void bind_word_alignment(nb::module_& m) {
  m.def("symmetrise", &symmetrise, nb::arg("forth"), nb::arg("back"), nb::arg("method"));
  nb::class_<Self>(m, "WordAligner")
      .def(
          "__init__",
          [](Self* self, Words sources, Offsets source_offsets, Words targets, Offsets target_offsets,
             uint32_t source_words, uint32_t target_words, double null, double uniform, bool agree,
             uint32_t threads) {
            nb::gil_scoped_release free;
            new (self)
                Self({span_of(sources), span_of(targets)}, {span_of(source_offsets), span_of(target_offsets)},
                     {source_words, target_words}, AlignmentOptions{null, uniform, agree}, threads);
          },
          nb::arg("sources"), nb::arg("source_offsets"), nb::arg("targets"), nb::arg("target_offsets"),
          nb::arg("source_words"), nb::arg("target_words"), nb::arg("null"), nb::arg("uniform"),
          nb::arg("agree"), nb::arg("threads"))
      .def("step", &step, nb::arg("hmm"))
      .def(
          "restore",
          [](Self& self, int direction, Array<double> lexical, Array<double> null, Array<double> jumps,
             uint32_t steps) {
            const Alone alone(self.lock, "the aligner");
            self.restore(checked(direction), span_of(lexical), span_of(null), span_of(jumps), steps);
          },
          nb::arg("direction"), nb::arg("lexical"), nb::arg("null"), nb::arg("jumps"), nb::arg("steps"))
      .def_prop_ro("steps",
                   [](const Self& self) {
                     const Alone alone(self.lock, "the aligner");
                     return self.steps();
                   })
      .def("best", &best, nb::arg("direction"))
      .def(
          "posteriors",
          [](Self& self, int direction, size_t pair) {
            const Alone alone(self.lock, "the aligner");
            if (pair >= self.size()) throw nb::value_error("there is no such pair");
            return numpy_of(self.posteriors(checked(direction), pair));
          },
          nb::arg("direction"), nb::arg("pair"))
      .def("pairs",
           [](const Self& self) {
             const Alone alone(self.lock, "the aligner");
             return numpy_of(self.pairs());
           })
      .def("lexical", array_from(&WordAligner::lexical))
      .def("null", array_from(&WordAligner::null))
      .def("jumps", array_from(&WordAligner::jumps));
}
