// From a 64-bit key to a small id: exact and growing.
#pragma once
#include <cstdint>

#include "weights/key_table.hpp"

namespace structron {

class Table {
 public:
  Table() { filter_.reset(slots_.room() / 16); }

  uint32_t size() const { return size_; }
  size_t bytes() const { return slots_.bytes() + filter_.bytes(); }

  bool perhaps(Key key) const { return filter_.perhaps(key); }
  void prefetch_filter(Key key) const { filter_.prefetch(key); }
  void prefetch(Key key) const { slots_.prefetch(key); }

  // The id of key, kNone if it has none.
  uint32_t find(Key key) const { return slots_.at(key).id; }

  // The id of key; if it has none, it gets this one.
  uint32_t intern(Key key, uint32_t id) {
    Slot& slot = slots_.at(key);
    if (!slot.empty()) return slot.id;
    slot = {key, id};
    filter_.add(key);
    if (++size_ * 5ull > slots_.room() * 3ull) grow();
    return id;
  }

  size_t longest_probe() const { return slots_.longest_probe(); }

  template <class F>
  void each(F&& f) const {
    slots_.each([&](const Slot& s) { f(s.key, s.id); });
  }

 private:
  struct Slot {
    Key key = 0;
    uint32_t id = kNone;
    bool empty() const { return id == kNone; }
  };

  void grow() {
    slots_.grow();
    filter_.reset(slots_.room() / 16);
    slots_.each([&](const Slot& s) { filter_.add(s.key); });
  }

  KeyTable<Slot> slots_{1024};
  KeyFilter filter_;
  uint32_t size_ = 0;
};

}  // namespace structron
