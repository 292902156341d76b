#include "tasks/lemmatisation/known_lemmas.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "bind.hpp"
#include "text.hpp"

using namespace structron;

namespace {

using ScriptTuple = std::tuple<std::string, size_t, std::string, size_t, std::string>;

class KnownWords {
 public:
  KnownWords(Array<Key> keys, Array<uint32_t> numbers, const std::vector<ScriptTuple>& scripts)
      : known_(span_of(keys), span_of(numbers), scripts_of(scripts)) {}

  // Of words that are tuples, the form and its tags, as many at least as `least`: the lemma, None if the word
  // is new, or Ellipsis if the definition must be asked.
  nb::list lemmas(nb::handle words, size_t least) const {
    nb::list all;
    std::string key, lemma;
    std::vector<size_t> ends;
    each_of(words.ptr(), "words must be a list of tuples", [&](PyObject* word) {
      if (!PyTuple_Check(word) || NB_TUPLE_GET_SIZE(word) == 0) bad_token("a word must be a tuple", word);
      key.clear();
      ends.clear();
      for (Py_ssize_t c = 0; c < NB_TUPLE_GET_SIZE(word); ++c) {
        PyObject* part = NB_TUPLE_GET_ITEM(word, c);
        if (!PyUnicode_Check(part)) bad_token("a column must be a str", part);
        if (c > 0) key += '\t';
        key += utf8(part);
        ends.push_back(key.size());
      }
      all.append(found(key, ends, least, lemma));
    });
    return all;
  }

 private:
  static std::vector<EditScript> scripts_of(const std::vector<ScriptTuple>& tuples) {
    std::vector<EditScript> scripts;
    for (const auto& [casing, first, before, last, after] : tuples)
      scripts.push_back({casing.empty() ? char{0} : casing[0], first, before, last, after});
    return scripts;
  }

  nb::object found(std::string_view key, const std::vector<size_t>& ends, size_t least,
                   std::string& lemma) const {
    const std::string_view form = key.substr(0, ends[0]);
    for (size_t size = ends.size(); size > least; --size) {
      const EditScript* script = known_.find(key.substr(0, ends[size - 1]));
      if (script == nullptr) continue;
      if (!is_ascii(form) || !script->is_ascii()) return nb::borrow(Py_Ellipsis);
      if (script->apply(form, lemma)) return nb::str(lemma.c_str(), lemma.size());
    }
    return nb::none();
  }

  KnownLemmas known_;
};

}  // namespace

void bind_lemmatisation(nb::module_& m) {
  nb::class_<KnownWords>(m, "KnownLemmas")
      .def(nb::init<Array<Key>, Array<uint32_t>, const std::vector<ScriptTuple>&>(), nb::arg("keys"),
           nb::arg("numbers"), nb::arg("scripts"))
      .def("lemmas", &KnownWords::lemmas, nb::arg("words"), nb::arg("least"));
}
