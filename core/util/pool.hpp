// A few threads that wait for work; whoever gives it takes part in it.
//
// There are no more than there are processors, and the system may refuse to start one. What is done never
// depends on how many there are: ask threads(), not what was wished for.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

#include "util/interrupt.hpp"

namespace structron {

// The processors that this process may use.
inline uint32_t usable_processors() {
#ifdef __linux__
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof usable, &usable) == 0)
    return std::max(1u, static_cast<uint32_t>(CPU_COUNT(&usable)));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

class Pool {
 public:
  // More threads than processors only cost memory and time: they are not started.
  explicit Pool(uint32_t wished) {
    wished = std::min(wished, usable_processors());
    try {
      for (uint32_t i = 1; i < wished; ++i) others_.emplace_back([this, i] { serve(i); });
    } catch (const std::exception&) {  // no thread, or no memory for one: the others are at work already
    }
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    begun_.notify_all();
    for (std::thread& t : others_) t.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  uint32_t threads() const { return static_cast<uint32_t>(others_.size()) + 1; }

  // work(i) on every thread i; back when all are done. What one of them throws is thrown here, and the others
  // are told to stop.
  void run(const std::function<void(uint32_t)>& work) {
    if (others_.empty()) return work(0);
    {
      const std::lock_guard lock(mutex_);
      stop_ = false;
      work_ = &work;
      left_ = static_cast<uint32_t>(others_.size());
      ++round_;
    }
    begun_.notify_all();
    attempt(0, work);
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kPatience, [this] { return left_ == 0; })) {
      lock.unlock();
      attempt(0, [](uint32_t) { hear(); });  // who waits hears signals, too
      lock.lock();
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void serve(uint32_t i) {
    hearing = {0, &stop_, true};
    for (uint64_t seen = 0;;) {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
      const std::function<void(uint32_t)>& work = *work_;
      lock.unlock();
      attempt(i, work);
      lock.lock();
      if (--left_ == 0) ended_.notify_one();
    }
  }
  void attempt(uint32_t i, const std::function<void(uint32_t)>& work) {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
  }

  static constexpr std::chrono::milliseconds kPatience{100};

  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  std::atomic<bool> stop_ = false;
  const std::function<void(uint32_t)>* work_ = nullptr;
  uint64_t round_ = 0;
  uint32_t left_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> others_;
};

// The turns of jobs, costliest first; of equals the earlier.
inline void costliest_first(const std::vector<uint64_t>& costs, std::vector<uint32_t>& turns) {
  turns.resize(costs.size());
  std::iota(turns.begin(), turns.end(), 0u);
  std::stable_sort(turns.begin(), turns.end(), [&](uint32_t a, uint32_t b) { return costs[a] > costs[b]; });
}

// Deals jobs to workers, costliest first, each to the one that has least so far: jobs[w] lists its own.
inline void deal(const std::vector<uint64_t>& costs, std::vector<std::vector<uint32_t>>& jobs) {
  std::vector<uint32_t> turns;
  costliest_first(costs, turns);
  std::vector<uint64_t> held(jobs.size(), 0);
  for (auto& own : jobs) own.clear();
  for (uint32_t job : turns) {
    const size_t least = static_cast<size_t>(std::min_element(held.begin(), held.end()) - held.begin());
    jobs[least].push_back(job);
    held[least] += costs[job] + 1;
  }
}

}  // namespace structron
