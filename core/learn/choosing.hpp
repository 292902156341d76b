// An update method from outside: it reads the bins of many searches at once and says where to update.
#pragma once
#include <span>
#include <vector>

#include "search/bins.hpp"

namespace structron {

// A bin to update on, and how much it counts there.
struct Share {
  int bin;
  float share = 1;
};

class Chooser {
 public:
  virtual ~Chooser() = default;
  // For each search the bins to update on, in order: none, one, or several of which the sum by their shares
  // is one update. Each has gold. A search that is null is passed over.
  virtual void choose(std::span<const Bins* const> searches, std::vector<std::vector<Share>>& chosen) = 0;
};

}  // namespace structron
