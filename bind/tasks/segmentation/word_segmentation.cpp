#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind.hpp"
#include "counts_out.hpp"
#include "predictor.hpp"
#include "restricted.hpp"
#include "row_arrays.hpp"
#include "shared.hpp"
#include "tasks/segmentation/boundaries.hpp"
#include "tasks/segmentation/text_view.hpp"
#include "tasks/segmentation/word_corpus.hpp"
#include "tasks/segmentation/word_decoder.hpp"
#include "tasks/segmentation/word_worker.hpp"
#include "trainer.hpp"

using namespace structron;

namespace {

using AtomTuple = std::pair<int, int>;
using TemplateTuple = std::tuple<Key, std::vector<AtomTuple>, uint32_t, uint32_t>;

std::vector<WordTemplate> templates_of(const std::vector<TemplateTuple>& tuples) {
  std::vector<WordTemplate> out;
  for (const auto& [base, atoms, first, last] : tuples) {
    WordTemplate t{base, {}, {}, first, last};
    for (const auto& [atom, offset] : atoms) {
      if (atom < 0 || atom > 255) throw nb::value_error("no such atom");
      const auto which = static_cast<WordAtom>(atom);
      (which <= WordAtom::r ? t.local : t.history).push_back({which, offset});
    }
    out.push_back(std::move(t));
  }
  return out;
}

struct Texts {
  KnownTokens known;
  WordCorpus packed;
  Packing packing;

  Texts(const WordProgram& program, SharedWeights& weights, Array<Key> keys, Array<uint8_t> whole,
        uint32_t less)
      : known(span_of(keys), span_of(whole)), packed(program, known, less, weights) {
    if (weights.columns() != program.layout().columns())
      throw nb::value_error("the weights do not fit the templates");
  }

  void add(nb::handle text, const std::vector<uint16_t>& actions) {
    const TextView view = view_of(text);
    const Packing::Change change(packing);
    packed.add(view, actions);
  }
  void keep(Array<Key> keys) {
    const Packing::Change change(packing);
    packed.keep({keys.data(), keys.shape(0)});
  }
};

Trainer* make_trainer(Texts& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner) {
  auto made = std::make_unique<Trainer>(
      weights, corpus.packed.examples(), options, [&corpus, &weights, &learner, options] {
        return worker_of<WordWorker>(corpus.packed, weights, options, learner);
      });
  if (weights.columns() != corpus.packed.program().layout().columns())
    throw nb::value_error("the weights do not fit the templates");
  check_exact(options.search, corpus.packed.program().layout(), corpus.packed.longest());
  corpus.packing.close();
  return made.release();
}

// Of a text that is restricted, the parts are bytes: the duty of each character. How many characters it has.
size_t load(WordDecoder& decoder, nb::handle given) {
  const WithParts both(given);
  if (!both.is_restricted()) return decoder.add(view_of(both.input));
  if (!nb::isinstance<nb::bytes>(both.parts)) throw nb::value_error("what is given must be bytes");
  const nb::bytes duties = nb::borrow<nb::bytes>(both.parts);
  return decoder.add(view_of(both.input), {reinterpret_cast<const uint8_t*>(duties.c_str()), duties.size()});
}

auto inputs(nb::handle texts, const WordLayout& layout, const SearchOptions& how) {
  return PythonInputs(texts, "X must be a list of texts", "text", [&](WordDecoder& decoder, nb::handle text) {
    check_exact(how, layout, load(decoder, text));
  });
}

// Per text what is done with each of its characters.
class WordPredictor final : public PredictorWith<WordDecoder> {
 public:
  WordPredictor(const WordProgram& program, const RowArrays& rows, Array<Key> keys, Array<uint8_t> whole,
                int bits)
      : layout_(program.layout()),
        known_(span_of(keys), span_of(whole)),
        weights_(program.layout().columns(), bits, spans_of(rows), LongRows::spread) {
    start([this, &program] { return std::make_unique<Decoder>(program, known_, weights_); });
  }

  nb::list predict(nb::handle texts, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), inputs(texts, layout_, how), how, threads,
                   [](const WordActions& actions) { return memory_of(WordActions(actions)); });
  }
  nb::list kbest(nb::handle texts, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return kbest_of(decoders(), inputs(texts, layout_, how), k, how, threads,
                    [](const WordActions& actions) { return memory_of(WordActions(actions)); });
  }

  nb::dict trace(nb::handle text, const nb::object& gold, const SearchOptions& how) override {
    auto borrowed = borrow();
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    check_exact(how, layout_, load(decoder, text));
    std::vector<uint16_t> actions;
    if (!gold.is_none()) {
      actions = nb::cast<std::vector<uint16_t>>(gold);
      check_gold(layout_, actions, decoder.text(0).size());
      actions.push_back(static_cast<uint16_t>(layout_.finish()));
    }
    decoder.open(0, gold.is_none() ? nullptr : actions.data());
    nb::dict out = traced(decoder, how, !gold.is_none());
    decoder.space().text({}, nullptr);
    return out;
  }

 private:
  WordLayout layout_;
  KnownTokens known_;
  Frozen weights_;
};

}  // namespace

void bind_word_segmentation(nb::module_& m) {
  nb::class_<WordProgram>(m, "WordProgram")
      .def(
          "__init__",
          [](WordProgram* self, uint32_t tags, bool sentences, bool spaces,
             const std::vector<TemplateTuple>& templates) {
            new (self) WordProgram(tags, sentences, spaces, templates_of(templates));
          },
          nb::arg("tags"), nb::arg("sentences"), nb::arg("spaces"), nb::arg("templates"))
      .def_prop_ro("columns", [](const WordProgram& p) { return p.layout().columns(); });

  nb::class_<Texts>(m, "WordCorpus")
      .def(nb::init<const WordProgram&, SharedWeights&, Array<Key>, Array<uint8_t>, uint32_t>(),
           nb::arg("program"), nb::arg("weights"), nb::arg("known"), nb::arg("whole"), nb::arg("less"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add", &Texts::add)
      .def("counts", [](Texts& c) { return counts_out(c.packed.counts()); })
      .def("keep", &Texts::keep)
      .def_prop_ro("sentences", [](const Texts& c) { return c.packed.examples(); })
      .def_prop_ro("tokens", [](const Texts& c) { return c.packed.characters(); });

  offer_trainer(m, "word_trainer", &make_trainer);

  m.def(
      "word_predictor",
      [](const WordProgram& program, const RowArrays& rows, Array<Key> known, Array<uint8_t> whole,
         int bits) -> Predictor* { return new WordPredictor(program, rows, known, whole, bits); },
      nb::arg("program"), nb::arg("rows"), nb::arg("known"), nb::arg("whole"), nb::arg("bits") = 0,
      nb::keep_alive<0, 1>());
}
