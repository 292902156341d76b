// The ids of features that come up in differences.
//
// While several threads search, nothing may be added to the weights' tables. Keys that are new are then noted
// in the order in which they come up and get their ids afterwards, example by example: the ids are the same
// as if one thread had done it all.
#pragma once
#include <vector>

#include "learn/learner.hpp"
#include "weights/weights.hpp"

namespace structron {

// Marks a Part whose feature is the number of a noted key.
inline constexpr uint32_t kUnnamed = 0x80000000u;

class Naming {
 public:
  // made: the keys are looked for among those that come up only while searching.
  Naming(Weights& weights, bool made) : weights_(weights), generated_(made) {}

  // From now on new keys are noted there; null: they are named at once.
  void note_in(std::vector<Key>* noted) { noted_ = noted; }

  uint32_t id(Key folded) {
    if (noted_ == nullptr) return name(folded);
    const uint32_t known = generated_ ? weights_.find_generated(folded) : weights_.find_folded(folded);
    if (known != kNone) return known;
    noted_->push_back(folded);
    return kUnnamed | static_cast<uint32_t>(noted_->size() - 1);
  }

  // Gives the noted keys their ids, in these violations and for good.
  void name_all(const std::vector<Key>& noted, std::span<Violation> found) {
    ids_.clear();
    for (Key key : noted) ids_.push_back(name(key));
    if (ids_.empty()) return;
    for (Violation& v : found)
      for (Part& p : v.delta)
        if (p.feature & kUnnamed) p.feature = ids_[p.feature & ~kUnnamed];
  }

 private:
  uint32_t name(Key folded) {
    return generated_ ? weights_.intern_generated(folded) : weights_.intern_folded(folded);
  }

  Weights& weights_;
  bool generated_;
  std::vector<Key>* noted_ = nullptr;
  std::vector<uint32_t> ids_;
};

}  // namespace structron
