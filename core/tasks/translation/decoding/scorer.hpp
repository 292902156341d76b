// What phrase options are worth in a sentence: all that depends on an option alone is summed once.
// structron/tasks/translation/decoding/space.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "tasks/translation/decoding/future_cost.hpp"
#include "tasks/translation/decoding/templates.hpp"
#include "tasks/translation/language_model/contexts.hpp"
#include "tasks/translation/phrases/options.hpp"
#include "weights/rows.hpp"

namespace structron {

// The dense features, in the order of the definition's DENSE.
struct Dense {
  static constexpr uint32_t kPhrases = 4, kWords = 5, kDistortion = 6, kReordering = 7, kModel = 13,
                            kCopies = 14, kSize = 15;
};

struct TranslationSettings {
  std::vector<PhraseTemplate> templates;
  uint32_t distortion_limit = 6;
  float scale = 1;      // what dense features are multiplied with
  bool frozen = false;  // whether their weights stay as they are
  bool outlook = true;  // whether items compete with what the rest is expected to be worth

  void check() const {
    if (distortion_limit > kMostDistortion) throw std::invalid_argument("the distortion limit is too far");
    if (!(scale > 0)) throw std::invalid_argument("the scale must be above 0");
    for (const PhraseTemplate& t : templates) t.check();
  }
};

template <class Rows>
class TranslationScorer {
 public:
  // largest: no sparse feature has a greater weight.
  TranslationScorer(const Phrasebook& book, const TranslationSettings& settings, Rows rows, float largest)
      : settings_(settings),
        rows_(rows),
        largest_(largest),
        lookups_(rows),
        options_(book),
        contexts_(book.model(), settings.templates, rows) {
    for (const PhraseTemplate& t : settings.templates) {
      if (t.back() == 0) own_templates_.push_back(t);
      if (t.back() > 0 && t.ngram() == 0) late_templates_.push_back(t);
    }
  }

  const SentenceOptions& options() const { return options_; }
  Contexts<Rows>& contexts() { return contexts_; }
  const FutureCost& future() const { return future_; }
  uint32_t limit() const { return settings_.distortion_limit; }
  float dense(uint32_t i) const { return dense_[i]; }

  void read(std::span<const Key> source, std::span<const LeftOption> left) {
    options_.read(source, left);
    contexts_.clear(options_.tokens());
    view_phrases();
    read_inner();
    number_followings();
    weigh();
  }

  // With the weights as they are.
  void weigh() {
    for (uint32_t i = 0; i < Dense::kSize; ++i) dense_[i] = settings_.scale * rows_.dense(i);
    contexts_.forget();
    contexts_.weigh(dense_[Dense::kModel]);
    const uint32_t n = options_.size();
    own_.assign(n, 0);
    estimates_.resize(n);
    sum_own_templates();
    for (auto& b : base_) b.resize(n);
    for (auto& b : bounds_) b.resize(n);
    for (uint32_t o = 0; o < n; ++o) {
      std::array<double, Dense::kSize> f{};
      add_own(o, f);
      for (uint32_t i = 0; i < Dense::kSize; ++i) own_[o] += f[i] * static_cast<double>(dense_[i]);
      estimates_[o] = own_[o] + static_cast<double>(dense_[Dense::kModel]) * alone_[o];
      const double inner = own_[o] + static_cast<double>(dense_[Dense::kModel]) * inner_[o] + inner_ngrams(o);
      const double most = inner + most_said(o);
      for (uint32_t turn = 0; turn < kTurns; ++turn) {
        const double turned = static_cast<double>(dense_[Dense::kReordering + turn]) *
                              static_cast<double>(options_.reordering(o)[turn]);
        base_[turn][o] = static_cast<float>(inner + turned);
        bounds_[turn][o] = static_cast<float>(most + turned);
      }
    }
    future_.read(options_, estimates_, settings_.distortion_limit);
  }
  // Cost-augmented search: options of which this holds are worth so much more.
  template <class IsWrong>
  void raise(float margin, IsWrong&& is_wrong) {
    for (uint32_t o = 0; o < options_.size(); ++o)
      if (is_wrong(o))
        for (uint32_t turn = 0; turn < kTurns; ++turn) {
          base_[turn][o] += margin;
          bounds_[turn][o] += margin;
        }
  }

  // What an option is worth after a phrase that it stands to in this way, without words before it.
  const float* base(uint32_t turn) const { return base_[turn].data(); }
  // No words before it make it worth more than this; null where that is not known.
  const float* bounds(uint32_t turn) const {
    const bool known = dense_[Dense::kModel] >= 0 && (!sees_words() || std::isfinite(largest_));
    return known ? bounds_[turn].data() : nullptr;
  }
  // What the last phrase says of the place of the next one; kNone: there was none.
  double following(uint32_t last, uint32_t turn) const {
    if (last == kNone) return 0;
    return static_cast<double>(dense_[Dense::kReordering + kTurns + turn]) *
           options_.reordering(last)[kTurns + turn];
  }
  // Equal for phrases that say the same of it.
  uint32_t following_class(uint32_t last) const { return last == kNone ? 0 : followings_[last]; }

  // What the words of an option are worth after a context, as far as that matters; then `context` is the next
  // one.
  double say(uint32_t option, uint32_t& context) {
    double sum = late(option, context);
    walk(option, context, [&](const Spoken& spoken) { sum += spoken.gain; });
    return sum;
  }
  uint32_t context_after(uint32_t option, uint32_t context) {
    walk(option, context, [](const Spoken&) {});
    return context;
  }
  double end(uint32_t context) { return contexts_.say(context, Contexts<Rows>::kEnd).gain; }

  // Dense features of an option: its own, and what the language model says of it after a context.
  void add_own(uint32_t o, std::array<double, Dense::kSize>& f) const {
    const PhraseOption& option = options_[o];
    for (uint32_t i = 0; i < kScores; ++i) f[i] += static_cast<double>(option.scores[i]);
    f[Dense::kPhrases] += 1;
    f[Dense::kWords] += option.tokens;
    f[Dense::kCopies] += option.entry == kNone;
  }
  void add_spoken(uint32_t o, uint32_t context, bool is_last, std::array<double, Dense::kSize>& f) {
    f[Dense::kModel] += inner_[o];
    walk(o, context, [&](const Spoken& spoken) { f[Dense::kModel] += spoken.spoken; });
    if (is_last) f[Dense::kModel] += contexts_.say(context, Contexts<Rows>::kEnd).spoken;
  }
  // f(key) for every sparse feature of an option after a context.
  template <class F>
  void each_key(uint32_t o, uint32_t context, bool is_last, F&& f) {
    each_own_key(o, f);
    for (const PhraseTemplate& t : late_templates_)
      if (const Key key = phrase_key(t, views_[o], contexts_[context].last)) f(key);
    if (contexts_.ngrams().empty()) return;
    LastWords last = contexts_[context].last;
    const auto tell = [&](Key word) {
      for (const PhraseTemplate& t : contexts_.ngrams())
        if (const Key key = ngram_key(t, last, word)) f(key);
      last = last.with(word, kept_words());
    };
    for (uint32_t token : options_.target(o)) tell(options_.tokens()[token].key);
    if (is_last) tell(kBoundary);
  }

 private:
  uint32_t kept_words() const { return contexts_.order(); }

  template <class F>
  void walk(uint32_t option, uint32_t& context, F&& f) {
    const std::span<const uint32_t> words = options_.target(option);
    const size_t seen = std::min<size_t>(words.size(), contexts_.depth());
    for (size_t i = 0; i < seen; ++i) {
      const Spoken& spoken = contexts_.say(context, words[i]);
      f(spoken);
      context = spoken.next;
    }
    if (seen < words.size()) context = last_context_[option];
  }

  double late(uint32_t option, uint32_t context) const {
    double sum = 0;
    for (const PhraseTemplate& t : late_templates_)
      if (const Key key = phrase_key(t, views_[option], contexts_[context].last))
        sum += contexts_.weight(key);
    return sum;
  }

  void view_phrases() {
    const std::span<const Key> source = options_.source();
    views_.resize(options_.size());
    for (uint32_t o = 0; o < options_.size(); ++o) {
      const PhraseOption& option = options_[o];
      const std::span<const uint32_t> target = options_.target(o);
      const auto key = [&](uint32_t token) { return options_.tokens()[token].key; };
      PhraseView& v = views_[o];
      v.source = v.target = kPhraseStart;
      for (uint32_t i = option.start; i < option.end; ++i) v.source = combine(v.source, source[i]);
      for (uint32_t token : target) v.target = combine(v.target, key(token));
      v.first_source = source[option.start];
      v.last_source = source[option.end - 1];
      v.first_target = key(target.front());
      v.last_target = key(target.back());
      v.before = option.start > 0 ? source[option.start - 1] : kBoundary;
      v.after = option.end < source.size() ? source[option.end] : kBoundary;
      v.source_words = option.end - option.start;
      v.target_words = static_cast<uint32_t>(target.size());
    }
  }

  // What the language model says of words so deep in a phrase that nothing before it matters, and of a phrase
  // by itself.
  void read_inner() {
    const uint32_t n = options_.size(), depth = contexts_.depth();
    inner_.assign(n, 0);
    alone_.assign(n, 0);
    last_context_.assign(n, kNone);
    for (uint32_t o = 0; o < n; ++o) {
      Context context = contexts_.nothing();
      const std::span<const uint32_t> words = options_.target(o);
      for (uint32_t i = 0; i < words.size(); ++i) {
        float spoken = 0;
        context = contexts_.after(context, words[i], spoken);
        alone_[o] += static_cast<double>(spoken);
        if (i >= depth) inner_[o] += static_cast<double>(spoken);
      }
      if (words.size() > depth) last_context_[o] = contexts_.number(context);
    }
  }
  bool sees_words() const { return !contexts_.ngrams().empty() || !late_templates_.empty(); }
  // What say() gives at most. Features that begin before the phrase have the largest weight there is.
  double most_said(uint32_t o) const {
    const std::span<const uint32_t> words = options_.target(o);
    const size_t seen = std::min<size_t>(words.size(), contexts_.depth());
    double sum = 0;
    for (size_t i = 0; i < seen; ++i)
      sum += static_cast<double>(options_.book().model_bound(options_.tokens()[words[i]].model_word));
    sum *= static_cast<double>(dense_[Dense::kModel]);
    if (!sees_words()) return sum;
    const double largest = static_cast<double>(largest_);
    sum += largest * static_cast<double>(late_templates_.size());
    LastWords last;
    for (uint32_t i = 0; i < seen; ++i) {
      const Key word = options_.tokens()[words[i]].key;
      for (const PhraseTemplate& t : contexts_.ngrams())
        sum += t.ngram() > i + 1 ? largest : static_cast<double>(contexts_.weight(ngram_key(t, last, word)));
      last = last.with(word, kept_words());
    }
    return sum;
  }
  double inner_ngrams(uint32_t o) const {
    const std::span<const uint32_t> words = options_.target(o);
    if (words.size() <= contexts_.depth() || contexts_.ngrams().empty()) return 0;
    double sum = 0;
    LastWords last;
    for (uint32_t i = 0; i < words.size(); ++i) {
      const Key word = options_.tokens()[words[i]].key;
      if (i >= contexts_.depth())
        for (const PhraseTemplate& t : contexts_.ngrams()) sum += contexts_.weight(ngram_key(t, last, word));
      last = last.with(word, kept_words());
    }
    return sum;
  }

  void number_followings() {
    followings_.resize(options_.size());
    distinct_.assign(1, {0, 0, 0});  // as at the beginning
    for (uint32_t o = 0; o < options_.size(); ++o) {
      const float* r = options_.reordering(o) + kTurns;
      const std::array<float, kTurns> own{r[0], r[1], r[2]};
      const auto at = std::find(distinct_.begin(), distinct_.end(), own);
      followings_[o] = static_cast<uint32_t>(at - distinct_.begin());
      if (at == distinct_.end()) distinct_.push_back(own);
    }
  }

  template <class F>
  void each_own_key(uint32_t o, F&& f) const {
    for (const PhraseTemplate& t : own_templates_) {
      if (t.ngram() > 0) {
        for (uint32_t token : options_.target(o)) f(combine(t.base, options_.tokens()[token].key));
      } else if (t.is_link()) {
        each_link(o, t, f);
      } else {
        f(phrase_key(t, views_[o], {}));
      }
    }
  }
  template <class F>
  void each_link(uint32_t o, const PhraseTemplate& t, F&& f) const {
    const PhraseOption& option = options_[o];
    static constexpr uint8_t kCopied[2] = {0, 0};
    const std::span<const uint8_t> links =
        option.entry == kNone ? std::span<const uint8_t>(kCopied) : options_.book().links(option.entry);
    for (size_t i = 0; i < links.size(); i += 2) {
      const uint32_t token = options_.target(o)[links[i + 1]];
      f(combine(combine(t.base, options_.source()[option.start + links[i]]), options_.tokens()[token].key));
    }
  }
  void sum_own_templates() {
    if (own_templates_.empty()) return;
    // In pieces that fit the lookups' room.
    for (uint32_t from = 0; from < options_.size();) {
      keys_.clear();
      uint32_t to = from;
      for (; to < options_.size() && keys_.size() < kTogether; ++to)
        each_own_key(to, [&](Key key) { keys_.push_back({key, to}); });
      lookups_.begin(keys_.size());
      for (const auto& [key, option] : keys_) lookups_.add(key, 0, option);
      for (const auto& found : lookups_.resolve(found_)) own_[found.owner] += weight_of(found.row);
      from = to;
    }
  }
  static double weight_of(const RowView& row) {
    if (row.plain != nullptr) return static_cast<double>(row.plain[0]);
    double sum = 0;
    for (const Cell* c = row.cells; c != row.cells + row.used; ++c) sum += static_cast<double>(c->weight);
    return sum;
  }

  static constexpr size_t kTogether = 4096;

  const TranslationSettings& settings_;
  Rows rows_;
  float largest_;
  Lookups<Rows> lookups_;
  SentenceOptions options_;
  Contexts<Rows> contexts_;
  FutureCost future_;
  std::vector<PhraseTemplate> own_templates_, late_templates_;  // those that see words before it are late
  std::array<float, Dense::kSize> dense_{};                     // weights, with the scale
  std::vector<PhraseView> views_;
  std::vector<double> inner_, alone_;  // by option, what the language model says of it
  std::vector<uint32_t> last_context_;
  std::vector<uint32_t> followings_;
  std::vector<std::array<float, kTurns>> distinct_;
  std::vector<double> own_, estimates_;
  std::array<std::vector<float>, kTurns> base_, bounds_;
  std::vector<std::pair<Key, uint32_t>> keys_;
  std::vector<typename Lookups<Rows>::Found> found_;
};

}  // namespace structron
