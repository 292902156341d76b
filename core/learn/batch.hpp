// Minibatches (Zhao & Huang 2013): the examples of a batch are decoded with the same weights, by as many
// threads as there are, and then changed for at once, in the order of the examples.
// structron/reference/sequence/training.py is the definition.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "learn/choosing.hpp"
#include "learn/worker.hpp"
#include "util/interrupt.hpp"
#include "util/pool.hpp"

namespace structron {

class Batches {
 public:
  using Make = std::function<std::unique_ptr<Worker>()>;

  Batches(Weights& weights, Make make);
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  Worker& first();

  // From now on this says where to update.
  void choose_with(Chooser& chooser) { chooser_ = &chooser; }

  // Some sets of sub-structures are for short outputs only: no example may have more decisions.
  void check_lengths(uint32_t examples);

  // Trains on these examples in this order; the result does not depend on the number of threads. If it is
  // given up, the weights are those after the last whole example, or batch.
  void run(std::span<const uint32_t> order, uint32_t batch, uint32_t threads, Counts& counts);

  // The first half alone, for a change that is made elsewhere: put(place, violations, noted keys) for each
  // example.
  using Put = std::function<void(uint32_t, std::span<const Violation>, const std::vector<Key>&)>;
  void find(std::span<const uint32_t> examples, uint32_t threads, Counts& counts, const Put& put);

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
  struct Renewal;

  void change_for_all(std::span<const uint32_t> examples, Counts& counts);
  void search(std::span<const uint32_t> examples, Pool& pool, Counts& counts);
  void search_one(Worker& worker, uint32_t place, uint32_t example);
  void choose(std::span<const uint32_t> examples, std::span<Slot> slots, Pool& pool);
  void share(std::span<const uint32_t> examples, Pool& pool,
             const std::function<void(uint32_t thread, uint32_t place)>& work);
  void make_workers(size_t wanted);

  Weights& weights_;
  Make make_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Slot> slots_;
  std::vector<uint64_t> costs_;
  std::vector<uint32_t> turns_;
  std::vector<double> busy_;
  Chooser* chooser_ = nullptr;
  std::vector<const Bins*> looked_at_;
  std::vector<std::vector<Share>> chosen_;
  Found joint_;
  Pulse pulse_;
  double waited_ = 0, changing_ = 0;
};

}  // namespace structron
