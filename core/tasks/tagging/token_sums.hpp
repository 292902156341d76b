// What words say of the tags of a token, with a finished model.
//
// The weights are fixed, so what a word contributes at an offset is one vector, summed once and kept: a token
// then costs one addition per offset and the joint templates. With few labels all tokens of a sentence are
// summed before the search; with many, each when it is asked for.
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

#include "tasks/tagging/word_sums.hpp"
#include "text/lexicon.hpp"
#include "util/vectors.hpp"
#include "weights/frozen.hpp"
#include "weights/pages.hpp"

namespace structron {

class TokenSums {
 public:
  // How the rows of so many labels lie best.
  static LongRows long_rows(uint32_t labels) {
    return labels >= kManyLabels ? LongRows::whole : LongRows::cells;
  }

  TokenSums(const Program& program, const Frozen& weights)
      : program_(program), weights_(weights), stride_(weights.stride()), tokens_(stride_) {
    for (int c = 0; c < program.columns(); ++c) lexicons_.emplace_back(program, c);
    bias_.resize(stride_);
    for (const Template& t : program.joints()) {
      if (t.atoms.empty()) {
        weights.add_row(weights.folded(t.base), 1.0f, bias_.data());
      } else {
        joints_.emplace_back(t, lexicons_);
      }
    }
    words_.resize(program.columns());
    views_.resize(program.columns());
    parts_.assign(program.groups().size() + 1, bias_.data());  // the last is always the same
    for (int c = 0; c < program.columns(); ++c) word_sums_.emplace_back(program, c, weights);
  }

  uint32_t labels() const { return weights_.columns(); }
  uint32_t stride() const { return stride_; }
  const Program& program() const { return program_; }

  void add_ready(Key key, float value) { ready_.push_back({weights_.folded(key), value}); }
  void close_token() { ready_begin_.push_back(static_cast<uint32_t>(ready_.size())); }

 protected:
  static constexpr uint32_t kAhead = 4;  // tokens

  bool is_wide() const { return stride_ >= kManyLabels; }

  void begin() {
    for (auto& w : words_) w.clear();
    ready_.clear();
    ready_begin_.assign(1, 0);
  }
  size_t bytes() const {
    size_t bytes = 0;
    for (const WordSums& s : word_sums_) bytes += s.bytes();
    for (const Lexicon& l : lexicons_) bytes += l.bytes();
    return bytes;
  }
  void forget_words() {
    for (Lexicon& l : lexicons_) l.clear();
    for (WordSums& s : word_sums_) s.clear();
  }
  // f(word, hash) is told of a word that was not met before.
  template <class F>
  void add_word(int column, std::string_view text, F&& f) {
    words_[column].push_back(lexicons_[column].intern(text, [&](const Word& word, Key hash) {
      word_sums_[column].add(word);
      f(word, hash);
    }));
  }

  // From now on, token i is the i-th of these. What is at hand is asked for: prepare(column), a column of it.
  template <class Prepare>
  void turn_to(uint32_t first, uint32_t length, Prepare&& prepare) {
    first_ = first;
    length_ = length;
    at_ = kNone;
    for (size_t c = 0; c < words_.size(); ++c) {
      views_[c] = words_[c].data() + first;
      word_sums_[c].sum(is_wide() ? past_words(c) : word_sums_[c].words());
      prepare(c);
    }
    read_joints();
    if (is_wide()) weights_.find_rows(keys_, joint_rows_);
  }

  // What words say of the tags of all tokens, where labels are few: what is needed next is asked for while
  // what has come is summed. fetch(i) and then find(i) do the same for what else is asked of token i.
  template <class Fetch, class Find>
  void sum_tokens(Fetch&& fetch, Find&& find) {
    tokens_.resize(size_t{length_} * stride_);
    const auto fetch_words = [&](uint32_t i) {
      if (i >= length_) return;
      for (size_t c = 0; c < words_.size(); ++c) {
        if (words_[c].empty()) continue;  // a column that no template reads
        word_sums_[c].prefetch(views_[c][i]);
        fetch(c, views_[c][i]);
      }
    };
    for (uint32_t i = 0; i < std::min(length_, 2 * kAhead); ++i) fetch_words(i);
    for (uint32_t i = 0; i < std::min(length_, kAhead); ++i) find(i);
    for (uint32_t i = 0; i < length_; ++i) {
      fetch_words(i + 2 * kAhead);
      if (i + kAhead < length_) find(i + kAhead);
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
    if (ready_.empty()) return;
    for (uint32_t i = 0; i < length_; ++i) add_ready(i, &tokens_[i * stride_]);
  }

  // The scores of token i's tags from its words; true if it was not at hand.
  bool turn_to_token(uint32_t i) {
    if (i == at_) return false;
    at_ = i;
    if (is_wide()) {
      if (i + 1 < length_) prefetch_token(i + 1);
      sum_token(i, tokens_.data());
    }
    return true;
  }
  const float* sums_of(uint32_t i) const { return is_wide() ? tokens_.data() : &tokens_[i * stride_]; }

  const Program& program_;
  const Frozen& weights_;
  uint32_t stride_;
  std::vector<Lexicon> lexicons_;
  std::vector<std::vector<uint32_t>> words_;  // [column][token]
  std::vector<const uint32_t*> views_;
  uint32_t length_ = 0;
  std::vector<Key> keys_;

 private:
  struct ReadyFeature {
    Key key;
    float value;
  };

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

  void add_ready(uint32_t i, float* scores) const {
    for (uint32_t r = ready_begin_[first_ + i]; r < ready_begin_[first_ + i + 1]; ++r)
      weights_.add_row(ready_[r].key, ready_[r].value, scores);
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

  // Words are numbered as they come: those of this sentence are below this number. Sums of many labels are
  // long, and are made where they are needed next.
  size_t past_words(size_t column) const {
    size_t past = 0;
    if (!words_[column].empty())
      for (uint32_t i = 0; i < length_; ++i) past = std::max<size_t>(past, views_[column][i] + 1);
    return past;
  }

  std::vector<Reader> joints_;
  std::vector<float> bias_;          // [label]: what is the same everywhere
  std::vector<WordSums> word_sums_;  // [column]
  std::vector<ReadyFeature> ready_;
  std::vector<uint32_t> ready_begin_{0};
  uint32_t first_ = 0, at_ = kNone;
  std::vector<const float*> parts_;
  std::vector<float> tokens_;  // [token][label]; with many labels of the token at hand alone
  std::vector<RowView> joint_rows_;
  std::vector<const RowView*> token_rows_;
};

}  // namespace structron
