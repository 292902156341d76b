#include "tasks/classification/voting.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "row_arrays.hpp"
#include "tasks/classification/classification.hpp"
#include "tasks/classification/shared_ballot.hpp"

using namespace structron;

namespace {

using MistakeArrays = std::tuple<Array<uint32_t>, Array<uint32_t>, Array<uint32_t>, Array<uint32_t>>;

// How many examples were mistaken, these as rows of a model, and the mistakes.
nb::tuple packed_ballot(const SharedBallot& ballot) {
  const WithBallot alone(ballot);
  Packed rows;
  {
    nb::gil_scoped_release free;
    rows = ballot.pack();
  }
  const Mistakes& m = ballot.mistakes();
  return nb::make_tuple(ballot.examples(),
                        nb::make_tuple(numpy_of(std::move(rows.keys)), numpy_of(std::move(rows.offsets)),
                                       numpy_of(std::move(rows.columns)), numpy_of(std::move(rows.weights)),
                                       numpy_of(std::move(rows.dense))),
                        nb::make_tuple(numpy_of(std::vector(m.example)), numpy_of(std::vector(m.begin)),
                                       numpy_of(std::vector(m.changed)), numpy_of(std::vector(m.votes))));
}

class VotedPredictor final : public PredictorWith<VotedDecoder, Scorer> {
 public:
  VotedPredictor(const Vectorizer& vectorizer, const std::vector<std::string>& labels, bool many,
                 const RowArrays& rows, uint32_t examples, const MistakeArrays& mistakes)
      : gold_(labels, many),
        examples_(examples, vectorizer.options().bits, spans_of(rows), LongRows::whole),
        electorate_(gold_.decisions(), examples,
                    {span_of(std::get<0>(mistakes)), span_of(std::get<1>(mistakes)),
                     span_of(std::get<2>(mistakes)), span_of(std::get<3>(mistakes))}) {
    start([this, &vectorizer] { return std::make_unique<Decoder>(vectorizer, examples_, electorate_); });
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
    return sums_of(decoders(), xs, threads,
                   [](const Decoder& decoder, const Poll& poll) { return decoder.sums(poll); });
  }
  nb::dict trace(nb::handle, const nb::object&, const SearchOptions&) override {
    throw nb::value_error("votes are counted, and no search leaves a trace");
  }

 private:
  Gold gold_;
  Frozen examples_;
  Electorate electorate_;
};

}  // namespace

void bind_voting(nb::module_& m) {
  nb::class_<SharedBallot>(m, "Ballot").def(nb::init<>()).def("pack", &packed_ballot);

  m.def(
      "voted_predictor",
      [](const Vectorizer& vectorizer, const std::vector<std::string>& labels, bool many,
         const RowArrays& rows, uint32_t examples, const MistakeArrays& mistakes) -> Scorer* {
        return new VotedPredictor(vectorizer, labels, many, rows, examples, mistakes);
      },
      nb::arg("vectorizer"), nb::arg("labels"), nb::arg("many"), nb::arg("rows"), nb::arg("examples"),
      nb::arg("mistakes"), nb::keep_alive<0, 1>());
}
