// Open addressing from a 64-bit key to a small id: exact, growing, linear probing.
#pragma once
#include <cstdint>
#include <vector>

#include "hash.hpp"
#include "pages.hpp"

namespace structron {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;

class Table {
 public:
  Table() { resize(1024); }

  uint32_t size() const { return size_; }
  size_t bytes() const { return slots_.size() * sizeof(Slot) + seen_.size() * sizeof(uint64_t); }

  // Most keys asked for while searching are not here. A few bits per slot, small enough to stay near, say so.
  bool perhaps(Key key) const { return seen_[bit(key) / 64] >> (bit(key) % 64) & 1; }
  void prefetch_filter(Key key) const { __builtin_prefetch(&seen_[bit(key) / 64]); }
  void prefetch(Key key) const { __builtin_prefetch(&slots_[home(key)]); }

  // The id of key, kNone if it has none.
  uint32_t find(Key key) const {
    for (size_t i = home(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].id == kNone || slots_[i].key == key) return slots_[i].id;
    }
  }

  // The id of key; if it has none, it gets this one.
  uint32_t intern(Key key, uint32_t id) {
    for (size_t i = home(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].id == kNone) {
        slots_[i] = {key, id};
        mark(key);
        if (++size_ * 5ull > slots_.size() * 3ull) grow();
        return id;
      }
      if (slots_[i].key == key) return slots_[i].id;
    }
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

  // Keys are mixed already: any of their bits are as good as a hash.
  size_t home(Key key) const { return static_cast<size_t>(key >> 20) & (slots_.size() - 1); }
  size_t bit(Key key) const { return static_cast<size_t>(key >> 12) & (seen_.size() * 64 - 1); }
  void mark(Key key) { seen_[bit(key) / 64] |= uint64_t{1} << (bit(key) % 64); }

  void resize(size_t slots) {
    slots_.assign(slots, {});
    seen_.assign(slots / 16, 0);
  }

  void grow() {
    std::vector<Slot, Paged<Slot>> old;
    old.swap(slots_);
    resize(old.size() * 2);
    for (const Slot& s : old) {
      if (s.id == kNone) continue;
      size_t i = home(s.key);
      while (slots_[i].id != kNone) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = s;
      mark(s.key);
    }
  }

  std::vector<Slot, Paged<Slot>> slots_;
  std::vector<uint64_t, Paged<uint64_t>> seen_;
  uint32_t size_ = 0;
};

}  // namespace structron
