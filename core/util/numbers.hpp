// Keys numbered as they come, and forgotten at once.
#pragma once
#include <cstdint>

#include "weights/key_table.hpp"

namespace structron {

// From the key of a history to its number, until it is emptied, which takes no time.
class Numbers {
 public:
  uint32_t size() const { return size_; }
  void clear() {
    size_ = 0;
    if (++time_ == 0) *this = Numbers();
  }
  // The number of key; if it has none, the next.
  uint32_t of(Key key) {
    Slot& slot = slots_.at(key, time_);
    if (!slot.empty(time_)) return slot.number;
    slot = {key, size_, time_};
    if (++size_ * 2 > slots_.room()) slots_.grow(time_);
    return size_ - 1;
  }

 private:
  struct Slot {
    Key key = 0;
    uint32_t number = 0, time = 0;
    bool empty(uint32_t now) const { return time != now; }
  };
  KeyTable<Slot> slots_{256};
  uint32_t size_ = 0, time_ = 1;
};

}  // namespace structron
