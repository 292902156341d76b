// What was said last, as far as it matters: states of the language model with the words that templates look
// at, numbered as they come up in a sentence. What a word is worth after one is computed once.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/translation/decoding/templates.hpp"
#include "tasks/translation/language_model/language_model.hpp"
#include "tasks/translation/phrases/options.hpp"
#include "util/numbers.hpp"
#include "weights/key_table.hpp"

namespace structron {

struct Context {
  LanguageModel::State spoken = LanguageModel::kEmpty;
  LastWords last;
};

struct Spoken {
  float gain;    // with the weights of language model and n-grams
  float spoken;  // the language model's alone
  uint32_t next;
};

template <class Rows>
class Contexts {
 public:
  static constexpr uint32_t kEnd = 0x7FFFFFFFu;  // in place of a token: the sentence ends

  Contexts(const LanguageModel& model, const std::vector<PhraseTemplate>& templates, Rows rows)
      : model_(model), rows_(rows) {
    for (const PhraseTemplate& t : templates) {
      order_ = std::max(order_, t.back());
      if (t.ngram() > 1) ngrams_.push_back(t);
    }
  }

  // How many target words back anything looks.
  uint32_t depth() const { return std::max(model_.order() - 1, order_); }
  const std::vector<PhraseTemplate>& ngrams() const { return ngrams_; }
  // Target words that templates look back.
  uint32_t order() const { return order_; }

  void clear(std::span<const Token> tokens) {
    tokens_ = tokens;
    contexts_.clear();
    numbers_.clear();
    forget();
  }
  // The weights have changed: contexts stay, what words are worth after them does not.
  void forget() {
    size_ = 0;
    if (++time_ == 0) {
      slots_.reset(slots_.room());
      time_ = 1;
    }
  }
  void weigh(float model_weight) { weight_ = model_weight; }

  const Context& operator[](uint32_t c) const { return contexts_[c]; }
  uint32_t begin() { return number({model_.begin(), {}}); }
  Context nothing() const { return {}; }
  uint32_t number(const Context& context) {
    Key key = context.spoken;
    for (uint32_t i = 0; i < context.last.count; ++i) key = combine(key, context.last.keys[i]);
    const uint32_t found = numbers_.of(combine(key, context.last.count));
    if (found == contexts_.size()) contexts_.push_back(context);
    return found;
  }
  // The context after a token, and what the language model says of it.
  Context after(const Context& context, uint32_t token, float& spoken) const {
    Context next;
    spoken = model_.score(context.spoken, tokens_[token].model_word, next.spoken);
    next.last = context.last.with(tokens_[token].key, order_);
    return next;
  }

  const Spoken& say(uint32_t context, uint32_t token) {
    const Key key = combine(Key{context} + 1, token);
    Slot* slot = &slots_.at(key, time_);
    if (!slot->empty(time_)) return slot->what;
    const Spoken made = token == kEnd ? end(context) : spoken(context, token);
    *slot = {key, made, time_};
    if (++size_ * 2 > slots_.room()) {
      slots_.grow(time_);
      slot = &slots_.at(key, time_);
    }
    return slot->what;
  }

  float weight(Key raw) const { return only_weight(rows_, raw); }

 private:
  struct Slot {
    Key key = 0;
    Spoken what{};
    uint32_t time = 0;
    bool empty(uint32_t now) const { return time != now; }
  };

  Spoken spoken(uint32_t context, uint32_t token) {
    Spoken made{};
    const Context next = after(contexts_[context], token, made.spoken);
    made.gain = weight_ * made.spoken;
    for (const PhraseTemplate& t : ngrams_)
      if (const Key key = ngram_key(t, contexts_[context].last, tokens_[token].key)) made.gain += weight(key);
    made.next = number(next);
    return made;
  }
  Spoken end(uint32_t context) {
    Spoken made{};
    made.spoken = model_.end(contexts_[context].spoken);
    made.gain = weight_ * made.spoken;
    for (const PhraseTemplate& t : ngrams_)
      if (const Key key = ngram_key(t, contexts_[context].last, kBoundary)) made.gain += weight(key);
    made.next = context;
    return made;
  }

  const LanguageModel& model_;
  Rows rows_;
  std::vector<PhraseTemplate> ngrams_;  // of two words and more
  uint32_t order_ = 0;                  // target words that templates look back
  float weight_ = 0;
  std::span<const Token> tokens_;
  std::vector<Context> contexts_;
  Numbers numbers_;
  KeyTable<Slot> slots_{1024};
  uint32_t size_ = 0, time_ = 1;
};

}  // namespace structron
