// A feature's row of weights as scorers read it, live or frozen.
#pragma once
#include <cstdint>

namespace structron {

struct Cell {
  float weight;
  uint32_t column;
};

// Either cells, or one weight for each of the columns from the first on.
struct RowView {
  const Cell* cells = nullptr;
  const float* plain = nullptr;
  uint32_t used = 0;   // how many
  uint32_t first = 0;  // the first column of plain weights
};

// scores[c] += weight of c, for a row of cells.
inline void add_cells(const RowView& row, float* scores) {
  for (const Cell* c = row.cells; c != row.cells + row.used; ++c) scores[c->column] += c->weight;
}

}  // namespace structron
