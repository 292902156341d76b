#include "tasks/transduction.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <ctime>
#include <memory>
#include <mutex>
#include <string>

#include "bind.hpp"
#include "guards.hpp"
#include "tasks/transduction_corpus.hpp"
#include "text.hpp"
#include "trace_out.hpp"
#include "training.hpp"

using namespace structron;

namespace {

using TemplateTuple = std::tuple<Key, std::vector<int>, std::vector<int>, std::vector<int>, int>;

std::vector<TransductionTemplate> templates_of(const std::vector<TemplateTuple>& tuples) {
  std::vector<TransductionTemplate> out;
  for (const auto& [base, source, targets, actions, view] : tuples)
    out.push_back({base, source, targets, actions, view});
  return out;
}

// A sequence of symbols: a list of str, or a str whose characters are the symbols.
template <class Put>
void read_symbols(PyObject* sequence, const char* what, Put&& put) {
  const Sequence symbols(sequence, what);
  for (Py_ssize_t i = 0; i < symbols.size(); ++i) {
    if (!PyUnicode_Check(symbols[i])) bad_token("a symbol must be a str", symbols[i]);
    put(utf8(symbols[i]));
  }
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
  std::vector<Key> source;

  Examples(const Inventory& inventory, Weights& weights, bool nearest)
      : packed(inventory, weights, nearest) {}

  void add(nb::handle x, nb::handle y) {
    source.clear();
    read_source(x, source);
    packed.add(source, read_references(y, packed.inventory()));
  }
};

class LiveTransducer {
 public:
  using Space = TransductionSpace<LivePairs>;

  LiveTransducer(Examples& corpus, Weights& weights, uint32_t width, bool merge, int update,
                 bool skip_correct, const Learner& learner)
      : corpus_(corpus.packed),
        space_(corpus_.inventory(), LivePairs(weights, corpus_.kept()), learner.margin()),
        options_{{width, merge, 1}, static_cast<Update>(update), skip_correct},
        trainer_(weights, learner, options_) {
    if (update < 0 || update > 5) throw nb::value_error("no such update method");
    if (weights.actions() != corpus_.inventory().columns())
      throw nb::value_error("the weights do not fit the inventory");
  }

  // Trains on these examples, in this order.
  nb::tuple run(Array<uint32_t> order) {
    Counts c;
    {
      nb::gil_scoped_release free;
      for (size_t i = 0; i < order.shape(0); ++i) {
        open(order.data()[i]);
        trainer_.example(space_, c);
      }
    }
    return nb::make_tuple(c.examples, c.steps, c.errors, c.updates, c.invalid, c.early);
  }

  nb::dict trace(uint32_t example) {
    open(example);
    Watched<Space> w(options_.search);
    w.start(space_);
    while (w.advance(space_, true)) {
    }
    return trace_out(w);
  }

 private:
  void open(uint32_t i) {
    if (i >= corpus_.examples()) throw nb::index_error("no such example");
    space_.source(corpus_.source(i), &corpus_.gold(i));
  }

  TransductionCorpus& corpus_;
  Space space_;
  TrainOptions options_;
  Trainer<Space> trainer_;
};

class FrozenTransducer {
 public:
  using Space = TransductionSpace<FrozenPairs>;

  FrozenTransducer(const Inventory& inventory, Array<Key> keys, Array<uint32_t> offsets,
                   Array<uint16_t> actions, Array<float> weights, int bits)
      : inventory_(inventory),
        weights_(inventory.columns(), bits, {keys.data(), keys.shape(0)}, {offsets.data(), offsets.shape(0)},
                 {actions.data(), actions.shape(0)}, {weights.data(), weights.shape(0)}),
        space_(inventory, FrozenPairs(weights_)) {
    for (const std::string& s : inventory.symbols()) objects_.push_back(nb::str(s.c_str(), s.size()));
  }

  nb::list predict(nb::handle sources, uint32_t width, bool merge) {
    nb::list out;
    Search<Space> search(SearchOptions{width, merge, 1});
    std::vector<std::vector<uint16_t>> found;
    in_batches(
        sources,
        [&] {
          decode(search);
          found.push_back(output(search, search.rows.empty() ? 0 : search.rows.back().begin));
        },
        [&] {
          for (const auto& symbols : found) out.append(list_of(symbols));
          found.clear();
        });
    return out;
  }

  // Per source a list of (symbols, score of the best derivation found), best first, all different.
  nb::list kbest(nb::handle sources, uint32_t k, uint32_t width, bool merge) {
    nb::list out;
    Search<Space> search(SearchOptions{width, merge, width == 0 ? k : 1});
    std::vector<std::vector<std::pair<std::vector<uint16_t>, double>>> found;
    in_batches(
        sources,
        [&] {
          decode(search);
          auto& best = found.emplace_back();
          const auto row = search.rows.empty() ? typename Search<Space>::Row{0, 1} : search.rows.back();
          for (uint32_t r = row.begin; r < row.end && best.size() < k; ++r) {
            std::vector<uint16_t> symbols = output(search, r);
            const bool known =
                std::any_of(best.begin(), best.end(), [&](const auto& b) { return b.first == symbols; });
            if (!known) best.push_back({std::move(symbols), search.items[r].score});
          }
        },
        [&] {
          for (const auto& best : found) {
            nb::list one;
            for (const auto& [symbols, score] : best) one.append(nb::make_tuple(list_of(symbols), score));
            out.append(one);
          }
          found.clear();
        });
    return out;
  }

  // CPU time spent searching, from integers to integers, since the model was loaded.
  double decode_seconds() const { return decode_seconds_; }

  nb::dict trace(nb::handle source, const nb::object& gold, uint32_t width, bool merge) {
    const Alone alone(mutex_);
    symbols_.clear();
    read_source(source, symbols_);
    std::unique_ptr<ForcedDecoding> forced;
    if (!gold.is_none()) {
      forced = std::make_unique<ForcedDecoding>(inventory_, symbols_, read_references(gold, inventory_));
      if (!forced->reachable()) throw nb::value_error("no derivation yields the reference");
    }
    space_.source(symbols_, forced.get());
    Watched<Space> w(SearchOptions{width, merge, 1});
    w.start(space_);
    while (w.advance(space_, forced != nullptr)) {
    }
    space_.source({}, nullptr);
    return trace_out(w);
  }

 private:
  // decode() is called without the interpreter's lock, flush() with it.
  template <class Decode, class Flush>
  void in_batches(nb::handle sources, Decode&& decode_one, Flush&& flush) {
    const Alone alone(mutex_);
    const WithoutCollector paused;
    const Sequence all(sources.ptr(), "X must be a list of sources");
    constexpr Py_ssize_t kBatch = 64;
    std::vector<size_t> begin;
    for (Py_ssize_t from = 0; from < all.size(); from += kBatch) {
      symbols_.clear();
      begin.assign(1, 0);
      const Py_ssize_t to = std::min(all.size(), from + kBatch);
      for (Py_ssize_t s = from; s < to; ++s) {
        try {
          read_source(all[s], symbols_);
        } catch (const nb::builtin_exception& e) {
          const std::string message = "source " + std::to_string(s + 1) + ": " + e.what();
          throw nb::builtin_exception(e.type(), message.c_str());
        }
        begin.push_back(symbols_.size());
      }
      {
        nb::gil_scoped_release free;
        const std::clock_t began = std::clock();
        for (size_t s = 0; s + 1 < begin.size(); ++s) {
          space_.source({symbols_.data() + begin[s], begin[s + 1] - begin[s]}, nullptr);
          decode_one();
        }
        decode_seconds_ += static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
      }
      flush();
    }
  }

  void decode(Search<Space>& search) {
    search.start({0.0, space_.initial(), kRoot, 0, false});
    while (search.advance(space_)) {
    }
  }

  std::vector<uint16_t> output(const Search<Space>& search, uint32_t item) const {
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
  Frozen weights_;
  Space space_;
  std::vector<nb::object> objects_;
  std::vector<Key> symbols_;
  double decode_seconds_ = 0;
  std::mutex mutex_;
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
      .def(nb::init<const Inventory&, Weights&, bool>(), nb::arg("inventory"), nb::arg("weights"),
           nb::arg("nearest") = false, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add", &Examples::add)
      .def("cut", [](Examples& c, uint32_t times) { c.packed.cut(times); })
      .def_prop_ro("sentences", [](const Examples& c) { return c.packed.examples(); })
      .def_prop_ro("tokens", [](const Examples& c) { return c.packed.symbols(); })
      .def_prop_ro("unreachable", [](const Examples& c) { return c.packed.unreachable(); });

  nb::class_<LiveTransducer>(m, "LiveTransducer")
      .def(nb::init<Examples&, Weights&, uint32_t, bool, int, bool, const Learner&>(), nb::arg("corpus"),
           nb::arg("weights"), nb::arg("width"), nb::arg("merge"), nb::arg("update"), nb::arg("skip_correct"),
           nb::arg("learner"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 8>())
      .def("run", &LiveTransducer::run)
      .def("trace", &LiveTransducer::trace);

  nb::class_<FrozenTransducer>(m, "FrozenTransducer")
      .def(nb::init<const Inventory&, Array<Key>, Array<uint32_t>, Array<uint16_t>, Array<float>, int>(),
           nb::arg("inventory"), nb::arg("keys"), nb::arg("offsets"), nb::arg("actions"), nb::arg("weights"),
           nb::arg("bits") = 0, nb::keep_alive<1, 2>())
      .def_prop_ro("decode_seconds", &FrozenTransducer::decode_seconds)
      .def("predict", &FrozenTransducer::predict, nb::arg("sources"), nb::arg("width"), nb::arg("merge"))
      .def("kbest", &FrozenTransducer::kbest, nb::arg("sources"), nb::arg("k"), nb::arg("width"),
           nb::arg("merge"))
      .def("trace", &FrozenTransducer::trace, nb::arg("source"), nb::arg("gold").none(), nb::arg("width"),
           nb::arg("merge"));
}
