// Estimates a modified Kneser-Ney model (Chen & Goodman 1998, section 3), interpolated, with <s>, </s> and
// <unk> as KenLM's lmplz has them. The definition is
// structron/tasks/translation/language_model/definition.py.
#pragma once
#include <array>
#include <cmath>

#include "tasks/translation/language_model/ngrams.hpp"
#include "util/interrupt.hpp"

namespace structron {

using Discounts = std::array<double, 4>;  // by the count; of nothing, nothing

// What is taken from counts of 1, of 2 and of more (equation 26); of too small a text, a fixed share.
inline Discounts discounts_of(const std::vector<uint64_t>& counts) {
  constexpr Discounts kFallback{0.0, 0.5, 1.0, 1.5};
  std::array<double, 5> n{};
  for (uint64_t c : counts)
    if (c <= 4) ++n[c];
  if (n[1] == 0 || n[2] == 0 || n[3] == 0) return kFallback;
  const double y = n[1] / (n[1] + 2.0 * n[2]);
  Discounts found{};
  for (size_t j = 1; j <= 3; ++j)
    found[j] = static_cast<double>(j) - static_cast<double>(j + 1) * y * n[j + 1] / n[j];
  return found[2] > 0 && found[3] > 0 ? found : kFallback;
}

class KneserNey {
 public:
  KneserNey(std::span<const uint32_t> words, std::span<const uint64_t> offsets, uint32_t vocabulary,
            uint32_t order) {
    if (order < 1 || order > kMostOrders) throw std::invalid_argument("an order is from 1 to 9");
    NGramCounter counter(words, offsets, vocabulary);
    count(counter, order);
    for (uint32_t n = 0; n < order; ++n) interpolate(n);
    found_.first.push_back(static_cast<uint32_t>(found_.words.size()));
  }

  NGrams take() { return std::move(found_); }

 private:
  struct Level {
    std::vector<uint32_t> words, context, suffix;  // the suffix: without its first word, in the level before
    std::vector<uint64_t> count;                   // adjusted
    std::vector<double> probability;
  };

  // All levels with adjusted counts: below the highest order, how many different words stand before
  // (equation 24); what begins with <s> keeps its own, since nothing can.
  void count(NGramCounter& counter, uint32_t order) {
    for (uint32_t n = 0; n < order; ++n) {
      std::vector<uint32_t> suffix;
      const NGramLevel* now = &counter.level();
      if (n > 0) {
        std::vector<uint32_t> shorter(text_size_);
        for (size_t i = 0; i < text_size_; ++i) shorter[i] = counter.at(i);
        counter.lengthen();
        now = &counter.level();
        std::vector<uint64_t> before(levels_[n - 1].count.size(), 0);
        for (uint32_t where : now->where) {
          suffix.push_back(shorter[where + 1]);
          ++before[suffix.back()];
        }
        for (size_t i = 0; i < before.size(); ++i)
          if (!begins_[i]) levels_[n - 1].count[i] = before[i];
      } else {
        text_size_ = 0;
        for (uint64_t c : now->count) text_size_ += c;
      }
      begins_.assign(now->words.size(), 0);
      for (size_t i = 0; i < now->words.size(); ++i)
        begins_[i] = now->count[i] > 0 && counter.word(now->where[i]) == kBeginWord;
      levels_.push_back({now->words, now->context, std::move(suffix), now->count, {}});
    }
    levels_[0].count[kBeginWord] = 0;
  }

  // Probabilities of level n and what its contexts leave to shorter ones.
  void interpolate(uint32_t n) {
    Level& level = levels_[n];
    const bool is_first = n == 0;
    const size_t contexts = is_first ? 1 : levels_[n - 1].words.size();
    const Discounts taken = discounts_of(level.count);
    std::vector<uint64_t> total(contexts, 0);
    std::vector<std::array<uint64_t, 4>> kinds(contexts);
    for (size_t i = 0; i < level.words.size(); ++i) {
      total[level.context[i]] += level.count[i];
      ++kinds[level.context[i]][std::min<uint64_t>(level.count[i], 3)];
    }
    std::vector<double> left(contexts, 0.0);
    for (size_t c = 0; c < contexts; ++c)
      if (total[c] > 0)
        left[c] = (taken[1] * static_cast<double>(kinds[c][1]) + taken[2] * static_cast<double>(kinds[c][2]) +
                   taken[3] * static_cast<double>(kinds[c][3])) /
                  static_cast<double>(total[c]);
    level.probability.resize(level.words.size());
    Pulse pulse;
    for (size_t i = 0; i < level.words.size(); ++i) {
      pulse();
      const uint32_t c = level.context[i];
      const double lower = is_first ? 1.0 / static_cast<double>(level.words.size() - 1)
                                    : levels_[n - 1].probability[level.suffix[i]];
      const double count = static_cast<double>(level.count[i]);
      const double discounted =
          (count - taken[std::min<uint64_t>(level.count[i], 3)]) / static_cast<double>(total[c]);
      level.probability[i] = discounted + left[c] * lower;
    }
    if (is_first) level.probability[kBeginWord] = 1.0;
    put(level, is_first, left);
  }

  void put(const Level& level, bool is_first, const std::vector<double>& left) {
    const uint32_t begin = static_cast<uint32_t>(found_.words.size());
    if (!is_first) {
      size_t i = 0;
      for (size_t c = 0; c < left.size(); ++c) {
        found_.first.push_back(begin + static_cast<uint32_t>(i));
        while (i < level.words.size() && level.context[i] == c) ++i;
        found_.backoff.push_back(left[c] > 0 ? static_cast<float>(std::log(left[c])) : 0.0f);
      }
    }
    found_.sizes.push_back(level.words.size());
    found_.words.insert(found_.words.end(), level.words.begin(), level.words.end());
    for (double p : level.probability) found_.logprob.push_back(static_cast<float>(std::log(p)));
  }

  size_t text_size_ = 0;
  std::vector<uint8_t> begins_;  // whether an n-gram of the level at hand begins with <s>
  std::vector<Level> levels_;
  NGrams found_;
};

}  // namespace structron
