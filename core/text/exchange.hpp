// Classes of words by the exchange algorithm (Kneser & Ney 1993; Uszkoreit & Brants 2008): every word moves
// to the class in which the classes of neighbours say most about each other, until none wants to.
// structron/reference/text/clustering.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "text/bigrams.hpp"
#include "util/interrupt.hpp"
#include "util/pool.hpp"

namespace structron {

// How often classes follow each other; those of the edge and of rare words come last and stay as they are.
class ClassCounts {
 public:
  explicit ClassCounts(uint32_t classes)
      : size_(classes + 2), after_(cells()), before_(cells()), times_(size_, 0) {}

  uint32_t size() const { return size_; }
  uint32_t classes() const { return size_ - 2; }
  uint32_t at(uint32_t left, uint32_t right) const { return after_[index(left, right)]; }
  // Of one class: what follows it, and what it follows.
  const uint32_t* after(uint32_t left) const { return &after_[index(left, 0)]; }
  const uint32_t* before(uint32_t right) const { return &before_[index(right, 0)]; }
  uint64_t times(uint32_t c) const { return times_[c]; }

  void add(uint32_t left, uint32_t right, uint32_t times) {
    after_[index(left, right)] += times;
    before_[index(right, left)] += times;
  }
  void count(uint32_t c, uint64_t times) { times_[c] += times; }

 private:
  size_t cells() const { return static_cast<size_t>(size_) * size_; }
  size_t index(uint32_t a, uint32_t b) const { return static_cast<size_t>(a) * size_ + b; }

  uint32_t size_;
  std::vector<uint32_t> after_, before_;
  std::vector<uint64_t> times_;
};

class Exchange {
 public:
  static constexpr uint32_t kBatch = 64;  // words that look at the same classes; part of the definition

  Exchange(const Bigrams& bigrams, uint32_t classes)
      : bigrams_(bigrams), counts_(std::min(classes, bigrams.size())), members_(counts_.classes(), 0) {
    if (classes < 2 || classes > 4000) throw std::invalid_argument("there are from 2 to 4000 classes");
    if (bigrams.size() == 0) throw std::invalid_argument("there are no words to cluster");
    for (uint32_t w = 0; w < bigrams.size(); ++w) {
      class_.push_back(w % counts_.classes());
      ++members_[class_[w]];
    }
    class_.push_back(counts_.classes());
    class_.push_back(counts_.classes() + 1);
    for (uint32_t w = 0; w < class_.size(); ++w) {
      counts_.count(class_[w], bigrams.times[w]);
      for (uint32_t i = bigrams.after_begin[w]; i < bigrams.after_begin[w + 1]; ++i)
        counts_.add(class_[w], class_[bigrams.after[i].word], bigrams.after[i].times);
    }
  }

  const std::vector<uint32_t>& of_words() const { return class_; }
  const ClassCounts& counts() const { return counts_; }
  const Bigrams& bigrams() const { return bigrams_; }

  // Words from .. to, the most frequent first, in batches: each looks for its best class, then those that
  // still gain by it move. How many did; it does not depend on the threads.
  uint32_t run(uint32_t from, uint32_t to, Pool& pool) {
    to = std::min(to, bigrams_.size());
    if (from % kBatch != 0) throw std::invalid_argument("a run begins with a whole batch");
    scratch_.resize(pool.threads());
    uint32_t moved = 0;
    for (uint32_t first = from; first < to; first += kBatch) {
      const uint32_t n = std::min(kBatch, to - first);
      pool.run([&](uint32_t thread) {
        for (uint32_t i = thread; i < n; i += pool.threads()) {
          hear();
          wanted_[i] = best(first + i, scratch_[thread]);
        }
      });
      for (uint32_t i = 0; i < n; ++i)
        moved += wanted_[i] != class_[first + i] && move(first + i, wanted_[i]);
    }
    return moved;
  }

  // What the classes of neighbours say about each other, up to what no exchange changes.
  int64_t quality() const {
    int64_t sum = 0;
    for (uint32_t g = 0; g < counts_.size(); ++g) {
      for (uint32_t h = 0; h < counts_.size(); ++h) sum += f_.of(counts_.at(g, h));
      sum -= 2 * f_.of(counts_.times(g));
    }
    return sum;
  }

 private:
  struct Sides {
    std::vector<uint32_t> left, right;  // by class: how often it stands before and after the word
    std::vector<uint32_t> lefts, rights;
    uint32_t self = 0;
    std::vector<int64_t> gain;
  };

  void look(uint32_t w, Sides& s) const {
    s.left.assign(counts_.size(), 0);
    s.right.assign(counts_.size(), 0);
    s.self = 0;
    side(w, bigrams_.before_begin, bigrams_.before, s.left, s.lefts, s.self);
    side(w, bigrams_.after_begin, bigrams_.after, s.right, s.rights, s.self);
  }
  void side(uint32_t w, const std::vector<uint32_t>& begin, const std::vector<Bigrams::Neighbour>& all,
            std::vector<uint32_t>& times, std::vector<uint32_t>& seen, uint32_t& self) const {
    seen.clear();
    for (uint32_t i = begin[w]; i < begin[w + 1]; ++i) {
      if (all[i].word == w) {
        self = all[i].times;
        continue;
      }
      const uint32_t c = class_[all[i].word];
      if (times[c] == 0) seen.push_back(c);
      times[c] += all[i].times;
    }
  }

  // What a word adds to the classes from .. to, were it in them, when it is taken out of its own.
  void gains(uint32_t w, uint32_t from, uint32_t to, Sides& s) const {
    s.gain.assign(to - from, 0);
    const uint32_t own = class_[w];
    one_side(own, from, to, s.lefts, s.left, s.right, [&](uint32_t g) { return counts_.after(g); }, s.gain);
    one_side(own, from, to, s.rights, s.right, s.left, [&](uint32_t g) { return counts_.before(g); }, s.gain);
    const uint64_t times = bigrams_.times[w];
    for (uint32_t b = from; b < to; ++b) {
      int64_t& gain = s.gain[b - from];
      if (s.left[b] || s.right[b] || s.self) {  // the class beside itself was counted as two cells
        const uint64_t here = counts_.at(b, b);
        gain += f_.of(here + s.left[b] + s.right[b] + s.self) - f_.of(here + s.left[b]) -
                f_.of(here + s.right[b]) + f_.of(here);
      }
      gain -= 2 * (f_.of(counts_.times(b) + times) - f_.of(counts_.times(b)));
    }
    if (from <= own && own < to) s.gain[own - from] = staying(w, s);
  }
  template <class Row>
  void one_side(uint32_t own, uint32_t from, uint32_t to, const std::vector<uint32_t>& seen,
                const std::vector<uint32_t>& times, const std::vector<uint32_t>& opposite, Row&& row,
                std::vector<int64_t>& gain) const {
    for (uint32_t g : seen) {
      const uint32_t* counts = row(g);
      const uint32_t more = times[g];
      if (g == own) {  // which the word has left
        for (uint32_t b = from; b < to; ++b) {
          if (b == own) continue;
          const uint32_t here = counts[b] - opposite[b];
          gain[b - from] += f_.of(here + more) - f_.of(here);
        }
      } else {
        for (uint32_t b = from; b < to; ++b) gain[b - from] += f_.of(counts[b] + more) - f_.of(counts[b]);
      }
    }
  }
  int64_t staying(uint32_t w, const Sides& s) const {
    const uint32_t own = class_[w];
    int64_t gain = 0;
    for (uint32_t g : s.lefts)
      if (g != own) gain += f_.of(counts_.at(g, own)) - f_.of(counts_.at(g, own) - s.left[g]);
    for (uint32_t g : s.rights)
      if (g != own) gain += f_.of(counts_.at(own, g)) - f_.of(counts_.at(own, g) - s.right[g]);
    const uint64_t here = counts_.at(own, own);
    gain += f_.of(here) - f_.of(here - s.left[own] - s.right[own] - s.self);
    return gain - 2 * (f_.of(counts_.times(own)) - f_.of(counts_.times(own) - bigrams_.times[w]));
  }

  // The class that gains most: of equals its own, then the first. A word alone in its class stays.
  uint32_t best(uint32_t w, Sides& s) const {
    const uint32_t own = class_[w];
    if (members_[own] == 1) return own;
    look(w, s);
    gains(w, 0, counts_.classes(), s);
    uint32_t found = own;
    for (uint32_t b = 0; b < counts_.classes(); ++b)
      if (s.gain[b] > s.gain[found]) found = b;
    return found;
  }

  bool move(uint32_t w, uint32_t to) {
    const uint32_t own = class_[w];
    if (members_[own] == 1) return false;
    Sides& s = scratch_[0];
    look(w, s);
    gains(w, to, to + 1, s);
    if (s.gain[0] <= staying(w, s)) return false;
    shift(own, s, bigrams_.times[w], -1);
    shift(to, s, bigrams_.times[w], 1);
    --members_[own];
    ++members_[to];
    class_[w] = to;
    return true;
  }
  void shift(uint32_t c, const Sides& s, uint64_t times, int sign) {
    const auto add = [&](uint32_t left, uint32_t right, uint32_t n) {
      counts_.add(left, right, sign > 0 ? n : 0 - n);
    };
    for (uint32_t g : s.lefts) add(g, c, s.left[g]);
    for (uint32_t g : s.rights) add(c, g, s.right[g]);
    add(c, c, s.self);
    counts_.count(c, sign > 0 ? times : 0 - times);
  }

  const Bigrams& bigrams_;
  Information f_;
  ClassCounts counts_;
  std::vector<uint32_t> class_, members_;
  uint32_t wanted_[kBatch];
  std::vector<Sides> scratch_;
};

}  // namespace structron
