// Two small quadratic programs, solved coordinate by coordinate until their KKT conditions hold.
// structron/reference/learners/hildreth.py is the definition.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learn/learner.hpp"

namespace structron {

// A difference with each coordinate once, in order, without zeros.
using Summed = std::vector<std::pair<uint64_t, double>>;

inline uint64_t coordinate(const Part& p) {
  return uint64_t{p.feature} << 32 | p.column;
}

// Adds up what belongs to one coordinate, in the order in which it came.
inline void add_up(Summed& parts) {
  const auto before = [](const auto& x, const auto& y) { return x.first < y.first; };
  if (!std::is_sorted(parts.begin(), parts.end(), before))
    std::stable_sort(parts.begin(), parts.end(), before);
  size_t kept = 0;
  for (size_t i = 0, next; i < parts.size(); i = next) {
    double total = 0;
    for (next = i; next < parts.size() && parts[next].first == parts[i].first; ++next)
      total += parts[next].second;
    if (total != 0) parts[kept++] = {parts[i].first, total};
  }
  parts.resize(kept);
}

inline Summed summed(const Difference& delta) {
  Summed parts;
  parts.reserve(delta.size());
  for (const Part& p : delta) parts.emplace_back(coordinate(p), p.value);
  add_up(parts);
  return parts;
}

inline Part part_of(const Summed::value_type& sum) {
  return {static_cast<uint32_t>(sum.first >> 32), static_cast<uint32_t>(sum.first),
          static_cast<float>(sum.second)};
}

inline double dot(const Summed& x, const Summed& y) {
  double total = 0;
  for (auto i = x.begin(), j = y.begin(); i != x.end() && j != y.end();) {
    if (i->first == j->first) {
      total += i++->second * j++->second;
    } else {
      i->first < j->first ? void(++i) : void(++j);
    }
  }
  return total;
}

// A[i * n + j], the inner products of n differences.
inline std::vector<double> gram(const std::vector<Summed>& deltas) {
  const size_t n = deltas.size();
  std::vector<double> A(n * n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) A[i * n + j] = A[j * n + i] = dot(deltas[i], deltas[j]);
  return A;
}

inline constexpr double kKktTolerance = 1e-9;
inline constexpr int kKktRounds = 10000;

inline double kkt_tolerance(std::span<const double> b) {
  double greatest = 1;
  for (double x : b) greatest = std::max(greatest, std::fabs(x));
  return kKktTolerance * greatest;
}

// The alpha that maximises b . alpha - alpha' A alpha / 2 with 0 <= alpha <= cap (Hildreth's method).
inline std::vector<double> hildreth(std::span<const double> A, std::span<const double> b, double cap) {
  const size_t n = b.size();
  std::vector<double> alpha(n, 0), lacking(b.begin(), b.end());
  const double tolerance = kkt_tolerance(b);
  for (int round = 0; round < kKktRounds; ++round) {
    double worst = tolerance;
    size_t at = n;
    for (size_t j = 0; j < n; ++j) {
      if (A[j * n + j] <= 0) continue;
      const double x = lacking[j], amount = alpha[j] <= 0 ? x : alpha[j] >= cap ? -x : std::fabs(x);
      if (amount > worst) {
        worst = amount;
        at = j;
      }
    }
    if (at == n) break;
    const double step = std::min(std::max(lacking[at] / A[at * n + at], -alpha[at]), cap - alpha[at]);
    alpha[at] += step;
    for (size_t i = 0; i < n; ++i) lacking[i] -= step * A[i * n + at];
  }
  return alpha;
}

// The gamma that maximises b . gamma - gamma' A gamma / 2 with gamma >= 0 and sum 1.
inline std::vector<double> simplex(std::span<const double> A, std::span<const double> b) {
  const size_t n = b.size();
  size_t first = 0;
  for (size_t j = 1; j < n; ++j)
    if (b[j] - A[j * n + j] / 2 > b[first] - A[first * n + first] / 2) first = j;
  std::vector<double> gamma(n, 0), slope(n);
  gamma[first] = 1;
  for (size_t j = 0; j < n; ++j) slope[j] = b[j] - A[j * n + first];
  const double tolerance = kkt_tolerance(slope);
  for (int round = 0; round < kKktRounds; ++round) {
    size_t up = 0, down = n;
    for (size_t j = 0; j < n; ++j) {
      if (slope[j] > slope[up]) up = j;
      if (gamma[j] > 0 && (down == n || slope[j] < slope[down])) down = j;
    }
    const double gain = slope[up] - slope[down];
    if (gain <= tolerance) break;
    const double bend = A[up * n + up] + A[down * n + down] - 2 * A[up * n + down];
    const double step = bend > 0 ? std::min(gain / bend, gamma[down]) : gamma[down];
    gamma[up] += step;
    gamma[down] = step == gamma[down] ? 0 : gamma[down] - step;
    for (size_t j = 0; j < n; ++j) slope[j] -= step * (A[j * n + up] - A[j * n + down]);
  }
  return gamma;
}

}  // namespace structron
