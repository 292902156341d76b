// What a call holds while it works, so that threads may share what they call.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "bind.hpp"
#include "util/interrupt.hpp"

// Thousands of new lists would set off the cyclic garbage collector again and again, for nothing.
class WithoutCollector {
 public:
  WithoutCollector() : was_on_(PyGC_Disable() != 0) {}
  ~WithoutCollector() {
    if (was_on_) PyGC_Enable();
  }
  WithoutCollector(const WithoutCollector&) = delete;
  WithoutCollector& operator=(const WithoutCollector&) = delete;

 private:
  bool was_on_;
};

// For one caller at a time. A copy of what it guards has a lock of its own.
class Lock {
 public:
  Lock() = default;
  Lock(const Lock&) {}
  Lock& operator=(const Lock&) { return *this; }

 private:
  friend class Alone;
  bool take() {
    const std::lock_guard lock(mutex_);
    return !std::exchange(is_taken_, true);
  }
  // The same after some time, or when it is free.
  bool wait() {
    std::unique_lock lock(mutex_);
    free_.wait_for(lock, std::chrono::milliseconds(100), [this] { return !is_taken_; });
    return !std::exchange(is_taken_, true);
  }
  void give() {
    const std::lock_guard lock(mutex_);
    is_taken_ = false;
    free_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable free_;
  bool is_taken_ = false;
  std::atomic<std::thread::id> owner_{};
};

// Whoever waits does so without the interpreter's lock, which the other needs to finish, and hears signals.
// Data that run Python code when they are read may ask for what is reading them: that would wait for ever.
class Alone {
 public:
  Alone(Lock& lock, const char* what) : lock_(lock) {
    const std::thread::id me = std::this_thread::get_id();
    if (lock_.owner_.load(std::memory_order_relaxed) == me)
      throw std::runtime_error(std::string(what) +
                               ": asked for by the data that it is reading; read them into lists first");
    if (!lock_.take()) {
      nb::gil_scoped_release free;
      while (!lock_.wait()) structron::hear();
    }
    lock_.owner_.store(me, std::memory_order_relaxed);
  }
  ~Alone() {
    lock_.owner_.store({}, std::memory_order_relaxed);
    lock_.give();
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  Lock& lock_;
};
