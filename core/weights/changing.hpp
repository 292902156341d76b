// Finished weights with a change added to them: rows as they come from a file, and cells of a later
// correction. structron/engine/changes.py says what a change is.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "util/interrupt.hpp"
#include "weights/packing.hpp"

namespace structron {

// Cells that lie elsewhere, sorted by key and column, each once.
struct ChangeSpans {
  std::span<const Key> key;
  std::span<const uint32_t> column;
  std::span<const float> value;

  bool before(size_t i, size_t j) const {
    return key[i] < key[j] || (key[i] == key[j] && column[i] < column[j]);
  }
  void check() const {
    if (column.size() != key.size() || value.size() != key.size())
      throw std::invalid_argument("the arrays of a change differ in length");
    for (size_t i = 1; i < key.size(); ++i)
      if (!before(i - 1, i)) throw std::invalid_argument("the cells of a change are out of order");
  }
};

// Rows are sorted by key. Whatever else is wrong with them is found by who uses the result.
inline Packed with_change(const PackedSpans& rows, const ChangeSpans& change) {
  change.check();
  const size_t n = rows.keys.size(), cells = rows.columns.size();
  if (rows.offsets.size() != n + 1 || rows.weights.size() != cells || rows.offsets.back() != cells ||
      !std::is_sorted(rows.offsets.begin(), rows.offsets.end()))
    throw std::invalid_argument("the weights' arrays do not fit together");
  if (cells + change.key.size() > 0xFFFFFFFFu) throw std::invalid_argument("the weights have too many cells");
  Packed out;
  out.dense.assign(rows.dense.begin(), rows.dense.end());
  out.keys.reserve(n + change.key.size());
  out.offsets.reserve(n + change.key.size() + 1);
  out.columns.reserve(cells + change.key.size());
  out.weights.reserve(cells + change.key.size());
  const auto put = [&](uint32_t column, float weight) {
    out.columns.push_back(column);
    out.weights.push_back(weight);
  };
  Pulse pulse;
  size_t r = 0, c = 0;
  while (r < n || c < change.key.size()) {
    pulse();
    const bool has_change = c < change.key.size();
    if (has_change && change.key[c] == kDenseKey) {
      if (change.column[c] >= out.dense.size()) throw std::invalid_argument("no such dense weight");
      out.dense[change.column[c]] += change.value[c];
      ++c;
      continue;
    }
    const Key key = r < n && (!has_change || rows.keys[r] <= change.key[c]) ? rows.keys[r] : change.key[c];
    uint32_t i = 0, end = 0;
    if (r < n && rows.keys[r] == key) {
      i = rows.offsets[r];
      end = rows.offsets[r + 1];
      ++r;
    }
    const auto changes_row = [&] { return c < change.key.size() && change.key[c] == key; };
    while (i < end || changes_row()) {
      if (!changes_row() || (i < end && rows.columns[i] < change.column[c])) {
        put(rows.columns[i], rows.weights[i]);
        ++i;
      } else if (i < end && rows.columns[i] == change.column[c]) {
        put(rows.columns[i], rows.weights[i] + change.value[c]);
        ++i, ++c;
      } else {
        put(change.column[c], change.value[c]);
        ++c;
      }
    }
    out.keys.push_back(key);
    out.offsets.push_back(static_cast<uint32_t>(out.columns.size()));
  }
  return out;
}

}  // namespace structron
