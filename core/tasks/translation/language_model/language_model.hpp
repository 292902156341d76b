// A back-off language model to be asked: what a word costs after what was said, and what of it still matters.
//
// It is an automaton. A state is an n-gram that some longer one begins with, so that whatever can no longer
// matter is forgotten, and equal states have equal futures. From a state and a word one look-up gives
// probability and next state; where there is none, the state's back-off weight is added and a shorter state
// takes its place. The definition is `BackoffModel` in
// structron/tasks/translation/language_model/definition.py.
#pragma once
#include <cmath>

#include "tasks/translation/language_model/ngrams.hpp"
#include "util/interrupt.hpp"
#include "weights/key_table.hpp"

namespace structron {

class LanguageModel {
 public:
  using State = uint32_t;  // 0: nothing; otherwise one more than the number of an n-gram
  static constexpr State kEmpty = 0;

  explicit LanguageModel(NGrams ngrams) : order_(static_cast<uint32_t>(ngrams.sizes.size())), slots_(1) {
    check(ngrams);
    vocabulary_ = static_cast<uint32_t>(ngrams.sizes[0]);
    const size_t total = ngrams.words.size(), lower = ngrams.backoff.size();
    const size_t longer = total - vocabulary_;
    slots_.reset(longer + longer / 2 + 16);
    size_t bits = 1024;
    while (bits < longer * 8) bits *= 2;
    filter_.reset(bits / 64);
    parent_.resize(lower);
    word_.assign(ngrams.words.begin(), ngrams.words.begin() + static_cast<std::ptrdiff_t>(lower));
    backoff_.resize(lower + 1);
    shorter_.resize(lower + 1);
    for (size_t i = 0; i < lower; ++i) backoff_[i + 1] = ngrams.backoff[i];
    link(ngrams);
  }

  uint32_t order() const { return order_; }
  uint32_t words() const { return vocabulary_; }
  size_t bytes() const {
    return slots_.bytes() + filter_.bytes() + unigrams_.size() * sizeof(Entry) +
           backoff_.size() * (sizeof(float) + sizeof(State)) + word_.size() * 2 * sizeof(uint32_t);
  }

  // The state at the beginning of a sentence.
  State begin() const { return unigrams_[kBeginWord].next; }

  // The natural logarithm of a word's probability after a state, and the state after it.
  float score(State state, uint32_t word, State& next) const {
    if (word >= vocabulary_) word = kUnknownWord;
    double total = 0;
    for (; state != kEmpty; state = shorter_[state]) {
      const Key key = key_of(state, word);
      if (filter_.perhaps(key)) {
        const Slot& slot = slots_.at(key);
        if (!slot.empty()) {
          next = slot.entry.next;
          return static_cast<float>(total + slot.entry.logprob);
        }
      }
      total += backoff_[state];
    }
    next = unigrams_[word].next;
    return static_cast<float>(total + unigrams_[word].logprob);
  }

  // What the sentence costs to end here.
  float end(State state) const {
    State ignored;
    return score(state, kEndWord, ignored);
  }

  // The words of a state, the earliest first.
  std::vector<uint32_t> context(State state) const {
    std::vector<uint32_t> said;
    for (; state != kEmpty; state = parent_[state - 1]) said.push_back(word_[state - 1]);
    std::reverse(said.begin(), said.end());
    return said;
  }
  bool is_state(uint64_t number) const { return number <= word_.size(); }

 private:
  struct Entry {
    float logprob = 0;
    State next = kEmpty;
  };
  struct Slot {
    Key key = 0;
    Entry entry;
    bool empty() const { return key == 0; }
  };

  // Different for different pairs, since all that combine() does to its second value can be undone. The key
  // 0, which is that of an empty slot, belongs to no word after no state: unigrams are found without a key.
  static Key key_of(State state, uint32_t word) { return combine(0, static_cast<Key>(state) << 32 | word); }

  // Everything that is followed later: sizes that add up, words of the vocabulary, sorted, `first` rising.
  static void check(const NGrams& g) {
    const auto wrong = [](const char* what) { throw std::invalid_argument(what); };
    if (g.sizes.empty() || g.sizes.size() > kMostOrders) wrong("a model has 1 to 9 orders");
    uint64_t total = 0;
    for (uint64_t size : g.sizes) {
      if (size > UINT32_MAX - total - 1) wrong("a model has too many n-grams");
      total += size;
    }
    const uint64_t lower = total - g.sizes.back();
    if (g.sizes[0] < 3) wrong("a model has at least <unk>, <s> and </s>");
    if (g.words.size() != total || g.logprob.size() != total || g.first.size() != lower + 1 ||
        g.backoff.size() != lower)
      wrong("the arrays of a model differ in length");
    for (float x : g.logprob)
      if (!(x <= 0)) wrong("the logarithm of a probability is above 0");
    for (float x : g.backoff)
      if (!std::isfinite(x)) wrong("a back-off weight is not a number");
    for (uint64_t w = 0; w < g.sizes[0]; ++w)
      if (g.words[w] != w) wrong("the unigrams are not the vocabulary");
    if (g.first[0] != g.sizes[0] && lower > 0) wrong("the first bigram is not where it should be");
    if (g.first[lower] != total) wrong("the last n-gram is not where it should be");
    uint64_t begin = 0, end = 0;
    for (size_t n = 0; n + 1 < g.sizes.size(); ++n) {
      begin = end;
      end += g.sizes[n];
      if (g.first[begin] != end || g.first[end] != end + g.sizes[n + 1])
        wrong("the levels of a model do not follow one another");
      for (uint64_t i = begin; i < end; ++i) {
        if (g.first[i] > g.first[i + 1]) wrong("the n-grams of a model are not in order");
        for (uint64_t k = g.first[i]; k < g.first[i + 1]; ++k)
          if (g.words[k] >= g.sizes[0] || (k > g.first[i] && g.words[k - 1] >= g.words[k]))
            wrong("the n-grams of a model are not in order");
      }
    }
  }

  // Level by level, what every n-gram becomes: the longest end of it that is a state.
  void link(const NGrams& g) {
    const size_t lower = g.backoff.size();
    // Whether anything continues it, or hangs on its weight.
    const auto matters = [&](size_t i) {
      return i < lower && (g.first[i] < g.first[i + 1] || g.backoff[i] != 0);
    };
    unigrams_.resize(vocabulary_);
    for (uint32_t w = 0; w < vocabulary_; ++w) {
      unigrams_[w] = {g.logprob[w], matters(w) ? w + 1 : kEmpty};
      if (w < lower) parent_[w] = kEmpty;
    }
    Pulse pulse;
    for (size_t c = 0; c < lower; ++c)
      for (uint32_t i = g.first[c]; i < g.first[c + 1]; ++i) {
        pulse();
        // Contexts come level by level, so that all shorter n-grams have been entered.
        const State end = longest_end(static_cast<State>(c + 1), g.words[i]);
        if (i < lower) {
          parent_[i] = static_cast<State>(c + 1);
          shorter_[i + 1] = end;
        }
        enter(static_cast<State>(c + 1), g.words[i],
              {g.logprob[i], matters(i) ? static_cast<State>(i + 1) : end});
      }
  }

  // The longest state that ends the n-gram of a context and a word and is shorter than it.
  State longest_end(State context, uint32_t word) const {
    for (State s = shorter_[context]; s != kEmpty; s = shorter_[s]) {
      const Slot& slot = slots_.at(key_of(s, word));
      if (!slot.empty()) return slot.entry.next;
    }
    return unigrams_[word].next;
  }

  void enter(State context, uint32_t word, Entry entry) {
    const Key key = key_of(context, word);
    slots_.at(key) = {key, entry};
    filter_.add(key);
  }

  uint32_t order_, vocabulary_ = 0;
  KeyTable<Slot> slots_;  // n-grams of two and more words, by context and last word
  KeyFilter filter_;
  std::vector<Entry> unigrams_;
  std::vector<float> backoff_;  // by state
  std::vector<State> shorter_;  // by state: the longest state that ends it
  std::vector<State> parent_;   // by number: its context
  std::vector<uint32_t> word_;  // by number: its last word
};

}  // namespace structron
