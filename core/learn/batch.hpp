// Minibatches (Zhao & Huang 2013): the examples of a batch are decoded with the same weights, by as many
// threads as there are, and then changed for at once, in the order of the examples.
// structron/reference/sequence/training.py is the definition.
#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "util/clocks.hpp"
#include "util/interrupt.hpp"
#include "util/pool.hpp"

namespace structron {

// Worker, what one thread needs to search on its own, gives: open(example); cost(example), how many
// decisions there are to make; space(); trainer; naming.
template <class Worker>
class Batches {
 public:
  using Make = std::function<std::unique_ptr<Worker>()>;

  Batches(Weights& weights, Make make) : weights_(weights), make_(std::move(make)) {
    workers_.push_back(make_());
  }
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  Worker& first() {
    if (workers_.empty()) workers_.push_back(make_());
    return *workers_[0];
  }

  // Some sets of sub-structures are for short outputs only: no example may have more decisions.
  void check_lengths(uint32_t examples) {
    const Substructures* jj = first().trainer.learner().substructures();
    for (uint32_t e = 0; jj != nullptr && e < examples; ++e)
      if (first().cost(e) > jj->longest())
        throw std::invalid_argument("all_subsets is for outputs of at most " + std::to_string(jj->longest()) +
                                    " parts, and sentence " + std::to_string(e + 1) + " has " +
                                    std::to_string(first().cost(e)) + "; use other sub-structures");
  }

  // Trains on these examples in this order; the result does not depend on the number of threads. If it is
  // given up, the weights are those after the last whole example, or batch.
  void run(std::span<const uint32_t> order, uint32_t batch, uint32_t threads, Counts& counts) {
    const Renewal renewal{workers_};
    if (batch <= 1) {
      for (uint32_t example : order) {
        pulse_();
        first().open(example);
        first().trainer.example(first().space(), counts);
      }
      return;
    }
    Pool pool(std::min(threads, batch));
    for (size_t from = 0; from < order.size(); from += batch) {
      const double began = wall_seconds();
      const auto examples = order.subspan(from, std::min<size_t>(batch, order.size() - from));
      search(examples, pool, counts);
      const double searched = wall_seconds(), begun = cpu_seconds();
      joint_.cut(0);
      for (size_t i = 0; i < examples.size(); ++i) {
        first().naming.name_all(slots_[i].noted, slots_[i].found.from(0));
        joint_.take(slots_[i].found);
      }
      first().trainer.apply(first().space(), joint_, counts);
      for (auto& worker : workers_) worker->space().weights_changed();
      // The weights after a batch count once for each of its examples in the average.
      for (size_t i = 0; i < examples.size(); ++i) weights_.tick();
      changing_ += cpu_seconds() - begun;
      // While one thread makes the change, the others wait.
      waited_ += static_cast<double>(pool.threads() - 1) * (wall_seconds() - searched) +
                 static_cast<double>(pool.threads()) * (searched - began);
      for (double b : busy_) waited_ -= b;
    }
  }

  // The first half alone, for a change that is made elsewhere: f(number, violations, noted keys) per example.
  template <class F>
  void find(std::span<const uint32_t> examples, uint32_t threads, Counts& counts, F&& f) {
    const Renewal renewal{workers_};
    Pool pool(static_cast<uint32_t>(std::min<size_t>(threads, examples.size())));
    search(examples, pool, counts);
    for (size_t i = 0; i < examples.size(); ++i)
      f(static_cast<uint32_t>(i), slots_[i].found.span(), slots_[i].noted);
  }

  // Seconds that threads have waited for each other, all together.
  double waited() const { return waited_; }
  // CPU time that one thread has spent on making the changes of batches.
  double changing() const { return changing_; }

 private:
  struct Slot {
    Found found;
    std::vector<Key> noted;
    Counts counts;
  };
  // Whoever was at work when something was thrown, may be anywhere in the middle of it: others take their
  // places.
  struct Renewal {
    std::vector<std::unique_ptr<Worker>>& workers;
    int thrown = std::uncaught_exceptions();
    ~Renewal() {
      if (std::uncaught_exceptions() > thrown) workers.clear();
    }
  };
  // Whatever happens, new keys are named at once again when the search is over.
  struct Noting {
    Naming& naming;
    ~Noting() { naming.note_in(nullptr); }
  };

  // Threads take the examples costliest first, so that no long one is left for the end.
  void search(std::span<const uint32_t> examples, Pool& pool, Counts& counts) {
    while (workers_.size() < pool.threads()) workers_.push_back(make_());
    if (slots_.size() < examples.size()) slots_.resize(examples.size());
    costs_.clear();
    for (uint32_t example : examples) costs_.push_back(first().cost(example));
    costliest_first(costs_, turns_);
    busy_.assign(pool.threads(), 0);
    std::atomic<uint32_t> next = 0;
    pool.run([&](uint32_t thread) {
      const double began = wall_seconds();
      Worker& worker = *workers_[thread];
      const Noting noting{worker.naming};
      Pulse pulse;
      for (uint32_t turn; (turn = next.fetch_add(1)) < turns_.size();) {
        pulse();
        const uint32_t i = turns_[turn];
        Slot& slot = slots_[i];
        slot.found.cut(0);
        slot.noted.clear();
        slot.counts = {};
        worker.naming.note_in(&slot.noted);
        worker.open(examples[i]);
        worker.trainer.find(worker.space(), i, slot.found, slot.counts);
      }
      busy_[thread] = wall_seconds() - began;
    });
    for (size_t i = 0; i < examples.size(); ++i) counts += slots_[i].counts;
  }

  Weights& weights_;
  Make make_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Slot> slots_;
  std::vector<uint64_t> costs_;
  std::vector<uint32_t> turns_;
  std::vector<double> busy_;
  Found joint_;
  Pulse pulse_;
  double waited_ = 0, changing_ = 0;
};

}  // namespace structron
