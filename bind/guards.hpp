// What a call holds while it works, so that threads may share what they call.
#pragma once
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "bind.hpp"

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
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_{};
};

// Whoever waits does so without the interpreter's lock, which the other needs to finish. Data that run Python
// code when they are read may ask for what is reading them: that would wait for ever.
class Alone {
 public:
  Alone(Lock& lock, const char* what) : lock_(lock) {
    const std::thread::id me = std::this_thread::get_id();
    if (lock_.owner_.load(std::memory_order_relaxed) == me)
      throw std::runtime_error(std::string(what) +
                               ": asked for by the data that it is reading; read them into lists first");
    if (!lock_.mutex_.try_lock()) {
      nb::gil_scoped_release free;
      lock_.mutex_.lock();
    }
    lock_.owner_.store(me, std::memory_order_relaxed);
  }
  ~Alone() {
    lock_.owner_.store({}, std::memory_order_relaxed);
    lock_.mutex_.unlock();
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  Lock& lock_;
};
