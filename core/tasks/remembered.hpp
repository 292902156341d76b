// Sums of finished weights that are needed again and again: what the features that see one short context say
// of the pairs there. A sum that is found here is the sum that would be made anew, bit for bit.
#pragma once
#include <cstdint>
#include <vector>

#include "hash.hpp"
#include "pages.hpp"
#include "table.hpp"

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
    slots_.assign(kSlots, {});
    size_ = 0;
    sums_.clear();
  }
  // How often there was no room any more.
  uint64_t& evictions() { return evictions_; }

  void prefetch(Key key) const { __builtin_prefetch(&slots_[home(key)]); }
  // Where the sums of a key begin; kNone if they are not known.
  uint32_t find(Key key) const {
    for (size_t i = home(key); slots_[i].start != kNone; i = (i + 1) & (slots_.size() - 1))
      if (slots_[i].key == key) return slots_[i].start;
    return kNone;
  }
  const float* at(uint32_t start) const { return sums_.data() + start; }
  void prefetch_sums(uint32_t start, uint32_t size) const {
    for (uint32_t s = 0; s < size; s += 16) __builtin_prefetch(sums_.data() + start + s);
  }

  void put(Key key, const float* sums, uint32_t size) {
    place(key, size == 0 ? kNothing : static_cast<uint32_t>(sums_.size()));
    sums_.insert(sums_.end(), sums, sums + size);
    if (++size_ * 2 > slots_.size()) grow();
  }

 private:
  static constexpr size_t kSlots = 1 << 12;
  struct Slot {
    Key key = 0;
    uint32_t start = kNone;
  };
  using Slots = std::vector<Slot, Paged<Slot>>;
  size_t home(Key key) const { return static_cast<size_t>(key >> 20) & (slots_.size() - 1); }
  void place(Key key, uint32_t start) {
    size_t i = home(key);
    while (slots_[i].start != kNone) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {key, start};
  }
  void grow() {
    Slots old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.start != kNone) place(s.key, s.start);
  }

  size_t room_;
  Slots slots_ = Slots(kSlots);
  size_t size_ = 0;
  uint64_t evictions_ = 0;
  std::vector<float, Paged<float>> sums_;
};

}  // namespace structron
