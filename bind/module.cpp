// The compiled engine's Python face: arrays in, arrays out, no algorithm.
#include <nanobind/nanobind.h>

#include <exception>
#include <new>
#include <stdexcept>

namespace nb = nanobind;

// The one list of what is bound, in this order. A new task with a part in the engine adds itself here.
#define STRUCTRON_BINDINGS(BIND) \
  BIND(interrupt)                \
  BIND(features)                 \
  BIND(stored)                   \
  BIND(weights)                  \
  BIND(search)                   \
  BIND(learners)                 \
  BIND(outside)                  \
  BIND(trainer)                  \
  BIND(predictor)                \
  BIND(change)                   \
  BIND(tagging)                  \
  BIND(own)                      \
  BIND(scores)                   \
  BIND(parsing)                  \
  BIND(parsing_dp)               \
  BIND(graph_parsing)            \
  BIND(combined)                 \
  BIND(explicit)                 \
  BIND(explicit_forest)          \
  BIND(alignment)                \
  BIND(transduction)             \
  BIND(language_model)           \
  BIND(translation)              \
  BIND(word_alignment)           \
  BIND(phrases)                  \
  BIND(rules)                    \
  BIND(hiero)                    \
  BIND(voting)                   \
  BIND(classification)           \
  BIND(conllu)                   \
  BIND(lemmatisation)            \
  BIND(segmentation)             \
  BIND(word_segmentation)        \
  BIND(semantics)                \
  BIND(clustering)

#define STRUCTRON_DECLARE(name) void bind_##name(nb::module_& m);
#define STRUCTRON_CALL(name) bind_##name(m);
STRUCTRON_BINDINGS(STRUCTRON_DECLARE)

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
  STRUCTRON_BINDINGS(STRUCTRON_CALL)
}
