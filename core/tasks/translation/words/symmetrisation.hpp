// One set of links from the alignments of two directions (Och & Ney 2003; Koehn et al. 2007). The definition
// is structron/alignment/symmetrisation.py.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace structron {

enum class Symmetrise : uint8_t { intersection, both, grow_diag_final_and };

// Links of many pairs of sentences, one after the other, sorted in each.
struct LinkArrays {
  std::vector<uint64_t> offsets{0};
  std::vector<uint32_t> source, target;
};

class Symmetriser {
 public:
  using Link = std::pair<uint32_t, uint32_t>;
  using Links = std::vector<Link>;
  static constexpr uint64_t kMostCells = uint64_t{1} << 28;

  // Links of two directions to those that a method keeps, sorted.
  const Links& operator()(const Links& forth, const Links& back, Symmetrise method) {
    rows_ = columns_ = 0;
    for (const Links* links : {&forth, &back})
      for (const Link& link : *links) {
        rows_ = std::max<uint64_t>(rows_, link.first + uint64_t{1});
        columns_ = std::max<uint64_t>(columns_, link.second + uint64_t{1});
      }
    if (rows_ > UINT32_MAX || columns_ > UINT32_MAX || rows_ * columns_ > kMostCells)
      throw std::invalid_argument("a link is too far from the beginning of its sentence");
    grid_.assign(rows_ * columns_, 0);
    for (const Link& link : forth) at(link) |= kForth;
    for (const Link& link : back) at(link) |= kBack;
    sources_.assign(rows_, 0);
    targets_.assign(columns_, 0);
    each([&](const Link& link) {
      const uint8_t here = at(link) & (kForth | kBack);
      if (here == (kForth | kBack) || (method == Symmetrise::both && here != 0)) add(link);
    });
    if (method == Symmetrise::grow_diag_final_and) {
      grow();
      finish(kForth);
      finish(kBack);
    }
    found_.clear();
    each([&](const Link& link) {
      if (at(link) & kFound) found_.push_back(link);
    });
    return found_;
  }

 private:
  static constexpr uint8_t kForth = 1, kBack = 2, kFound = 4;

  uint8_t& at(const Link& link) { return grid_[link.first * columns_ + link.second]; }
  template <class F>
  void each(F&& f) {
    for (uint32_t i = 0; i < rows_; ++i)
      for (uint32_t j = 0; j < columns_; ++j) f(Link{i, j});
  }
  void add(const Link& link) {
    at(link) |= kFound;
    sources_[link.first] = targets_[link.second] = 1;
  }

  // To links beside those that are there, while they cover a new word.
  void grow() {
    constexpr int kNeighbours[8][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    fresh_.clear();
    each([&](const Link& link) {
      if (at(link) & kFound) fresh_.push_back(link);
    });
    while (!fresh_.empty()) {
      added_.clear();
      for (const Link& link : fresh_)
        for (const auto& step : kNeighbours) {
          const int64_t i = static_cast<int64_t>(link.first) + step[0],
                        j = static_cast<int64_t>(link.second) + step[1];
          if (i < 0 || j < 0 || i >= static_cast<int64_t>(rows_) || j >= static_cast<int64_t>(columns_))
            continue;
          const Link beside(static_cast<uint32_t>(i), static_cast<uint32_t>(j));
          const uint8_t here = at(beside);
          if (here == 0 || (here & kFound) || (sources_[beside.first] && targets_[beside.second])) continue;
          add(beside);
          added_.push_back(beside);
        }
      std::sort(added_.begin(), added_.end());
      std::swap(fresh_, added_);
    }
  }

  // Links of one direction between two words that have none.
  void finish(uint8_t direction) {
    each([&](const Link& link) {
      if ((at(link) & direction) && !sources_[link.first] && !targets_[link.second]) add(link);
    });
  }

  uint64_t rows_ = 0, columns_ = 0;
  std::vector<uint8_t> grid_, sources_, targets_;
  Links fresh_, added_, found_;
};

}  // namespace structron
