// What is known of labels: of some tokens nothing, of some that they have one of several labels.
// structron/labelling/restriction.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "tasks/tagging/space.hpp"

namespace structron {

// Sets of labels as numbers beside the labels': a number below labels() is that label alone, labels() is any
// label, and the numbers after it are other sets.
class LabelSets {
 public:
  explicit LabelSets(uint32_t labels) : labels_(labels) {}

  uint32_t labels() const { return labels_; }
  uint16_t any() const { return static_cast<uint16_t>(labels_); }

  // The number of a set; a new one if it is not there yet.
  uint16_t number(const std::vector<uint8_t>& row) {
    if (row.size() != labels_) throw std::invalid_argument("the set does not fit the labels");
    const auto many = std::count(row.begin(), row.end(), uint8_t{1});
    if (many == 0) throw std::invalid_argument("no label is left for a token");
    if (many == 1) return static_cast<uint16_t>(std::find(row.begin(), row.end(), 1) - row.begin());
    if (static_cast<uint32_t>(many) == labels_) return any();
    if (labels_ + 1 + rows_.size() >= 0xFFFF) throw std::invalid_argument("there are too many sets of labels");
    const auto [at, is_new] = numbers_.try_emplace(row, static_cast<uint16_t>(labels_ + 1 + rows_.size()));
    if (is_new) rows_.push_back(row);
    return at->second;
  }
  bool has(uint16_t number, uint32_t label) const {
    if (number < labels_) return number == label;
    return number == labels_ || rows_[number - labels_ - 1][label] != 0;
  }

 private:
  uint32_t labels_;
  std::vector<std::vector<uint8_t>> rows_;
  std::map<std::vector<uint8_t>, uint16_t> numbers_;
};

// Which tags each token may have, [token][tag], of `each` tags a label, if labels must be in these sets and
// the rules must leave a way to the end: then no search meets a dead end. False if no sequence is left.
inline bool open_tags(const LabelSets& sets, std::span<const uint16_t> numbers, const TagRules& rules,
                      uint32_t each, std::vector<uint8_t>& may) {
  const size_t tags = size_t{sets.labels()} * each;
  may.resize(numbers.size() * tags);
  for (size_t i = numbers.size(); i-- > 0;) {
    uint8_t* row = &may[i * tags];
    bool any = false;
    for (uint32_t tag = 0; tag < tags; ++tag) {
      bool can = sets.has(numbers[i], tag / each);
      if (can && !rules.after.empty()) {
        const uint8_t* after = &rules.after[tag * tags];
        if (i + 1 == numbers.size()) {
          can = rules.end[tag] != 0;
        } else {
          can = std::inner_product(after, after + tags, row + tags, false, std::logical_or<>(),
                                   std::logical_and<>());
        }
        if (i == 0) can = can && rules.after[tags * tags + tag] != 0;
      }
      row[tag] = can;
      any |= can;
    }
    if (!any) return false;
  }
  return true;
}

}  // namespace structron
