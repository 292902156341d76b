// What one thread needs to learn on its own, as those see it who do not know the task.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "learn/naming.hpp"
#include "learn/training.hpp"
#include "search/trace.hpp"

namespace structron {

class Worker {
 public:
  virtual ~Worker() = default;

  // How many decisions an example asks for.
  virtual uint64_t cost(uint32_t example) const = 0;
  // Decodes an example and updates the weights at once.
  virtual void learn(uint32_t example, Counts& counts) = 0;
  // Decodes it and adds what an update would fix, under this number.
  virtual void find(uint32_t example, uint32_t number, Found& found, Counts& counts) = 0;
  // The two halves of that, for bins that are chosen in between.
  virtual bool look(uint32_t example, Counts& counts) = 0;
  virtual const Bins& bins() const = 0;
  virtual void take(std::span<const int> chosen, uint32_t number, Found& found) = 0;
  // Makes one change for all that was found with the weights as they are.
  virtual void apply(const Found& found, Counts& counts) = 0;
  virtual void weights_changed() = 0;
  virtual Trace trace(uint32_t example, const SearchOptions& options) = 0;
  virtual Naming& naming() = 0;
  virtual const Learner& learner() const = 0;
};

// Concrete gives: Watched; open(example); cost(example); space(); fixer, a ViolationFixer<Watched> or a
// Summer; naming.
template <class Concrete>
class WorkerOf final : public Worker {
 public:
  template <class... Args>
  explicit WorkerOf(Args&&... args) : concrete_(std::forward<Args>(args)...) {}

  uint64_t cost(uint32_t example) const override { return concrete_.cost(example); }
  void learn(uint32_t example, Counts& counts) override {
    open(example);
    concrete_.fixer.example(concrete_.space(), counts);
  }
  void find(uint32_t example, uint32_t number, Found& found, Counts& counts) override {
    open(example);
    concrete_.fixer.find(concrete_.space(), number, found, counts);
  }
  bool look(uint32_t example, Counts& counts) override {
    open(example);
    return concrete_.fixer.look(concrete_.space(), counts);
  }
  const Bins& bins() const override { return concrete_.fixer.bins(); }
  void take(std::span<const int> chosen, uint32_t number, Found& found) override {
    concrete_.fixer.take(concrete_.space(), chosen, number, found);
  }
  void apply(const Found& found, Counts& counts) override {
    concrete_.fixer.apply(concrete_.space(), found, counts);
  }
  void weights_changed() override { concrete_.space().weights_changed(); }
  Trace trace(uint32_t example, const SearchOptions& options) override {
    concrete_.open(example);
    return traced<typename Concrete::Watched>(concrete_.space(), options, true);
  }
  Naming& naming() override { return concrete_.naming; }
  const Learner& learner() const override { return concrete_.fixer.learner(); }

 private:
  void open(uint32_t example) {
    concrete_.fixer.prepare(concrete_.space());
    concrete_.open(example);
  }

  Concrete concrete_;
};

template <class Concrete, class... Args>
std::unique_ptr<Worker> worker_of(Args&&... args) {
  return std::make_unique<WorkerOf<Concrete>>(std::forward<Args>(args)...);
}

}  // namespace structron
