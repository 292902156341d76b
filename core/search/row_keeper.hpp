// Who stays in the rows of a beam, where something from outside says so instead of the width.
// structron/reference/sequence/row_keeper.py is the definition.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace structron {

// What a row could hold, best first. Items are numbered in the order in which a search keeps them, from 1;
// where it begins is 0.
struct RowOffers {
  uint32_t row = 0;
  std::vector<double> score;
  std::vector<uint32_t> parent, action;

  void clear() {
    score.clear();
    parent.clear();
    action.clear();
  }
};

class RowKeeper {
 public:
  // What one search remembers from row to row.
  class Memory {
   public:
    virtual ~Memory() = default;
    // Places of those that stay, increasing, at least one; any thread may ask.
    virtual void keep(RowOffers&& offers, std::vector<uint32_t>& places) = 0;
  };

  virtual ~RowKeeper() = default;
  virtual std::shared_ptr<Memory> begin() const = 0;
};

}  // namespace structron
