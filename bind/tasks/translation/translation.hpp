// Sources, references and translations on their way between Python and the engine.
#pragma once
#include <string>
#include <vector>

#include "bind.hpp"
#include "predictor.hpp"
#include "tasks/translation/decoding/loaded_sources.hpp"
#include "text.hpp"

inline void read_words(PyObject* sentence, const char* what, std::vector<structron::Key>& out) {
  each_of(sentence, what, [&](PyObject* word) {
    if (!PyUnicode_Check(word)) bad_token("a word must be a str", word);
    out.push_back(structron::hash_bytes(utf8(word)));
  });
}

inline constexpr const char* kSource = "a source must be a list of str";

inline void read_source(nb::handle x, std::vector<structron::Key>& out) {
  if (PyUnicode_Check(x.ptr())) bad_token(kSource, x.ptr());
  read_words(x.ptr(), kSource, out);
}

inline std::vector<std::vector<structron::Key>> read_references(nb::handle y) {
  constexpr const char* kReferences = "references must be a list of lists of str";
  if (PyUnicode_Check(y.ptr())) bad_token(kReferences, y.ptr());
  const Sequence all(y.ptr(), kReferences);
  if (all.size() == 0) throw nb::value_error("there is no reference");
  std::vector<std::vector<structron::Key>> out(static_cast<size_t>(all.size()));
  for (Py_ssize_t r = 0; r < all.size(); ++r) {
    if (PyUnicode_Check(all[r])) bad_token("a reference must be a list of str", all[r]);
    read_words(all[r], "a reference must be a list of str", out[static_cast<size_t>(r)]);
  }
  return out;
}

// Loads one source into a decoder, word by word.
template <class Decoder>
void load_source(Decoder& decoder, nb::handle source) {
  if (PyUnicode_Check(source.ptr())) bad_token(kSource, source.ptr());
  each_of(source.ptr(), kSource, [&](PyObject* word) {
    if (!PyUnicode_Check(word)) bad_token("a word must be a str", word);
    decoder.add_word(utf8(word));
  });
  decoder.close_source();
}

// A predictor of translations.
class TranslationPredictor : public Predictor {
 public:
  // Per source what its best translation was built of, with the places of each part.
  virtual nb::list derivations(nb::handle sources, const structron::SearchOptions& how, uint32_t threads) = 0;
  // Per source the k best: their words, scores, and dense features as one array.
  virtual nb::list listed(nb::handle sources, uint32_t k, structron::SearchOptions how, uint32_t threads) = 0;
  // With `prefix` gold may reach but a part of the references, of which at most `cap` derivations are kept.
  virtual nb::dict trace_with(nb::handle source, const nb::object& gold, const structron::SearchOptions& how,
                              bool prefix, uint32_t cap) = 0;
};

// The words of a translation; `names` is the target vocabulary.
inline nb::object words_of(const std::vector<nb::object>& names, const structron::Translated& t) {
  nb::list out;
  size_t copied = 0;
  for (uint32_t word : t.words) {
    if (word != structron::kNone) {
      out.append(names[word]);
    } else {
      const std::string& text = t.copied[copied++];
      out.append(nb::str(text.c_str(), text.size()));
    }
  }
  return out;
}

// The k best of one source: their words, scores, and dense features as one array.
template <class Listed>
nb::tuple list_out(const std::vector<nb::object>& names, const std::vector<Listed>& best) {
  nb::list outputs;
  std::vector<double> scores, dense;
  for (const auto& each : best) {
    outputs.append(words_of(names, each.output));
    scores.push_back(each.score);
    dense.insert(dense.end(), each.dense.begin(), each.dense.end());
  }
  return nb::make_tuple(outputs, numpy_of(std::move(scores)), numpy_of(std::move(dense)));
}
