// Predicting: inputs are read in batches, dealt to threads, and answered in the order in which they came.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "search/items.hpp"
#include "search/search_options.hpp"
#include "util/pool.hpp"

namespace structron {

// The k best different outputs of a finished search, with the score of the best derivation of each. Search
// that has taken no step has but its beginning.
template <class Output, class Search, class OutputOf>
std::vector<std::pair<Output, double>> distinct_best(const Search& search, uint32_t k, OutputOf&& output_of) {
  std::vector<std::pair<Output, double>> best;
  if (search.rows.empty()) {
    best.emplace_back(output_of(kRoot), 0.0);
    return best;
  }
  std::set<Output> known;
  const auto row = search.rows.back();
  for (uint32_t item = row.begin; item < row.end && best.size() < k; ++item) {
    Output output = output_of(item);
    if (known.insert(output).second) best.emplace_back(std::move(output), search.items[item].score);
  }
  return best;
}

// The first item of a finished search; kRoot if it has taken no step.
template <class Search>
uint32_t best_item(const Search& search) {
  return search.rows.empty() ? kRoot : search.rows.back().begin;
}

// What is done with the inputs of one call, batch by batch: see Decoders::run.
class BatchWork {
 public:
  virtual ~BatchWork() = default;
  virtual uint64_t cost(size_t input) const = 0;
  virtual void begin_batch(size_t decoder) = 0;
  virtual void load(size_t decoder, size_t input) = 0;
  virtual void search(const std::function<void()>& work) = 0;
  // Searches the k-th input that this decoder has loaded; the answer is that of a place in the batch.
  virtual void decode(size_t decoder, uint32_t k, size_t place) = 0;
  virtual void give(size_t place) = 0;
};

// All inputs, so many at a time, each batch dealt to the threads; gives the CPU time that was spent on
// searching.
double predict_in_batches(size_t inputs, size_t batch, Pool& pool, BatchWork& work);

// A Decoder, what one thread needs to predict on its own, gives: Search; begin_batch(); open(k), which makes
// the k-th input of the batch the current one; space(); evictions(); perhaps prepare(options). How an input
// is loaded into it is told with each call.
//
// Every call borrows decoders of its own, so that calls of several threads run side by side and an input may
// ask the same model while it is read. What a decoder has met stays in it for the next call. The one lock
// here is held only while decoders and counts change hands, and never while anything else is called.
template <class Decoder>
class Decoders {
 public:
  using Search = typename Decoder::Search;
  using Make = std::function<std::unique_ptr<Decoder>()>;

  explicit Decoders(Make make) : make_(std::move(make)) { free_.push_back(make_()); }

  // Decoders for the time of one call.
  class Borrowed {
   public:
    explicit Borrowed(Decoders& from, size_t n = 1) : from_(from) {
      while (decoders_.size() < n) decoders_.push_back(from_.take());
    }
    ~Borrowed() { from_.take_back(decoders_); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    Decoder& operator[](size_t i) { return *decoders_[i]; }
    size_t size() const { return decoders_.size(); }
    // They are in the middle of something that was given up: nobody gets them again.
    void drop() { decoders_.clear(); }

   private:
    Decoders& from_;
    std::vector<std::unique_ptr<Decoder>> decoders_;
  };

  // CPU time spent searching, from integers to integers, since the model was loaded.
  double seconds() const {
    const std::lock_guard lock(mutex_);
    return seconds_;
  }
  // How often there was no room for what had been met before, so that it was let go.
  uint64_t evictions() const {
    const std::lock_guard lock(mutex_);
    return evictions_;
  }

  // Inputs gives: size(); cost(i), how long input i may take; load(decoder, i); search(work), which calls
  // work() when nothing of the inputs is needed. All of these are called in this thread, and so is
  // give(answer), in the order of the inputs; got(decoder, search, answer) is called in any.
  template <class Answer, class Inputs, class Got, class Give>
  void run(Inputs& inputs, SearchOptions options, uint32_t threads, Got&& got, Give&& give) {
    const size_t size = inputs.size();
    Pool pool(static_cast<uint32_t>(std::min<size_t>(threads, size / 4)));
    const size_t used = pool.threads();
    Borrowed decoders(*this, used);
    for (size_t d = 0; d < used; ++d)
      if constexpr (requires { decoders[d].prepare(options); }) decoders[d].prepare(options);
    Work<Answer, Inputs, Got, Give> work(inputs, decoders, options, got, give, std::min(size, kBatch * used));
    const double busy = predict_in_batches(size, std::min(size, kBatch * used), pool, work);
    const std::lock_guard lock(mutex_);
    seconds_ += busy;
  }

 private:
  // Inputs that are read before they are searched. Reading and searching each bring tables of their own near
  // the processor, anew with every batch: a Decoder that is quick with each input may want larger ones.
  static constexpr size_t kBatch = [] {
    if constexpr (requires { Decoder::kBatch; }) return Decoder::kBatch;
    return size_t{64};
  }();

  // One call of run(), as the loop over its batches sees it.
  template <class Answer, class Inputs, class Got, class Give>
  class Work final : public BatchWork {
   public:
    Work(Inputs& inputs, Borrowed& decoders, const SearchOptions& options, Got& got, Give& give, size_t batch)
        : inputs_(inputs),
          decoders_(decoders),
          got_(got),
          give_(give),
          searches_(decoders.size(), Search(options)),
          answers_(batch) {}

    uint64_t cost(size_t input) const override { return inputs_.cost(input); }
    void begin_batch(size_t d) override { decoders_[d].begin_batch(); }
    void load(size_t d, size_t input) override { inputs_.load(decoders_[d], input); }
    void search(const std::function<void()>& work) override {
      try {
        inputs_.search(work);
      } catch (...) {
        decoders_.drop();
        throw;
      }
    }
    void decode(size_t d, uint32_t k, size_t place) override {
      decoders_[d].open(k);
      searches_[d].run(decoders_[d].space());
      got_(decoders_[d], searches_[d], answers_[place]);
    }
    void give(size_t place) override { give_(answers_[place]); }

   private:
    Inputs& inputs_;
    Borrowed& decoders_;
    Got& got_;
    Give& give_;
    std::vector<Search> searches_;
    std::vector<Answer> answers_;
  };

  std::unique_ptr<Decoder> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Decoder> decoder = std::move(free_.back());
        free_.pop_back();
        return decoder;
      }
    }
    return make_();
  }
  // The first of a call goes on top, so that the next call finds the words that this one has met.
  void take_back(std::vector<std::unique_ptr<Decoder>>& decoders) noexcept {
    const std::lock_guard lock(mutex_);
    for (const auto& decoder : decoders) evictions_ += std::exchange(decoder->evictions(), 0);
    most_free_ = std::max(most_free_, decoders.size());
    try {
      for (size_t d = decoders.size(); d-- > 0;)
        if (free_.size() < most_free_) free_.push_back(std::move(decoders[d]));
    } catch (const std::bad_alloc&) {  // then the next call makes its own
    }
  }

  Make make_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Decoder>> free_;
  // As many as the machine has threads, or as one call has used: more are not worth their memory.
  size_t most_free_ = std::max(1u, std::thread::hardware_concurrency());
  double seconds_ = 0;
  uint64_t evictions_ = 0;
};

}  // namespace structron
