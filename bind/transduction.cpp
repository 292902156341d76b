#include "tasks/transduction/space.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <set>
#include <string>

#include "beam_search.hpp"
#include "bind.hpp"
#include "counts_out.hpp"
#include "live.hpp"
#include "predicting.hpp"
#include "shared.hpp"
#include "tasks/transduction/corpus.hpp"
#include "text.hpp"
#include "trace_out.hpp"
#include "training.hpp"

using namespace structron;

namespace {

using TemplateTuple = std::tuple<Key, std::vector<int>, std::vector<int>, std::vector<int>, int>;

std::vector<TransductionTemplate> templates_of(const std::vector<TemplateTuple>& tuples) {
  std::vector<TransductionTemplate> out;
  for (const auto& [base, source, targets, actions, view] : tuples)
    out.push_back({base, source, targets, actions, static_cast<uint32_t>(view), 0, 0});
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

void read_source(nb::handle x, std::vector<Key>& out) {
  read_symbols(x.ptr(), "a source must be a str or a list of str",
               [&](std::string_view symbol) { out.push_back(hash_bytes(symbol)); });
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

// What one thread needs to train on its own.
struct TransductionWorker {
  using Space = TransductionSpace<LivePairs>;
  using Search = BeamSearch<Space>;

  TransductionWorker(const TransductionCorpus& corpus, Weights& weights, const TrainOptions& options,
                     const Learner& learner)
      : packed(corpus),
        naming(weights, false),
        transduction(corpus.inventory(), LivePairs(weights, naming, corpus.kept()), learner.margin()),
        trainer(weights, learner, options) {}

  Space& space() { return transduction; }
  uint64_t cost(uint32_t example) const { return packed.source(example).size(); }
  void open(uint32_t example) { transduction.source(packed.source(example), &packed.gold(example)); }

  const TransductionCorpus& packed;
  Naming naming;
  Space transduction;
  Trainer<Watched<Search>> trainer;
};

class LiveTransducer : public LiveOver<TransductionWorker> {
 public:
  LiveTransducer(Examples& corpus, SharedWeights& weights, const SearchOptions& search, int update,
                 bool skip_correct, const Learner& learner)
      : LiveOver(weights, corpus.packed.examples(), options_of(search, update, skip_correct),
                 [&corpus, &weights, &learner, options = options_of(search, update, skip_correct)] {
                   return std::make_unique<TransductionWorker>(corpus.packed, weights, options, learner);
                 }) {
    if (weights.actions() != corpus.packed.inventory().columns())
      throw nb::value_error("the weights do not fit the inventory");
    corpus.packing.close();
  }
};

// What one thread needs to predict on its own.
class TransductionHand {
 public:
  using Space = TransductionSpace<FrozenPairs>;
  using Search = BeamSearch<Space>;

  TransductionHand(const Inventory& inventory, const TransductionWeights& weights, size_t room)
      : space_(inventory, FrozenPairs(weights), 0, room) {}

  Space& space() { return space_; }
  uint64_t& evictions() { return space_.evictions(); }
  void begin_batch() {
    symbols_.clear();
    begin_.assign(1, 0);
  }
  void lay_down(nb::handle source) {
    read_source(source, symbols_);
    begin_.push_back(symbols_.size());
  }
  void open(uint32_t k, const ForcedDecoding* gold = nullptr) { space_.source(source(k), gold); }
  std::span<const Key> source(uint32_t k) const {
    return {symbols_.data() + begin_[k], begin_[k + 1] - begin_[k]};
  }

 private:
  Space space_;
  std::vector<Key> symbols_;
  std::vector<size_t> begin_{0};
};

class FrozenTransducer {
 public:
  using Space = TransductionHand::Space;
  using Symbols = std::vector<uint16_t>;

  FrozenTransducer(const Inventory& inventory, Array<Key> keys, Array<uint32_t> offsets,
                   Array<uint16_t> actions, Array<float> weights, int bits, size_t room)
      : inventory_(inventory),
        weights_(inventory.columns(), bits, {keys.data(), keys.shape(0)}, {offsets.data(), offsets.shape(0)},
                 {actions.data(), actions.shape(0)}, {weights.data(), weights.shape(0)}),
        predicting_([this, room] { return std::make_unique<TransductionHand>(inventory_, weights_, room); }) {
    for (const std::string& s : inventory.symbols()) objects_.push_back(nb::str(s.c_str(), s.size()));
  }

  nb::list predict(nb::handle sources, const SearchOptions& how, uint32_t threads) {
    nb::list out;
    predicting_.run<Symbols>(
        sources, "X must be a list of sources", "source", how, threads,
        [&](TransductionHand&, const BeamSearch<Space>& search, Symbols& symbols) {
          symbols = output(search, search.rows.empty() ? 0 : search.rows.back().begin);
        },
        [&](const Symbols& symbols) { out.append(list_of(symbols)); });
    return out;
  }

  // Per source a list of (symbols, score of the best derivation found), best first, all different.
  nb::list kbest(nb::handle sources, uint32_t k, const SearchOptions& how, uint32_t threads) {
    nb::list out;
    using Best = std::vector<std::pair<Symbols, double>>;
    predicting_.run<Best>(
        sources, "X must be a list of sources", "source", for_kbest(how, k), threads,
        [&](TransductionHand&, const BeamSearch<Space>& search, Best& best) {
          best.clear();
          std::set<Symbols> known;
          const auto row = search.rows.empty() ? typename BeamSearch<Space>::Row{0, 1} : search.rows.back();
          for (uint32_t r = row.begin; r < row.end && best.size() < k; ++r) {
            Symbols symbols = output(search, r);
            if (known.insert(symbols).second) best.emplace_back(std::move(symbols), search.items[r].score);
          }
        },
        [&](const Best& best) {
          nb::list one;
          for (const auto& [symbols, score] : best) one.append(nb::make_tuple(list_of(symbols), score));
          out.append(one);
        });
    return out;
  }

  double decode_seconds() const { return predicting_.seconds(); }
  uint64_t evictions() const { return predicting_.evictions(); }

  nb::dict trace(nb::handle source, const nb::object& gold, const SearchOptions& how) {
    Predicting<TransductionHand>::Lent lent(predicting_);
    TransductionHand& hand = lent[0];
    hand.begin_batch();
    hand.lay_down(source);
    std::unique_ptr<ForcedDecoding> forced;
    if (!gold.is_none()) {
      forced =
          std::make_unique<ForcedDecoding>(inventory_, hand.source(0), read_references(gold, inventory_));
      if (!forced->reachable()) throw nb::value_error("no derivation yields the reference");
    }
    hand.open(0, forced.get());
    nb::dict out = watched_out<TransductionHand::Search>(hand.space(), how, forced != nullptr);
    hand.space().source({}, nullptr);
    return out;
  }

 private:
  std::vector<uint16_t> output(const BeamSearch<Space>& search, uint32_t item) const {
    std::vector<uint16_t> out;
    for (uint32_t at = item; search.items[at].parent != kRoot; at = search.items[at].parent) {
      const std::span<const uint16_t> e = inventory_.emits(search.items[at].action);
      out.insert(out.end(), e.rbegin(), e.rend());
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

  nb::object list_of(const std::vector<uint16_t>& symbols) const {
    PyObject* list = PyList_New(static_cast<Py_ssize_t>(symbols.size()));
    if (list == nullptr) throw nb::python_error();
    for (size_t i = 0; i < symbols.size(); ++i) {
      PyObject* symbol = objects_[symbols[i]].ptr();
      Py_INCREF(symbol);
      PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), symbol);
    }
    return nb::steal<nb::object>(list);
  }

  const Inventory& inventory_;
  TransductionWeights weights_;
  Predicting<TransductionHand> predicting_;
  std::vector<nb::object> objects_;
};

}  // namespace

void bind_transduction(nb::module_& m) {
  using Pairs = std::vector<std::pair<Inventory::Piece, Inventory::Piece>>;
  nb::class_<Inventory>(m, "Inventory")
      .def(
          "__init__",
          [](Inventory* self, const Pairs& pairs, const std::vector<TemplateTuple>& templates) {
            new (self) Inventory(pairs, templates_of(templates));
          },
          nb::arg("pairs"), nb::arg("templates"))
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

  auto live = nb::class_<LiveTransducer>(m, "LiveTransducer");
  live.def(nb::init<Examples&, SharedWeights&, const SearchOptions&, int, bool, const Learner&>(),
           nb::arg("corpus"), nb::arg("weights"), nb::arg("search"), nb::arg("update"),
           nb::arg("skip_correct"), nb::arg("learner"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
           nb::keep_alive<1, 7>());
  offer_training<LiveTransducer>(live);

  nb::class_<FrozenTransducer>(m, "FrozenTransducer")
      .def(nb::init<const Inventory&, Array<Key>, Array<uint32_t>, Array<uint16_t>, Array<float>, int,
                    size_t>(),
           nb::arg("inventory"), nb::arg("keys"), nb::arg("offsets"), nb::arg("actions"), nb::arg("weights"),
           nb::arg("bits") = 0, nb::arg("room") = size_t{1} << 23, nb::keep_alive<1, 2>())
      .def_prop_ro("decode_seconds", &FrozenTransducer::decode_seconds)
      .def_prop_ro("evictions", &FrozenTransducer::evictions)
      .def("predict", &FrozenTransducer::predict, nb::arg("sources"), nb::arg("search"),
           nb::arg("threads") = 1)
      .def("kbest", &FrozenTransducer::kbest, nb::arg("sources"), nb::arg("k"), nb::arg("search"),
           nb::arg("threads") = 1)
      .def("trace", &FrozenTransducer::trace, nb::arg("source"), nb::arg("gold").none(), nb::arg("search"));
}
