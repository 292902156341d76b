// Tagging with a finished model.
//
// The weights are fixed, so what a word contributes at an offset is one vector, summed once and kept: a token
// then costs one addition per offset, the joint templates, and the tag history. With few labels all tokens of
// a sentence are summed before the search; with many, each when it is asked for.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tasks/tagging/dictionary.hpp"
#include "tasks/tagging/space.hpp"
#include "tasks/tagging/tag_tables.hpp"
#include "tasks/tagging/word_sums.hpp"
#include "tasks/tagging/words_after_tags.hpp"
#include "text/lexicon.hpp"
#include "util/vectors.hpp"
#include "weights/frozen.hpp"
#include "weights/pages.hpp"

namespace structron {

class FrozenScorer {
 public:
  static constexpr bool kBounds = true, kPrefetches = true;

  // How the rows of so many labels lie best.
  static LongRows long_rows(uint32_t labels) {
    return labels >= kManyLabels ? LongRows::whole : LongRows::cells;
  }

  FrozenScorer(const Program& program, const Frozen& weights, const TagDictionary& dictionary, size_t room)
      : program_(program),
        weights_(weights),
        dictionary_(dictionary),
        room_(room),
        stride_(weights.stride()),
        tags_(program, weights),
        tokens_(stride_),
        memo_(weights.columns() + 1, stride_) {
    for (int c = 0; c < program.columns(); ++c) lexicons_.emplace_back(program, c);
    bias_.resize(stride_);
    for (const Template& t : program.joints()) {
      if (t.atoms.empty()) {
        weights.add_row(weights.folded(t.base), 1.0f, bias_.data());
      } else {
        joints_.emplace_back(t, lexicons_);
      }
    }
    for (int c = 0; c < program.columns(); ++c) after_tags_.emplace_back(weights);
    for (const Template& t : program.histories()) {
      if (WordsAfterTags::reads(t, weights)) {
        const Atom& a = t.atoms[0];
        own_histories_.push_back({a.column, a.offset, after_tags_[a.column].add(t)});
        continue;
      }
      histories_.emplace_back(t, lexicons_);
      mixed_second_ |= (t.tags & 2) != 0;
    }
    words_.resize(program.columns());
    views_.resize(program.columns());
    parts_.assign(program.groups().size() + 1, bias_.data());  // the last is always the same
    for (int c = 0; c < program.columns(); ++c) word_sums_.emplace_back(program, c, weights);
  }

  // How often the words met in earlier sentences were let go.
  uint64_t& evictions() { return evictions_; }
  uint32_t labels() const { return weights_.columns(); }
  uint32_t stride() const { return stride_; }
  const Program& program() const { return program_; }

  // Sentences are loaded token by token. The words met in earlier sentences are let go when there is
  // no more room for them.
  void begin_batch() {
    for (auto& w : words_) w.clear();
    ready_.clear();
    ready_begin_.assign(1, 0);
    size_t bytes = 0;
    for (const WordSums& s : word_sums_) bytes += s.bytes();
    for (const WordsAfterTags& a : after_tags_) bytes += a.bytes();
    for (const Lexicon& l : lexicons_) bytes += l.bytes();
    if (bytes <= room_) return;
    ++evictions_;
    for (size_t c = 0; c < lexicons_.size(); ++c) {
      lexicons_[c].clear();
      word_sums_[c].clear();
      after_tags_[c].clear();
    }
    tags_of_.clear();
  }
  void add_word(int column, std::string_view text) {
    words_[column].push_back(lexicons_[column].intern(text, [&](const Word& word, Key hash) {
      word_sums_[column].add(word);
      after_tags_[column].add(word);
      if (column != 0) return;
      const auto at = dictionary_.empty() ? dictionary_.end() : dictionary_.find(hash);
      tags_of_.push_back(at == dictionary_.end() ? nullptr : &at->second);
    }));
  }
  void add_ready(Key key, float value) { ready_.push_back({weights_.folded(key), value}); }
  void close_token() { ready_begin_.push_back(static_cast<uint32_t>(ready_.size())); }

  // From now on, token i is the i-th of these.
  void sentence(uint32_t first, uint32_t length) {
    first_ = first;
    length_ = length;
    at_ = kNone;
    for (size_t c = 0; c < words_.size(); ++c) {
      views_[c] = words_[c].data() + first;
      word_sums_[c].sum(is_wide() ? past_words(c) : word_sums_[c].words());
      after_tags_[c].look_up();
    }
    read_joints();
    if (is_wide()) {
      weights_.find_rows(keys_, joint_rows_);
    } else {
      sum_tokens();
    }
  }

  const float* token(uint32_t i) {
    if (i != at_) {
      at_ = i;
      memo_.clear();
      expected_.clear();
      history_keys_.clear();
      for (const Reader& r : histories_)
        history_keys_.push_back(
            r.key(lexicons_, views_.data(), static_cast<int>(length_), static_cast<int>(i)));
      if (is_wide()) {
        if (i + 1 < length_) prefetch_token(i + 1);
        sum_token(i, tokens_.data());
      }
    }
    return is_wide() ? tokens_.data() : &tokens_[i * stride_];
  }

  // Of many labels: the tags before token i that after() will be asked about, in this order. What they say is
  // looked up together.
  template <class Items>
  void expect(const Items& items) {
    if (!is_wide() || items.empty() || histories_.size() + tags_.unsummed().size() == 0) return;
    token(items[0].state.pos);
    expected_.clear();
    next_ = 0;
    keys_.clear();
    for (const auto& item : items) {
      const uint32_t t1 = item.state.t1, t2 = item.state.t2;
      const bool is_new = std::none_of(expected_.begin(), expected_.end(),
                                       [&](const Expected& before) { return before.t1 == t1; });
      expected_.push_back({t1, t2, is_new});
      read_rows(t1, t2, is_new);
    }
    weights_.find_rows(keys_, rows_);
  }

  // The scores of token i's tags after t[-1] and t[-2]. What depends on t[-1] alone is summed once per token
  // and tag; with more, the sum stands in `room`.
  const float* after(uint32_t i, uint32_t t1, uint32_t t2, float* room) {
    const float* token_scores = token(i);
    const uint32_t n = stride_;
    if (is_wide()) return after_rows(token_scores, t1, t2, room);
    float* first = memo_.find(t1);
    if (first == nullptr) {
      first = add_memo(token_scores, t1);
      const OwnPlace* own = own_places_.data() + i * own_histories_.size();
      for (size_t h = 0; h < own_histories_.size(); ++h) own[h].words->add_cells(own[h].place, t1, first);
      if (!histories_.empty()) add_mixed(t1, t2, false, first);
    }
    const float* after_both = tags_.second(t1, t2);
    if (after_both == nullptr && !mixed_second_) return first;
    if (after_both == nullptr) {
      std::copy_n(first, n, room);
    } else {
      sum_vectors(first, after_both, room, n);
    }
    if (mixed_second_) add_mixed(t1, t2, true, room);
    return room;
  }

  // What after(i, t1, t2) cannot exceed for any tag t2, where that is known.
  bool has_bounds() const {
    return tags_.highest(0) != nullptr && !mixed_second_ && tags_.unsummed().empty();
  }
  void bound(uint32_t i, uint32_t t1, float* out) {
    after(i, t1, 0, out);
    sum_vectors(memo_.find(t1), tags_.highest(t1), out, stride_);
  }

  void prefetch(uint32_t t1, uint32_t t2) const {
    const float* row = tags_.second(t1, t2);
    if (row == nullptr) return;
    for (uint32_t a = 0; a < stride_; a += 16) __builtin_prefetch(row + a);
  }

  std::span<const uint16_t> dictionary(uint32_t i) const {
    if (dictionary_.empty()) return {};
    const std::vector<uint16_t>* tags = tags_of_[views_[0][i]];
    return tags ? std::span<const uint16_t>(*tags) : std::span<const uint16_t>();
  }
  void weights_changed() {}

 private:
  bool is_wide() const { return stride_ >= kManyLabels; }

  // What words say of the tags of all tokens, where labels are few: what is needed next is asked for while
  // what has come is summed.
  void sum_tokens() {
    tokens_.resize(size_t{length_} * stride_);
    own_places_.resize(length_ * own_histories_.size());
    for (uint32_t i = 0; i < std::min(length_, 2 * kAhead); ++i) prefetch_words(i);
    for (uint32_t i = 0; i < std::min(length_, kAhead); ++i) find_own(i);
    for (uint32_t i = 0; i < length_; ++i) {
      prefetch_words(i + 2 * kAhead);
      find_own(i + kAhead);
      size_t part = 0;
      for (size_t c = 0; c < word_sums_.size(); ++c) {
        const WordSums& words = word_sums_[c];
        for (const WordSums::Part& each : words.parts()) {
          const int64_t j = static_cast<int64_t>(i) + each.offset;
          const bool is_inside = static_cast<uint64_t>(j) < length_;
          parts_[part++] = is_inside ? words.sum_of(views_[c][j], each.at) : words.beyond(each.at);
        }
      }
      sum_all(parts_, &tokens_[i * stride_], stride_);
    }
    weights_.each_row(
        keys_, [&](size_t k, const RowView& row) { add_cells(row, &tokens_[k / joints_.size() * stride_]); });
    add_ready();
  }
  void add_ready() {
    if (ready_.empty()) return;
    for (uint32_t i = 0; i < length_; ++i) add_ready(i, &tokens_[i * stride_]);
  }
  void add_ready(uint32_t i, float* scores) const {
    for (uint32_t r = ready_begin_[first_ + i]; r < ready_begin_[first_ + i + 1]; ++r)
      weights_.add_row(ready_[r].key, ready_[r].value, scores);
  }

  // The same of one token, where labels are many.
  void sum_token(uint32_t i, float* __restrict scores) {
    parts_.assign(1, bias_.data());
    token_rows_.clear();
    each_contribution(i, [&](const float* sum, const RowView* row) {
      sum != nullptr ? parts_.push_back(sum) : token_rows_.push_back(row);
    });
    sum_all(parts_, scores, stride_);
    for (const RowView* row : token_rows_) add_row(*row, scores);
    for (size_t j = 0; j < joints_.size(); ++j) add_row(joint_rows_[i * joints_.size() + j], scores);
    add_ready(i, scores);
  }

  // f(sum, row) for each group of templates of one word: what that adds to token i's scores, one or the
  // other.
  template <class F>
  void each_contribution(uint32_t i, F&& f) const {
    for (size_t c = 0; c < word_sums_.size(); ++c) {
      const WordSums& words = word_sums_[c];
      for (size_t p = 0; p < words.parts().size(); ++p) {
        const auto& [offset, is_row, at] = words.parts()[p];
        const int64_t j = static_cast<int64_t>(i) + offset;
        if (j < 0 || j >= length_) {
          f(words.beyond(p), nullptr);
        } else if (is_row) {
          f(nullptr, words.row_of(views_[c][j], at));
        } else {
          f(words.sum_of(views_[c][j], at), nullptr);
        }
      }
    }
  }

  // With many labels the words of a text do not stay near the processor.
  void prefetch_token(uint32_t i) const {
    each_contribution(i, [&](const float* sum, const RowView* row) {
      if (row != nullptr) return __builtin_prefetch(row->cells);
      for (uint32_t a = 0; a < stride_; a += 16) __builtin_prefetch(sum + a);
    });
  }

  // The same where all that words contribute is summed.
  void prefetch_words(uint32_t i) const {
    if (i >= length_) return;
    for (size_t c = 0; c < words_.size(); ++c) {
      if (words_[c].empty()) continue;  // a column that no template reads
      const uint32_t word = views_[c][i];
      word_sums_[c].prefetch(word);
      after_tags_[c].prefetch(word);
    }
  }

  // The templates on words and tags that read t[-2], or those that do not.
  void add_mixed(uint32_t t1, uint32_t t2, bool second, float* scores) {
    read_mixed(t1, t2, second);
    for (Key k : keys_) weights_.add_row(k, 1.0f, scores);
  }
  bool reads_second(size_t history) const { return (histories_[history].tags() & 2) != 0; }
  void read_mixed(uint32_t t1, uint32_t t2, bool second) {
    keys_.clear();
    for (size_t h = 0; h < histories_.size(); ++h) {
      if (history_keys_[h] == 0 || reads_second(h) != second) continue;
      const Key k = weights_.folded(mix_tags(history_keys_[h], histories_[h].tags(), t1, t2));
      if (!weights_.perhaps(k)) continue;
      keys_.push_back(k);
      weights_.prefetch(k);
    }
  }

  // What the words and the table of t[-1] say, as a vector that is kept for this token.
  float* add_memo(const float* token_scores, uint32_t t1) {
    float* first = memo_.add(t1);
    if (const float* after_tag = tags_.first(t1)) {
      sum_vectors(token_scores, after_tag, first, stride_);
    } else {
      std::copy_n(token_scores, stride_, first);
    }
    return first;
  }

  // after(), where labels are many.
  const float* after_rows(const float* token_scores, uint32_t t1, uint32_t t2, float* room) {
    const uint32_t n = stride_;
    float* first = memo_.find(t1);
    const RowView* rows = rows_after(t1, t2, first != nullptr);
    if (first == nullptr) {
      first = add_memo(token_scores, t1);
      for (size_t h = 0; h < histories_.size(); ++h)
        if (!reads_second(h)) add_row(rows[h], first);
    }
    const float* after_both = tags_.second(t1, t2);
    if (after_both == nullptr && tags_.unsummed().empty() && !mixed_second_) return first;
    if (after_both == nullptr) {
      std::copy_n(first, n, room);
    } else {
      sum_vectors(first, after_both, room, n);
    }
    for (size_t u = 0; u < tags_.unsummed().size(); ++u) add_row(rows[histories_.size() + u], room);
    for (size_t h = 0; mixed_second_ && h < histories_.size(); ++h)
      if (reads_second(h)) add_row(rows[h], room);
    return room;
  }

  // The rows of all templates that are in no table, after these tags: on words and tags, then on tags alone.
  // Those on t[-1] alone may be missing where they are summed already.
  const RowView* rows_after(uint32_t t1, uint32_t t2, bool is_summed) {
    if (next_ < expected_.size() && expected_[next_].is(t1, t2) && (is_summed || expected_[next_].is_new))
      return &rows_[next_++ * (histories_.size() + tags_.unsummed().size())];
    expected_.clear();
    keys_.clear();
    read_rows(t1, t2, true);
    weights_.find_rows(keys_, rows_);
    return rows_.data();
  }
  // What depends on t[-1] alone is asked for once.
  void read_rows(uint32_t t1, uint32_t t2, bool is_new) {
    for (size_t h = 0; h < histories_.size(); ++h) {
      const bool is_silent = history_keys_[h] == 0 || (!is_new && !reads_second(h));
      keys_.push_back(is_silent ? 0
                                : weights_.folded(mix_tags(history_keys_[h], histories_[h].tags(), t1, t2)));
    }
    for (const Template* t : tags_.unsummed())
      keys_.push_back(weights_.folded(mix_tags(t->base, t->tags, t1, t2)));
  }

  // The keys of the joint templates of a whole sentence.
  void read_joints() {
    keys_.resize(length_ * joints_.size());
    for (size_t j = 0; j < joints_.size(); ++j)
      for (uint32_t i = 0; i < length_; ++i) {
        keys_[i * joints_.size() + j] =
            joints_[j].key(lexicons_, views_.data(), static_cast<int>(length_), static_cast<int>(i),
                           [&](Key a, Key b) { return weights_.combined(a, b); });
      }
  }

  // What the templates on one word and t[-1] say of token i.
  void find_own(uint32_t i) {
    if (i >= length_) return;
    OwnPlace* own = own_places_.data() + i * own_histories_.size();
    for (const OwnHistory& h : own_histories_) {
      const int64_t j = static_cast<int64_t>(i) + h.offset;
      const WordsAfterTags& words = after_tags_[h.column];
      const bool is_outside = j < 0 || j >= length_;
      *own = {&words, is_outside ? words.of_boundary(h.number) : words.of(views_[h.column][j], h.number)};
      words.prefetch_cells(own++->place);
    }
  }

  // Words are numbered as they come: those of this sentence are below this number. Sums of many labels are
  // long, and are made where they are needed next.
  size_t past_words(size_t column) const {
    size_t past = 0;
    if (!words_[column].empty())
      for (uint32_t i = 0; i < length_; ++i) past = std::max<size_t>(past, views_[column][i] + 1);
    return past;
  }
  static constexpr uint32_t kAhead = 4;  // tokens
  // A template on one word and t[-1]: where that word stands, and its number among those of its column.
  struct OwnHistory {
    int column, offset;
    uint32_t number;
  };
  // Tags that after() will be asked about; is_new: no earlier one has this t1.
  struct Expected {
    uint32_t t1, t2;
    bool is_new;
    bool is(uint32_t a, uint32_t b) const { return t1 == a && t2 == b; }
  };
  struct ReadyFeature {
    Key key;
    float value;
  };

  const Program& program_;
  const Frozen& weights_;
  const TagDictionary& dictionary_;
  size_t room_;
  uint64_t evictions_ = 0;
  uint32_t stride_;
  std::vector<Lexicon> lexicons_;
  std::vector<Reader> joints_, histories_;
  std::vector<OwnHistory> own_histories_;
  std::vector<WordsAfterTags> after_tags_;  // [column]
  struct OwnPlace {
    const WordsAfterTags* words;
    WordsAfterTags::Place place;
  };
  std::vector<OwnPlace> own_places_;  // [token][of own_histories_]
  std::vector<float> bias_;           // [label]: what is the same everywhere
  std::vector<WordSums> word_sums_;   // [column]
  std::vector<const std::vector<uint16_t>*> tags_of_;
  TagTables tags_;

  std::vector<std::vector<uint32_t>> words_;  // [column][token]
  std::vector<const uint32_t*> views_;
  std::vector<ReadyFeature> ready_;
  std::vector<uint32_t> ready_begin_{0};
  uint32_t first_ = 0, length_ = 0, at_ = kNone;
  std::vector<const float*> parts_;
  std::vector<float> tokens_;  // [token][label]; with many labels of the token at hand alone
  TagMemo memo_;               // by t1
  bool mixed_second_ = false;
  std::vector<Key> history_keys_, keys_;
  std::vector<Expected> expected_;  // of token at_, see expect()
  size_t next_ = 0;                 // of these
  std::vector<RowView> rows_;       // [expected][template]
  std::vector<RowView> joint_rows_;
  std::vector<const RowView*> token_rows_;
};

}  // namespace structron
