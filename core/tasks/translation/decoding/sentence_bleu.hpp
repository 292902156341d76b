// BLEU + 1 of one sentence (Lin & Och 2004). structron/tasks/translation/decoding/sentence_bleu.py is the
// definition.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <unordered_map>
#include <vector>

#include "util/hash.hpp"

namespace structron {

class SentenceBleu {
 public:
  static constexpr size_t kOrder = 4;

  // Counts the n-grams of the references; of each the most that one of them has.
  void read(const std::vector<std::vector<Key>>& references) {
    most_.clear();
    lengths_.clear();
    for (const auto& reference : references) {
      lengths_.push_back(reference.size());
      count(reference);
      for (const auto& [ngram, times] : found_) {
        uint32_t& most = most_[ngram];
        most = std::max(most, times);
      }
    }
    std::sort(lengths_.begin(), lengths_.end());
  }

  // What an output is worth: BLEU + 1 times the length of the reference nearest in length, so that a word is
  // worth about as much in every sentence.
  double gain(std::span<const Key> output) {
    std::array<uint32_t, kOrder> matched{};
    count(output);
    for (const auto& [ngram, times] : found_) {
      const auto at = most_.find(ngram);
      if (at != most_.end()) matched[sizes_.at(ngram) - 1] += std::min(times, at->second);
    }
    if (matched[0] == 0) return 0;
    double logs = 0;
    for (size_t n = 1; n <= kOrder; ++n) {
      const double total = output.size() >= n ? static_cast<double>(output.size() - n + 1) : 0;
      const double more = n > 1 ? 1 : 0;
      logs += std::log((matched[n - 1] + more) / std::max(total + more, 1.0));
    }
    const double own = static_cast<double>(output.size()), nearest = nearest_length(output.size());
    return std::exp(logs / kOrder + std::min(0.0, 1 - nearest / own)) * nearest;
  }

 private:
  double nearest_length(size_t own) const {
    const auto away = [&](size_t length) { return length < own ? own - length : length - own; };
    size_t best = lengths_.front();
    for (size_t length : lengths_)
      if (away(length) < away(best)) best = length;
    return static_cast<double>(best);
  }
  void count(std::span<const Key> words) {
    found_.clear();
    sizes_.clear();
    for (size_t i = 0; i < words.size(); ++i) {
      Key ngram = 0;
      for (size_t n = 1; n <= kOrder && i + n <= words.size(); ++n) {
        ngram = combine(ngram, words[i + n - 1]);
        ++found_[ngram];
        sizes_[ngram] = static_cast<uint32_t>(n);
      }
    }
  }

  std::unordered_map<Key, uint32_t> most_, found_, sizes_;
  std::vector<size_t> lengths_;
};

}  // namespace structron
