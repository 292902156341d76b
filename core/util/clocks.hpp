// Time that passes, and CPU time of the thread that asks: others' work is not counted.
#pragma once
#include <chrono>
#include <cstdint>
#include <ctime>

namespace structron {

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Time that passes, to a few milliseconds, where that is cheaper: for those who look all the time.
inline int64_t coarse_nanoseconds() {
#ifdef CLOCK_MONOTONIC_COARSE
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
#else
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace structron
