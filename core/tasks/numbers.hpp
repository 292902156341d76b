// Keys numbered as they come, and forgotten at once.
#pragma once
#include <cstdint>
#include <vector>

#include "hash.hpp"

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
    for (size_t i = static_cast<size_t>(key) & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.time != time_) {
        slot = {key, size_, time_};
        if (++size_ * 2 > slots_.size()) grow();
        return size_ - 1;
      }
      if (slot.key == key) return slot.number;
    }
  }

 private:
  struct Slot {
    Key key = 0;
    uint32_t number = 0, time = 0;
  };
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& s : old) {
      if (s.time != time_) continue;
      size_t i = static_cast<size_t>(s.key) & (slots_.size() - 1);
      while (slots_[i].time == time_) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = s;
    }
  }
  std::vector<Slot> slots_ = std::vector<Slot>(256);
  uint32_t size_ = 0, time_ = 1;
};

}  // namespace structron
