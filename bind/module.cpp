// The compiled engine's Python face: arrays in, arrays out, no algorithm.
#include <nanobind/nanobind.h>

#include <exception>
#include <new>
#include <stdexcept>

namespace nb = nanobind;

void bind_interrupt(nb::module_& m);
void bind_features(nb::module_& m);
void bind_stored(nb::module_& m);
void bind_weights(nb::module_& m);
void bind_search(nb::module_& m);
void bind_learners(nb::module_& m);
void bind_trainer(nb::module_& m);
void bind_predictor(nb::module_& m);
void bind_change(nb::module_& m);
void bind_tagging(nb::module_& m);
void bind_own(nb::module_& m);
void bind_parsing(nb::module_& m);
void bind_parsing_dp(nb::module_& m);
void bind_graph_parsing(nb::module_& m);
void bind_tree_scores(nb::module_& m);
void bind_explicit(nb::module_& m);
void bind_explicit_forest(nb::module_& m);
void bind_alignment(nb::module_& m);
void bind_transduction(nb::module_& m);
void bind_language_model(nb::module_& m);
void bind_translation(nb::module_& m);
void bind_word_alignment(nb::module_& m);
void bind_phrases(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_hiero(nb::module_& m);
void bind_voting(nb::module_& m);
void bind_classification(nb::module_& m);
void bind_conllu(nb::module_& m);
void bind_lemmatisation(nb::module_& m);
void bind_segmentation(nb::module_& m);
void bind_word_segmentation(nb::module_& m);
void bind_semantics(nb::module_& m);
void bind_clustering(nb::module_& m);

namespace {

// What cannot be allocated is one sentence, too. A vector that would be too long is no mistake of whoever
// gave the values: it is want of memory.
void as_want_of_memory(const std::exception_ptr& thrown, void*) {
  const auto raise = [] {
    try {
      nb::module_::import_("structron.errors").attr("out_of_memory")();
    } catch (nb::python_error& raised) {
      raised.restore();
    }
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    raise();
  } catch (const std::length_error&) {
    raise();
  }
}

}  // namespace

NB_MODULE(_core, m) {
  nb::register_exception_translator(&as_want_of_memory);
  // A tagger kept in a global until the interpreter ends is no leak worth a warning.
  nb::set_leak_warnings(false);
  m.doc() = "The compiled engine.";
  bind_interrupt(m);
  bind_features(m);
  bind_stored(m);
  bind_weights(m);
  bind_search(m);
  bind_learners(m);
  bind_trainer(m);
  bind_predictor(m);
  bind_change(m);
  bind_tagging(m);
  bind_own(m);
  bind_parsing(m);
  bind_parsing_dp(m);
  bind_graph_parsing(m);
  bind_tree_scores(m);
  bind_explicit(m);
  bind_explicit_forest(m);
  bind_alignment(m);
  bind_transduction(m);
  bind_language_model(m);
  bind_translation(m);
  bind_word_alignment(m);
  bind_phrases(m);
  bind_rules(m);
  bind_hiero(m);
  bind_voting(m);
  bind_classification(m);
  bind_conllu(m);
  bind_lemmatisation(m);
  bind_segmentation(m);
  bind_word_segmentation(m);
  bind_semantics(m);
  bind_clustering(m);
}
