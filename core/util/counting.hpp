// How often features are seen, for those that leave out the rare ones.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "weights/table.hpp"

namespace structron {

struct Sightings {
  std::vector<Key> key;
  std::vector<uint32_t> times;
};

class Counting {
 public:
  void prefetch(Key key) const { ids_.prefetch(key); }
  void see(Key key) {
    const uint32_t id = ids_.intern(key, static_cast<uint32_t>(counts_.key.size()));
    if (id == counts_.key.size()) {
      counts_.key.push_back(key);
      counts_.times.push_back(0);
    }
    ++counts_.times[id];
  }
  Sightings give() && { return std::move(counts_); }

 private:
  Table ids_;
  Sightings counts_;
};

}  // namespace structron
