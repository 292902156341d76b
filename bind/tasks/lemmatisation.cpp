#include "tasks/lemmatisation/known_lemmas.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "bind.hpp"
#include "text.hpp"
#include "weights/table.hpp"

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

// The lemmas found so far, by the hashes of words and tags.
class LemmaMemory {
 public:
  explicit LemmaMemory(size_t most) : most_(most) {}

  // Of the words of sentences, each a list of tuples, or columns. find(words) is asked for the lemmas of
  // those that are new, each once. It may run any code: nothing here is half done meanwhile.
  nb::list lemmas(nb::handle sentences, int columns, const nb::callable& find) {
    if (table_.size() > most_) {
      table_ = Table();
      lemmas_.clear();
    }
    Asked asked;
    Key key = 0;
    std::vector<std::string_view> word;
    const auto add = [&](int, std::string_view part) {
      key = combine(key, hash_bytes(part));
      word.push_back(part);
    };
    const auto close = [&] {
      see(asked, key, word);
      key = 0;
      word.clear();
    };
    each_of(sentences.ptr(), "X must be a list of sentences", [&](PyObject* sentence) {
      const Py_ssize_t length = each_token(sentence, columns, add, close);
      asked.lengths.push_back(static_cast<size_t>(length));
    });
    return answered(asked, asked.keys.empty() ? nb::list() : nb::list(find(asked.words)));
  }

 private:
  struct Asked {
    std::vector<nb::object> found;  // by token
    std::vector<uint32_t> late;     // by token: which of the new words it is; kNone if it is not new
    std::vector<size_t> lengths;    // by sentence
    Table numbers;                  // of new words
    std::vector<Key> keys;
    nb::list words;
  };

  void see(Asked& asked, Key key, const std::vector<std::string_view>& word) const {
    const uint32_t id = table_.perhaps(key) ? table_.find(key) : kNone;
    asked.found.push_back(id == kNone ? nb::object() : lemmas_[id]);
    asked.late.push_back(id == kNone ? number(asked, key, word) : kNone);
  }
  static uint32_t number(Asked& asked, Key key, const std::vector<std::string_view>& word) {
    const auto next = static_cast<uint32_t>(asked.keys.size());
    const uint32_t at = asked.numbers.intern(key, next);
    if (at == next) {
      asked.keys.push_back(key);
      nb::list parts;
      for (const std::string_view part : word) parts.append(nb::str(part.data(), part.size()));
      asked.words.append(nb::tuple(parts));
    }
    return at;
  }

  nb::list answered(Asked& asked, const nb::list& lemmas) {
    if (lemmas.size() != asked.keys.size()) throw nb::value_error("each new word has one lemma");
    for (size_t k = 0; k < asked.keys.size(); ++k) {
      const auto next = static_cast<uint32_t>(lemmas_.size());
      if (table_.intern(asked.keys[k], next) == next) lemmas_.push_back(nb::object(lemmas[k]));
    }
    nb::list all;
    size_t token = 0;
    for (const size_t length : asked.lengths) {
      nb::object own = nb::steal<nb::object>(PyList_New(static_cast<Py_ssize_t>(length)));
      if (!own.is_valid()) throw nb::python_error();
      for (size_t i = 0; i < length; ++i, ++token) {
        const uint32_t late = asked.late[token];
        nb::object lemma = late == kNone ? std::move(asked.found[token]) : nb::object(lemmas[late]);
        NB_LIST_SET_ITEM(own.ptr(), static_cast<Py_ssize_t>(i), lemma.release().ptr());
      }
      all.append(own);
    }
    return all;
  }

  size_t most_;
  Table table_;
  std::vector<nb::object> lemmas_;
};

}  // namespace

void bind_lemmatisation(nb::module_& m) {
  nb::class_<KnownWords>(m, "KnownLemmas")
      .def(nb::init<Array<Key>, Array<uint32_t>, const std::vector<ScriptTuple>&>(), nb::arg("keys"),
           nb::arg("numbers"), nb::arg("scripts"))
      .def("lemmas", &KnownWords::lemmas, nb::arg("words"), nb::arg("least"));
  nb::class_<LemmaMemory>(m, "LemmaMemory")
      .def(nb::init<size_t>(), nb::arg("most"))
      .def("lemmas", &LemmaMemory::lemmas, nb::arg("sentences"), nb::arg("columns"), nb::arg("find"));
}
