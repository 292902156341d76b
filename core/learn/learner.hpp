// How far the weights move: a learner maps violations to one sparse change and touches nothing.
// structron/reference/learners/learners.py is the definition.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace structron {

// One coordinate of Phi(gold) - Phi(guess).
struct Part {
  uint32_t feature, column;
  float value;
};
using Difference = std::vector<Part>;

// A pair of gold and guess, as far as a learner needs it.
struct Violation {
  Difference delta;      // Phi(gold) - Phi(guess); coordinates may repeat
  double excess = 0;     // guess minus gold, as search saw it: with a margin, that is in it
  double loss = 0;       // the task's, between gold and guess
  uint32_t example = 0;  // those of one example stand together
  uint32_t among = 1;    // a mixed assignment: how many sub-structures there were
  bool on_prefix = false;
};

struct Substructures;

// What a change did, counted in examples.
struct Made {
  uint32_t updates = 0, invalid = 0, early = 0;

  // The change is for this example too; of its violations any will do.
  void count(const Violation& one, bool is_invalid) {
    ++updates;
    invalid += is_invalid;
    early += one.on_prefix;
  }
};

class Learner {
 public:
  virtual ~Learner() = default;

  // What to add to the weights for these violations, all found with the same weights; at least one. The
  // answer lies in `scratch`, or in a violation where it is that one's own difference.
  virtual const Difference& change(std::span<const Violation> found, Difference& scratch,
                                   Made& made) const = 0;
  // How far gold must be ahead of each wrong action: cost-augmented search while training.
  virtual float margin() const { return 0; }
  // Whether the margin grows with the examples seen, and what it is after so many.
  virtual bool grows() const { return false; }
  virtual double grown(uint64_t) const { return margin(); }
  // Whether it wants gold and guess to be expectations over all outputs; what grows is then the temperature.
  virtual bool sums() const { return false; }
  // How many guesses of the chosen row it wants to see.
  virtual uint32_t constraints() const { return 1; }
  // Whether it wants to see the last row where the update method finds nothing to fix.
  virtual bool close_calls() const { return false; }
  // The sub-structures of which it wants to see the mixed assignments, in place of the guess.
  virtual const Substructures* substructures() const { return nullptr; }
  // Whether it can do something with these mixed assignments; if not, it wants the guess.
  virtual bool accepts(std::span<const Violation>) const { return true; }
};

// Violations on their way from search to learner; their memory is used again.
class Found {
 public:
  Violation& add(uint32_t example) {
    if (used_ == all_.size()) all_.emplace_back();
    Violation& v = all_[used_++];
    v.delta.clear();
    v.example = example;
    v.among = 1;
    return v;
  }
  void cut(size_t n) { used_ = n; }
  // Moves the violations of another here; what the other had room for stays usable.
  void take(Found& other) {
    for (size_t i = 0; i < other.used_; ++i) std::swap(add(other.all_[i].example), other.all_[i]);
    other.cut(0);
  }
  size_t size() const { return used_; }
  std::span<const Violation> span() const { return {all_.data(), used_}; }
  std::span<Violation> from(size_t first) { return {all_.data() + first, used_ - first}; }

 private:
  std::vector<Violation> all_;
  size_t used_ = 0;
};

// f(violations of one example) for one example after the other.
template <class F>
void each_example(std::span<const Violation> found, F&& f) {
  for (size_t from = 0, to; from < found.size(); from = to) {
    to = from + 1;
    while (to < found.size() && found[to].example == found[from].example) ++to;
    f(found.subspan(from, to - from));
  }
}

}  // namespace structron
