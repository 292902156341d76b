// How often words follow each other in a text that is read once, sentence by sentence.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/information.hpp"
#include "util/interrupt.hpp"
#include "weights/table.hpp"

namespace structron {

// Words by number, the most frequent first, with what stands before and after them. Two more numbers follow
// the words': the edge of a sentence, and whatever is too rare to have a number.
struct Bigrams {
  struct Neighbour {
    uint32_t word, times;
  };
  std::vector<std::string> words;
  std::vector<uint64_t> times;                      // of all numbers
  std::vector<uint32_t> before_begin, after_begin;  // of words
  std::vector<Neighbour> before, after;

  uint32_t size() const { return static_cast<uint32_t>(words.size()); }
  uint32_t edge() const { return size(); }
  uint32_t rare() const { return size() + 1; }
  // By word: how many different ones stand before it, and after it.
  std::vector<uint32_t> neighbours() const {
    std::vector<uint32_t> found(size());
    for (uint32_t w = 0; w < size(); ++w)
      found[w] = before_begin[w + 1] - before_begin[w] + after_begin[w + 1] - after_begin[w];
    return found;
  }
};

class BigramCounter {
 public:
  // A sentence is given word by word, then closed.
  void word(std::string_view text) { last_ = follow(last_, text); }
  void close() {
    if (last_ == kEdge) return;
    see(last_, kEdge);
    last_ = kEdge;
    ++sentences_;
  }
  uint64_t tokens() const { return tokens_; }

  // What was seen, of words seen at least so often.
  Bigrams give(uint64_t least) const {
    Bigrams out;
    const std::vector<uint32_t> number = numbered(least, out);
    const auto named = [&](Key id) { return id == kEdge ? out.edge() : number[id]; };
    struct Pair {
      uint32_t left, right, times;
    };
    std::vector<Pair> pairs;
    pairs_.each([&](const Slot& s) {
      const auto [left, right] = apart(s.key);
      pairs.push_back({named(left), named(right), s.times});
    });
    // Those of rare words become one.
    const auto before = [](const Pair& a, const Pair& b) {
      return std::pair(a.left, a.right) < std::pair(b.left, b.right);
    };
    std::sort(pairs.begin(), pairs.end(), heard(before));
    size_t kept = 0;
    for (const Pair& p : pairs) {
      if (kept && pairs[kept - 1].left == p.left && pairs[kept - 1].right == p.right) {
        pairs[kept - 1].times += p.times;
      } else {
        pairs[kept++] = p;
      }
    }
    pairs.resize(kept);
    spread(pairs, out.size() + 2, &Pair::left, &Pair::right, out.after_begin, out.after);
    spread(pairs, out.size() + 2, &Pair::right, &Pair::left, out.before_begin, out.before);
    return out;
  }

 private:
  static constexpr uint32_t kEdge = 0xFFFFFFFEu;
  struct Slot {
    Key key = 0;
    uint32_t times = 0;
    bool empty() const { return times == 0; }
  };

  // A pair as a key that is spread over the table, and back: multiplied by an odd number and by its inverse.
  static constexpr Key kOdd = 0x9E3779B97F4A7C15ull, kInverse = 0xF1DE83E19937733Dull;
  static_assert(kOdd * kInverse == 1);
  static Key together(uint32_t left, uint32_t right) { return (static_cast<Key>(left) << 32 | right) * kOdd; }
  static std::pair<uint32_t, uint32_t> apart(Key key) {
    const Key both = key * kInverse;
    return {static_cast<uint32_t>(both >> 32), static_cast<uint32_t>(both)};
  }

  uint32_t follow(uint32_t last, std::string_view text) {
    if (++tokens_ >= Information::kMost)
      throw std::invalid_argument("the text has 268 million words or more; cluster a part of it");
    const uint32_t id = ids_.intern(hash_bytes(text), static_cast<uint32_t>(words_.size()));
    if (id == words_.size()) {
      words_.emplace_back(text);
      times_.push_back(0);
    }
    ++times_[id];
    see(last, id);
    return id;
  }
  void see(uint32_t left, uint32_t right) {
    const Key key = together(left, right);
    Slot& slot = pairs_.at(key);
    slot.key = key;
    if (++slot.times == 1 && ++distinct_ * 5 > pairs_.room() * 3) pairs_.grow();
  }

  std::vector<uint32_t> numbered(uint64_t least, Bigrams& out) const {
    std::vector<uint32_t> order(words_.size()), number(words_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return times_[a] != times_[b] ? times_[a] > times_[b] : words_[a] < words_[b];
    });
    const auto rare = std::find_if(order.begin(), order.end(), [&](uint32_t w) { return times_[w] < least; });
    for (auto w = order.begin(); w != rare; ++w) {
      number[*w] = static_cast<uint32_t>(out.words.size());
      out.words.push_back(words_[*w]);
      out.times.push_back(times_[*w]);
    }
    out.times.push_back(sentences_);
    out.times.push_back(0);
    for (auto w = rare; w != order.end(); ++w) {
      number[*w] = out.rare();
      out.times.back() += times_[*w];
    }
    return number;
  }

  template <class Pair>
  static void spread(const std::vector<Pair>& pairs, uint32_t size, uint32_t Pair::* own,
                     uint32_t Pair::* other, std::vector<uint32_t>& begin,
                     std::vector<Bigrams::Neighbour>& out) {
    begin.assign(size + 1, 0);
    for (const Pair& p : pairs) ++begin[p.*own + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    out.resize(pairs.size());
    std::vector<uint32_t> at(begin.begin(), begin.end() - 1);
    for (const Pair& p : pairs) out[at[p.*own]++] = {p.*other, p.times};
  }

  Table ids_;
  std::vector<std::string> words_;
  std::vector<uint64_t> times_;
  KeyTable<Slot> pairs_{1 << 16};
  uint64_t distinct_ = 0, tokens_ = 0, sentences_ = 0;
  uint32_t last_ = kEdge;
};

}  // namespace structron
