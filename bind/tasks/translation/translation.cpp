#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "bind.hpp"
#include "predictor.hpp"
#include "row_arrays.hpp"
#include "shared.hpp"
#include "tasks/translation/decoding/corpus.hpp"
#include "tasks/translation/decoding/decoder.hpp"
#include "tasks/translation/decoding/worker.hpp"
#include "tasks/translation/translation.hpp"
#include "text.hpp"
#include "trainer.hpp"

using namespace structron;

namespace {

using TemplateTuple = std::tuple<Key, std::vector<uint32_t>>;

// The table and how it is used: what all translators of one task share.
struct Phrases {
  Phrasebook book;
  TranslationSettings settings;
  std::vector<nb::object> words;  // the target vocabulary
};

// Options that a training pair has a part in: their numbers, what is left of their counts, and two
// logarithms.
using LeftArrays = std::tuple<Array<uint32_t>, Array<uint32_t>, Array<float>, Array<float>>;

// Where less than `least` is left of its count an option is gone, unless it is of one word and one word.
std::vector<LeftOption> left_options(const Phrasebook& book, const LeftArrays& arrays, uint32_t least) {
  const auto& [options, counts, forth, back] = arrays;
  const size_t n = options.shape(0);
  if (counts.shape(0) != n || forth.shape(0) != n || back.shape(0) != n)
    throw nb::value_error("the arrays differ in length");
  std::vector<LeftOption> found;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t option = options.data()[i];
    if (option >= book.options() || (i > 0 && option <= options.data()[i - 1]))
      throw nb::value_error("the options that are left are not in order");
    const bool is_gone = counts.data()[i] < least && !book.is_of_single_words(option);
    found.push_back({option, forth.data()[i], back.data()[i], is_gone});
  }
  return found;
}

struct TranslationExamples {
  TranslationCorpus packed;
  Packing packing;
  uint32_t least;

  // `others`: more tables, of which a pair may name one. They are used as the first one is.
  TranslationExamples(const Phrases& phrases, SharedWeights& weights, bool prefix, uint32_t cap,
                      uint32_t least_left, int aim, uint32_t among, const std::vector<const Phrases*>& others)
      : packed(books_of(phrases, others), phrases.settings, prefix, cap, static_cast<Aim>(aim), among),
        least(least_left) {
    if (aim < 0 || aim > 2) throw nb::value_error("no such aim");
    if (among == 0) throw nb::value_error("lists must have at least one translation");
    if (weights.columns() != 1 || weights.dense() != Dense::kSize)
      throw nb::value_error("the weights do not fit translation");
  }

  static std::vector<const Phrasebook*> books_of(const Phrases& first,
                                                 const std::vector<const Phrases*>& others) {
    std::vector<const Phrasebook*> books{&first.book};
    for (const Phrases* each : others) books.push_back(&each->book);
    return books;
  }

  // book: of the tables, from 0.
  void add(nb::handle x, nb::handle y, const std::optional<LeftArrays>& left, uint32_t book) {
    if (book >= packed.books().size()) throw nb::value_error("there is no such table");
    std::vector<Key> source;
    read_source(x, source);
    const auto references = read_references(y);
    const std::vector<LeftOption> changed =
        left ? left_options(*packed.books()[book], *left, least) : std::vector<LeftOption>();
    const Packing::Change change(packing);
    packed.add(source, references, changed, book);
  }
};

template <template <class> class Comparing>
Trainer* make_trainer(TranslationExamples& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner) {
  auto made = std::make_unique<Trainer>(
      weights, corpus.packed.examples(), options, [&corpus, &weights, &learner, options] {
        return worker_of<TranslationWorker<Comparing>>(corpus.packed, weights, options, learner);
      });
  if (weights.columns() != 1 || weights.dense() != Dense::kSize)
    throw nb::value_error("the weights do not fit translation");
  corpus.packing.close();
  return made.release();
}

void load(TranslationDecoder& decoder, nb::handle source) {
  load_source(decoder, source);
}
auto inputs(nb::handle sources) {
  return PythonInputs(sources, "X must be a list of sources", "source", &load);
}

// A phrase over source words: where it starts and ends, and its number in the table or None if it is copied.
nb::tuple phrase_out(uint32_t start, uint32_t end, uint32_t entry) {
  return nb::make_tuple(start, end, entry == kNone ? nb::none() : nb::cast(entry));
}

class PhrasePredictor final : public PredictorWith<TranslationDecoder, TranslationPredictor> {
 public:
  PhrasePredictor(const Phrases& phrases, const RowArrays& rows, int bits)
      : phrases_(phrases), weights_(1, bits, spans_of(rows), LongRows::cells, Dense::kSize) {
    start([this, largest = largest_of(spans_of(rows).weights)] {
      return std::make_unique<Decoder>(phrases_.book, phrases_.settings, weights_, largest);
    });
  }

  nb::list predict(nb::handle sources, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), inputs(sources), how, threads,
                   [&](const Translated& t) { return words_of(t); });
  }
  // Per source the phrases of its best translation: (start, end, number in the table or None).
  nb::list derivations(nb::handle sources, const SearchOptions& how, uint32_t threads) override {
    return answers_to(
        decoders(), inputs(sources), how, threads,
        [](Decoder& decoder, const auto& search) { return decoder.derivation(search); },
        [](const std::vector<Decoder::Used>& used) {
          nb::list out;
          for (const auto& each : used) out.append(phrase_out(each.start, each.end, each.entry));
          return out;
        });
  }
  nb::list kbest(nb::handle sources, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return kbest_of(decoders(), inputs(sources), k, how, threads,
                    [&](const Translated& t) { return words_of(t); });
  }
  nb::list listed(nb::handle sources, uint32_t k, SearchOptions how, uint32_t threads) override {
    how = Decoder::Search::kbest_options(how, k);
    if (!how.arcs) throw nb::value_error("lists for tuning come from a beam that merges");
    return answers_to(
        decoders(), inputs(sources), how, threads,
        [k](Decoder& decoder, const auto& search) { return decoder.listed(search, k); },
        [&](const std::vector<Decoder::Listed>& best) { return list_out(phrases_.words, best); });
  }

  nb::dict trace(nb::handle source, const nb::object& gold, const SearchOptions& how) override {
    return trace_with(source, gold, how, false, PhraseGold::kCap);
  }
  nb::dict trace_with(nb::handle source, const nb::object& gold, const SearchOptions& how, bool prefix,
                      uint32_t cap) override {
    auto borrowed = borrow();
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    load(decoder, source);
    std::unique_ptr<PhraseGold> forced;
    if (!gold.is_none()) {
      SentenceOptions options(phrases_.book);
      options.read(decoder.source(0));
      forced = std::make_unique<PhraseGold>(options, read_references(gold),
                                            phrases_.settings.distortion_limit, prefix, cap);
      if (!forced->reachable() && forced->words() == 0)
        throw nb::value_error("no derivation yields the reference");
    }
    decoder.open(0, forced.get());
    nb::dict out = traced(decoder, how, forced != nullptr);
    decoder.space().source({}, nullptr);
    return out;
  }

 private:
  nb::object words_of(const Translated& t) const { return ::words_of(phrases_.words, t); }

  static float largest_of(std::span<const float> weights) {
    return weights.empty() ? 0 : std::max(0.0f, *std::max_element(weights.begin(), weights.end()));
  }

  const Phrases& phrases_;
  Frozen weights_;
};

using Words = std::vector<std::string>;

void make_phrases(Phrases* self, const Words& source_vocabulary, const Words& target_vocabulary,
                  const LanguageModel& model, const std::vector<Array<uint32_t>>& numbers,
                  Array<float> model_bounds, Array<uint8_t> links, Array<float> scores,
                  Array<float> reordering, const std::vector<TemplateTuple>& templates,
                  uint32_t distortion_limit, float scale, bool frozen, bool outlook) {
  if (numbers.size() != 7) throw nb::value_error("seven arrays of numbers make a phrase table");
  const PhraseSpans arrays{span_of(numbers[0]),   span_of(numbers[1]), span_of(numbers[2]),
                           span_of(numbers[3]),   span_of(numbers[4]), span_of(numbers[5]),
                           span_of(model_bounds), span_of(scores),     span_of(reordering),
                           span_of(numbers[6]),   span_of(links)};
  TranslationSettings settings{{}, distortion_limit, scale, frozen, outlook};
  for (const auto& [base, atoms] : templates) settings.templates.push_back({base, atoms});
  settings.check();
  std::vector<nb::object> words;
  for (const std::string& s : target_vocabulary) words.push_back(nb::str(s.c_str(), s.size()));
  new (self)
      Phrases{Phrasebook(source_vocabulary, target_vocabulary, arrays, model), settings, std::move(words)};
}

// All options of a sentence: (start, end, number in the table or None).
nb::list options_of_sentence(const Phrases& phrases, nb::handle source) {
  std::vector<Key> words;
  read_source(source, words);
  SentenceOptions options(phrases.book);
  options.read(words);
  nb::list out;
  for (uint32_t o = 0; o < options.size(); ++o)
    out.append(phrase_out(options[o].start, options[o].end, options[o].entry));
  return out;
}

// How many source words gold covers, and whether it is whole.
nb::tuple reach(const Phrases& phrases, nb::handle source, nb::handle references, bool prefix, uint32_t cap) {
  std::vector<Key> words;
  read_source(source, words);
  SentenceOptions options(phrases.book);
  options.read(words);
  const PhraseGold gold(options, read_references(references), phrases.settings.distortion_limit, prefix, cap);
  return nb::make_tuple(gold.words(), gold.reachable());
}

}  // namespace

void bind_translation(nb::module_& m) {
  nb::class_<Phrases>(m, "Phrases")
      .def("__init__", &make_phrases, nb::arg("source_vocabulary"), nb::arg("target_vocabulary"),
           nb::arg("model"), nb::arg("numbers"), nb::arg("model_bounds"), nb::arg("links"), nb::arg("scores"),
           nb::arg("reordering"), nb::arg("templates"), nb::arg("distortion_limit"), nb::arg("scale"),
           nb::arg("frozen"), nb::arg("outlook") = true, nb::keep_alive<1, 4>())
      .def("options", &options_of_sentence, nb::arg("source"))
      .def("reach", &reach, nb::arg("source"), nb::arg("references"), nb::arg("prefix") = false,
           nb::arg("cap") = PhraseGold::kCap);

  nb::class_<TranslationExamples>(m, "TranslationCorpus")
      .def(nb::init<const Phrases&, SharedWeights&, bool, uint32_t, uint32_t, int, uint32_t,
                    const std::vector<const Phrases*>&>(),
           nb::arg("phrases"), nb::arg("weights"), nb::arg("prefix") = false,
           nb::arg("cap") = PhraseGold::kCap, nb::arg("least") = 1, nb::arg("aim") = 0, nb::arg("among") = 50,
           nb::arg("others") = std::vector<const Phrases*>{}, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
           nb::keep_alive<1, 9>())
      .def("add", &TranslationExamples::add, nb::arg("source"), nb::arg("references"),
           nb::arg("left") = nb::none(), nb::arg("book") = 0)
      .def_prop_ro("sentences", [](const TranslationExamples& c) { return c.packed.examples(); })
      .def_prop_ro("tokens", [](const TranslationExamples& c) { return c.packed.words(); })
      .def_prop_ro("unreachable", [](const TranslationExamples& c) { return c.packed.unreachable(); })
      .def_prop_ro("prefixes", [](const TranslationExamples& c) { return c.packed.prefixes(); });

  offer_trainer(m, "translation_trainer", &make_trainer<Watched>);
  offer_trainer(m, "coverage_trainer", &make_trainer<WatchedClasses>);

  nb::class_<TranslationPredictor, Predictor>(m, "TranslationPredictor")
      .def("derivations", &TranslationPredictor::derivations, nb::arg("xs"), nb::arg("search"),
           nb::arg("threads") = 1)
      .def("listed", &TranslationPredictor::listed, nb::arg("xs"), nb::arg("k"), nb::arg("search"),
           nb::arg("threads") = 1)
      .def("trace", &TranslationPredictor::trace_with, nb::arg("x"), nb::arg("gold").none(),
           nb::arg("search"), nb::arg("prefix") = false, nb::arg("cap") = PhraseGold::kCap);
  m.def(
      "translation_predictor",
      [](const Phrases& phrases, const RowArrays& rows, int bits) -> TranslationPredictor* {
        return new PhrasePredictor(phrases, rows, bits);
      },
      nb::arg("phrases"), nb::arg("rows"), nb::arg("bits") = 0, nb::keep_alive<0, 1>());
}
