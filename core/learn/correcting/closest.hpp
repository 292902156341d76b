// The smallest change that meets many constraints: one constraint after the other is met exactly, until all
// are (Hildreth 1957). structron/reference/learners/closest.py is the definition.
//
// Unlike hildreth() it needs no table of inner products: the change itself is kept, so that thousands of
// constraints take no more memory than their differences do.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "util/hash.hpp"
#include "util/interrupt.hpp"

namespace structron {

// A change by the features' keys, sorted; how far along each difference it goes, and what each still lacks.
struct Closest {
  std::vector<double> alpha, lacking;
  std::vector<Key> key;
  std::vector<uint32_t> column;
  std::vector<double> value;
};

// Constraints are added one by one, and the change is found again with what was added.
class ClosestChange {
 public:
  size_t size() const { return squares_.size(); }

  // One more constraint, by a difference that lies elsewhere. Coordinates that repeat are summed.
  void add(std::span<const Key> key, std::span<const uint32_t> column, std::span<const float> value) {
    if (column.size() != key.size() || value.size() != key.size())
      throw std::invalid_argument("the parts of the difference do not fit together");
    row_.clear();
    for (size_t p = 0; p < key.size(); ++p) row_.emplace_back(CellName{key[p], column[p]}, value[p]);
    std::stable_sort(row_.begin(), row_.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    double square = 0;
    for (size_t i = 0, next; i < row_.size(); i = next) {
      double total = 0;
      for (next = i; next < row_.size() && row_[next].first == row_[i].first; ++next)
        total += row_[next].second;
      if (total == 0) continue;
      place_.push_back(number(row_[i].first));
      value_.push_back(total);
      square += total * total;
    }
    begin_.push_back(place_.size());
    squares_.push_back(square);
  }

  // `lacking`: by how much each constraint is short without a change. `start`: alphas to begin with, for the
  // first constraints; the solution does not depend on them, and is found sooner.
  Closest solve(std::span<const double> lacking, double tolerance, int sweeps,
                std::span<const double> start = {}) {
    const size_t n = squares_.size();
    if (lacking.size() != n) throw std::invalid_argument("there is one number for each difference");
    Closest out;
    out.alpha.assign(n, 0.0);
    std::vector<double> change(cells_.size(), 0.0);
    if (start.size() > n) throw std::invalid_argument("there are more alphas than differences");
    for (size_t j = 0; j < start.size(); ++j) {
      out.alpha[j] = start[j] > 0 ? start[j] : 0;
      for (size_t p = begin_[j]; p < begin_[j + 1]; ++p) change[place_[p]] += out.alpha[j] * value_[p];
    }
    Pulse pulse;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      double moved = 0;
      for (size_t j = 0; j < n; ++j) {
        pulse();
        if (squares_[j] <= 0) continue;
        const double step = std::max((lacking[j] - product(j, change)) / squares_[j], -out.alpha[j]);
        if (step == 0) continue;
        out.alpha[j] += step;
        for (size_t p = begin_[j]; p < begin_[j + 1]; ++p) change[place_[p]] += step * value_[p];
        moved = std::max(moved, std::fabs(step) * squares_[j]);
      }
      if (moved <= tolerance) break;
    }
    for (size_t j = 0; j < n; ++j) out.lacking.push_back(lacking[j] - product(j, change));
    sort_cells();
    for (uint32_t c : sorted_) {
      if (change[c] == 0) continue;
      out.key.push_back(cells_[c].first);
      out.column.push_back(cells_[c].second);
      out.value.push_back(change[c]);
    }
    return out;
  }

 private:
  using CellName = std::pair<Key, uint32_t>;

  struct HashOfName {
    size_t operator()(const CellName& name) const {
      return static_cast<size_t>(name.first ^ (uint64_t{name.second} * 0x9E3779B97F4A7C15u));
    }
  };

  // Cells are numbered as they come.
  uint32_t number(const CellName& name) {
    const auto [at, is_new] = number_of_.try_emplace(name, static_cast<uint32_t>(cells_.size()));
    if (is_new) {
      if (cells_.size() == 0xFFFFFFFFu) throw std::invalid_argument("the differences have too many cells");
      cells_.push_back(name);
    }
    return at->second;
  }
  void sort_cells() {
    const auto is_before = [&](uint32_t x, uint32_t y) { return cells_[x] < cells_[y]; };
    const size_t old = sorted_.size();
    for (size_t c = old; c < cells_.size(); ++c) sorted_.push_back(static_cast<uint32_t>(c));
    const auto middle = sorted_.begin() + static_cast<std::ptrdiff_t>(old);
    std::sort(middle, sorted_.end(), is_before);
    std::inplace_merge(sorted_.begin(), middle, sorted_.end(), is_before);
  }
  double product(size_t j, const std::vector<double>& change) const {
    double total = 0;
    for (size_t p = begin_[j]; p < begin_[j + 1]; ++p) total += value_[p] * change[place_[p]];
    return total;
  }

  std::vector<CellName> cells_;
  std::unordered_map<CellName, uint32_t, HashOfName> number_of_;
  std::vector<uint32_t> sorted_;  // the cells' numbers by their names
  std::vector<std::pair<CellName, double>> row_;
  std::vector<size_t> begin_{0};
  std::vector<uint32_t> place_;
  std::vector<double> value_, squares_;
};

}  // namespace structron
