// The n-grams of a text as a tree of words, level by level: those that continue one n-gram stand together,
// sorted by their last word, and `first` says where. See structron/io/values/ngrams.py.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "util/interrupt.hpp"

namespace structron {

inline constexpr uint32_t kUnknownWord = 0, kBeginWord = 1, kEndWord = 2;
inline constexpr uint32_t kMostOrders = 9;

// A back-off model as it lies in a file; logarithms are natural.
struct NGrams {
  std::vector<uint64_t> sizes;  // how many n-grams there are of each order
  std::vector<uint32_t> words;  // the last word of each
  std::vector<uint32_t> first;  // below the highest order: the first n-gram that continues it
  std::vector<float> logprob;   // of each
  std::vector<float> backoff;   // below the highest order
};

// The different n-grams of one order in a text: how often they occur, and where first.
struct NGramLevel {
  std::vector<uint32_t> words;    // the last word
  std::vector<uint32_t> context;  // the number, in the level before, of what stands before it
  std::vector<uint64_t> count;
  std::vector<uint32_t> where;  // a position in the text at which it begins
};

// Counts the n-grams of sentences, one order after the other. The text is <s> w1 ... wn </s> again and again.
class NGramCounter {
 public:
  NGramCounter(std::span<const uint32_t> words, std::span<const uint64_t> offsets, uint32_t vocabulary) {
    if (vocabulary < 3) throw std::invalid_argument("a vocabulary has at least <unk>, <s> and </s>");
    if (words.size() + 2 * offsets.size() >= UINT32_MAX) throw std::invalid_argument("the text is too long");
    for (size_t i = 0; i + 1 < offsets.size(); ++i) {
      if (offsets[i] > offsets[i + 1] || offsets[i + 1] > words.size())
        throw std::invalid_argument("offsets do not rise or point too far");
      text_.push_back(kBeginWord);
      for (uint64_t j = offsets[i]; j < offsets[i + 1]; ++j) {
        if (words[j] <= kEndWord || words[j] >= vocabulary)
          throw std::invalid_argument("a text has a word that is special or not in the vocabulary");
        text_.push_back(words[j]);
      }
      text_.push_back(kEndWord);
    }
    at_.assign(text_.begin(), text_.end());
    length_ = 1;
    level_.words.resize(vocabulary);
    for (uint32_t w = 0; w < vocabulary; ++w) level_.words[w] = w;
    level_.context.assign(vocabulary, 0);
    level_.count.assign(vocabulary, 0);
    level_.where.assign(vocabulary, 0);
    for (size_t i = text_.size(); i-- > 0;) {
      ++level_.count[text_[i]];
      level_.where[text_[i]] = static_cast<uint32_t>(i);
    }
  }

  const NGramLevel& level() const { return level_; }
  uint32_t word(size_t position) const { return text_[position]; }
  // The number of the n-gram of this order that begins at a position; there must be one.
  uint32_t at(size_t position) const { return at_[position]; }

  // On to the next order.
  void lengthen() {
    struct Found {
      uint64_t ngram;
      uint32_t position;
      bool operator<(const Found& o) const {
        return ngram != o.ngram ? ngram < o.ngram : position < o.position;
      }
    };
    std::vector<Found> all;
    for (size_t i = 0; i + length_ < text_.size(); ++i)
      if (at_[i] != kNowhere && text_[i + length_] != kBeginWord)
        all.push_back({static_cast<uint64_t>(at_[i]) << 32 | text_[i + length_], static_cast<uint32_t>(i)});
    std::sort(all.begin(), all.end(), heard());
    level_ = {};
    std::fill(at_.begin(), at_.end(), kNowhere);
    Pulse pulse;
    for (size_t k = 0; k < all.size(); ++k) {
      pulse();
      if (k == 0 || all[k].ngram != all[k - 1].ngram) {
        level_.words.push_back(static_cast<uint32_t>(all[k].ngram));
        level_.context.push_back(static_cast<uint32_t>(all[k].ngram >> 32));
        level_.count.push_back(0);
        level_.where.push_back(all[k].position);
      }
      ++level_.count.back();
      at_[all[k].position] = static_cast<uint32_t>(level_.words.size() - 1);
    }
    ++length_;
  }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  std::vector<uint32_t> text_, at_;
  uint32_t length_ = 1;
  NGramLevel level_;
};

}  // namespace structron
