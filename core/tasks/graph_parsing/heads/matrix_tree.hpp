// Sums over all trees by the matrix-tree theorem. structron/reference/forest/matrix_tree.py is the
// definition.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace structron {

class MatrixTree {
 public:
  // score(head, modifier) of every arc, minus infinity where there is none; from these log Z, minus infinity
  // if there is no tree. Then probability() may be asked for.
  template <class Score>
  double run(uint32_t words, bool single_root, Score&& score) {
    n_ = words;
    single_root_ = single_root;
    amounts_.assign(size_t{n_ + 1} * (n_ + 1), 0);
    double log_total = 0;
    for (uint32_t m = 1; m <= n_; ++m) {
      double top = kNever;
      for (uint32_t h = 0; h <= n_; ++h)
        if (h != m) top = std::max<double>(top, amount(h, m) = score(h, m));
      if (top == kNever) return kNever;
      // What all arcs into a word have in common changes no probability.
      for (uint32_t h = 0; h <= n_; ++h) amount(h, m) = h == m ? 0 : std::exp(amount(h, m) - top);
      log_total += top;
    }
    fill();
    const double log_determinant = invert();
    return log_determinant == kNever ? kNever : log_total + log_determinant;
  }

  double probability(uint32_t h, uint32_t m) const {
    double share;
    if (h == 0) {
      share = single_root_ ? inverse(m, 1) : inverse(m, m);
    } else {
      share = (single_root_ && m == 1 ? 0 : inverse(m, m)) - (single_root_ && h == 1 ? 0 : inverse(m, h));
    }
    return std::clamp(amounts_[at(h, m)] * share, 0.0, 1.0);
  }

 private:
  static constexpr double kNever = -std::numeric_limits<double>::infinity();

  size_t at(uint32_t h, uint32_t m) const { return size_t{h} * (n_ + 1) + m; }
  double& amount(uint32_t h, uint32_t m) { return amounts_[at(h, m)]; }
  // Rows and columns are words, from 1 on.
  double& cell(std::vector<double>& of, uint32_t row, uint32_t column) const {
    return of[size_t{row - 1} * n_ + column - 1];
  }
  double inverse(uint32_t row, uint32_t column) const { return inverse_[size_t{row - 1} * n_ + column - 1]; }

  // The Laplacian; with a single root its first row has the arcs from there.
  void fill() {
    matrix_.assign(size_t{n_} * n_, 0);
    for (uint32_t m = 1; m <= n_; ++m) {
      for (uint32_t h = 1; h <= n_; ++h) {
        cell(matrix_, m, m) += amount(h, m);
        if (h != m) cell(matrix_, h, m) -= amount(h, m);
      }
      if (!single_root_) cell(matrix_, m, m) += amount(0, m);
    }
    for (uint32_t m = 1; single_root_ && m <= n_; ++m) cell(matrix_, 1, m) = amount(0, m);
  }

  // Gauss and Jordan with the greatest pivot of each column; returns the logarithm of the determinant, minus
  // infinity if that is not above 0.
  double invert() {
    inverse_.assign(size_t{n_} * n_, 0);
    for (uint32_t i = 1; i <= n_; ++i) cell(inverse_, i, i) = 1;
    double log_total = 0;
    bool negative = false;
    for (uint32_t c = 1; c <= n_; ++c) {
      uint32_t best = c;
      for (uint32_t r = c + 1; r <= n_; ++r)
        if (std::abs(cell(matrix_, r, c)) > std::abs(cell(matrix_, best, c))) best = r;
      const double pivot = cell(matrix_, best, c);
      if (pivot == 0 || !std::isfinite(pivot)) return kNever;
      log_total += std::log(std::abs(pivot));
      negative ^= (pivot < 0) != (best != c);
      for (uint32_t k = 1; k <= n_; ++k) {
        if (best != c) {
          std::swap(cell(matrix_, best, k), cell(matrix_, c, k));
          std::swap(cell(inverse_, best, k), cell(inverse_, c, k));
        }
        cell(matrix_, c, k) /= pivot;
        cell(inverse_, c, k) /= pivot;
      }
      for (uint32_t r = 1; r <= n_; ++r) {
        const double factor = cell(matrix_, r, c);
        if (r == c || factor == 0) continue;
        for (uint32_t k = 1; k <= n_; ++k) {
          cell(matrix_, r, k) -= factor * cell(matrix_, c, k);
          cell(inverse_, r, k) -= factor * cell(inverse_, c, k);
        }
      }
    }
    return negative ? kNever : log_total;
  }

  uint32_t n_ = 0;
  bool single_root_ = false;
  std::vector<double> amounts_, matrix_, inverse_;
};

}  // namespace structron
