// How work that takes long is given up: because of a signal, or because another thread has failed.
//
// Loops call hear() or, where a round takes microseconds, a Pulse. Both look at the time and ask at most
// every tenth of a second. What they throw ends the call, so they may stand only where nothing is half done
// that outlives it: never where weights are changed.
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>

#include "util/clocks.hpp"

namespace structron {

// Thrown in a thread that was told to stop.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped"; }
};

// Throws if the thread that calls it has got a signal that ends its work. The binding sets it: what a signal
// means is Python's business.
inline std::atomic<void (*)()> ask_for_signals = nullptr;

// What a thread listens to.
struct Hearing {
  int64_t next = 0;                         // when to ask again
  const std::atomic<bool>* stop = nullptr;  // true: give up
  bool is_ours = false;                     // a thread of the engine, which no signal reaches
};
inline constinit thread_local Hearing hearing;

inline constexpr int64_t kHearEvery = 100'000'000;  // nanoseconds

inline void ask() {
  hearing.next = coarse_nanoseconds() + kHearEvery;
  if (hearing.stop != nullptr && hearing.stop->load(std::memory_order_relaxed)) throw Stopped();
  if (const auto signals = ask_for_signals.load(std::memory_order_relaxed); signals && !hearing.is_ours)
    signals();
}

inline void hear() {
  if (coarse_nanoseconds() >= hearing.next) [[unlikely]]
    ask();
}

// For loops whose rounds are too short to look at the time in each.
class Pulse {
 public:
  void operator()() {
    if (++rounds_ % kRounds == 0) [[unlikely]]
      hear();
  }

 private:
  static constexpr uint32_t kRounds = 16;
  uint32_t rounds_ = 0;
};

// A comparison for sorting much: it may be given up, too.
template <class Less = std::less<>>
auto heard(Less less = {}) {
  return [less, rounds = uint32_t{0}](const auto& x, const auto& y) mutable {
    if (++rounds % 4096 == 0) [[unlikely]]
      hear();
    return less(x, y);
  };
}

}  // namespace structron
