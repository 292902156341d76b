#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind.hpp"
#include "predictor.hpp"
#include "row_arrays.hpp"
#include "shared.hpp"
#include "tasks/semantics/corpus.hpp"
#include "tasks/semantics/decoder.hpp"
#include "tasks/semantics/worker.hpp"
#include "text.hpp"
#include "trainer.hpp"

using namespace structron;

namespace {

using TemplateTuple = std::tuple<Key, std::vector<uint32_t>>;
// What templates see (whole, function, seen, kind), the type, whether it is said, and for each slot its
// types.
using ProductionTuple = std::tuple<Key, Key, Key, Key, uint32_t, bool, std::vector<std::vector<uint32_t>>>;

void make_grammar(SemanticGrammar* self, const std::vector<ProductionTuple>& productions,
                  const std::vector<uint32_t>& start, const std::vector<TemplateTuple>& templates,
                  uint32_t chain, Array<uint64_t> words, Array<uint32_t> associated, Array<uint64_t> with,
                  Array<float> values, float least) {
  std::vector<SemanticProduction> made;
  for (const auto& [whole, function, seen, kind, type, spoken, slots] : productions)
    made.push_back({whole, function, seen, kind, type, spoken, slots});
  std::vector<SemanticTemplate> parsed;
  for (const auto& [base, atoms] : templates) parsed.push_back({base, atoms});
  if (associated.shape(0) != with.shape(0) || with.shape(0) != values.shape(0))
    throw nb::value_error("the associations differ in number");
  SemanticGrammar grammar(std::move(made), start, std::move(parsed), chain, least);
  for (Key word : span_of(words)) grammar.add_word(word);
  for (size_t i = 0; i < values.shape(0); ++i)
    grammar.associate(associated.data()[i], with.data()[i], values.data()[i]);
  new (self) SemanticGrammar(std::move(grammar));
}

// A question is a list of words, whose `names` are begin, end and production of each name in it.
Question read_question(nb::handle x, const SemanticGrammar& grammar) {
  Question question;
  if (PyUnicode_Check(x.ptr())) bad_token("a question must be a list of str", x.ptr());
  each_of(x.ptr(), "a question must be a list of str", [&](PyObject* word) {
    if (!PyUnicode_Check(word)) bad_token("a word must be a str", word);
    question.add_word(utf8(word));
  });
  for (const auto& [begin, end, production] :
       nb::cast<std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>>(x.attr("names")))
    question.add_name({begin, end, production}, grammar.size());
  question.see_names(grammar);
  return question;
}

std::vector<Preorder> read_forms(nb::handle y) {
  auto forms = nb::cast<std::vector<Preorder>>(y);
  if (forms.empty()) throw nb::value_error("there is no form");
  return forms;
}

struct SemanticExamples {
  SemanticCorpus packed;
  Packing packing;

  SemanticExamples(const SemanticGrammar& grammar, SharedWeights& weights) : packed(grammar) {
    check(weights);
  }
  static void check(SharedWeights& weights) {
    if (weights.columns() != 1 || weights.dense() != 1)
      throw nb::value_error("the weights do not fit semantic parsing");
  }
  void add(nb::handle x, nb::handle y) {
    Question question = read_question(x, packed.grammar());
    const auto forms = read_forms(y);
    const Packing::Change change(packing);
    packed.add(std::move(question), forms);
  }
};

Trainer* make_trainer(SemanticExamples& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner) {
  auto made = std::make_unique<Trainer>(
      weights, corpus.packed.examples(), options, [&corpus, &weights, &learner, options] {
        return worker_of<SemanticWorker>(corpus.packed, weights, options, learner);
      });
  SemanticExamples::check(weights);
  if (learner.constraints() > 1) corpus.packed.check_all_ways();
  corpus.packing.close();
  return made.release();
}

class SemanticPredictor final : public PredictorWith<SemanticDecoder> {
 public:
  SemanticPredictor(const SemanticGrammar& grammar, const RowArrays& rows, int bits)
      : grammar_(grammar), weights_(1, bits, spans_of(rows), LongRows::cells, 1) {
    start([this] { return std::make_unique<Decoder>(grammar_, weights_); });
  }

  auto inputs(nb::handle questions, bool all_ways) {
    const SemanticGrammar& grammar = grammar_;
    return PythonInputs(questions, "X must be a list of questions", "question",
                        [&grammar, all_ways](Decoder& decoder, nb::handle question) {
                          decoder.add(read_question(question, grammar), all_ways);
                        });
  }

  nb::list predict(nb::handle questions, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), inputs(questions, false), how, threads,
                   [](const Preorder& form) { return nb::cast(form); });
  }
  nb::list kbest(nb::handle questions, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return kbest_of(decoders(), inputs(questions, true), k, how, threads,
                    [](const Preorder& form) { return nb::cast(form); });
  }
  nb::dict trace(nb::handle question, const nb::object& gold, const SearchOptions& how) override {
    auto borrowed = borrow();
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    decoder.add(read_question(question, grammar_), false);
    std::unique_ptr<HybridGold> forced;
    if (!gold.is_none()) {
      HybridLayout layout(grammar_);
      layout.read(decoder.question(0));
      forced = std::make_unique<HybridGold>(grammar_, layout, read_forms(gold));
      if (!forced->reachable()) throw nb::value_error("no derivation yields the form");
    }
    decoder.open(0, forced.get());
    nb::dict out = traced(decoder, how, forced != nullptr);
    decoder.space().read({}, nullptr);
    return out;
  }

 private:
  const SemanticGrammar& grammar_;
  Frozen weights_;
};

}  // namespace

void bind_semantics(nb::module_& m) {
  nb::class_<SemanticGrammar>(m, "SemanticGrammar")
      .def("__init__", &make_grammar, nb::arg("productions"), nb::arg("start"), nb::arg("templates"),
           nb::arg("chain"), nb::arg("words"), nb::arg("associated"), nb::arg("with_words"),
           nb::arg("values"), nb::arg("least"))
      .def(
          "check",
          [](const SemanticGrammar& grammar, nb::handle question, bool all_ways) {
            ChartBound(grammar).check(read_question(question, grammar), all_ways);
          },
          nb::arg("question"), nb::arg("all_ways"));

  nb::class_<SemanticExamples>(m, "SemanticCorpus")
      .def(nb::init<const SemanticGrammar&, SharedWeights&>(), nb::arg("grammar"), nb::arg("weights"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add", &SemanticExamples::add, nb::arg("question"), nb::arg("forms"))
      .def_prop_ro("sentences", [](const SemanticExamples& c) { return c.packed.examples(); })
      .def_prop_ro("tokens", [](const SemanticExamples& c) { return c.packed.words(); })
      .def_prop_ro("unreachable", [](const SemanticExamples& c) { return c.packed.unreachable(); });

  offer_trainer(m, "semantics_trainer", &make_trainer);

  m.def(
      "semantics_predictor",
      [](const SemanticGrammar& grammar, const RowArrays& rows, int bits) -> Predictor* {
        return new SemanticPredictor(grammar, rows, bits);
      },
      nb::arg("grammar"), nb::arg("rows"), nb::arg("bits") = 0, nb::keep_alive<0, 1>());
}
