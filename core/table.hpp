// Open addressing from a 64-bit key to a small id: exact, growing, linear probing.
#pragma once
#include <cstdint>
#include <vector>

#include "hash.hpp"

namespace structron {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;

class Table {
 public:
  Table() { slots_.resize(1024); }

  uint32_t size() const { return size_; }
  size_t bytes() const { return slots_.size() * sizeof(Slot); }

  void prefetch(Key key) const { __builtin_prefetch(&slots_[home(key)]); }

  uint32_t find(Key key) const {
    for (size_t i = home(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].id == kNone || slots_[i].key == key) return slots_[i].id;
    }
  }

  // The id of key; a new key gets the next id, size() before the call.
  uint32_t intern(Key key) {
    for (size_t i = home(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].id == kNone) {
        slots_[i] = {key, size_};
        if (++size_ * 5ull > slots_.size() * 3ull) grow();
        return size_ - 1;
      }
      if (slots_[i].key == key) return slots_[i].id;
    }
  }

  void reserve(size_t n) {
    while (n * 5 > slots_.size() * 3) grow();
  }

  template <class F>
  void each(F&& f) const {
    for (const Slot& s : slots_)
      if (s.id != kNone) f(s.key, s.id);
  }

 private:
  struct Slot {
    Key key = 0;
    uint32_t id = kNone;
  };

  // Keys are mixed already: their high bits are as good as a hash.
  size_t home(Key key) const { return static_cast<size_t>(key >> 20) & (slots_.size() - 1); }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& s : old) {
      if (s.id == kNone) continue;
      size_t i = home(s.key);
      while (slots_[i].id != kNone) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = s;
    }
  }

  std::vector<Slot> slots_;
  uint32_t size_ = 0;
};

}  // namespace structron
