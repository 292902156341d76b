// Weights on their way: the cells of many rows as arrays, sorted by key and column.
#pragma once
#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "util/interrupt.hpp"
#include "weights/weights.hpp"

namespace structron {

// Cells that lie elsewhere; four arrays of one length.
struct CellSpans {
  std::span<const Key> key;
  std::span<const uint32_t> column;
  std::span<const float> weight;
  std::span<const double> past;

  size_t size() const { return key.size(); }
  // Nothing that comes from elsewhere is trusted.
  void check(const Weights& weights) const {
    if (column.size() != size() || weight.size() != size() || past.size() != size())
      throw std::invalid_argument("the arrays differ in length");
    for (size_t i = 0; i < size(); ++i)
      if (column[i] >= weights.width(key[i])) throw std::invalid_argument("no such column");
  }
};

struct Cells {
  std::vector<Key> key;
  std::vector<uint32_t> column;
  std::vector<float> weight;
  std::vector<double> past;

  CellSpans spans() const { return {key, column, weight, past}; }
  void reserve(size_t n) {
    key.reserve(n);
    column.reserve(n);
    weight.reserve(n);
    past.reserve(n);
  }
  void put(Key k, uint32_t c, float w, double p) {
    key.push_back(k);
    column.push_back(c);
    weight.push_back(w);
    past.push_back(p);
  }
  void append(const Cells& more) {
    key.insert(key.end(), more.key.begin(), more.key.end());
    column.insert(column.end(), more.column.begin(), more.column.end());
    weight.insert(weight.end(), more.weight.begin(), more.weight.end());
    past.insert(past.end(), more.past.begin(), more.past.end());
  }
};

// All cells that hold something: the same weights always give the same bytes.
inline Cells flatten(const Weights& weights) {
  struct Flat {
    uint32_t column;
    float weight;
    double past;
  };
  // Keys are sorted, and then only what is in their rows: there are many cells to a key.
  std::vector<std::pair<Key, uint32_t>> order;
  size_t cells = 0;
  Pulse pulse;
  weights.each_row([&](Key key, uint32_t id) {
    pulse();
    size_t used = 0;
    weights.each_cell(id, [&](uint32_t, float w, double p) { used += w != 0 || p != 0; });
    if (used != 0) order.emplace_back(key, id);
    cells += used;
  });
  std::sort(order.begin(), order.end(), heard());
  Cells out;
  out.reserve(cells);
  std::vector<Flat> row;
  for (const auto& [key, id] : order) {
    pulse();
    row.clear();
    weights.each_cell(id, [&](uint32_t c, float w, double p) {
      if (w != 0 || p != 0) row.push_back({c, w, p});
    });
    const auto before = [](const Flat& x, const Flat& y) { return x.column < y.column; };
    if (!std::is_sorted(row.begin(), row.end(), before)) std::sort(row.begin(), row.end(), before);
    for (const Flat& f : row) out.put(key, f.column, f.weight, f.past);
  }
  return out;
}

}  // namespace structron
