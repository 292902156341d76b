// Candidates in their order: higher rank, then earlier parent, then lower action.
//
// Exact search sorts every row, and scores are nearly all different. A few are put in place by counting how
// many are ahead of each, which has no branch to guess wrong; thousands go by digits of the score first, then
// what is equal by comparison.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "util/vectors.hpp"

namespace structron {

template <class Candidate>
class Ordering {
 public:
  void sort(std::vector<Candidate>& all) {
    if (all.size() < kFew) {
      if (!count(all)) std::sort(all.begin(), all.end(), before);
      return;
    }
    by_score(all);
    sorted_.clear();
    for (const Entry& e : entries_) sorted_.push_back(all[e.index]);
    all.swap(sorted_);
    for (size_t from = 0, to = 0; from < all.size(); from = to) {
      while (to < all.size() && all[to].rank() == all[from].rank()) ++to;
      if (to - from > 1) std::sort(all.begin() + from, all.begin() + to, before);
    }
  }

 private:
  static constexpr size_t kFew = 64;
  struct Entry {
    uint64_t key;  // smaller for higher ranks
    uint32_t index;
  };

  // What is no number stands last: sorting must not run astray, whatever was summed up.
  static bool before(const Candidate& x, const Candidate& y) {
    if (x.rank() > y.rank()) return true;
    if (x.rank() < y.rank()) return false;
    if (x.rank() != y.rank() && std::isnan(x.rank()) != std::isnan(y.rank())) return std::isnan(y.rank());
    return x.parent != y.parent ? x.parent < y.parent : x.action < y.action;
  }

  // False, and nothing done, if two are equal or one is no number.
  bool count(std::vector<Candidate>& all) {
    const size_t n = all.size();
    Two ranks[kFew / 2];
    for (size_t i = 0; i < n; ++i) ranks[i / 2][i % 2] = all[i].rank();
    if (n % 2) ranks[n / 2][1] = NAN;  // it is ahead of none
    sorted_.resize(n);
    uint64_t taken = 0;
    for (size_t i = 0; i < n; ++i) {
      const Two mine = {all[i].rank(), all[i].rank()};
      TwoWhole ahead = {0, 0};
      for (size_t k = 0; k < (n + 1) / 2; ++k) ahead -= reinterpret_cast<TwoWhole>(ranks[k] > mine);
      const size_t place = ahead[0] + ahead[1];
      taken |= uint64_t{1} << place;
      sorted_[place] = all[i];
    }
    if (taken != (uint64_t{1} << n) - 1) return false;
    all.swap(sorted_);
    return true;
  }

  // Radix sort, a byte at a time; bytes that are the same everywhere are passed over.
  void by_score(const std::vector<Candidate>& all) {
    std::array<std::array<uint32_t, 256>, 8> counts{};
    entries_.resize(all.size());
    other_.resize(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      const uint64_t bits = std::bit_cast<uint64_t>(all[i].rank() + 0.0);  // -0 becomes 0
      const uint64_t key = bits >> 63 ? bits : ~(bits | (uint64_t{1} << 63));
      entries_[i] = {key, static_cast<uint32_t>(i)};
      for (int byte = 0; byte < 8; ++byte) ++counts[byte][key >> (8 * byte) & 255];
    }
    for (int byte = 0; byte < 8; ++byte) {
      std::array<uint32_t, 256>& place = counts[byte];
      if (place[entries_[0].key >> (8 * byte) & 255] == all.size()) continue;
      uint32_t next = 0;
      for (uint32_t& p : place) next += std::exchange(p, next);
      for (const Entry& e : entries_) other_[place[e.key >> (8 * byte) & 255]++] = e;
      entries_.swap(other_);
    }
  }

  std::vector<Entry> entries_, other_;
  std::vector<Candidate> sorted_;
};

}  // namespace structron
