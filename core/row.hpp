// A feature's row of weights as scorers read it, live or frozen.
#pragma once
#include <cstdint>

namespace structron {

struct Cell {
  float weight;
  uint32_t action;
};

struct RowView {
  const Cell* cells = nullptr;
  uint32_t used = 0;
  const float* dense = nullptr;  // if there, one weight per action, and no cells
};

}  // namespace structron
