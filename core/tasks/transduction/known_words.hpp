// Words that were cut into pairs of pieces, found by how another word begins or ends.
//
// structron/tasks/transduction/known_words.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "table.hpp"

namespace structron {

// What is told about a place by the word with the same beginning, then by the one with the same end: the pair
// that it has there, how many more symbols agree, and what is left of this word. 0 where nothing is told.
inline constexpr size_t kHints = 6;
using Hints = std::array<Key, kHints>;

class KnownWords {
 public:
  struct Piece {
    std::vector<Key> source;
    Key pair;  // what stands for it in a key
  };

  explicit KnownWords(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
    for (const Piece& piece : pieces_)
      if (piece.source.empty()) throw std::invalid_argument("a known word has a piece without symbols");
  }

  // Of several words that fit, the one that was added first is taken.
  void add(std::span<const uint32_t> numbers) {
    const uint32_t word = static_cast<uint32_t>(words_.size());
    std::vector<Key> symbols;
    for (const uint32_t number : numbers) {
      if (number >= pieces_.size()) throw std::invalid_argument("a known word has a piece that is not there");
      const std::vector<Key>& source = pieces_[number].source;
      symbols.insert(symbols.end(), source.begin(), source.end());
    }
    words_.push_back({numbers_.size(), static_cast<uint32_t>(numbers.size()),
                      static_cast<uint32_t>(symbols.size()), parts_of(symbols, false).back()});
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    for (const bool from_end : {false, true}) {
      const std::vector<Key> parts = parts_of(symbols, from_end);
      for (size_t n = kFewest; n < parts.size(); ++n) {
        const uint32_t id = parts_.intern(parts[n], static_cast<uint32_t>(first_.size()));
        if (id == first_.size())
          first_.push_back({word, kNone});
        else if (first_[id][1] == kNone)
          first_[id][1] = word;
      }
    }
  }

  // What is told about each place of a word, by others than itself.
  void read(std::span<const Key> word, std::vector<Hints>& out) const {
    out.assign(word.size(), {});
    if (word.size() < kFewest) return;
    Key itself = 0;
    for (const bool from_end : {false, true}) {
      const std::vector<Key> parts = parts_of(word, from_end);
      if (!from_end) itself = parts.back();
      for (size_t n = word.size(); n >= kFewest; --n)
        if (const uint32_t known = first_but(itself, parts[n]); known != kNone) {
          tell(word, words_[known], n, from_end, out);
          break;
        }
    }
  }

 private:
  static constexpr size_t kFewest = 3, kLongestRest = 3, kMostAgreeing = 4;
  static constexpr Key kBegin = 0x424547494Eull, kEnd = 0x454E44ull;
  static constexpr Key kRest = 0x52455354ull, kWhole = 0x57484F4C45ull, kLong = 0x4C4F4E47ull;

  struct Word {
    size_t first;  // of its pieces, in numbers_
    uint32_t pieces, symbols;
    Key itself;
  };

  // The nth symbol from one end, counted from 1.
  static Key nth(std::span<const Key> word, size_t n, bool from_end) {
    return from_end ? word[word.size() - n] : word[n - 1];
  }
  // What stands for the n symbols at one end, by n.
  static std::vector<Key> parts_of(std::span<const Key> word, bool from_end) {
    std::vector<Key> parts{from_end ? kEnd : kBegin};
    parts.reserve(word.size() + 1);
    for (size_t n = 1; n <= word.size(); ++n) parts.push_back(combine(parts.back(), nth(word, n, from_end)));
    return parts;
  }
  uint32_t first_but(Key itself, Key part) const {
    const uint32_t id = parts_.find(part);
    if (id == kNone) return kNone;
    const auto& [first, second] = first_[id];
    return words_[first].itself == itself ? second : first;
  }

  // What a known word tells, n of whose symbols are at the same end of this one.
  void tell(std::span<const Key> word, const Word& known, size_t n, bool from_end,
            std::vector<Hints>& out) const {
    Key rest = n == known.symbols ? kWhole : kRest;
    if (word.size() - n > kLongestRest)
      rest = combine(rest, kLong);
    else
      for (size_t m = n + 1; m <= word.size(); ++m) rest = combine(rest, nth(word, m, from_end));
    size_t begin = 0;
    for (uint32_t p = 0; p < known.pieces; ++p) {
      const Piece& piece = pieces_[numbers_[known.first + p]];
      const size_t end = begin + piece.source.size(), outer = from_end ? known.symbols - begin : end;
      if (outer <= n) {
        Key* hints =
            from_end ? out[begin + word.size() - known.symbols].data() + kHints / 2 : out[begin].data();
        hints[0] = piece.pair;
        hints[1] = std::min(n - outer, kMostAgreeing) + 1;
        hints[2] = rest;
      }
      begin = end;
    }
  }

  std::vector<Piece> pieces_;
  std::vector<uint32_t> numbers_;  // of the pieces of all words
  std::vector<Word> words_;
  Table parts_;                                 // what words begin or end with
  std::vector<std::array<uint32_t, 2>> first_;  // the first two words of each
};

}  // namespace structron
