#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "text.hpp"
#include "text/agglomeration.hpp"
#include "text/bigrams.hpp"
#include "text/exchange.hpp"
#include "text/gazetteers.hpp"

using namespace structron;

namespace {

void add_sentence(BigramCounter& counter, nb::handle sentence) {
  for (nb::handle word : sentence) {
    if (!PyUnicode_Check(word.ptr())) bad_token("a word must be a str", word.ptr());
    counter.word(utf8(word.ptr()));
  }
  counter.close();
}

template <class T>
std::vector<T> copied(const Array<T>& array) {
  const std::span<const T> all = span_of(array);
  return {all.begin(), all.end()};
}

void bind_gazetteers(nb::module_& m) {
  nb::class_<Gazetteers>(m, "Gazetteers")
      .def(nb::init<const std::vector<std::string>&>(), nb::arg("lists"))
      .def(
          "mark",
          [](const Gazetteers& self, const std::vector<std::string>& words) {
            const std::vector<std::string_view> views(words.begin(), words.end());
            std::vector<std::vector<std::string_view>> marks;
            self.mark(views, marks);
            return marks;
          },
          nb::arg("words"));
}

void bind_counting(nb::module_& m) {
  nb::class_<BigramCounter>(m, "BigramCounter")
      .def(nb::init<uint64_t, uint64_t>(), nb::arg("most_pairs") = BigramCounter::kMostPairs,
           nb::arg("most_words") = BigramCounter::kMostWords)
      .def("add", &add_sentence, nb::arg("sentence"))
      .def("settle", &BigramCounter::settle)
      .def("part",
           [](const BigramCounter& self) {
             PartCounts part = self.part();
             return nb::make_tuple(part.words, numpy_of(std::move(part.times)),
                                   numpy_of(std::move(part.left)), numpy_of(std::move(part.right)),
                                   numpy_of(std::move(part.both)), part.sentences, part.tokens);
           })
      .def(
          "add_part",
          [](BigramCounter& self, std::vector<std::string> words, const Array<uint64_t>& times,
             const Array<uint32_t>& left, const Array<uint32_t>& right, const Array<uint32_t>& both,
             uint64_t sentences, uint64_t tokens) {
            self.add({std::move(words), copied(times), copied(left), copied(right), copied(both), sentences,
                      tokens});
          },
          nb::arg("words"), nb::arg("times"), nb::arg("left"), nb::arg("right"), nb::arg("both"),
          nb::arg("sentences"), nb::arg("tokens"))
      .def("give", &BigramCounter::give, nb::arg("least"))
      .def_prop_ro("tokens", &BigramCounter::tokens);

  nb::class_<Bigrams>(m, "Bigrams")
      .def_ro("words", &Bigrams::words)
      .def_prop_ro("times", [](const Bigrams& b) { return numpy_of(b.times); })
      .def_prop_ro("neighbours", [](const Bigrams& b) { return numpy_of(b.neighbours()); });
}

}  // namespace

void bind_clustering(nb::module_& m) {
  bind_gazetteers(m);
  bind_counting(m);

  nb::class_<Exchange>(m, "Exchange")
      .def(nb::init<const Bigrams&, uint32_t>(), nb::arg("bigrams"), nb::arg("classes"),
           nb::keep_alive<1, 2>())
      .def(
          "run",
          [](Exchange& self, uint32_t from, uint32_t to, uint32_t threads) {
            const nb::gil_scoped_release release;
            Pool pool(threads);
            return self.run(from, to, pool);
          },
          nb::arg("first"), nb::arg("last"), nb::arg("threads") = 1)
      .def_prop_ro("classes", [](const Exchange& e) { return e.counts().classes(); })
      .def_prop_ro("of_words", [](const Exchange& e) { return numpy_of(e.of_words()); })
      .def_prop_ro("quality", &Exchange::quality);

  nb::class_<Agglomeration>(m, "Agglomeration")
      .def(nb::init<const Exchange&>(), nb::arg("exchange"))
      .def(
          "run",
          [](Agglomeration& self, uint32_t merges, uint32_t threads) {
            const nb::gil_scoped_release release;
            Pool pool(threads);
            return self.run(merges, pool);
          },
          nb::arg("merges"), nb::arg("threads") = 1)
      .def_prop_ro("left", &Agglomeration::left);
}
