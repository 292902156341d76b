// Tagging with a finished model: what tags say of the tag that follows, on top of what words say.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tasks/tagging/dictionary.hpp"
#include "tasks/tagging/space.hpp"
#include "tasks/tagging/tag_tables.hpp"
#include "tasks/tagging/token_sums.hpp"
#include "tasks/tagging/words_after_tags.hpp"
#include "text/lexicon.hpp"
#include "util/vectors.hpp"
#include "weights/frozen.hpp"
#include "weights/pages.hpp"

namespace structron {

class FrozenScorer : public TokenSums {
 public:
  static constexpr bool kBounds = true, kPrefetches = true;

  FrozenScorer(const Program& program, const Frozen& weights, const TagDictionary& dictionary, size_t room)
      : TokenSums(program, weights),
        dictionary_(dictionary),
        room_(room),
        tags_(program, weights),
        memo_(weights.columns() + 1, stride_) {
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
  }

  // How often the words met in earlier sentences were let go.
  uint64_t& evictions() { return evictions_; }

  // Sentences are loaded token by token. The words met in earlier sentences are let go when there is
  // no more room for them.
  void begin_batch() {
    begin();
    size_t used = bytes();
    for (const WordsAfterTags& a : after_tags_) used += a.bytes();
    if (used <= room_) return;
    ++evictions_;
    forget_words();
    for (WordsAfterTags& a : after_tags_) a.clear();
    tags_of_.clear();
  }
  void add_word(int column, std::string_view text) {
    TokenSums::add_word(column, text, [&](const Word& word, Key hash) {
      after_tags_[column].add(word);
      if (column != 0) return;
      const auto at = dictionary_.empty() ? dictionary_.end() : dictionary_.find(hash);
      tags_of_.push_back(at == dictionary_.end() ? nullptr : &at->second);
    });
  }

  // From now on, token i is the i-th of these.
  void sentence(uint32_t first, uint32_t length) {
    turn_to(first, length, [&](size_t c) { after_tags_[c].look_up(); });
    if (is_wide()) return;
    own_places_.resize(length_ * own_histories_.size());
    sum_tokens([&](size_t column, uint32_t word) { after_tags_[column].prefetch(word); },
               [&](uint32_t i) { find_own(i); });
  }

  const float* token(uint32_t i) {
    if (turn_to_token(i)) {
      memo_.clear();
      expected_.clear();
      history_keys_.clear();
      for (const Reader& r : histories_)
        history_keys_.push_back(
            r.key(lexicons_, views_.data(), static_cast<int>(length_), static_cast<int>(i)));
    }
    return sums_of(i);
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

  // What the templates on one word and t[-1] say of token i.
  void find_own(uint32_t i) {
    OwnPlace* own = own_places_.data() + i * own_histories_.size();
    for (const OwnHistory& h : own_histories_) {
      const int64_t j = static_cast<int64_t>(i) + h.offset;
      const WordsAfterTags& words = after_tags_[h.column];
      const bool is_outside = j < 0 || j >= length_;
      *own = {&words, is_outside ? words.of_boundary(h.number) : words.of(views_[h.column][j], h.number)};
      words.prefetch_cells(own++->place);
    }
  }

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
  const TagDictionary& dictionary_;
  size_t room_;
  uint64_t evictions_ = 0;
  std::vector<Reader> histories_;
  std::vector<OwnHistory> own_histories_;
  std::vector<WordsAfterTags> after_tags_;  // [column]
  struct OwnPlace {
    const WordsAfterTags* words;
    WordsAfterTags::Place place;
  };
  std::vector<OwnPlace> own_places_;  // [token][of own_histories_]
  std::vector<const std::vector<uint16_t>*> tags_of_;
  TagTables tags_;

  TagMemo memo_;  // by t1
  bool mixed_second_ = false;
  std::vector<Key> history_keys_;
  std::vector<Expected> expected_;  // of token at_, see expect()
  size_t next_ = 0;                 // of these
  std::vector<RowView> rows_;       // [expected][template]
};

}  // namespace structron
