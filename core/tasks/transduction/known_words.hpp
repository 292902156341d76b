// Words that were cut into pairs of pieces, found by how another word begins or ends.
//
// Words are sorted, and there is little to build when they come from a file: one that begins alike stands
// beside the place where the other would stand. structron/tasks/transduction/known_words.py is the
// definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "util/hash.hpp"
#include "weights/table.hpp"

namespace structron {

// What is told about a place by the word with the same beginning, then by the one with the same end: the pair
// that it has there, how many more symbols agree, and what is left of this word. 0 where nothing is told.
inline constexpr size_t kHints = 6;
using Hints = std::array<Key, kHints>;

class KnownWords {
 public:
  struct Piece {
    std::vector<std::string> source;
    Key pair;  // what stands for it in a key
  };

  // Of all words, sorted, the numbers of their pieces, how many each has, and the order by their ends.
  KnownWords(const std::vector<Piece>& pieces, std::span<const uint32_t> numbers,
             std::span<const uint32_t> lengths, std::span<const uint32_t> by_end)
      : by_end_(by_end.begin(), by_end.end()) {
    std::vector<std::string_view> symbols;
    for (const Piece& piece : pieces) symbols.insert(symbols.end(), piece.source.begin(), piece.source.end());
    std::ranges::sort(symbols);
    symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
    for (uint32_t i = 0; i < symbols.size(); ++i) symbols_.intern(hash_bytes(symbols[i]), i);
    for (const Piece& piece : pieces) {
      if (piece.source.empty() || piece.source.size() > kLongestPiece)
        throw std::invalid_argument("a known word has a piece without symbols, or with too many");
      std::vector<uint32_t> source;
      for (const std::string& symbol : piece.source) source.push_back(symbols_.find(hash_bytes(symbol)));
      pieces_.push_back({std::move(source), piece.pair});
    }
    words_.reserve(lengths.size() + 1);
    letters_.reserve(2 * numbers.size());
    numbers_.assign(numbers.begin(), numbers.end());
    for (const uint32_t length : lengths) {
      if (length > numbers.size()) throw std::invalid_argument("known words have too few pieces");
      words_.push_back(
          {static_cast<uint32_t>(letters_.size()), static_cast<uint32_t>(numbers_.size() - numbers.size())});
      for (const uint32_t number : numbers.first(length)) {
        if (number >= pieces_.size()) throw std::invalid_argument("a known word has no such piece");
        const std::vector<uint32_t>& source = pieces_[number].source;
        letters_.insert(letters_.end(), source.begin(), source.end());
      }
      numbers = numbers.subspan(length);
    }
    if (!numbers.empty() || letters_.size() >= kNone)
      throw std::invalid_argument("known words have too many pieces");
    words_.push_back({static_cast<uint32_t>(letters_.size()), static_cast<uint32_t>(numbers_.size())});
    if (by_end_.size() != lengths.size() ||
        std::ranges::any_of(by_end_, [&](uint32_t word) { return word >= lengths.size(); }))
      throw std::invalid_argument("known words are in no order");
    Ordered<false>{*this}.each_outset([&](Key key, Range range) { note(begins_, key, range); });
    Ordered<true>{*this}.each_outset([&](Key key, Range range) { note(ends_, key, range); });
  }

  // What is told about each place of a word, by others than itself.
  void read(std::span<const Key> word, std::vector<Hints>& out) const {
    out.assign(word.size(), {});
    if (word.size() < kFewest) return;
    std::vector<uint32_t> letters;
    letters.reserve(word.size());
    for (const Key symbol : word) letters.push_back(symbols_.find(symbol));
    tell(word, Ordered<false>{*this}.like(letters), out);
    tell(word, Ordered<true>{*this}.like(letters), out);
  }

 private:
  static constexpr size_t kLongestPiece = 15;
  static constexpr size_t kFewest = 3, kLongestRest = 3, kMostAgreeing = 4;
  static constexpr Key kRest = 0x52455354ull, kWhole = 0x57484F4C45ull, kLong = 0x4C4F4E47ull;
  using Letters = std::span<const uint32_t>;

  struct Cut {
    std::vector<uint32_t> source;
    Key pair;
  };
  struct Word {
    uint32_t letters, pieces;  // where they begin
  };
  // Words with the same first symbols, and the two of them that are preferred.
  struct Range {
    uint32_t begin, end;
    uint32_t first = kNone, second = kNone;
  };
  struct Like {
    uint32_t word = kNone;
    size_t shared = 0;
    bool from_end = false;
  };

  Letters letters(size_t word) const {
    return Letters(letters_).subspan(words_[word].letters, words_[word + 1].letters - words_[word].letters);
  }
  // The nth from one end, counted from 0.
  template <class Each>
  static Each nth(std::span<const Each> word, size_t n, bool from_end) {
    return from_end ? word[word.size() - 1 - n] : word[n];
  }

  // Words in the order of their beginnings or of their ends.
  template <bool kFromEnd>
  struct Ordered {
    const KnownWords& known;

    uint32_t word(size_t place) const {
      return kFromEnd ? known.by_end_[place] : static_cast<uint32_t>(place);
    }
    size_t shared(Letters a, size_t place) const {
      const Letters b = known.letters(word(place));
      const size_t most = std::min(a.size(), b.size());
      size_t n = 0;
      while (n < most && nth(a, n, kFromEnd) == nth(b, n, kFromEnd)) ++n;
      return n;
    }
    // Whether it stands before, where n symbols are in common.
    bool is_before(size_t place, Letters word_, size_t n) const {
      const Letters other = known.letters(word(place));
      if (n == word_.size()) return false;
      return n == other.size() || nth(other, n, kFromEnd) < nth(word_, n, kFromEnd);
    }

    // Of several the shortest, and then the first.
    bool is_preferred(uint32_t one, uint32_t other) const {
      if (other == kNone) return true;
      const size_t a = known.letters(one).size(), b = known.letters(other).size();
      return a < b || (a == b && one < other);
    }

    static Key outset(Letters word_) {
      Key key = 0;
      for (size_t n = 0; n < kFewest; ++n) key = combine(key, nth(word_, n, kFromEnd));
      return key;
    }
    // f(what stands for the first symbols, where the words are that have them).
    template <class F>
    void each_outset(F&& f) const {
      const uint32_t size = static_cast<uint32_t>(known.by_end_.size());
      for (uint32_t begin = 0; begin < size;) {
        const Letters first = known.letters(word(begin));
        uint32_t end = begin + 1;
        if (first.size() >= kFewest) {
          while (end < size && shared(first, end) >= kFewest) ++end;
          Range range{begin, end};
          for (uint32_t place = begin; place < end; ++place) {
            const uint32_t other = word(place);
            if (is_preferred(other, range.first))
              range.second = std::exchange(range.first, other);
            else if (is_preferred(other, range.second))
              range.second = other;
          }
          f(outset(first), range);
        }
        begin = end;
      }
    }

    // The word that has most in common with this one.
    Like like(Letters given) const {
      const uint32_t id = (kFromEnd ? known.ends_ : known.begins_).find(outset(given));
      if (id == kNone) return {};
      const Range range = known.ranges_[id];
      size_t low = range.begin;
      for (size_t high = range.end; low < high;) {
        const size_t middle = (low + high) / 2;
        if (is_before(middle, given, shared(given, middle)))
          low = middle + 1;
        else
          high = middle;
      }
      const bool is_known = low < range.end && known.letters(word(low)).size() == given.size() &&
                            shared(given, low) == given.size();
      const size_t after = low + is_known;
      const size_t most = std::max(low > range.begin ? shared(given, low - 1) : 0,
                                   after < range.end ? shared(given, after) : 0);
      if (most < kFewest) return {};
      Like found{kNone, most, kFromEnd};
      if (most == kFewest) {  // the most words, all of them
        found.word = is_known && word(low) == range.first ? range.second : range.first;
        return found;
      }
      const auto look = [&](size_t place) {
        if (is_preferred(word(place), found.word)) found.word = word(place);
      };
      for (size_t place = low; place > range.begin && shared(given, place - 1) >= most; --place)
        look(place - 1);
      for (size_t place = after; place < range.end && shared(given, place) >= most; ++place) look(place);
      return found;
    }
  };

  void note(Table& table, Key outset, Range range) {
    // Of an order that is none, an outset may come twice: then some of its words are not found.
    table.intern(outset, static_cast<uint32_t>(ranges_.size()));
    ranges_.push_back(range);
  }

  void tell(std::span<const Key> word, const Like& like, std::vector<Hints>& out) const {
    if (like.word == kNone) return;
    const bool from_end = like.from_end;
    const size_t n = like.shared, size = letters(like.word).size();
    Key rest = n == size ? kWhole : kRest;
    if (word.size() - n > kLongestRest)
      rest = combine(rest, kLong);
    else
      for (size_t m = n; m < word.size(); ++m) rest = combine(rest, nth(word, m, from_end));
    size_t begin = 0;
    for (uint32_t p = words_[like.word].pieces; p < words_[like.word + 1].pieces; ++p) {
      const Cut& piece = pieces_[numbers_[p]];
      const size_t end = begin + piece.source.size(), outer = from_end ? size - begin : end;
      if (outer <= n) {
        Hints& here = out[from_end ? begin + word.size() - size : begin];
        Key* hints = here.data() + (from_end ? kHints / 2 : 0);
        hints[0] = piece.pair;
        hints[1] = std::min(n - outer, kMostAgreeing) + 1;
        hints[2] = rest;
      }
      begin = end;
    }
  }

  Table symbols_;  // their numbers, in the order of their texts
  std::vector<Cut> pieces_;
  std::vector<uint32_t> numbers_, letters_;  // of all words, one after the other
  std::vector<Word> words_;                  // and one that is none
  std::vector<uint32_t> by_end_;
  Table begins_, ends_;  // what words begin and end with
  std::vector<Range> ranges_;
};

}  // namespace structron
