#include "learn/batch.hpp"

#include <atomic>
#include <exception>
#include <string>

#include "learn/substructures.hpp"
#include "search/refusal.hpp"
#include "util/clocks.hpp"

namespace structron {

namespace {

// Searches of so many examples are kept until it is chosen where to update.
constexpr size_t kTogether = 64;

// Whatever happens, new keys are named at once again when an example is done.
class Noting {
 public:
  Noting(Naming& naming, std::vector<Key>& noted) : naming_(naming) { naming_.note_in(&noted); }
  ~Noting() { naming_.note_in(nullptr); }

 private:
  Naming& naming_;
};

}  // namespace

// Whoever was at work when something was thrown, may be anywhere in the middle of it: others take their
// places.
struct Batches::Renewal {
  std::vector<std::unique_ptr<Worker>>& workers;
  int thrown = std::uncaught_exceptions();
  ~Renewal() {
    if (std::uncaught_exceptions() > thrown) workers.clear();
  }
};

Batches::Batches(Weights& weights, Make make) : weights_(weights), make_(std::move(make)) {
  workers_.push_back(make_());
}

Worker& Batches::first() {
  if (workers_.empty()) workers_.push_back(make_());
  return *workers_[0];
}

void Batches::check_lengths(uint32_t examples) {
  const Substructures* jj = first().learner().substructures();
  for (uint32_t e = 0; jj != nullptr && e < examples; ++e)
    if (first().cost(e) > jj->longest())
      throw ChoiceRefused("all_subsets is for outputs of at most " + std::to_string(jj->longest()) +
                          " parts, and sentence " + std::to_string(e + 1) + " has " +
                          std::to_string(first().cost(e)) + "; use other sub-structures");
}

void Batches::run(std::span<const uint32_t> order, uint32_t batch, uint32_t threads, Counts& counts) {
  const Renewal renewal{workers_};
  if (batch <= 1 && chooser_ == nullptr) {
    for (uint32_t example : order) {
      pulse_();
      first().learn(example, counts);
    }
    return;
  }
  batch = std::max(batch, 1u);
  Pool pool(std::min(threads, batch));
  for (size_t from = 0; from < order.size(); from += batch) {
    const double began = wall_seconds();
    const auto examples = order.subspan(from, std::min<size_t>(batch, order.size() - from));
    search(examples, pool, counts);
    const double searched = wall_seconds(), begun = cpu_seconds();
    change_for_all(examples, counts);
    changing_ += cpu_seconds() - begun;
    // While one thread makes the change, the others wait.
    waited_ += static_cast<double>(pool.threads() - 1) * (wall_seconds() - searched) +
               static_cast<double>(pool.threads()) * (searched - began);
    for (double b : busy_) waited_ -= b;
  }
}

void Batches::change_for_all(std::span<const uint32_t> examples, Counts& counts) {
  joint_.cut(0);
  for (size_t i = 0; i < examples.size(); ++i) {
    first().naming().name_all(slots_[i].noted, slots_[i].found.from(0));
    joint_.take(slots_[i].found);
  }
  first().apply(joint_, counts);
  if (joint_.size() > 0)
    for (auto& worker : workers_) worker->weights_changed();
  // The weights after a batch count once for each of its examples in the average.
  for (size_t i = 0; i < examples.size(); ++i) weights_.tick();
}

void Batches::find(std::span<const uint32_t> examples, uint32_t threads, Counts& counts, const Put& put) {
  const Renewal renewal{workers_};
  Pool pool(static_cast<uint32_t>(std::min<size_t>(threads, examples.size())));
  search(examples, pool, counts);
  for (size_t i = 0; i < examples.size(); ++i)
    put(static_cast<uint32_t>(i), slots_[i].found.span(), slots_[i].noted);
}

void Batches::search(std::span<const uint32_t> examples, Pool& pool, Counts& counts) {
  if (slots_.size() < examples.size()) slots_.resize(examples.size());
  for (size_t i = 0; i < examples.size(); ++i) {
    slots_[i].found.cut(0);
    slots_[i].noted.clear();
    slots_[i].counts = {};
  }
  busy_.assign(pool.threads(), 0);
  if (chooser_ != nullptr) {
    for (size_t from = 0; from < examples.size(); from += kTogether) {
      const size_t n = std::min(kTogether, examples.size() - from);
      choose(examples.subspan(from, n), {slots_.data() + from, n}, pool);
    }
    for (size_t i = 0; i < examples.size(); ++i)
      for (Violation& v : slots_[i].found.from(0)) v.example = static_cast<uint32_t>(i);
  } else {
    make_workers(pool.threads());
    share(examples, pool,
          [&](uint32_t thread, uint32_t place) { search_one(*workers_[thread], place, examples[place]); });
  }
  for (size_t i = 0; i < examples.size(); ++i) counts += slots_[i].counts;
}

void Batches::search_one(Worker& worker, uint32_t place, uint32_t example) {
  Slot& slot = slots_[place];
  const Noting noting(worker.naming(), slot.noted);
  worker.find(example, place, slot.found, slot.counts);
}

// Each example has a worker to itself, which keeps its search until all have been looked at.
void Batches::choose(std::span<const uint32_t> examples, std::span<Slot> slots, Pool& pool) {
  make_workers(examples.size());
  looked_at_.assign(examples.size(), nullptr);
  chosen_.assign(examples.size(), {});
  share(examples, pool, [&](uint32_t, uint32_t place) {
    Worker& worker = *workers_[place];
    const Noting noting(worker.naming(), slots[place].noted);
    if (worker.look(examples[place], slots[place].counts)) looked_at_[place] = &worker.bins();
  });
  chooser_->choose(looked_at_, chosen_);
  share(examples, pool, [&](uint32_t, uint32_t place) {
    if (looked_at_[place] == nullptr) return;
    Worker& worker = *workers_[place];
    const Noting noting(worker.naming(), slots[place].noted);
    worker.take(chosen_[place], place, slots[place].found);
  });
}

// Threads take the examples costliest first, so that no long one is left for the end.
void Batches::share(std::span<const uint32_t> examples, Pool& pool,
                    const std::function<void(uint32_t thread, uint32_t place)>& work) {
  costs_.clear();
  for (uint32_t example : examples) costs_.push_back(first().cost(example));
  costliest_first(costs_, turns_);
  std::atomic<uint32_t> next = 0;
  pool.run([&](uint32_t thread) {
    const double began = wall_seconds();
    Pulse pulse;
    for (uint32_t turn; (turn = next.fetch_add(1)) < turns_.size();) {
      pulse();
      work(thread, turns_[turn]);
    }
    busy_[thread] += wall_seconds() - began;
  });
}

void Batches::make_workers(size_t wanted) {
  while (workers_.size() < wanted) workers_.push_back(make_());
}

}  // namespace structron
