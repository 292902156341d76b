// How often words follow each other in a text that is read once, sentence by sentence.
#pragma once
#include <algorithm>
#include <bit>
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

// What was counted of a part of a text, by numbers of its own; the edge and words that were forgotten have
// those of BigramCounter.
struct PartCounts {
  std::vector<std::string> words;
  std::vector<uint64_t> times;
  std::vector<uint32_t> left, right, both;  // pairs, and how often each is there
  uint64_t sentences = 0, tokens = 0;
};

// Memory is bounded: whoever counts calls settle() from time to time, which forgets what is rare where there
// is too much of it. A word that is forgotten is a rare one from then on, in the pairs that it was in, too.
class BigramCounter {
 public:
  static constexpr uint64_t kMostPairs = 20'000'000;
  static constexpr uint64_t kMostWords = 3'000'000;

  explicit BigramCounter(uint64_t most_pairs = kMostPairs, uint64_t most_words = kMostWords)
      : most_pairs_(most_pairs), most_words_(most_words) {}

  // A sentence is given word by word, then closed.
  void word(std::string_view text) { last_ = follow(last_, text); }
  void close() {
    if (last_ == kEdge) return;
    see(last_, kEdge);
    last_ = kEdge;
    ++sentences_;
  }
  uint64_t tokens() const { return tokens_; }

  // Forgets words, then pairs, that were seen once, twice and so on, until at most half of the bound is left.
  void settle() {
    if (words_.size() > most_words_) forget_words();
    if (distinct_ > most_pairs_) forget_pairs();
  }

  // All of it, for another counter; pairs in the order of their words.
  PartCounts part() const {
    PartCounts out{words_, times_, {}, {}, {}, sentences_, tokens_};
    std::vector<std::pair<Key, uint32_t>> all;
    pairs_.each([&](const Slot& s) {
      const auto [left, right] = apart(s.key);
      all.emplace_back(static_cast<Key>(left) << 32 | right, s.times);
    });
    std::sort(all.begin(), all.end());
    for (const auto& [key, times] : all) {
      out.left.push_back(static_cast<uint32_t>(key >> 32));
      out.right.push_back(static_cast<uint32_t>(key));
      out.both.push_back(times);
    }
    return out;
  }

  // As if the part had been counted here.
  void add(const PartCounts& part) {
    if (part.times.size() != part.words.size() || part.right.size() != part.left.size() ||
        part.both.size() != part.left.size())
      throw std::invalid_argument("the counts of a part do not fit together");
    std::vector<uint32_t> number;
    for (size_t w = 0; w < part.words.size(); ++w) {
      number.push_back(id_of(part.words[w]));
      times_[number.back()] += part.times[w];
    }
    const auto named = [&](uint32_t id) {
      if (id >= kRare) return id;
      if (id >= number.size()) throw std::invalid_argument("a pair of a part has no words");
      return number[id];
    };
    for (size_t i = 0; i < part.left.size(); ++i)
      see(named(part.left[i]), named(part.right[i]), part.both[i]);
    sentences_ += part.sentences;
    tokens_ += part.tokens;
  }

  // What was seen, of words seen at least so often.
  Bigrams give(uint64_t least) const {
    Bigrams out;
    const std::vector<uint32_t> number = numbered(least, out);
    const auto named = [&](Key id) {
      return id == kEdge ? out.edge() : id == kRare ? out.rare() : number[id];
    };
    // Beyond what sums of information can hold exactly, all counts are halved.
    const int halved = static_cast<int>(std::bit_width(tokens_ / Information::kMost));
    for (uint64_t& times : out.times) times >>= halved;
    struct Pair {
      uint32_t left, right, times;
    };
    std::vector<Pair> pairs;
    pairs_.each([&](const Slot& s) {
      const auto [left, right] = apart(s.key);
      const uint64_t times = s.times >> halved;
      if (times) pairs.push_back({named(left), named(right), static_cast<uint32_t>(times)});
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
  static constexpr uint32_t kEdge = 0xFFFFFFFEu, kRare = 0xFFFFFFFDu;
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

  uint32_t id_of(std::string_view text) {
    const uint32_t id = ids_.intern(hash_bytes(text), static_cast<uint32_t>(words_.size()));
    if (id == words_.size()) {
      words_.emplace_back(text);
      times_.push_back(0);
    }
    return id;
  }
  uint32_t follow(uint32_t last, std::string_view text) {
    ++tokens_;
    const uint32_t id = id_of(text);
    ++times_[id];
    see(last, id);
    return id;
  }
  void see(uint32_t left, uint32_t right, uint32_t times = 1) {
    const Key key = together(left, right);
    Slot& slot = pairs_.at(key);
    slot.key = key;
    const bool fresh = slot.times == 0;
    slot.times += std::min(times, UINT32_MAX - slot.times);
    if (fresh && ++distinct_ * 5 > pairs_.room() * 3) pairs_.grow();
  }

  // How often what stays must have been seen, for at most half of the bound to stay.
  template <class Each>
  static uint64_t floor_of(uint64_t most, Each&& each) {
    std::vector<uint64_t> seen(1 << 16, 0);
    uint64_t left = 0;
    each([&](uint64_t times) {
      ++seen[std::min<uint64_t>(times, seen.size() - 1)];
      ++left;
    });
    uint64_t floor = 0;
    while (left > most / 2 && floor + 1 < seen.size()) left -= seen[floor++];
    return floor;
  }
  void forget_words() {
    const uint64_t floor = floor_of(most_words_, [&](auto&& see) {
      for (uint64_t times : times_) see(times);
    });
    std::vector<uint32_t> number(words_.size(), kRare);
    std::vector<std::string> words;
    std::vector<uint64_t> times;
    Table ids;
    for (size_t w = 0; w < words_.size(); ++w) {
      if (times_[w] < floor) {
        lost_ += times_[w];
        continue;
      }
      number[w] = static_cast<uint32_t>(words.size());
      ids.intern(hash_bytes(words_[w]), number[w]);
      words.push_back(std::move(words_[w]));
      times.push_back(times_[w]);
    }
    words_ = std::move(words);
    times_ = std::move(times);
    ids_ = std::move(ids);
    const auto named = [&](uint32_t id) { return id >= kRare ? id : number[id]; };
    again([&](uint32_t left, uint32_t right, uint32_t n) { see(named(left), named(right), n); });
  }
  void forget_pairs() {
    const uint64_t floor =
        floor_of(most_pairs_, [&](auto&& see) { pairs_.each([&](const Slot& s) { see(s.times); }); });
    again([&](uint32_t left, uint32_t right, uint32_t n) {
      if (n >= floor) see(left, right, n);
    });
  }
  // All pairs once more, into an empty table.
  template <class F>
  void again(F&& f) {
    KeyTable<Slot> old = std::move(pairs_);
    pairs_ = KeyTable<Slot>(old.room());  // no smaller: what is in order would pile up
    distinct_ = 0;
    old.each([&](const Slot& s) {
      const auto [left, right] = apart(s.key);
      f(left, right, s.times);
    });
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
    out.times.back() += lost_;
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
  uint64_t most_pairs_, most_words_;
  uint64_t distinct_ = 0, tokens_ = 0, sentences_ = 0, lost_ = 0;  // of the lost: how often they were seen
  uint32_t last_ = kEdge;
};

}  // namespace structron
