#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>

#include "bind.hpp"
#include "predictor.hpp"
#include "row_arrays.hpp"
#include "shared.hpp"
#include "tasks/translation/hiero/corpus.hpp"
#include "tasks/translation/hiero/decoder.hpp"
#include "tasks/translation/hiero/worker.hpp"
#include "tasks/translation/translation.hpp"
#include "text.hpp"
#include "trainer.hpp"

using namespace structron;

namespace {

using TemplateTuple = std::tuple<Key, std::vector<uint32_t>>;

// The rules and how they are used: what all translators of one task share.
struct Rules {
  Rulebook book;
  HieroSettings settings;
  std::vector<nb::object> words;  // the target vocabulary
};

using Words = std::vector<std::string>;

void make_rules(Rules* self, const Words& source_vocabulary, const Words& target_vocabulary,
                const LanguageModel& model, const std::vector<Array<uint32_t>>& numbers, Array<float> scores,
                Array<uint8_t> links, const std::vector<TemplateTuple>& templates, uint32_t span_limit,
                float scale, bool frozen, std::pair<uint32_t, uint32_t> limits) {
  if (numbers.size() != 10) throw nb::value_error("ten arrays of numbers make a table of rules");
  const RuleSpans arrays{span_of(numbers[0]), span_of(numbers[1]), span_of(numbers[2]), span_of(numbers[3]),
                         span_of(numbers[4]), span_of(numbers[5]), span_of(numbers[6]), span_of(numbers[7]),
                         span_of(numbers[8]), span_of(numbers[9]), span_of(scores),     span_of(links)};
  HieroSettings settings{{}, span_limit, scale, frozen, {limits.first, limits.second}};
  for (const auto& [base, atoms] : templates) settings.templates.push_back({base, atoms});
  settings.check();
  std::vector<nb::object> words;
  for (const std::string& s : target_vocabulary) words.push_back(nb::str(s.c_str(), s.size()));
  new (self) Rules{Rulebook(source_vocabulary, target_vocabulary, arrays, model), settings, std::move(words)};
}

// For each reference the places of its links: in the source, in the reference.
using LinkArrays = std::vector<std::pair<Array<uint32_t>, Array<uint32_t>>>;

struct HieroExamples {
  HieroCorpus packed;
  Packing packing;

  HieroExamples(const Rules& rules, SharedWeights& weights, bool prefix, uint32_t cap, uint32_t least)
      : packed(rules.book, rules.settings, prefix, cap, least) {
    check(weights);
  }
  static void check(SharedWeights& weights) {
    if (weights.columns() != 1 || weights.dense() != HieroDense::kSize)
      throw nb::value_error("the weights do not fit translation by rules");
  }

  void add(nb::handle x, nb::handle y, const std::optional<LinkArrays>& links) {
    std::vector<Key> source;
    read_source(x, source);
    const auto references = read_references(y);
    std::vector<LinkedReference> linked;
    if (links) {
      if (links->size() != references.size()) throw nb::value_error("references and links differ in number");
      for (size_t r = 0; r < references.size(); ++r) {
        LinkedReference each;
        for (Key word : references[r]) {
          const uint32_t id = packed.book().target_id(word);
          each.target.push_back(id == kNone || is_gap(id) ? kUnknownWord : id);
        }
        const auto& [from, to] = (*links)[r];
        if (from.shape(0) != to.shape(0)) throw nb::value_error("a link has two ends");
        each.source_links.assign(from.data(), from.data() + from.shape(0));
        each.target_links.assign(to.data(), to.data() + to.shape(0));
        linked.push_back(std::move(each));
      }
    }
    const Packing::Change change(packing);
    packed.add(source, references, std::move(linked));
  }
};

Trainer* make_trainer(HieroExamples& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner) {
  auto made = std::make_unique<Trainer>(
      weights, corpus.packed.examples(), options, [&corpus, &weights, &learner, options] {
        return worker_of<HieroWorker>(corpus.packed, weights, options, learner);
      });
  HieroExamples::check(weights);
  corpus.packing.close();
  return made.release();
}

void load(HieroDecoder& decoder, nb::handle source) {
  load_source(decoder, source);
}
auto inputs(nb::handle sources) {
  return PythonInputs(sources, "X must be a list of sources", "source", &load);
}

class HieroPredictor final : public PredictorWith<HieroDecoder, TranslationPredictor> {
 public:
  HieroPredictor(const Rules& rules, const RowArrays& rows, int bits)
      : rules_(rules), weights_(1, bits, spans_of(rows), LongRows::cells, HieroDense::kSize) {
    start([this] { return std::make_unique<Decoder>(rules_.book, rules_.settings, weights_); });
  }

  nb::list predict(nb::handle sources, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), inputs(sources), how, threads,
                   [&](const Translated& t) { return words_of(rules_.words, t); });
  }
  nb::list kbest(nb::handle sources, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return kbest_of(decoders(), inputs(sources), k, how, threads,
                    [&](const Translated& t) { return words_of(rules_.words, t); });
  }
  // Per source the rules of its best translation: (start, end, gaps, number in the table or None).
  nb::list derivations(nb::handle sources, const SearchOptions& how, uint32_t threads) override {
    return answers_to(
        decoders(), inputs(sources), how, threads,
        [](Decoder& decoder, const auto& search) { return decoder.derivation(search); },
        [](const std::vector<Decoder::Used>& used) {
          nb::list out;
          for (const auto& [start, end, gaps, entry] : used)
            out.append(
                nb::make_tuple(start, end, gaps, entry == kNone ? nb::object(nb::none()) : nb::cast(entry)));
          return out;
        });
  }
  nb::list listed(nb::handle sources, uint32_t k, SearchOptions how, uint32_t threads) override {
    return answers_to(
        decoders(), inputs(sources), Decoder::Search::kbest_options(how, k), threads,
        [k](Decoder& decoder, const auto& search) { return decoder.listed(search, k); },
        [&](const std::vector<Decoder::Listed>& best) { return list_out(rules_.words, best); });
  }

  nb::dict trace(nb::handle source, const nb::object& gold, const SearchOptions& how) override {
    return trace_with(source, gold, how, false, HieroGold::kCap);
  }
  nb::dict trace_with(nb::handle source, const nb::object& gold, const SearchOptions& how, bool prefix,
                      uint32_t cap) override {
    auto borrowed = borrow();
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    load(decoder, source);
    std::unique_ptr<HieroGold> forced;
    SentenceRules rules(rules_.book, rules_.settings.span_limit);
    HieroLayout layout;
    if (!gold.is_none()) {
      rules.read(decoder.source(0));
      layout.read(rules);
      forced = std::make_unique<HieroGold>(rules, layout, read_references(gold), prefix, cap);
      if (!forced->reachable() && forced->words() == 0)
        throw nb::value_error("no derivation yields the reference");
    }
    decoder.open(0, forced.get());
    nb::dict out = traced(decoder, how, forced != nullptr);
    decoder.space().source({}, nullptr);
    return out;
  }

 private:
  const Rules& rules_;
  Frozen weights_;
};

// What of the table a sentence matches: (entry or None, [numbers of options or None]) of each source side,
// and (begin, end, source side, places of gaps).
nb::tuple matched(const Rules& rules, nb::handle source) {
  std::vector<Key> words;
  read_source(source, words);
  SentenceRules found(rules.book, rules.settings.span_limit);
  found.read(words);
  nb::list sides, matches;
  for (uint32_t p = 0; p < found.patterns(); ++p) {
    nb::list options;
    for (uint32_t o = found.pattern(p).first; o < found.pattern(p).last; ++o)
      options.append(found.option(o).entry == kNone ? nb::none() : nb::cast(found.option(o).entry));
    sides.append(options);
  }
  for (uint32_t i = 0; i < words.size(); ++i)
    for (uint32_t j = i + 1; j <= words.size(); ++j)
      for (const RuleMatch& m : found.matches(i, j)) {
        nb::list gaps;
        for (uint32_t g = 0; g < m.gaps; ++g) gaps.append(nb::make_tuple(m.at[2 * g], m.at[2 * g + 1]));
        matches.append(nb::make_tuple(m.begin, m.end, m.pattern, gaps));
      }
  return nb::make_tuple(sides, matches);
}

// How many source words gold covers, and whether it is whole.
nb::tuple reach(const Rules& rules, nb::handle source, nb::handle references, bool prefix, uint32_t cap) {
  std::vector<Key> words;
  read_source(source, words);
  SentenceRules found(rules.book, rules.settings.span_limit);
  found.read(words);
  HieroLayout layout;
  layout.read(found);
  const HieroGold gold(found, layout, read_references(references), prefix, cap);
  return nb::make_tuple(gold.words(), gold.reachable());
}

}  // namespace

void bind_hiero(nb::module_& m) {
  nb::class_<Rules>(m, "Rules")
      .def("__init__", &make_rules, nb::arg("source_vocabulary"), nb::arg("target_vocabulary"),
           nb::arg("model"), nb::arg("numbers"), nb::arg("scores"), nb::arg("links"), nb::arg("templates"),
           nb::arg("span_limit"), nb::arg("scale"), nb::arg("frozen"), nb::arg("limits"),
           nb::keep_alive<1, 4>())
      .def("matched", &matched, nb::arg("source"))
      .def("reach", &reach, nb::arg("source"), nb::arg("references"), nb::arg("prefix") = false,
           nb::arg("cap") = HieroGold::kCap);

  nb::class_<HieroExamples>(m, "HieroCorpus")
      .def(nb::init<const Rules&, SharedWeights&, bool, uint32_t, uint32_t>(), nb::arg("rules"),
           nb::arg("weights"), nb::arg("prefix") = false, nb::arg("cap") = HieroGold::kCap,
           nb::arg("least") = 1, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add", &HieroExamples::add, nb::arg("source"), nb::arg("references"),
           nb::arg("links") = nb::none())
      .def_prop_ro("sentences", [](const HieroExamples& c) { return c.packed.examples(); })
      .def_prop_ro("tokens", [](const HieroExamples& c) { return c.packed.words(); })
      .def_prop_ro("unreachable", [](const HieroExamples& c) { return c.packed.unreachable(); })
      .def_prop_ro("prefixes", [](const HieroExamples& c) { return c.packed.prefixes(); });

  offer_trainer(m, "hiero_trainer", &make_trainer);

  m.def(
      "hiero_predictor",
      [](const Rules& rules, const RowArrays& rows, int bits) -> TranslationPredictor* {
        return new HieroPredictor(rules, rows, bits);
      },
      nb::arg("rules"), nb::arg("rows"), nb::arg("bits") = 0, nb::keep_alive<0, 1>());
}
