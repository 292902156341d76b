#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "bind.hpp"
#include "counts_out.hpp"
#include "predictor.hpp"
#include "row_arrays.hpp"
#include "shared.hpp"
#include "tasks/transduction/corpus.hpp"
#include "tasks/transduction/decoder.hpp"
#include "tasks/transduction/exact.hpp"
#include "tasks/transduction/worker.hpp"
#include "text.hpp"
#include "trainer.hpp"

using namespace structron;

namespace {

using Looks = std::vector<int>;
using TemplateTuple = std::tuple<Key, Looks, Looks, Looks, Looks, Looks, Looks, int>;

std::vector<TransductionTemplate> templates_of(const std::vector<TemplateTuple>& tuples) {
  std::vector<TransductionTemplate> out;
  for (const auto& [base, source, source_classes, hints, targets, target_classes, actions, view] : tuples)
    out.push_back({base, source, source_classes, hints, targets, target_classes, actions,
                   static_cast<uint32_t>(view), 0, 0});
  return out;
}

// A sequence of symbols: a list of str, or a str whose characters are the symbols.
template <class Put>
void read_symbols(PyObject* sequence, const char* what, Put&& put) {
  each_of(sequence, what, [&](PyObject* symbol) {
    if (!PyUnicode_Check(symbol)) bad_token("a symbol must be a str", symbol);
    put(utf8(symbol));
  });
}

constexpr const char* kSource = "a source must be a str or a list of str";

void read_source(nb::handle x, std::vector<Key>& out) {
  read_symbols(x.ptr(), kSource, [&](std::string_view symbol) { out.push_back(hash_bytes(symbol)); });
}

std::vector<std::vector<uint16_t>> read_references(nb::handle y, const Inventory& inventory) {
  if (PyUnicode_Check(y.ptr())) bad_token("references must be a list of sequences of symbols", y.ptr());
  const Sequence all(y.ptr(), "references must be a list of sequences of symbols");
  if (all.size() == 0) throw nb::value_error("there is no reference");
  std::vector<std::vector<uint16_t>> out(static_cast<size_t>(all.size()));
  for (Py_ssize_t r = 0; r < all.size(); ++r)
    read_symbols(all[r], "a reference must be a str or a list of str", [&](std::string_view symbol) {
      out[static_cast<size_t>(r)].push_back(inventory.symbol(symbol));
    });
  return out;
}

using Pairs = std::vector<std::pair<Inventory::Piece, Inventory::Piece>>;

std::vector<KnownWords::Piece> pieces_of(const Pairs& pairs) {
  std::vector<KnownWords::Piece> out;
  for (const auto& [source, target] : pairs) out.push_back({source, Inventory::key_of(source, target)});
  return out;
}

struct Examples {
  TransductionCorpus packed;
  Packing packing;

  Examples(const Inventory& inventory, SharedWeights& weights, bool nearest)
      : packed(inventory, weights, nearest) {}

  void add(nb::handle x, nb::handle y) {
    std::vector<Key> source;
    read_source(x, source);
    const auto references = read_references(y, packed.inventory());
    const Packing::Change change(packing);
    packed.add(source, references);
  }
  void keep(Array<Key> keys) {
    const Packing::Change change(packing);
    packed.keep({keys.data(), keys.shape(0)});
  }
};

Trainer* make_trainer(Examples& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner) {
  auto made = std::make_unique<Trainer>(
      weights, corpus.packed.examples(), options, [&corpus, &weights, &learner, options] {
        return worker_of<TransductionWorker>(corpus.packed, weights, options, learner);
      });
  if (weights.columns() != corpus.packed.inventory().columns())
    throw nb::value_error("the weights do not fit the inventory");
  for (uint32_t e = 0; e < corpus.packed.examples(); ++e)
    check_exact(options.search, corpus.packed.inventory(), corpus.packed.source(e));
  corpus.packing.close();
  return made.release();
}

void load(TransductionDecoder& decoder, nb::handle source, bool backward, const SearchOptions& how) {
  read_symbols(source.ptr(), kSource, [&](std::string_view symbol) { decoder.add_symbol(symbol); });
  check_exact(how, decoder.inventory(), decoder.close_source(backward));
}

auto inputs(nb::handle sources, bool backward, const SearchOptions& how) {
  return PythonInputs(sources, "X must be a list of sources", "source",
                      [backward, how](TransductionDecoder& decoder, nb::handle source) {
                        load(decoder, source, backward, how);
                      });
}

// With `backward` words are read from their ends; sources, references and outputs are written as ever.
class TransductionPredictor final : public PredictorWith<TransductionDecoder> {
 public:
  TransductionPredictor(const Inventory& inventory, const RowArrays& rows, int bits, size_t room,
                        bool backward)
      : inventory_(inventory),
        backward_(backward),
        weights_(inventory.columns(), bits, spans_of(rows), LongRows::spread) {
    start([this, room] { return std::make_unique<Decoder>(inventory_, weights_, room); });
    for (const std::string& s : inventory.symbols()) symbols_.push_back(nb::str(s.c_str(), s.size()));
  }

  nb::list predict(nb::handle sources, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), inputs(sources, backward_, how), how, threads,
                   [&](const SymbolNumbers& s) { return written(s); });
  }
  nb::list kbest(nb::handle sources, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return leading(sources, k, how, threads, std::numeric_limits<double>::infinity());
  }
  // An output that is `lead` ahead of the next, or more, comes alone.
  nb::list leading(nb::handle sources, uint32_t k, const SearchOptions& how, uint32_t threads, double lead) {
    return answers_to(
        decoders(), inputs(sources, backward_, how), Decoder::Search::kbest_options(how, k), threads,
        [k, lead](Decoder& decoder, const auto& search) { return decoder.kbest(search, k, lead); },
        [&](const auto& best) {
          nb::list one;
          for (const auto& [output, score] : best) one.append(nb::make_tuple(written(output), score));
          return one;
        });
  }

  nb::dict trace(nb::handle source, const nb::object& gold, const SearchOptions& how) override {
    auto borrowed = borrow();
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    load(decoder, source, backward_, how);
    std::unique_ptr<ForcedDecoding> forced;
    if (!gold.is_none()) {
      auto references = read_references(gold, inventory_);
      if (backward_)
        for (auto& each : references) std::reverse(each.begin(), each.end());
      forced = std::make_unique<ForcedDecoding>(inventory_, decoder.source(0), references);
      if (!forced->reachable()) throw nb::value_error("no derivation yields the reference");
    }
    decoder.open(0, forced.get());
    nb::dict out = traced(decoder, how, forced != nullptr);
    decoder.space().source({}, nullptr);
    return out;
  }

 private:
  nb::object written(const SymbolNumbers& read) const {
    return backward_ ? list_of(symbols_, SymbolNumbers(read.rbegin(), read.rend())) : list_of(symbols_, read);
  }

  const Inventory& inventory_;
  bool backward_;
  Frozen weights_;
  std::vector<nb::object> symbols_;
};

}  // namespace

void bind_transduction(nb::module_& m) {
  nb::class_<KnownWords>(m, "KnownWords")
      .def(
          "__init__",
          [](KnownWords* self, const Pairs& pieces, const Array<uint32_t>& numbers,
             const Array<uint32_t>& lengths, const Array<uint32_t>& by_end) {
            new (self) KnownWords(pieces_of(pieces), span_of(numbers), span_of(lengths), span_of(by_end));
          },
          nb::arg("pieces"), nb::arg("numbers"), nb::arg("lengths"), nb::arg("by_end"));

  nb::class_<Inventory>(m, "Inventory")
      .def(
          "__init__",
          [](Inventory* self, const Pairs& pairs, const std::vector<TemplateTuple>& templates,
             const Inventory::Piece& source_vowels, const Inventory::Piece& target_vowels,
             const KnownWords* known_words) {
            new (self) Inventory(pairs, templates_of(templates), source_vowels, target_vowels, known_words);
          },
          nb::arg("pairs"), nb::arg("templates"), nb::arg("source_vowels") = Inventory::Piece(),
          nb::arg("target_vowels") = Inventory::Piece(), nb::arg("known_words") = nb::none(),
          nb::keep_alive<1, 6>())
      .def_prop_ro("columns", &Inventory::columns)
      .def("nearest",
           [](const Inventory& inventory, nb::handle source, nb::handle reference) {
             std::vector<Key> x;
             read_source(source, x);
             std::vector<uint16_t> y;
             read_symbols(reference.ptr(), "a reference must be a str or a list of str",
                          [&](std::string_view s) { y.push_back(inventory.symbol(s)); });
             uint32_t distance = 0;
             std::vector<std::string> out;
             for (uint16_t s : nearest_output(inventory, x, y, distance))
               out.push_back(inventory.symbols()[s]);
             return std::make_pair(out, distance);
           })
      .def("reaches", [](const Inventory& inventory, nb::handle source, nb::handle references) {
        std::vector<Key> x;
        read_source(source, x);
        return ForcedDecoding(inventory, x, read_references(references, inventory)).reachable();
      });

  nb::class_<Examples>(m, "TransductionCorpus")
      .def(nb::init<const Inventory&, SharedWeights&, bool>(), nb::arg("inventory"), nb::arg("weights"),
           nb::arg("nearest") = false, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add", &Examples::add)
      .def("counts", [](Examples& c) { return counts_out(c.packed.counts()); })
      .def("keep", &Examples::keep)
      .def_prop_ro("sentences", [](const Examples& c) { return c.packed.examples(); })
      .def_prop_ro("tokens", [](const Examples& c) { return c.packed.symbols(); })
      .def_prop_ro("unreachable", [](const Examples& c) { return c.packed.unreachable(); });

  offer_trainer(m, "transduction_trainer", &make_trainer);

  nb::class_<TransductionPredictor, Predictor>(m, "TransductionPredictor")
      .def(nb::init<const Inventory&, const RowArrays&, int, size_t, bool>(), nb::arg("inventory"),
           nb::arg("rows"), nb::arg("bits") = 0, nb::arg("room") = size_t{1} << 23,
           nb::arg("backward") = false, nb::keep_alive<1, 2>())
      .def("kbest", &TransductionPredictor::leading, nb::arg("xs"), nb::arg("k"), nb::arg("search"),
           nb::arg("threads") = 1, nb::arg("lead") = std::numeric_limits<double>::infinity());
}
