// Pieces of a training that are written in Python: an update method and a learner. Each is asked with arrays,
// and answers with arrays.
#include "learn/outside.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "bind.hpp"
#include "outside.hpp"

using namespace structron;

PythonChooser::PythonChooser(nb::object ask) : ask_(std::move(ask)) {}

PythonChooser::~PythonChooser() {
  const nb::gil_scoped_acquire held;
  ask_.reset();
}

void PythonChooser::choose(std::span<const Bins* const> searches, std::vector<std::vector<Share>>& chosen) {
  std::vector<uint64_t> offsets{0};
  Bins all;
  std::vector<size_t> asked;
  for (size_t i = 0; i < searches.size(); ++i) {
    if (searches[i] == nullptr || searches[i]->size() == 0) continue;
    const Bins& bins = *searches[i];
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(all.best_score, bins.best_score);
    append(all.gold_score, bins.gold_score);
    append(all.gold_in_beam, bins.gold_in_beam);
    append(all.best_is_gold, bins.best_is_gold);
    append(all.fallen, bins.fallen);
    offsets.push_back(all.best_score.size());
    asked.push_back(i);
  }
  if (asked.empty()) return;
  {
    const nb::gil_scoped_acquire held;
    const nb::object answer = ask_(numpy_of(std::move(offsets)), numpy_of(std::move(all.best_score)),
                                   numpy_of(std::move(all.gold_score)), numpy_of(std::move(all.gold_in_beam)),
                                   numpy_of(std::move(all.best_is_gold)), numpy_of(std::move(all.fallen)));
    const auto answers = nb::cast<std::vector<std::vector<std::tuple<int, float>>>>(answer);
    if (answers.size() != asked.size()) throw ChoiceRefused("update: one answer for each search is needed");
    for (size_t i = 0; i < asked.size(); ++i) {
      chosen[asked[i]].clear();
      for (const auto& [bin, share] : answers[i]) chosen[asked[i]].push_back({bin, share});
    }
  }
  for (size_t i : asked) check(*searches[i], chosen[i]);
}

void PythonChooser::check(const Bins& bins, const std::vector<Share>& chosen) {
  int last = -1;
  for (const auto& [bin, share] : chosen) {
    if (bin < 0 || bin >= bins.size())
      throw ChoiceRefused("update: there is no bin " + std::to_string(bin) +
                          "; they are numbered from 0 to " + std::to_string(bins.size() - 1));
    if (bin <= last) throw ChoiceRefused("update: bins are given once each and in order; sort them");
    if (!bins.has_gold(bin))
      throw ChoiceRefused("update: gold has no item in bin " + std::to_string(bin) +
                          "; choose among those where gold_score is a number");
    if (!bins.has_both(bin))
      throw ChoiceRefused("update: there is no guess in bin " + std::to_string(bin) +
                          "; choose among those where best_score is a number");
    last = bin;
  }
}

PythonKeeper::PythonKeeper(nb::object ask) : ask_(std::move(ask)) {}

PythonKeeper::~PythonKeeper() {
  const nb::gil_scoped_acquire held;
  ask_.reset();
}

namespace {

class PythonMemory final : public RowKeeper::Memory {
 public:
  explicit PythonMemory(const nb::object& ask) : ask_(ask) {}
  PythonMemory(const PythonMemory&) = delete;
  PythonMemory& operator=(const PythonMemory&) = delete;
  ~PythonMemory() override {
    const nb::gil_scoped_acquire held;
    ask_.reset();
    known_.reset();
  }

  void keep(RowOffers&& offers, std::vector<uint32_t>& places) override {
    const nb::gil_scoped_acquire held;
    const size_t offered = offers.score.size();
    const nb::object answer = ask_(known_, offers.row, numpy_of(std::move(offers.score)),
                                   numpy_of(std::move(offers.parent)), numpy_of(std::move(offers.action)));
    places = nb::cast<std::vector<uint32_t>>(answer);
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i] >= offered || (i > 0 && places[i] <= places[i - 1]))
        throw ChoiceRefused("search: places of a row are given once each and in order");
    if (places.empty()) throw ChoiceRefused("search: a row keeps at least one of its candidates");
  }

 private:
  nb::object ask_;
  nb::dict known_;
};

}  // namespace

std::shared_ptr<RowKeeper::Memory> PythonKeeper::begin() const {
  const nb::gil_scoped_acquire held;
  return std::make_shared<PythonMemory>(ask_);
}

namespace {

class PythonLearner final : public OutsideLearner {
 public:
  PythonLearner(nb::object asked, float margin, uint32_t constraints, bool close_calls)
      : OutsideLearner(margin, constraints, close_calls), ask_(std::move(asked)) {}
  ~PythonLearner() override {
    const nb::gil_scoped_acquire held;
    ask_.reset();
  }

 protected:
  void ask(SparseDifferences found, const Take& take) const override {
    const nb::gil_scoped_acquire held;
    const nb::object answer =
        ask_(numpy_of(std::move(found.at)), numpy_of(std::move(found.value)),
             numpy_of(std::move(found.offsets)), numpy_of(std::move(found.excess)),
             numpy_of(std::move(found.loss)), numpy_of(std::move(found.example)), found.coordinates);
    if (answer.is_none()) return;
    const auto [at, value] = nb::cast<std::tuple<Array<uint32_t>, Array<float>>>(answer);
    take({span_of(at), span_of(value)});
  }

 private:
  nb::object ask_;
};

}  // namespace

void bind_outside(nb::module_& m) {
  nb::class_<PythonLearner, Learner>(m, "OutsideLearner")
      .def(nb::init<nb::object, float, uint32_t, bool>(), nb::arg("ask"), nb::arg("margin"),
           nb::arg("constraints"), nb::arg("close_calls"));
}
