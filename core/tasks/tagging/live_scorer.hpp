// Tagging while the weights are learned: a packed corpus whose features are ids, scored row by row.
#pragma once
#include <algorithm>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "learn/naming.hpp"
#include "tasks/tagging/space.hpp"
#include "text/lexicon.hpp"
#include "util/counting.hpp"
#include "util/vectors.hpp"
#include "weights/weights.hpp"

namespace structron {

// What training reads of a corpus, lying elsewhere: the words that features were made of are not among it.
struct TaggingArrays {
  std::span<const uint32_t> begin, ids_begin, ids;  // sentences, then the features of each token
  std::span<const Key> history_keys;
  std::span<const uint16_t> labels;
};

// Training sentences as integers. Features become ids of the weights' table here, once.
class TaggingCorpus {
 public:
  TaggingCorpus(const Program& program, Weights& weights) : program_(program), weights_(weights) {
    for (int c = 0; c < program.columns(); ++c) lexicons_.emplace_back(program, c);
    for (const Template& t : program.joints()) joints_.emplace_back(t, lexicons_);
    for (const Template& t : program.histories()) histories_.emplace_back(t, lexicons_);
    words_.resize(program.columns());
    unary_.resize(program.groups().size());
    for (size_t g = 0; g < program.groups().size(); ++g) {
      unary_[g].begin.push_back(0);  // entry 0 is the place beyond the sentence's ends
      for (const Template& t : program.groups()[g].templates)
        unary_[g].ids.push_back(weights.intern(boundary_key(t)));
      unary_[g].begin.push_back(static_cast<uint32_t>(unary_[g].ids.size()));
    }
    ready_begin_.push_back(0);
  }

  uint32_t sentences() const { return static_cast<uint32_t>(begin_.size() - 1); }
  uint64_t tokens() const { return labels_.size(); }
  uint32_t start(uint32_t s) const { return begin_[s]; }
  uint32_t length(uint32_t s) const { return begin_[s + 1] - begin_[s]; }
  const uint16_t* gold(uint32_t s) const { return labels_.data() + begin_[s]; }
  // What rules ask of each token; 0 is nothing.
  const uint8_t* duties(uint32_t s) const { return duties_.data() + begin_[s]; }

  // A sentence is built token by token, then closed.
  void add_word(int column, std::string_view text) {
    words_[column].push_back(lexicons_[column].intern(text, [&](const Word& word, uint32_t) {
      for (size_t g = 0; g < unary_.size(); ++g) {
        if (program_.groups()[g].column != column) continue;
        for (const Template& t : program_.groups()[g].templates)
          if (const Key k = unary_key(t, word)) unary_[g].ids.push_back(weights_.intern(k));
        unary_[g].begin.push_back(static_cast<uint32_t>(unary_[g].ids.size()));
      }
    }));
  }
  void add_ready(Key key, float value) { ready_.push_back({weights_.intern(key), value}); }
  void close_token(uint16_t label, uint8_t duty = 0) {
    labels_.push_back(label);
    duties_.push_back(duty);
    ready_begin_.push_back(static_cast<uint32_t>(ready_.size()));
  }
  void close_sentence() {
    const uint32_t first = begin_.back(), n = static_cast<uint32_t>(labels_.size()) - first;
    const std::vector<const uint32_t*> words = views(first);
    for (uint32_t i = 0; i < n; ++i) {
      lay_out(first, n, i);
      for (const Reader& r : joints_)
        if (const Key k = r.key(lexicons_, words.data(), static_cast<int>(n), static_cast<int>(i)))
          ids_.push_back(weights_.intern(k));
      ids_begin_.push_back(ids_.size());
      for (const Reader& r : histories_)
        history_keys_.push_back(r.key(lexicons_, words.data(), static_cast<int>(n), static_cast<int>(i)));
    }
    begin_.push_back(first + n);
  }
  // Forgets a sentence that turned out bad half-way.
  void drop_sentence() {
    const uint32_t first = begin_.back();
    for (auto& w : words_) w.resize(std::min<size_t>(w.size(), first));
    labels_.resize(first);
    duties_.resize(first);
    ready_begin_.resize(first + 1);
    ready_.resize(ready_begin_.back());
  }

  // Where the features of each token begin, in as many bits as a file gives them.
  std::vector<uint32_t> ids_begin() const {
    if (ids_.size() > 0xFFFFFFFFu)
      throw std::invalid_argument("too many features for one shard; make it smaller");
    return {ids_begin_.begin(), ids_begin_.end()};
  }
  // Of its own memory, but for ids_begin.
  TaggingArrays arrays() const { return {begin_, {}, ids_, history_keys_, labels_}; }
  // An empty corpus becomes one that was packed before, with weights that gave features the same ids. Nothing
  // in the arrays is trusted.
  void restore(const TaggingArrays& from, uint32_t labels) {
    const size_t tokens = from.labels.size();
    const bool fits =
        rises(from.begin, tokens) && from.ids_begin.size() == tokens + 1 &&
        rises(from.ids_begin, from.ids.size()) && from.history_keys.size() == tokens * histories_.size() &&
        std::all_of(from.ids.begin(), from.ids.end(),
                    [&](uint32_t id) { return id < weights_.features(); }) &&
        std::all_of(from.labels.begin(), from.labels.end(), [&](uint16_t label) { return label < labels; });
    if (!fits) throw std::invalid_argument("the arrays are not those of a corpus with these features");
    if (sentences() != 0) throw std::invalid_argument("only an empty corpus can be restored");
    begin_.assign(from.begin.begin(), from.begin.end());
    ids_begin_.assign(from.ids_begin.begin(), from.ids_begin.end());
    ids_.assign(from.ids.begin(), from.ids.end());
    history_keys_.assign(from.history_keys.begin(), from.history_keys.end());
    labels_.assign(from.labels.begin(), from.labels.end());
    duties_.assign(tokens, 0);
    ready_begin_.assign(tokens + 1, 0);
    has_words_ = false;
  }
  // Whether it was packed here: one that was restored knows features, and no words.
  bool has_words() const { return has_words_; }

  // How often each feature is seen in the corpus.
  Sightings counts() const {
    std::vector<uint32_t> seen(weights_.features(), 0);
    for (uint32_t id : ids_) ++seen[id];
    for (const Ready& r : ready_) ++seen[r.feature];
    weights_.keep_keys();
    Sightings found;
    for (uint32_t id = 0; id < seen.size(); ++id) {
      if (!seen[id]) continue;
      found.key.push_back(weights_.key_of(id));
      found.times.push_back(seen[id]);
    }
    return found;
  }
  // Lets go of all other features, for good.
  void keep(std::span<const Key> keys) {
    std::vector<uint8_t> stays(weights_.features(), 0);
    for (Key key : keys)
      if (const uint32_t id = weights_.find_folded(key); id != kNone) stays[id] = 1;
    size_t left = 0, from = 0;
    for (size_t token = 0; token + 1 < ids_begin_.size(); ++token) {
      const size_t to = ids_begin_[token + 1];
      for (; from < to; ++from)
        if (stays[ids_[from]]) ids_[left++] = ids_[from];
      ids_begin_[token + 1] = left;
    }
    ids_.resize(left);
    left = from = 0;
    for (size_t token = 0; token + 1 < ready_begin_.size(); ++token) {
      const size_t to = ready_begin_[token + 1];
      for (; from < to; ++from)
        if (stays[ready_[from].feature]) ready_[left++] = ready_[from];
      ready_begin_[token + 1] = static_cast<uint32_t>(left);
    }
    ready_.resize(left);
  }

  // The ids of all features of a token (of the whole corpus) that tags do not enter into.
  std::span<const uint32_t> features(uint32_t token) const {
    return {ids_.data() + ids_begin_[token], ids_begin_[token + 1] - ids_begin_[token]};
  }

  struct Ready {
    uint32_t feature;
    float value;
  };
  std::span<const Ready> ready(uint32_t token) const {
    return {ready_.data() + ready_begin_[token], ready_begin_[token + 1] - ready_begin_[token]};
  }
  // What history template h reads of the words around a token; 0 if it is silent there.
  Key history_key(uint32_t token, size_t h) const { return history_keys_[token * histories_.size() + h]; }
  const std::vector<Reader>& histories() const { return histories_; }
  const Program& program() const { return program_; }
  uint32_t word(uint32_t token) const { return words_[0][token]; }
  const Lexicon& words() const { return lexicons_[0]; }

 private:
  struct Unary {
    std::vector<uint32_t> begin, ids;  // by word id + 1
  };

  // Offsets from 0 to `end`, none below the one before.
  static bool rises(std::span<const uint32_t> offsets, size_t end) {
    return !offsets.empty() && offsets.front() == 0 && offsets.back() == end &&
           std::is_sorted(offsets.begin(), offsets.end());
  }
  std::vector<const uint32_t*> views(uint32_t first) const {
    std::vector<const uint32_t*> v;
    for (const auto& w : words_) v.push_back(w.data() + first);
    return v;
  }
  // The features of the words around token i, copied to where they will be read in one run.
  void lay_out(uint32_t first, uint32_t n, uint32_t i) {
    for (size_t g = 0; g < unary_.size(); ++g) {
      const Group& group = program_.groups()[g];
      const int64_t j = static_cast<int64_t>(i) + group.offset;
      const uint32_t w = j < 0 || j >= n ? 0 : words_[group.column][first + j] + 1;
      const auto& u = unary_[g];
      ids_.insert(ids_.end(), u.ids.begin() + u.begin[w], u.ids.begin() + u.begin[w + 1]);
    }
  }

  const Program& program_;
  Weights& weights_;
  std::vector<Lexicon> lexicons_;
  std::vector<Reader> joints_, histories_;
  std::vector<std::vector<uint32_t>> words_;  // [column][token]
  std::vector<Unary> unary_;                  // [group]
  std::vector<uint32_t> ids_;                 // all features of all tokens, token by token
  std::vector<size_t> ids_begin_{0};
  std::vector<Key> history_keys_;  // [token][history template]
  std::vector<Ready> ready_;
  std::vector<uint32_t> ready_begin_;
  std::vector<uint16_t> labels_;
  std::vector<uint8_t> duties_;
  std::vector<uint32_t> begin_{0};
  bool has_words_ = true;
};

class LiveScorer {
 public:
  static constexpr bool kBounds = false, kPrefetches = false;

  LiveScorer(const TaggingCorpus& corpus, const Weights& weights, Naming& naming)
      : corpus_(corpus),
        weights_(weights),
        naming_(naming),
        scores_(weights.stride()),
        memo_(weights.columns() + 1, weights.stride()) {
    // Pure tag templates: their ids by history, found once; kNone until the feature exists.
    const size_t side = weights.columns() + 1;
    const auto& pure = corpus.program().tags();
    for (size_t h = 0; h < pure.size(); ++h) pure_[(pure[h].tags & 2) != 0].push_back(h);
    const auto& mixed = corpus.histories();
    for (size_t h = 0; h < mixed.size(); ++h) mixed_[(mixed[h].tags() & 2) != 0].push_back(h);
    for (const Template& t : pure) {
      const size_t histories = t.tags == 3 ? side * side : side;
      tag_ids_.emplace_back(histories <= kMostPairs ? histories : 0, kNone);
    }
  }

  uint32_t labels() const { return weights_.columns(); }
  uint32_t stride() const { return weights_.stride(); }

  void sentence(uint32_t s) {
    sentence_ = s;
    at_ = kNone;
  }

  // Prefetching is worth a factor of two: while a token is summed, the rows of the next one are on their way,
  // and the heads that say where the rows of the one after that are.
  const float* token(uint32_t i) {
    if (i == at_) return scores_.data();
    const uint32_t here = corpus_.start(sentence_) + i,
                   end = corpus_.start(sentence_) + corpus_.length(sentence_);
    if (at_ + 1 != i || i == 0)
      for (uint32_t t = here; t < std::min(here + 2, end); ++t) fetch_heads(t);
    if (here + 2 < end) fetch_heads(here + 2);
    if (here + 1 < end)
      for (uint32_t id : corpus_.features(here + 1))
        if (weights_.touched(id)) weights_.prefetch_row(id);
    at_ = i;
    memo_.clear();
    std::fill(scores_.begin(), scores_.end(), 0.0f);
    for (uint32_t id : corpus_.features(here))
      if (weights_.touched(id)) weights_.add_row(id, scores_.data());
    for (const auto& r : corpus_.ready(corpus_.start(sentence_) + i))
      weights_.add_row(r.feature, r.value, scores_.data());
    return scores_.data();
  }

  // The scores of token i's tags after t[-1] and t[-2]. What depends on t[-1] alone is summed once per token
  // and tag; with more, the sum stands in `room`.
  const float* after(uint32_t i, uint32_t t1, uint32_t t2, float* room) {
    const float* token_scores = token(i);
    float* first = memo_.find(t1);
    if (first == nullptr) {
      first = memo_.add(t1);
      std::fill_n(first, stride(), 0.0f);
      add_histories(i, t1, t2, false, first);
      add_vectors(token_scores, first, stride());
    }
    if (corpus_.program().order() < 2) return first;
    std::copy_n(first, stride(), room);
    add_histories(i, t1, t2, true, room);
    return room;
  }

  std::span<const uint16_t> dictionary(uint32_t i) const {
    if (!dictionary_) return {};
    return (*dictionary_)[corpus_.word(corpus_.start(sentence_) + i)];
  }
  // Tags per word of the corpus' first column; empty: all.
  void set_dictionary(const std::vector<std::vector<uint16_t>>* d) { dictionary_ = d; }

  void weights_changed() { at_ = kNone; }

  void token_difference(uint32_t i, uint32_t gold, uint32_t guess, Difference& delta) {
    for (uint32_t id : corpus_.features(corpus_.start(sentence_) + i)) {
      delta.push_back({id, gold, 1.0f});
      delta.push_back({id, guess, -1.0f});
    }
    for (const auto& r : corpus_.ready(corpus_.start(sentence_) + i)) {
      delta.push_back({r.feature, gold, r.value});
      delta.push_back({r.feature, guess, -r.value});
    }
  }
  void history_difference(uint32_t i, const TagGram& gold, const TagGram& guess, Difference& delta) {
    auto put = [&](Key key, int tags) {
      if (key == 0 || gold.same(guess, tags)) return;
      const Key good = fold(mix_tags(key, tags, gold.t1, gold.t2), weights_.bits());
      const Key bad = fold(mix_tags(key, tags, guess.t1, guess.t2), weights_.bits());
      delta.push_back({naming_.id(good), gold.tag, 1.0f});
      delta.push_back({naming_.id(bad), guess.tag, -1.0f});
    };
    for (const Template& t : corpus_.program().tags()) put(t.base, t.tags);
    const uint32_t token = corpus_.start(sentence_) + i;
    for (size_t h = 0; h < corpus_.histories().size(); ++h)
      put(corpus_.history_key(token, h), corpus_.histories()[h].tags());
  }

 private:
  // The templates that read t[-2], or those that do not.
  void add_histories(uint32_t i, uint32_t t1, uint32_t t2, bool second, float* scores) {
    for (size_t h : pure_[second])
      if (const uint32_t id = tag_id(h, t1, t2); id != kNone) weights_.add_row(id, scores);
    if (mixed_[second].empty()) return;
    const auto& mixed = corpus_.histories();
    const uint32_t token = corpus_.start(sentence_) + i;
    keys_.clear();
    for (size_t h : mixed_[second]) {
      const Key part = corpus_.history_key(token, h);
      if (part == 0) continue;
      const Key k = fold(mix_tags(part, mixed[h].tags(), t1, t2), weights_.bits());
      if (!weights_.perhaps_generated(k)) continue;
      keys_.push_back(k);
      weights_.prefetch_generated(k);
    }
    for (Key k : keys_)
      if (const uint32_t id = weights_.find_generated(k); id != kNone) weights_.add_row(id, scores);
  }
  void fetch_heads(uint32_t token) const {
    for (uint32_t id : corpus_.features(token))
      if (weights_.touched(id)) weights_.prefetch_head(id);
  }
  // The feature of a pure tag template; where there are too many histories, it is looked for each time.
  uint32_t tag_id(size_t h, uint32_t t1, uint32_t t2) {
    const Template& t = corpus_.program().tags()[h];
    const size_t code = t.tags == 1 ? t1 : t.tags == 2 ? t2 : t1 + size_t{t2} * (labels() + 1);
    const bool has_table = !tag_ids_[h].empty();
    if (has_table && tag_ids_[h][code] != kNone) return tag_ids_[h][code];
    const uint32_t id = weights_.find_generated(fold(mix_tags(t.base, t.tags, t1, t2), weights_.bits()));
    if (has_table) tag_ids_[h][code] = id;
    return id;
  }

  const TaggingCorpus& corpus_;
  const Weights& weights_;
  Naming& naming_;
  const std::vector<std::vector<uint16_t>>* dictionary_ = nullptr;
  uint32_t sentence_ = 0, at_ = kNone;
  std::vector<float> scores_;
  TagMemo memo_;                            // by t1
  std::vector<size_t> pure_[2], mixed_[2];  // history templates, by whether they read t[-2]
  std::vector<std::vector<uint32_t>> tag_ids_;
  std::vector<Key> keys_;
};

}  // namespace structron
