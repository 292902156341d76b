#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>

#include "counts_out.hpp"
#include "row_arrays.hpp"
#include "shared.hpp"
#include "tasks/classification/classification.hpp"
#include "tasks/classification/corpus.hpp"
#include "tasks/classification/shared_ballot.hpp"
#include "tasks/classification/worker.hpp"
#include "trainer.hpp"

using namespace structron;

namespace {

constexpr size_t kBytes = ClassificationInputs::kBytes;
using TemplateTuple = std::tuple<Key, bool, uint32_t>;

std::vector<TextTemplate> templates_of(const std::vector<TemplateTuple>& tuples) {
  std::vector<TextTemplate> out;
  for (const auto& [base, characters, length] : tuples) out.push_back({base, characters, length});
  return out;
}

Tf tf_of(int code) {
  if (code < 0 || code > 2) throw nb::value_error("no such weighting");
  return static_cast<Tf>(code);
}

// Inputs before they are weighed, and of how many of them each feature is one.
nb::tuple bags_of(const Vectorizer& vectorizer, nb::handle xs) {
  const WithoutCollector paused;
  const Sequence all(xs.ptr(), "X must be a list");
  TextReader reader = vectorizer.reader();
  Bag bag, folded;
  const auto counted = std::make_shared<CountedInputs>();
  Counting counting;
  for (Py_ssize_t i = 0; i < all.size(); ++i) {
    bag.clear();
    const auto add = [&](Key key, double value) { bag.add(key, value); };
    try {
      read_input(
          all[i], reader,
          [&](std::string_view s) {
            bag.clear(s.size() / kBytes);
            reader.text(s, [&](Key key) { bag.add(key, 1.0); });
          },
          add);
    } catch (const nb::builtin_exception& e) {
      throw nb::builtin_exception(e.type(), ("input " + std::to_string(i + 1) + ": " + e.what()).c_str());
    } catch (const std::invalid_argument& e) {
      throw nb::value_error(("input " + std::to_string(i + 1) + ": " + e.what()).c_str());
    }
    counted->add(bag);
    if (vectorizer.options().bits == 0) continue;
    folded.clear();
    for (size_t k = 0; k < bag.size(); ++k) folded.add(vectorizer.folded(bag.keys()[k]), bag.values()[k]);
    for (size_t k = 0; k < folded.size(); ++k)
      if (folded.values()[k] != 0) counting.see(folded.keys()[k]);
  }
  counted->finish();
  nb::list out;
  for (uint32_t i = 0; i < counted->inputs(); ++i) out.append(nb::cast(CountedBag{counted, i}));
  if (vectorizer.options().bits != 0) return nb::make_tuple(out, counts_out(std::move(counting).give()));
  return nb::make_tuple(out, counts_out({counted->keys(), counted->times()}));
}

// An input as it is weighed: keys and values.
nb::tuple vector_of(const Vectorizer& vectorizer, nb::handle x) {
  TextReader reader = vectorizer.reader();
  Bag bag;
  const auto put = [&](Key key, double value) { bag.add(vectorizer.folded(key), value); };
  read_input(
      x.ptr(), reader,
      [&](std::string_view s) {
        bag.clear(s.size() / kBytes);
        reader.text(s, [&](Key key) { put(key, 1.0); });
      },
      put);
  vectorizer.weigh(bag);
  return nb::make_tuple(numpy_of(std::vector<Key>(bag.keys().begin(), bag.keys().end())),
                        numpy_of(std::vector<double>(bag.values().begin(), bag.values().end())));
}

// A bag as two arrays: what travels.
nb::tuple arrays_of_bag(const CountedBag& bag) {
  std::vector<Key> keys;
  std::vector<float> counts;
  bag.each([&](Key key, float count) {
    keys.push_back(key);
    counts.push_back(count);
  });
  return nb::make_tuple(numpy_of(std::move(keys)), numpy_of(std::move(counts)));
}

struct ClassifiedExamples {
  const Vectorizer& vectorizer;
  SharedWeights& weights;
  Gold gold;
  ClassificationCorpus packed;
  Packing packing;
  std::shared_ptr<const CountedInputs> counted;
  TextReader reader;
  Bag bag;
  std::vector<uint16_t> actions;

  ClassifiedExamples(const Vectorizer& v, SharedWeights& w, const std::vector<std::string>& labels, bool many)
      : vectorizer(v), weights(w), gold(labels, many), packed(gold.decisions(), w), reader(v.reader()) {
    if (w.columns() != gold.decisions().columns()) throw nb::value_error("the weights do not fit the labels");
  }

  // `scale`: by how much all values are multiplied.
  void add(nb::handle x, nb::handle y, double scale) {
    check_value(scale);
    const Packing::Change change(packing);
    gold.read(y, actions);
    if (vectorizer.options().bits == 0 && nb::isinstance<CountedBag>(x)) {
      const auto& [all, input] = nb::cast<const CountedBag&>(x);
      const WithWeights alone(weights);
      counted = all;  // it stays while what is known of it does
      packed.add(*all, input, vectorizer, scale, actions);
      return;
    }
    bag.clear();
    // A bag has each key once, unless they are folded.
    const bool is_new = vectorizer.options().bits == 0 && is_bag(x.ptr());
    const auto put = [&](Key key, double value) {
      is_new ? bag.append(key, value) : bag.add(vectorizer.folded(key), value);
    };
    read_input(
        x.ptr(), reader,
        [&](std::string_view s) {
          bag.clear(s.size() / kBytes);
          reader.text(s, [&](Key key) { put(key, 1.0); });
        },
        put);
    vectorizer.weigh(bag);
    if (scale != 1) bag.scale(scale);
    const WithWeights alone(weights);
    packed.add(bag, actions);
  }
};

// One whose votes are remembered: all weight vectors that it passes through.
class VotedTrainer final : public Trainer {
 public:
  VotedTrainer(ClassifiedExamples& corpus, SharedWeights& weights, const TrainOptions& options,
               const Learner& learner, SharedBallot& ballot, structron::Batches::Make make)
      : Trainer(weights, corpus.packed.examples(), options, std::move(make)),
        ballot_(ballot),
        voter_(corpus.packed, weights, options, learner) {}

  nb::tuple run(Array<uint32_t> order, uint32_t batch, uint32_t) override {
    if (batch > 1) throw nb::value_error("votes are taken example by example; use batch 1");
    const std::vector<uint32_t> listed = checked(order);
    const WithWeights alone(weights_);
    const WithBallot also(ballot_);
    Counts counts;
    {
      nb::gil_scoped_release free;
      ballot_.run(voter_, weights_, listed, counts);
    }
    return counts_of(counts);
  }
  void choose_with(nb::object) override {
    throw structron::ChoiceRefused("voted has one update for each mistake; use update standard");
  }

 private:
  SharedBallot& ballot_;
  ClassificationWorker voter_;
};

// `ballot`: who remembers all weight vectors, or null.
Trainer* make_trainer(ClassifiedExamples& corpus, SharedWeights& weights, const TrainOptions& options,
                      const Learner& learner, SharedBallot* ballot) {
  const auto make = [&corpus, &weights, &learner, options] {
    return worker_of<ClassificationWorker>(corpus.packed, weights, options, learner);
  };
  std::unique_ptr<Trainer> made;
  if (ballot == nullptr) {
    made = std::make_unique<Trainer>(weights, corpus.packed.examples(), options, make);
  } else {
    made = std::make_unique<VotedTrainer>(corpus, weights, options, learner, *ballot, make);
  }
  if (weights.columns() != corpus.packed.decisions().columns())
    throw nb::value_error("the weights do not fit the labels");
  corpus.packing.close();
  return made.release();
}

class ClassificationPredictor final : public PredictorWith<ClassificationDecoder, Scorer> {
 public:
  ClassificationPredictor(const Vectorizer& vectorizer, const std::vector<std::string>& labels, bool many,
                          const RowArrays& rows)
      : gold_(labels, many),
        weights_(gold_.decisions().columns(), vectorizer.options().bits, spans_of(rows), LongRows::whole) {
    start([this, &vectorizer] { return std::make_unique<Decoder>(vectorizer, weights_, gold_.decisions()); });
  }

  nb::list predict(nb::handle xs, const SearchOptions& how, uint32_t threads) override {
    return best_of(decoders(), inputs_for<Decoder>(xs), how, threads,
                   [&](const Actions& a) { return gold_.output(a); });
  }
  nb::list kbest(nb::handle xs, uint32_t k, const SearchOptions& how, uint32_t threads) override {
    return kbest_of(decoders(), inputs_for<Decoder>(xs), k, how, threads,
                    [&](const Actions& a) { return gold_.output(a); });
  }
  nb::object scores(nb::handle xs, uint32_t threads) override {
    const uint32_t columns = gold_.decisions().columns();
    return sums_of(decoders(), xs, threads, [&](const Decoder& decoder, const auto&) {
      const auto sums = decoder.sums().first(columns);
      return std::vector<float>(sums.begin(), sums.end());
    });
  }

  nb::dict trace(nb::handle x, const nb::object& gold, const SearchOptions& how) override {
    auto borrowed = borrow();
    Decoder& decoder = borrowed[0];
    decoder.begin_batch();
    load_input(decoder, x);
    std::vector<uint16_t> actions;
    if (!gold.is_none()) gold_.read(gold, actions);
    decoder.open(0, gold.is_none() ? nullptr : actions.data());
    nb::dict out = traced(decoder, how, !gold.is_none());
    decoder.space().input({}, nullptr);
    return out;
  }

 private:
  Gold gold_;
  Frozen weights_;
};

}  // namespace

void bind_classification(nb::module_& m) {
  nb::class_<CountedBag>(m, "CountedBag")
      .def("__len__", &CountedBag::size)
      .def("arrays", &arrays_of_bag)
      .def("digest", [](const CountedBag& bag) { return bag.all->digest(bag.input); })
      .def("__reduce__", [](const CountedBag& bag) {
        return nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(&PyTuple_Type)),
                              nb::make_tuple(arrays_of_bag(bag)));
      });
  nb::class_<Vectorizer>(m, "Vectorizer")
      .def(
          "__init__",
          [](Vectorizer* self, const std::vector<TemplateTuple>& templates, bool lowered, int tf, bool idf,
             bool l2, double intercept, int bits, Array<Key> keys, Array<uint32_t> times,
             uint32_t documents) {
            check_value(intercept);
            const Vectorizer::Options options{lowered, tf_of(tf), idf, l2, intercept, bits};
            new (self) Vectorizer(templates_of(templates), options, span_of(keys), span_of(times), documents);
          },
          nb::arg("templates"), nb::arg("lowered"), nb::arg("tf"), nb::arg("idf"), nb::arg("l2"),
          nb::arg("intercept"), nb::arg("bits"), nb::arg("keys"), nb::arg("times"), nb::arg("documents"))
      .def("bags", &bags_of, nb::arg("xs"))
      .def("vector", &vector_of, nb::arg("x"));

  nb::class_<ClassifiedExamples>(m, "ClassificationCorpus")
      .def(nb::init<const Vectorizer&, SharedWeights&, const std::vector<std::string>&, bool>(),
           nb::arg("vectorizer"), nb::arg("weights"), nb::arg("labels"), nb::arg("many"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("add", &ClassifiedExamples::add, nb::arg("x"), nb::arg("y"), nb::arg("scale") = 1.0)
      .def_prop_ro("sentences", [](const ClassifiedExamples& c) { return c.packed.examples(); })
      .def_prop_ro("tokens", [](const ClassifiedExamples& c) { return c.packed.features(); });

  offer_trainer(m, "classification_trainer", &make_trainer, nb::arg("ballot").none() = nb::none(),
                nb::keep_alive<0, 7>());
  nb::class_<Scorer, Predictor>(m, "ClassificationPredictor")
      .def("scores", &Scorer::scores, nb::arg("xs"), nb::arg("threads") = 1);
  m.def(
      "classification_predictor",
      [](const Vectorizer& vectorizer, const std::vector<std::string>& labels, bool many,
         const RowArrays& rows) -> Scorer* {
        return new ClassificationPredictor(vectorizer, labels, many, rows);
      },
      nb::arg("vectorizer"), nb::arg("labels"), nb::arg("many"), nb::arg("rows"), nb::keep_alive<0, 1>());
}
