// The one way in which a 64-bit key is looked up: open addressing with linear probing, and a bit filter that
// answers most questions about keys that are not there.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "util/hash.hpp"
#include "weights/pages.hpp"

namespace structron {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;

// Most keys asked for while searching have no slot. A few bits per key, small enough to stay near the
// processor, say so for nearly all of them.
class KeyFilter {
 public:
  // So many words of 64 bits, all empty; a power of two.
  void reset(size_t words) { seen_.assign(words, 0); }
  size_t words() const { return seen_.size(); }
  size_t bytes() const { return seen_.size() * sizeof(uint64_t); }
  bool perhaps(Key key) const { return seen_[bit(key) / 64] >> (bit(key) % 64) & 1; }
  void prefetch(Key key) const { __builtin_prefetch(&seen_[bit(key) / 64]); }
  void add(Key key) { seen_[bit(key) / 64] |= uint64_t{1} << (bit(key) % 64); }

 private:
  size_t bit(Key key) const { return static_cast<size_t>(key >> 12) & (seen_.size() * 64 - 1); }

  std::vector<uint64_t, Paged<uint64_t>> seen_;
};

// How keys are spread over the slots of a table.
//
// Scattered: keys are mixed once more, differently in tables of different sizes. Keys that come sorted, or in
// the order of another table's slots, would otherwise fill one end of a table that has yet to grow, and each
// would be sought along all that came before.
class Scattered {
 public:
  static constexpr bool kGrows = true;
  void fit(size_t slots) { factor_ = combine(slots, 0x534C4F5453u) | 1; }
  Key mixed(Key key) const { return key * factor_; }

 private:
  Key factor_ = 1;
};
// In order: near keys lie near each other. For tables that have their final size before they are filled.
struct InOrder {
  static constexpr bool kGrows = false;
  void fit(size_t) {}
  Key mixed(Key key) const { return key; }
};

// Slots found by their keys. A Slot has a `key` and says whether it is empty(): what else it holds is its
// owner's business, and so is calling grow() early enough that there is always an empty one. An owner that
// empties all slots at once, by the time at which they were filled, gives that time with every call.
template <class Slot, class Spread = Scattered>
class KeyTable {
 public:
  explicit KeyTable(size_t slots) : slots_(slots) { spread_.fit(slots); }

  void reset(size_t slots) {
    slots_.assign(slots, {});
    spread_.fit(slots);
  }
  size_t room() const { return slots_.size(); }
  size_t bytes() const { return slots_.size() * sizeof(Slot); }
  void prefetch(Key key) const { __builtin_prefetch(&slots_[home(key)]); }

  void prefetch(Key key, size_t lines) const {
    const char* at = reinterpret_cast<const char*>(&slots_[home(key)]);
    for (size_t i = 0; i < lines; ++i) __builtin_prefetch(at + 64 * i);
  }

  // The slot of a key, or the empty one in which it belongs.
  template <class... Time>
  const Slot& at(Key key, Time... time) const {
    return slots_[index(key, time...)];
  }
  template <class... Time>
  Slot& at(Key key, Time... time) {
    return slots_[index(key, time...)];
  }

  template <class... Time>
  void grow(Time... time)
    requires Spread::kGrows
  {
    Slots old(slots_.size() * 2);
    old.swap(slots_);
    spread_.fit(slots_.size());
    for (const Slot& s : old)
      if (!s.empty(time...)) at(s.key, time...) = s;
  }

  // f(slot) for all keys that differ from this one in the low bits of `mask` at most.
  template <class F>
  void each_near(Key key, Key mask, F&& f) const
    requires(!Spread::kGrows)
  {
    const size_t last = home(key | mask);  // nearly always the first
    for (size_t i = home(key & ~mask), at = i; i <= last || !slots_[at].empty(); ++i) {
      if (!slots_[at].empty() && ((slots_[at].key ^ key) & ~mask) == 0) f(slots_[at]);
      if (++at == slots_.size()) at = 0;
    }
  }

  template <class F>
  void each(F&& f) const {
    for (const Slot& s : slots_)
      if (!s.empty()) f(s);
  }

  // How many slots are looked at to find the key that takes most.
  size_t longest_probe() const {
    size_t most = 0;
    for (size_t i = 0; i < slots_.size(); ++i)
      if (!slots_[i].empty())
        most = std::max(most, (i + slots_.size() - home(slots_[i].key)) % slots_.size() + 1);
    return most;
  }

 private:
  using Slots = std::vector<Slot, Paged<Slot>>;

  // The high bits say how far into the table a key belongs, whatever its size is.
  size_t home(Key key) const {
    return static_cast<size_t>((static_cast<unsigned __int128>(spread_.mixed(key)) * slots_.size()) >> 64);
  }
  template <class... Time>
  size_t index(Key key, Time... time) const {
    size_t i = home(key);
    while (!slots_[i].empty(time...) && slots_[i].key != key)
      if (++i == slots_.size()) i = 0;
    return i;
  }

  Slots slots_;
  Spread spread_;
};

}  // namespace structron
