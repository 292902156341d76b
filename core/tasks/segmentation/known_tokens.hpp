// Tokens of several units that the training data have: where they begin, end and go on in a text. The
// definition is structron/tasks/segmentation/units/known_tokens.py.
#pragma once
#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tasks/segmentation/units.hpp"
#include "util/hash.hpp"
#include "weights/table.hpp"

namespace structron {

// The tokens of a text that is learned from: how many units the one has that begins with each unit, 0 for
// none. They count so many sightings less than they have, since this text is one of them.
struct OwnTokens {
  std::span<const uint32_t> lengths;
  uint32_t less = 0;

  uint32_t left(size_t begin, size_t length, uint32_t times) const {
    const bool own = begin < lengths.size() && lengths[begin] == length;
    return !own ? times : times > less ? times - less : 0;
  }
};

class KnownTokens {
 public:
  static constexpr Key kStart = 0x4B4E4F574E544F4Bull, kBlank = 0x20;
  static constexpr uint32_t kLongest = 9;  // beyond it, lengths look alike

  // keys[r] is the key of a run of units: of a token seen whole[r] times, or of the beginning of one if 0.
  KnownTokens(std::span<const Key> keys, std::span<const uint8_t> whole) {
    if (keys.size() != whole.size()) throw std::invalid_argument("the known tokens do not fit together");
    for (size_t r = 0; r < keys.size(); ++r) runs_.intern(keys[r], whole[r]);
    empty_ = keys.empty();
  }

  bool empty() const { return empty_; }

  // How long the longest known tokens are that begin and end with each unit, and whether it is inside one.
  struct Found {
    std::vector<uint32_t> begins, ends;
    std::vector<uint8_t> inside;
    std::string word;

    // What is known of a unit, as a word of a column.
    std::string_view of(size_t i) {
      word = {static_cast<char>('0' + std::min(begins[i], kLongest)),
              static_cast<char>('0' + std::min(ends[i], kLongest)), static_cast<char>('0' + inside[i])};
      return word;
    }
  };
  void look_up(std::span<const Unit> units, std::span<const Key> values, Found& out,
               const OwnTokens& own = {}) const {
    const size_t n = units.size();
    out.begins.assign(n, 0);
    out.ends.assign(n, 0);
    out.inside.assign(n, 0);
    each_token(units, values, own, [&](size_t i, size_t length, uint32_t) {
      const size_t last = i + length - 1;
      const auto n_units = static_cast<uint32_t>(length);
      out.begins[i] = n_units;
      out.ends[last] = std::max(out.ends[last], n_units);
      for (size_t m = i + 1; m < last; ++m) out.inside[m] = 1;
    });
  }

  // f(where it begins, how many units it has, how often it was seen) for each known token in a text; of
  // those that begin together the shorter first.
  template <class F>
  void each_token(std::span<const Unit> units, std::span<const Key> values, const OwnTokens& own,
                  F&& f) const {
    if (empty_) return;
    const size_t n = units.size();
    for (size_t i = 0; i < n; ++i) {
      Key key = combine(kStart, values[i]);
      for (size_t k = i + 1; k < n && is_run(key); ++k) {
        key = combine(key, units[k].white ? values[k] ^ kBlank : values[k]);
        if (!runs_.perhaps(key)) continue;
        const uint32_t times = runs_.find(key);
        if (times == kNone || times == 0) continue;
        if (const uint32_t left = own.left(i, k - i + 1, times)) f(i, k - i + 1, left);
      }
    }
  }

 private:
  bool is_run(Key key) const { return runs_.perhaps(key) && runs_.find(key) != kNone; }

  Table runs_;
  bool empty_ = true;
};

}  // namespace structron
