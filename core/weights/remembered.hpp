// Sums of finished weights that are needed again and again: what the features that see one short context say
// of the pairs there. A sum that is found here is the sum that would be made anew, bit for bit.
#pragma once
#include <cstdint>
#include <vector>

#include "weights/key_table.hpp"
#include "weights/pages.hpp"

namespace structron {

class Remembered {
 public:
  static constexpr uint32_t kNothing = kNone - 1;  // it is known that there is nothing to add

  // Room for so many sums; keys without any count, too.
  explicit Remembered(size_t room) : room_(room) { sums_.reserve(room); }

  // So much is enough: then all is forgotten. Between two calls what was found stays where it is.
  void tidy() {
    if (sums_.size() <= room_ && size_ * 4 <= room_) return;
    ++evictions_;
    slots_.reset(kSlots);
    size_ = 0;
    sums_.clear();
  }
  // How often there was no room any more.
  uint64_t& evictions() { return evictions_; }

  void prefetch(Key key) const { slots_.prefetch(key); }
  // Where the sums of a key begin; kNone if they are not known.
  uint32_t find(Key key) const { return slots_.at(key).start; }
  const float* at(uint32_t start) const { return sums_.data() + start; }
  void prefetch_sums(uint32_t start, uint32_t size) const {
    for (uint32_t s = 0; s < size; s += 16) __builtin_prefetch(sums_.data() + start + s);
  }

  void put(Key key, const float* sums, uint32_t size) {
    slots_.at(key) = {key, size == 0 ? kNothing : static_cast<uint32_t>(sums_.size())};
    sums_.insert(sums_.end(), sums, sums + size);
    if (++size_ * 2 > slots_.room()) slots_.grow();
  }

 private:
  static constexpr size_t kSlots = 1 << 12;
  struct Slot {
    Key key = 0;
    uint32_t start = kNone;
    bool empty() const { return start == kNone; }
  };

  size_t room_;
  KeyTable<Slot> slots_{kSlots};
  size_t size_ = 0;
  uint64_t evictions_ = 0;
  std::vector<float, Paged<float>> sums_;
};

}  // namespace structron
