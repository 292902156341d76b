// Phrase pairs of one pair of sentences that are consistent with its links (Koehn, Och & Marcu 2003), and how
// they lie to their neighbours. The definition is structron/tasks/translation/phrases/extraction.py.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace structron {

inline constexpr uint32_t kMostLinked = 15;  // words of a phrase, at most: a link inside it is one byte

enum Orientation : uint8_t { kMonotone, kSwap, kDiscontinuous };

struct PhraseSpan {
  uint32_t i1, i2, j1, j2;  // first and last position of source and target
  Orientation before, after;
};

class Extraction {
 public:
  // The links of a pair, sorted by source and then target position.
  void load(uint32_t sources, uint32_t targets, std::span<const uint32_t> source,
            std::span<const uint32_t> target) {
    sources_ = sources;
    targets_ = targets;
    links_.clear();
    first_.assign(sources + 1ull, 0);
    low_.assign(targets, UINT32_MAX);
    high_.assign(targets, 0);
    for (size_t k = 0; k < source.size(); ++k) {
      if (source[k] >= sources || target[k] >= targets)
        throw std::invalid_argument("a link is outside of its pair of sentences");
      const uint64_t link = static_cast<uint64_t>(source[k]) << 32 | target[k];
      if (k > 0 && link <= links_.back()) throw std::invalid_argument("links are not sorted");
      links_.push_back(link);
      ++first_[source[k] + 1];
      low_[target[k]] = std::min(low_[target[k]], source[k]);
      high_[target[k]] = std::max(high_[target[k]], source[k]);
    }
    for (uint32_t i = 0; i < sources; ++i) first_[i + 1] += first_[i];
  }

  bool is_source_linked(uint32_t i) const { return first_[i] < first_[i + 1]; }
  bool is_target_linked(uint32_t j) const { return low_[j] != UINT32_MAX; }

  // f(span) of every phrase pair of at most so many words.
  template <class F>
  void each(uint32_t longest, F&& f) const {
    for (uint32_t i1 = 0; i1 < sources_; ++i1) {
      uint32_t low = UINT32_MAX, high = 0;
      for (uint32_t i2 = i1; i2 < sources_ && i2 - i1 < longest; ++i2) {
        if (is_source_linked(i2)) {
          low = std::min(low, static_cast<uint32_t>(links_[first_[i2]]));
          high = std::max(high, static_cast<uint32_t>(links_[first_[i2 + 1] - 1]));
        }
        if (low == UINT32_MAX) continue;
        if (high - low >= longest) break;
        if (is_closed(i1, i2, low, high)) widen(i1, i2, low, high, longest, f);
      }
    }
  }

  // g(i, j) of every link inside, counted from the phrase's first words.
  template <class G>
  void inner(const PhraseSpan& span, G&& g) const {
    for (size_t k = first_[span.i1]; k < first_[span.i2 + 1]; ++k)
      g(static_cast<uint32_t>(links_[k] >> 32) - span.i1, static_cast<uint32_t>(links_[k]) - span.j1);
  }

 private:
  bool is_closed(uint32_t i1, uint32_t i2, uint32_t low, uint32_t high) const {
    for (uint32_t j = low; j <= high; ++j)
      if (is_target_linked(j) && (low_[j] < i1 || high_[j] > i2)) return false;
    return true;
  }

  // With and without the target words beside it that have no links.
  template <class F>
  void widen(uint32_t i1, uint32_t i2, uint32_t low, uint32_t high, uint32_t longest, F&& f) const {
    for (uint32_t j1 = low;; --j1) {
      for (uint32_t j2 = high; j2 < targets_ && j2 - j1 < longest && (j2 == high || !is_target_linked(j2));
           ++j2)
        f(oriented(i1, i2, j1, j2));
      if (j1 == 0 || high - (j1 - 1) >= longest || is_target_linked(j1 - 1)) break;
    }
  }

  // Positions are one more than they are, so that 0 is before the sentence.
  bool is_linked(uint64_t i, uint64_t j) const {
    if (i == 0 || j == 0) return i == j;
    if (i > sources_ || j > targets_) return i == sources_ + 1ull && j == targets_ + 1ull;
    return std::binary_search(links_.begin(), links_.end(), (i - 1) << 32 | (j - 1));
  }

  PhraseSpan oriented(uint32_t i1, uint32_t i2, uint32_t j1, uint32_t j2) const {
    const uint64_t left = i1, right = i2 + 2ull, above = j1, below = j2 + 2ull;
    return {i1,
            i2,
            j1,
            j2,
            is_linked(left, above)    ? kMonotone
            : is_linked(right, above) ? kSwap
                                      : kDiscontinuous,
            is_linked(right, below)  ? kMonotone
            : is_linked(left, below) ? kSwap
                                     : kDiscontinuous};
  }

  uint32_t sources_ = 0, targets_ = 0;
  std::vector<uint64_t> links_;
  std::vector<size_t> first_;  // by source position: its first link
  std::vector<uint32_t> low_,
      high_;  // by target position: the first and last source position it is linked to
};

}  // namespace structron
