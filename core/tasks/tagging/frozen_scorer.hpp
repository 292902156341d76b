// Tagging with a finished model.
//
// The weights are fixed, so what a word contributes at an offset is one vector, summed once and kept: a token
// then costs one addition per offset, the joint templates, and the tag history. With many labels and a single
// template the row itself is kept: its few weights are added sooner than a long vector of zeros is read.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frozen.hpp"
#include "pages.hpp"
#include "tasks/tagging/dictionary.hpp"
#include "tasks/tagging/space.hpp"
#include "vectors.hpp"
#include "words/lexicon.hpp"

namespace structron {

class FrozenScorer {
 public:
  static constexpr bool kBounds = true, kPrefetches = true;

  FrozenScorer(const Program& program, const Frozen& weights, const TagDictionary& dictionary, size_t room)
      : program_(program),
        weights_(weights),
        dictionary_(dictionary),
        room_(room),
        stride_((weights.columns() + 3) / 4 * 4),
        scores_(stride_),
        memo_(weights.columns() + 1, stride_),
        mixed_(weights.columns()) {
    for (int c = 0; c < program.columns(); ++c) lexicons_.emplace_back(program, c);
    for (const Template& t : program.joints()) joints_.emplace_back(t, lexicons_);
    for (const Template& t : program.histories()) {
      histories_.emplace_back(t, lexicons_);
      mixed_second_ |= (t.tags & 2) != 0;
    }
    words_.resize(program.columns());
    views_.resize(program.columns());
    per_word_.resize(program.columns());
    summed_.resize(program.columns());
    kept_.resize(program.columns());
    for (const Group& g : program.groups()) {
      const bool is_row = g.templates.size() == 1 && stride_ >= kWide;
      uint32_t& count = (is_row ? kept_ : summed_)[g.column];
      per_word_[g.column].push_back({&g, is_row, count++});
    }
    sums_.resize(program.columns());
    word_rows_.resize(program.columns());
    new_keys_.resize(program.columns());
    for (int c = 0; c < program.columns(); ++c) boundary_.push_back(boundary_sums(c));
    sum_tags();
    bound_tags();
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
    for (const auto& s : sums_) bytes += s.size() * sizeof(float);
    for (const auto& r : word_rows_) bytes += r.size() * sizeof(RowView);
    for (const Lexicon& l : lexicons_) bytes += l.bytes();
    if (bytes <= room_) return;
    ++evictions_;
    for (size_t c = 0; c < lexicons_.size(); ++c) {
      lexicons_[c].clear();
      sums_[c].clear();
      word_rows_[c].clear();
      new_keys_[c].clear();
    }
    tags_of_.clear();
  }
  void add_word(int column, std::string_view text) {
    words_[column].push_back(lexicons_[column].intern(text, [&](const Word& word, Key hash) {
      read_keys(column, word);
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
      sum_words(static_cast<int>(c));
    }
    if (!joints_.empty()) find_joints();
  }

  const float* token(uint32_t i) {
    if (i == at_) return scores_.data();
    at_ = i;
    memo_.clear();
    const uint32_t n = stride_;
    history_keys_.clear();
    for (const Reader& r : histories_)
      history_keys_.push_back(
          r.key(lexicons_, views_.data(), static_cast<int>(length_), static_cast<int>(i)));
    float* __restrict scores = scores_.data();
    bool is_filled = false;
    each_contribution(i, [&](const float* sum, const RowView* row) {
      if (!is_filled && sum != nullptr) {
        std::copy_n(sum, n, scores);
      } else {
        if (!is_filled) std::fill_n(scores, n, 0.0f);
        sum != nullptr ? add_vectors(sum, scores, n) : add_cells(*row, scores);
      }
      is_filled = true;
    });
    if (!is_filled) std::fill_n(scores, n, 0.0f);
    if (n >= kWide && i + 1 < length_) prefetch_token(i + 1);
    for (size_t j = 0; j < joints_.size(); ++j) add_cells(joint_rows_[i * joints_.size() + j], scores);
    for (uint32_t r = ready_begin_[first_ + i]; r < ready_begin_[first_ + i + 1]; ++r)
      weights_.add_row(ready_[r].key, ready_[r].value, scores);
    return scores;
  }

  // The scores of token i's tags after t[-1] and t[-2]. What depends on t[-1] alone is summed once per token
  // and tag; with more, the sum stands in `room`.
  const float* after(uint32_t i, uint32_t t1, uint32_t t2, float* room) {
    const float* token_scores = token(i);
    const uint32_t n = stride_, side = labels() + 1;
    float* first = memo_.find(t1);
    if (first == nullptr) {
      first = memo_.add(t1);
      if (!first_order_.empty() && (histories_.empty() || n >= kWide)) {
        sum_vectors(token_scores, &first_order_[t1 * n], first, n);
        if (!histories_.empty()) mix_in(t1, t2, token_scores, first);
      } else {
        if (first_order_.empty()) {
          std::fill_n(first, n, 0.0f);
        } else {
          std::copy_n(&first_order_[t1 * n], n, first);
        }
        add_mixed(t1, t2, false, first);
        add_vectors(token_scores, first, n);
      }
    }
    if (second_order_.empty() && unsummed_.empty() && !mixed_second_) return first;
    if (second_order_.empty()) {
      std::copy_n(first, n, room);
    } else {
      sum_vectors(first, &second_order_[(static_cast<size_t>(t2) * side + t1) * n], room, n);
    }
    for (const Template* t : unsummed_)
      weights_.add_row(weights_.folded(mix_tags(t->base, t->tags, t1, t2)), 1.0f, room);
    if (mixed_second_) add_mixed(t1, t2, true, room);
    return room;
  }

  // What after(i, t1, t2) cannot exceed for any tag t2, where that is known.
  bool has_bounds() const { return !highest_.empty() && !mixed_second_ && unsummed_.empty(); }
  void bound(uint32_t i, uint32_t t1, float* out) {
    after(i, t1, 0, out);
    sum_vectors(memo_.find(t1), &highest_[static_cast<size_t>(t1) * stride_], out, stride_);
  }

  void prefetch(uint32_t t1, uint32_t t2) const {
    if (second_order_.empty()) return;
    const float* row = &second_order_[(static_cast<size_t>(t2) * (labels() + 1) + t1) * stride_];
    for (uint32_t a = 0; a < stride_; a += 16) __builtin_prefetch(row + a);
  }

  std::span<const uint16_t> dictionary(uint32_t i) const {
    if (dictionary_.empty()) return {};
    const std::vector<uint16_t>* tags = tags_of_[views_[0][i]];
    return tags ? std::span<const uint16_t>(*tags) : std::span<const uint16_t>();
  }
  void weights_changed() {}

 private:
  // f(sum, row) for each group of templates of one word: what that adds to token i's scores, one or the
  // other.
  template <class F>
  void each_contribution(uint32_t i, F&& f) const {
    for (size_t c = 0; c < per_word_.size(); ++c) {
      const std::vector<Contribution>& groups = per_word_[c];
      for (size_t g = 0; g < groups.size(); ++g) {
        const auto& [group, is_row, at] = groups[g];
        const int64_t j = static_cast<int64_t>(i) + group->offset;
        if (j < 0 || j >= length_) {
          f(&boundary_[c][g * stride_], nullptr);
        } else if (const size_t word = views_[c][j]; is_row) {
          f(nullptr, &word_rows_[c][word * kept_[c] + at]);
        } else {
          f(&sums_[c][(word * summed_[c] + at) * stride_], nullptr);
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

  // The templates on words and tags that read t[-2], or those that do not.
  void add_mixed(uint32_t t1, uint32_t t2, bool second, float* scores) {
    read_mixed(t1, t2, second);
    for (Key k : keys_) weights_.add_row(k, 1.0f, scores);
  }
  void read_mixed(uint32_t t1, uint32_t t2, bool second) {
    keys_.clear();
    for (size_t h = 0; h < histories_.size(); ++h) {
      if (history_keys_[h] == 0 || ((histories_[h].tags() & 2) != 0) != second) continue;
      const Key k = weights_.folded(mix_tags(history_keys_[h], histories_[h].tags(), t1, t2));
      if (!weights_.perhaps(k)) continue;
      keys_.push_back(k);
      weights_.prefetch(k);
    }
  }

  // With many labels: the templates on words and t[-1], where what t[-1] says alone and the token's scores
  // are summed already. As sums are rounded in order, a cell that they touch is summed anew; the others are
  // left alone.
  void mix_in(uint32_t t1, uint32_t t2, const float* token_scores, float* scores) {
    read_mixed(t1, t2, false);
    const float* first = &first_order_[static_cast<size_t>(t1) * stride_];
    for (Key k : keys_)
      for (const Cell& c : weights_.cells(k)) {
        if (!mixed_[c.column].is_open) {
          mixed_[c.column] = {true, first[c.column]};
          opened_.push_back(c.column);
        }
        mixed_[c.column].sum += c.weight;
      }
    for (uint32_t column : opened_) {
      scores[column] = mixed_[column].sum + token_scores[column];
      mixed_[column].is_open = false;
    }
    opened_.clear();
  }

  // The rows of the joint templates of a whole sentence.
  void find_joints() {
    keys_.clear();
    for (uint32_t i = 0; i < length_; ++i)
      for (const Reader& r : joints_) {
        const Key raw = r.key(lexicons_, views_.data(), static_cast<int>(length_), static_cast<int>(i));
        keys_.push_back(raw ? weights_.folded(raw) : 0);
      }
    weights_.find_rows(keys_, joint_rows_);
  }

  // What a new word will contribute at every offset: first the keys,
  void read_keys(int column, const Word& word) {
    for (const Contribution& each : per_word_[column])
      for (const Template& t : each.group->templates) {
        const Key raw = unary_key(t, word);
        new_keys_[column].push_back(raw ? weights_.folded(raw) : 0);
      }
  }

  // then the rows of all new words or their sums, a few dozen words together.
  void sum_words(int column) {
    constexpr size_t kTogether = 32;
    std::vector<Key>& keys = new_keys_[column];
    if (keys.empty()) return;
    const std::vector<Contribution>& groups = per_word_[column];
    Sums& sums = sums_[column];
    const size_t start = sums.size();
    sums.resize(lexicons_[column].size() * summed_[column] * stride_, 0.0f);
    float* out = sums.data() + start;
    size_t templates = 0;
    for (const Contribution& each : groups) templates += each.group->templates.size();
    for (size_t from = 0; from < keys.size(); from += kTogether * templates) {
      const size_t to = std::min(keys.size(), from + kTogether * templates);
      weights_.find_rows({keys.data() + from, to - from}, rows_);
      for (auto row = rows_.cbegin(); row != rows_.cend();)
        for (const auto& [group, is_row, at] : groups) {
          if (is_row) {
            word_rows_[column].push_back(*row++);
            continue;
          }
          for (size_t i = 0; i < group->templates.size(); ++i) add_cells(*row++, out);
          out += stride_;
        }
    }
    keys.clear();
  }

  std::vector<float> boundary_sums(int column) const {
    std::vector<float> sums(per_word_[column].size() * stride_, 0.0f);
    float* out = sums.data();
    for (const Contribution& each : per_word_[column]) {
      for (const Template& t : each.group->templates)
        weights_.add_row(weights_.folded(boundary_key(t)), 1.0f, out);
      out += stride_;
    }
    return sums;
  }

  // Pure tag templates as tables, while these stay small enough to be worth their room.
  void sum_tags() {
    const uint32_t n = stride_, side = labels() + 1;
    for (const Template& t : program_.tags()) {
      if (t.tags == 1 && static_cast<uint64_t>(side) * n <= kMostPairs) {
        first_order_.resize(static_cast<size_t>(side) * n);
        for (uint32_t t1 = 0; t1 < side; ++t1)
          weights_.add_row(weights_.folded(mix_tags(t.base, t.tags, t1, 0)), 1.0f, &first_order_[t1 * n]);
      } else if (t.tags != 1 && static_cast<uint64_t>(side) * side * n <= (4u << 20)) {
        second_order_.resize(static_cast<size_t>(side) * side * n);
        for (uint32_t t2 = 0; t2 < side; ++t2)
          for (uint32_t t1 = 0; t1 < side; ++t1)
            weights_.add_row(weights_.folded(mix_tags(t.base, t.tags, t1, t2)), 1.0f,
                             &second_order_[(t2 * side + t1) * n]);
      } else {
        unsummed_.push_back(&t);
      }
    }
  }

  // The highest second-order score over t[-2].
  void bound_tags() {
    if (second_order_.empty()) return;
    const uint32_t n = stride_, side = labels() + 1;
    highest_.assign(second_order_.begin(), second_order_.begin() + static_cast<ptrdiff_t>(side) * n);
    for (uint32_t t2 = 1; t2 < labels(); ++t2)
      for (uint32_t k = 0; k < side * n; ++k)
        highest_[k] = std::max(highest_[k], second_order_[static_cast<size_t>(t2) * side * n + k]);
  }

  static constexpr uint32_t kWide = 96;  // labels

  // What a word contributes at an offset: the at-th of its sums, or of its rows.
  struct Contribution {
    const Group* group;
    bool is_row;
    uint32_t at;
  };
  using Sums = std::vector<float, Paged<float>>;
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
  std::vector<std::vector<Contribution>> per_word_;  // [column]
  std::vector<uint32_t> summed_, kept_;              // [column]: of these, how many are sums, and rows
  std::vector<Sums> sums_;                           // [column][word][sum][label]
  std::vector<std::vector<float>> boundary_;         // [column][group][label]
  std::vector<std::vector<RowView>> word_rows_;      // [column][word][row]
  std::vector<const std::vector<uint16_t>*> tags_of_;
  std::vector<float> first_order_, second_order_;  // [t1][label], [t2][t1][label]
  std::vector<float> highest_;                     // [t1][label]: of second_order_, over t2
  std::vector<const Template*> unsummed_;

  std::vector<std::vector<uint32_t>> words_;  // [column][token]
  std::vector<const uint32_t*> views_;
  std::vector<ReadyFeature> ready_;
  std::vector<uint32_t> ready_begin_{0};
  uint32_t first_ = 0, length_ = 0, at_ = kNone;
  std::vector<float> scores_;
  TagMemo memo_;  // by t1
  bool mixed_second_ = false;
  struct Mixed {
    bool is_open = false;
    float sum = 0;
  };
  std::vector<Mixed> mixed_;  // [label]
  std::vector<uint32_t> opened_;
  std::vector<Key> history_keys_, keys_;
  std::vector<std::vector<Key>> new_keys_;  // [column]: of the words not summed yet
  std::vector<RowView> rows_, joint_rows_;
};

}  // namespace structron
