// Inputs are read in batches, dealt to threads, and answered in the order in which they came.
#pragma once
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bind.hpp"
#include "guards.hpp"
#include "pool.hpp"
#include "text.hpp"
#include "trace.hpp"

// Hand, what one thread needs, gives: Space; begin_batch(); lay_down(input), with the interpreter's lock;
// open(k), which makes its k-th input the current one; space(); perhaps prepare(options).
template <class Hand>
class Predicting {
 public:
  using Search = structron::SearchOf<typename Hand::Space>;
  using Make = std::function<std::unique_ptr<Hand>()>;

  explicit Predicting(Make make) : make_(std::move(make)) { hands_.push_back(make_()); }

  Hand& first() { return *hands_[0]; }
  std::mutex& mutex() { return mutex_; }
  // CPU time spent searching, from integers to integers, since the model was loaded.
  double seconds() const { return seconds_; }

  // got(place, hand, search) is called in any thread without the interpreter's lock, for every place in a
  // batch; flush(n), with the lock, when n places are done.
  template <class Got, class Flush>
  void run(nb::handle inputs, const char* what, const char* each, structron::SearchOptions options,
           uint32_t threads, Got&& got, Flush&& flush) {
    const Alone alone(mutex_);
    const WithoutCollector paused;
    const Sequence all(inputs.ptr(), what);
    const size_t size = static_cast<size_t>(all.size());
    const size_t used = std::max<size_t>(1, std::min<size_t>(threads, size / 4));
    while (hands_.size() < used) hands_.push_back(make_());
    for (auto& hand : hands_)
      if constexpr (requires { hand->prepare(options); }) hand->prepare(options);
    structron::Pool pool(static_cast<uint32_t>(used));
    std::vector<Search> searches(used, Search(options));
    std::vector<std::vector<uint32_t>> dealt(used);
    const size_t batch = kBatch * used;
    for (size_t from = 0; from < size; from += batch) {
      const size_t n = std::min(batch, size - from);
      share_out(all, from, n, dealt);
      lay_down(all, from, each, dealt);
      {
        nb::gil_scoped_release free;
        const std::clock_t began = std::clock();
        pool.run([&](uint32_t h) {
          for (uint32_t k = 0; k < dealt[h].size(); ++k) {
            hands_[h]->open(k);
            decode(*hands_[h], searches[h]);
            got(dealt[h][k], *hands_[h], searches[h]);
          }
        });
        seconds_ += static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
      }
      flush(n);
    }
  }

  static constexpr size_t kBatch = 64;

 private:
  static void decode(Hand& hand, Search& search) {
    search.start({0.0, hand.space().initial(), structron::kRoot, 0, false});
    while (search.advance(hand.space())) {
    }
  }

  // By length, as far as an input tells it; what is no sequence is refused when it is laid down.
  void share_out(const Sequence& all, size_t from, size_t n, std::vector<std::vector<uint32_t>>& dealt) {
    costs_.assign(n, 0);
    if (dealt.size() > 1)
      for (size_t i = 0; i < n; ++i) {
        const Py_ssize_t length = PyObject_Length(all[static_cast<Py_ssize_t>(from + i)]);
        if (length < 0) PyErr_Clear();
        costs_[i] = static_cast<uint64_t>(std::max<Py_ssize_t>(0, length));
      }
    structron::deal(costs_, dealt);
  }

  void lay_down(const Sequence& all, size_t from, const char* each,
                const std::vector<std::vector<uint32_t>>& dealt) {
    for (size_t h = 0; h < dealt.size(); ++h) {
      hands_[h]->begin_batch();
      for (uint32_t place : dealt[h]) {
        try {
          hands_[h]->lay_down(all[static_cast<Py_ssize_t>(from + place)]);
        } catch (const nb::builtin_exception& e) {
          const std::string message =
              std::string(each) + " " + std::to_string(from + place + 1) + ": " + e.what();
          throw nb::builtin_exception(e.type(), message.c_str());
        }
      }
    }
  }

  Make make_;
  std::vector<std::unique_ptr<Hand>> hands_;
  std::vector<uint64_t> costs_;
  double seconds_ = 0;
  std::mutex mutex_;
};
