// Weights on their way: the cells of many rows as arrays, sorted by key and column.
#pragma once
#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include "weights.hpp"

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
    Key key;
    uint32_t column;
    float weight;
    double past;
  };
  std::vector<Flat> all;
  weights.each([&](Key k, uint32_t c, float w, double p) {
    if (w != 0 || p != 0) all.push_back({k, c, w, p});
  });
  std::sort(all.begin(), all.end(), [](const Flat& x, const Flat& y) {
    return x.key != y.key ? x.key < y.key : x.column < y.column;
  });
  Cells out;
  out.reserve(all.size());
  for (const Flat& f : all) out.put(f.key, f.column, f.weight, f.past);
  return out;
}

}  // namespace structron
