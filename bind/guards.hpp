// What a long call holds while it works.
#pragma once
#include <mutex>

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

// One caller at a time. Whoever waits does so without the interpreter's lock, which the other needs to
// finish.
class Alone {
 public:
  explicit Alone(std::mutex& mutex) : mutex_(mutex) {
    nb::gil_scoped_release free;
    mutex_.lock();
  }
  ~Alone() { mutex_.unlock(); }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  std::mutex& mutex_;
};
