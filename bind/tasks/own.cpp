#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>

#include "bind.hpp"
#include "predictor.hpp"
#include "row_arrays.hpp"
#include "search/beam_search.hpp"
#include "shared.hpp"
#include "tasks/own/space.hpp"
#include "text.hpp"
#include "trainer.hpp"
#include "util/hash.hpp"

using namespace structron;

namespace {

constexpr Key kNamed = 0x52454144594B4559;  // what keys of features by name begin with, in every task

// From a feature's name to its key; names come up again and again.
class OwnNames {
 public:
  explicit OwnNames(int bits) : bits_(checked_bits(bits)) {}

  Key key(nb::handle name) {
    PyObject* known = PyDict_GetItemWithError(keys_.ptr(), name.ptr());
    if (known != nullptr) return PyLong_AsUnsignedLongLong(known);
    if (PyErr_Occurred()) throw nb::python_error();
    const nb::object text =
        PyUnicode_Check(name.ptr()) ? nb::borrow(name) : nb::steal(PyObject_Repr(name.ptr()));
    if (!text.is_valid()) throw nb::python_error();
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) throw nb::python_error();
    const Key found = fold(combine(kNamed, hash_bytes({data, static_cast<size_t>(size)})), bits_);
    const nb::object number = nb::steal(PyLong_FromUnsignedLongLong(found));
    if (PyDict_SetItem(keys_.ptr(), name.ptr(), number.ptr()) != 0) throw nb::python_error();
    return found;
  }
  int bits() const { return bits_; }

 private:
  int bits_;
  nb::dict keys_;
};

// A user's search space, and oracle, for one input. All methods are called by one thread at a time, which may
// or may not hold the interpreter's lock. States that are equal are one state, if they can be hashed.
class PythonStates final : OwnStates::Source {
 public:
  PythonStates(OwnNames& names, nb::object space, nb::object oracle)
      : names_(names),
        space_(std::move(space)),
        oracle_(std::move(oracle)),
        actions_(space_.attr("actions")),
        advance_(space_.attr("advance")),
        features_(space_.attr("features")),
        is_final_(space_.attr("is_final")),
        step_(space_.attr("step")),
        states_(*this) {
    add(space_.attr("initial")(), states_);
  }
  PythonStates(const PythonStates&) = delete;
  PythonStates& operator=(const PythonStates&) = delete;
  ~PythonStates() override {
    const nb::gil_scoped_acquire held;
    objects_.clear();
    for (nb::object* each : {static_cast<nb::object*>(&numbers_), static_cast<nb::object*>(&merge_keys_),
                             &actions_, &advance_, &features_, &is_final_, &step_, &oracle_, &space_})
      each->reset();
  }

  OwnStates& states() { return states_; }

  void expand(uint32_t state, OwnStates& into) override {
    const nb::gil_scoped_acquire held;
    const nb::object from = objects_[state];
    const size_t known = objects_.size();
    try {
      for (nb::handle action : actions_(from)) {
        const uint32_t number = nb::cast<uint32_t>(action);
        const uint32_t to = add(advance_(from, action), into);
        into.add_arc(number, to);
        const nb::object features = features_(from, action);
        if (PyDict_Check(features.ptr())) {
          PyObject *name, *value;
          for (Py_ssize_t at = 0; PyDict_Next(features.ptr(), &at, &name, &value);)
            into.add_feature(names_.key(name), number_of(value));
        } else {
          for (nb::handle pair : features)
            into.add_feature(names_.key(pair[0]), number_of(nb::object(pair[1]).ptr()));
        }
      }
    } catch (...) {
      for (size_t i = known; i < objects_.size(); ++i)
        if (PyDict_DelItem(numbers_.ptr(), objects_[i].ptr()) != 0) PyErr_Clear();
      objects_.resize(known);
      throw;
    }
  }
  uint64_t merge_key(uint32_t state) override {
    const nb::gil_scoped_acquire held;
    const nb::object key = space_.attr("merge_key")(objects_[state]);
    PyObject* known = PyDict_GetItemWithError(merge_keys_.ptr(), key.ptr());
    if (known == nullptr) {
      if (PyErr_Occurred()) throw nb::python_error();
      merge_keys_[key] = merge_keys_.size();
      known = PyDict_GetItemWithError(merge_keys_.ptr(), key.ptr());
    }
    return PyLong_AsUnsignedLongLong(known);
  }
  bool allows(uint32_t state, uint32_t action) override {
    const nb::gil_scoped_acquire held;
    if (oracle_.is_none()) return false;
    return nb::cast<bool>(oracle_.attr("allows")(objects_[state], action));
  }

 private:
  static float number_of(PyObject* value) {
    const double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) throw nb::python_error();
    return static_cast<float>(number);
  }

  uint32_t add(nb::object state, OwnStates& into) {
    PyObject* known = PyDict_GetItemWithError(numbers_.ptr(), state.ptr());
    if (known != nullptr) return static_cast<uint32_t>(PyLong_AsUnsignedLong(known));
    const bool has_hash = PyErr_Occurred() == nullptr;
    if (!has_hash) {
      if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
      PyErr_Clear();
    }
    const bool is_final = nb::cast<bool>(is_final_(state));
    const int step = nb::cast<int>(step_(state));
    const uint32_t number = into.add_state(step, is_final);
    if (has_hash) numbers_[state] = number;
    objects_.push_back(std::move(state));
    return number;
  }

  OwnNames& names_;
  nb::object space_, oracle_;
  nb::object actions_, advance_, features_, is_final_, step_;
  std::vector<nb::object> objects_;  // the states by their numbers
  nb::dict numbers_, merge_keys_;
  OwnStates states_;
};

using LiveOwnSpace = OwnSpace<OwnLiveRows>;
using FrozenOwnSpace = OwnSpace<OwnFrozenRows>;

class OwnCorpus {
 public:
  explicit OwnCorpus(SharedWeights& weights) : names_(weights.bits()) {
    if (weights.columns() != 1) throw nb::value_error("weights of an own task have one column");
  }
  OwnCorpus(const OwnCorpus&) = delete;
  OwnCorpus& operator=(const OwnCorpus&) = delete;
  void add(nb::object space, nb::object oracle) {
    const Packing::Change change(packing);
    inputs_.push_back(std::make_unique<PythonStates>(names_, std::move(space), std::move(oracle)));
  }
  uint32_t size() const { return static_cast<uint32_t>(inputs_.size()); }
  OwnStates& states(uint32_t example) { return inputs_[example]->states(); }

  Packing packing;

 private:
  OwnNames names_;
  std::vector<std::unique_ptr<PythonStates>> inputs_;
};

struct OwnWorker {
  using Space = LiveOwnSpace;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  OwnWorker(OwnCorpus& given, Weights& weights, const TrainOptions& options, const Learner& learner)
      : corpus(given),
        naming(weights, false),
        own(OwnLiveRows(weights, naming), learner.margin()),
        fixer(weights, learner, options) {}

  Space& space() { return own; }
  uint64_t cost(uint32_t) const { return 1; }
  void open(uint32_t example) { own.input(&corpus.states(example)); }

  OwnCorpus& corpus;
  Naming naming;
  Space own;
  ViolationFixer<Watched> fixer;
};

Trainer* make_trainer(OwnCorpus& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner) {
  auto made =
      std::make_unique<Trainer>(weights, corpus.size(), options, [&corpus, &weights, &learner, options] {
        return worker_of<OwnWorker>(corpus, weights, options, learner);
      });
  corpus.packing.close();
  return made.release();
}

class OwnDecoder {
 public:
  using Space = FrozenOwnSpace;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;
  using Actions = std::vector<uint32_t>;

  OwnDecoder(const Frozen& weights, int bits) : names_(bits), space_(OwnFrozenRows(weights), 0) {}

  Space& space() { return space_; }
  uint64_t& evictions() { return evictions_; }
  void begin_batch() { inputs_.clear(); }
  void load(nb::object space, nb::object oracle = nb::none()) {
    inputs_.push_back(std::make_unique<PythonStates>(names_, std::move(space), std::move(oracle)));
  }
  void open(uint32_t k) { space_.input(&inputs_[k]->states()); }

  Actions best(const Search& search) const { return output(search, best_item(search)); }
  std::vector<std::pair<Actions, double>> kbest(const Search& search, uint32_t k) const {
    return distinct_best<Actions>(search, k, [&](uint32_t item) { return output(search, item); });
  }

 private:
  static Actions output(const Search& search, uint32_t at) {
    Actions out;
    if (at == kRoot) return out;
    for (; search.items[at].parent != kRoot; at = search.items[at].parent)
      out.push_back(search.items[at].action);
    std::reverse(out.begin(), out.end());
    return out;
  }

  OwnNames names_;
  std::vector<std::unique_ptr<PythonStates>> inputs_;
  Space space_;
  uint64_t evictions_ = 0;
};

class OwnPredictor final : public PredictorWith<OwnDecoder> {
 public:
  OwnPredictor(int bits, const RowArrays& rows) : weights_(1, bits, spans_of(rows), LongRows::cells) {
    start([this, bits] { return std::make_unique<Decoder>(weights_, bits); });
  }

  static auto inputs(nb::handle spaces) {
    return PythonInputs(spaces, "spaces must be a list", "input",
                        [](Decoder& decoder, nb::handle space) { decoder.load(nb::borrow(space)); });
  }

  nb::list predict(nb::handle spaces, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), inputs(spaces), how, threads,
                   [](const auto& actions) { return nb::cast(actions); });
  }
  nb::list kbest(nb::handle spaces, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return kbest_of(decoders(), inputs(spaces), k, how, threads,
                    [](const auto& actions) { return nb::cast(actions); });
  }
  nb::dict trace(nb::handle space, const nb::object& gold, const SearchOptions& how) override {
    auto borrowed = borrow();
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    decoder.load(nb::borrow(space), gold);
    decoder.open(0);
    nb::dict out = traced(decoder, how, !gold.is_none());
    decoder.begin_batch();
    return out;
  }

 private:
  Frozen weights_;
};

}  // namespace

void bind_own(nb::module_& m) {
  nb::class_<OwnCorpus>(m, "OwnCorpus")
      .def(nb::init<SharedWeights&>(), nb::arg("weights"), nb::keep_alive<1, 2>())
      .def("add", &OwnCorpus::add, nb::arg("space"), nb::arg("oracle"))
      .def_prop_ro("sentences", &OwnCorpus::size)
      .def_prop_ro("tokens", &OwnCorpus::size);

  offer_trainer(m, "own_trainer", &make_trainer);
  m.def(
      "own_predictor",
      [](int bits, const RowArrays& rows) -> Predictor* { return new OwnPredictor(bits, rows); },
      nb::arg("bits"), nb::arg("rows"));
}
