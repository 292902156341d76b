// Inputs are read in batches, dealt to threads, and answered in the order in which they came.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "clocks.hpp"
#include "guards.hpp"
#include "pool.hpp"
#include "text.hpp"
#include "watched.hpp"

// Hand, what one thread needs, gives: Search; begin_batch(); lay_down(input), with the interpreter's lock;
// open(k), which makes its k-th input the current one; space(); evictions(); perhaps prepare(options).
//
// Every call has hands of its own, so that calls of several threads run side by side and an input may ask the
// same model while it is read. Hands keep what they have met for the next call.
template <class Hand>
class Predicting {
 public:
  using Search = typename Hand::Search;
  using Make = std::function<std::unique_ptr<Hand>()>;

  explicit Predicting(Make make) : make_(std::move(make)) { free_.push_back(make_()); }

  // Hands for the time of one call.
  class Lent {
   public:
    explicit Lent(Predicting& from, size_t n = 1) : from_(from) {
      while (hands_.size() < n) hands_.push_back(from_.lend());
    }
    ~Lent() { from_.take_back(hands_); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

    Hand& operator[](size_t h) { return *hands_[h]; }

   private:
    Predicting& from_;
    std::vector<std::unique_ptr<Hand>> hands_;
  };

  // CPU time spent searching, from integers to integers, since the model was loaded.
  double seconds() const {
    const std::lock_guard lock(mutex_);
    return seconds_;
  }
  // How often there was no room for what had been kept, so that it was let go.
  uint64_t evictions() const {
    const std::lock_guard lock(mutex_);
    return evictions_;
  }

  // got(hand, search, answer) is called in any thread without the interpreter's lock; give(answer) with it,
  // in the order of the inputs.
  template <class Answer, class Got, class Give>
  void run(nb::handle inputs, const char* what, const char* each, structron::SearchOptions options,
           uint32_t threads, Got&& got, Give&& give) {
    const WithoutCollector paused;
    const Sequence all(inputs.ptr(), what);
    const size_t size = static_cast<size_t>(all.size());
    structron::Pool pool(static_cast<uint32_t>(std::min<size_t>(threads, size / 4)));
    const size_t used = pool.threads();
    Lent hands(*this, used);
    for (size_t h = 0; h < used; ++h)
      if constexpr (requires { hands[h].prepare(options); }) hands[h].prepare(options);
    std::vector<Search> searches(used, Search(options));
    std::vector<std::vector<uint32_t>> dealt(used);
    std::vector<Answer> answers(std::min(size, kBatch * used));
    std::vector<double> busy(used);
    for (size_t from = 0; from < size; from += answers.size()) {
      const size_t n = std::min(answers.size(), size - from);
      share_out(all, from, n, dealt);
      lay_down(hands, all, from, each, dealt);
      {
        nb::gil_scoped_release free;
        pool.run([&](uint32_t h) {
          const double began = structron::cpu_seconds();
          for (uint32_t k = 0; k < dealt[h].size(); ++k) {
            hands[h].open(k);
            decode(hands[h], searches[h]);
            got(hands[h], searches[h], answers[dealt[h][k]]);
          }
          busy[h] += structron::cpu_seconds() - began;
        });
      }
      for (size_t i = 0; i < n; ++i) give(answers[i]);
    }
    const std::lock_guard lock(mutex_);
    for (double b : busy) seconds_ += b;
  }

 private:
  static constexpr size_t kBatch = 64;

  static void decode(Hand& hand, Search& search) {
    search.start({0.0, hand.space().initial(), structron::kRoot, 0, false});
    while (search.advance(hand.space())) {
    }
  }

  // By length, as far as an input tells it; what is no sequence is refused when it is laid down.
  static void share_out(const Sequence& all, size_t from, size_t n,
                        std::vector<std::vector<uint32_t>>& dealt) {
    std::vector<uint64_t> costs(n, 0);
    if (dealt.size() > 1)
      for (size_t i = 0; i < n; ++i) {
        const Py_ssize_t length = PyObject_Length(all[static_cast<Py_ssize_t>(from + i)]);
        if (length < 0) PyErr_Clear();
        costs[i] = static_cast<uint64_t>(std::max<Py_ssize_t>(0, length));
      }
    structron::deal(costs, dealt);
  }

  static void lay_down(Lent& hands, const Sequence& all, size_t from, const char* each,
                       const std::vector<std::vector<uint32_t>>& dealt) {
    for (size_t h = 0; h < dealt.size(); ++h) {
      hands[h].begin_batch();
      for (uint32_t place : dealt[h]) {
        try {
          hands[h].lay_down(all[static_cast<Py_ssize_t>(from + place)]);
        } catch (const nb::builtin_exception& e) {
          const std::string message =
              std::string(each) + " " + std::to_string(from + place + 1) + ": " + e.what();
          throw nb::builtin_exception(e.type(), message.c_str());
        }
      }
    }
  }

  std::unique_ptr<Hand> lend() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Hand> hand = std::move(free_.back());
        free_.pop_back();
        return hand;
      }
    }
    return make_();
  }
  // The first of a call goes on top, so that the next call finds the words that this one has met.
  void take_back(std::vector<std::unique_ptr<Hand>>& hands) noexcept {
    const std::lock_guard lock(mutex_);
    for (const auto& hand : hands) evictions_ += std::exchange(hand->evictions(), 0);
    kept_ = std::max(kept_, hands.size());
    try {
      for (size_t h = hands.size(); h-- > 0;)
        if (free_.size() < kept_) free_.push_back(std::move(hands[h]));
    } catch (const std::bad_alloc&) {  // then the next call makes its own
    }
  }

  Make make_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Hand>> free_;
  // As many as the machine has threads, or as one call has used: more are not worth their memory.
  size_t kept_ = std::max(1u, std::thread::hardware_concurrency());
  double seconds_ = 0;
  uint64_t evictions_ = 0;
};
