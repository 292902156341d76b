// The smallest change that meets many constraints: one constraint after the other is met exactly, until all
// are (Hildreth 1957). structron/reference/learners/closest.py is the definition.
//
// Unlike hildreth() it needs no table of inner products: the change itself is kept, so that thousands of
// constraints take no more memory than their differences do.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "util/hash.hpp"
#include "util/interrupt.hpp"

namespace structron {

// Differences that lie elsewhere, by the features' keys; nothing in them is trusted.
struct DifferenceSpans {
  std::span<const uint64_t> offsets;
  std::span<const Key> key;
  std::span<const uint32_t> column;
  std::span<const float> value;

  size_t size() const { return offsets.size() - 1; }
  void check() const {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != key.size() ||
        column.size() != key.size() || value.size() != key.size() ||
        !std::is_sorted(offsets.begin(), offsets.end()))
      throw std::invalid_argument("the differences do not fit together");
  }
};

// A change by the features' keys, sorted; how far along each difference it goes, and what each still lacks.
struct Closest {
  std::vector<double> alpha, lacking;
  std::vector<Key> key;
  std::vector<uint32_t> column;
  std::vector<double> value;
};

class ClosestChange {
 public:
  explicit ClosestChange(const DifferenceSpans& given) {
    given.check();
    number_cells(given);
    begin_.push_back(0);
    std::vector<std::pair<uint32_t, double>> row;
    for (size_t j = 0; j < given.size(); ++j) {
      row.clear();
      for (uint64_t p = given.offsets[j]; p < given.offsets[j + 1]; ++p)
        row.emplace_back(number(given.key[p], given.column[p]), given.value[p]);
      add(row);
    }
  }

  // `lacking`: by how much each constraint is short without a change. `start`: alphas to begin with, for the
  // first constraints; the solution does not depend on them, and is found sooner.
  Closest solve(std::span<const double> lacking, double tolerance, int sweeps,
                std::span<const double> start = {}) const {
    const size_t n = squares_.size();
    if (lacking.size() != n) throw std::invalid_argument("the differences do not fit together");
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
    for (size_t c = 0; c < cells_.size(); ++c) {
      if (change[c] == 0) continue;
      out.key.push_back(cells_[c].first);
      out.column.push_back(cells_[c].second);
      out.value.push_back(change[c]);
    }
    return out;
  }

 private:
  using CellName = std::pair<Key, uint32_t>;

  void number_cells(const DifferenceSpans& given) {
    cells_.reserve(given.key.size());
    for (size_t p = 0; p < given.key.size(); ++p) cells_.emplace_back(given.key[p], given.column[p]);
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    if (cells_.size() > 0xFFFFFFFFu) throw std::invalid_argument("the differences have too many cells");
  }
  uint32_t number(Key key, uint32_t column) const {
    const auto at = std::lower_bound(cells_.begin(), cells_.end(), CellName{key, column});
    return static_cast<uint32_t>(at - cells_.begin());
  }
  // Coordinates that repeat are summed.
  void add(std::vector<std::pair<uint32_t, double>>& row) {
    std::stable_sort(row.begin(), row.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    double square = 0;
    for (size_t i = 0, next; i < row.size(); i = next) {
      double total = 0;
      for (next = i; next < row.size() && row[next].first == row[i].first; ++next) total += row[next].second;
      if (total == 0) continue;
      place_.push_back(row[i].first);
      value_.push_back(total);
      square += total * total;
    }
    begin_.push_back(place_.size());
    squares_.push_back(square);
  }
  double product(size_t j, const std::vector<double>& change) const {
    double total = 0;
    for (size_t p = begin_[j]; p < begin_[j + 1]; ++p) total += value_[p] * change[place_[p]];
    return total;
  }

  std::vector<CellName> cells_;
  std::vector<size_t> begin_;
  std::vector<uint32_t> place_;
  std::vector<double> value_, squares_;
};

}  // namespace structron
