#include "trainer.hpp"

#include "found.hpp"
#include "outside.hpp"
#include "trace_out.hpp"

using namespace structron;

Trainer::Trainer(SharedWeights& weights, uint32_t examples, const TrainOptions& options, Batches::Make make)
    : weights_(weights), examples_(examples), options_(options), batches_(weights, std::move(make)) {
  batches_.check_lengths(examples);
}

nb::tuple Trainer::run(Array<uint32_t> order, uint32_t batch, uint32_t threads) {
  const auto listed = checked(order);
  if (batch > 1 && options_.update == Update::laso)
    throw nb::value_error("laso updates while it searches and cannot wait for a batch; use batch 1");
  const WithWeights alone(weights_);
  Counts counts;
  {
    nb::gil_scoped_release free;
    batches_.run(listed, batch, threads, counts);
  }
  return counts_of(counts);
}

nb::tuple Trainer::find(Array<uint32_t> examples, Array<uint32_t> numbers, uint32_t threads) {
  const auto listed = checked(examples);
  if (numbers.shape(0) != listed.size()) throw nb::value_error("examples and numbers differ in length");
  const std::vector<uint32_t> named(numbers.data(), numbers.data() + numbers.shape(0));
  const WithWeights alone(weights_);
  weights_.keep_keys();
  Counts counts;
  FoundArrays out;
  {
    nb::gil_scoped_release free;
    batches_.find(listed, threads, counts,
                  [&](uint32_t place, std::span<const Violation> found, const std::vector<Key>& noted) {
                    out.put(named[place], found, noted, weights_);
                  });
  }
  return nb::make_tuple(counts_of(counts), arrays_of(std::move(out)));
}

void Trainer::choose_with(nb::object ask) {
  const WithWeights alone(weights_);
  chooser_ = std::make_unique<PythonChooser>(std::move(ask));
  batches_.choose_with(*chooser_);
}

nb::dict Trainer::trace(uint32_t example) {
  if (example >= examples_) throw nb::index_error("no such example");
  const WithWeights alone(weights_);
  return trace_out(batches_.first().trace(example, options_.search));
}

double Trainer::waited() const {
  const WithWeights alone(weights_);
  return batches_.waited();
}

double Trainer::changing() const {
  const WithWeights alone(weights_);
  return batches_.changing();
}

std::vector<uint32_t> Trainer::checked(const Array<uint32_t>& order) const {
  std::vector<uint32_t> listed(order.data(), order.data() + order.shape(0));
  for (uint32_t example : listed)
    if (example >= examples_) throw nb::index_error("no such example");
  return listed;
}

nb::tuple counts_of(const Counts& c) {
  return nb::make_tuple(c.examples, c.steps, c.errors, c.updates, c.invalid, c.early);
}

TrainOptions options_of(const SearchOptions& search, int update, bool skip_correct) {
  if (update < 0 || update > 8) throw nb::value_error("no such update method");
  return {search, static_cast<Update>(update), skip_correct};
}

void bind_trainer(nb::module_& m) {
  nb::class_<Trainer>(m, "Trainer")
      .def("run", &Trainer::run, nb::arg("order"), nb::arg("batch") = 1, nb::arg("threads") = 1)
      .def("find", &Trainer::find, nb::arg("examples"), nb::arg("numbers"), nb::arg("threads") = 1)
      .def("choose_with", &Trainer::choose_with, nb::arg("ask"))
      .def("trace", &Trainer::trace, nb::arg("example"))
      .def_prop_ro("waited_seconds", &Trainer::waited)
      .def_prop_ro("change_seconds", &Trainer::changing);
}
