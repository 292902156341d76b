// Expected features of a sentence: what the probabilities of tags, and of tags in a row, say of its features.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "learn/naming.hpp"
#include "tasks/tagging/live_scorer.hpp"
#include "tasks/tagging/seen_tags.hpp"
#include "tasks/tagging/space.hpp"

namespace structron {

class TagExpectations {
 public:
  // `seen`: the tags of each feature that have weights; null: all have.
  TagExpectations(const TaggingCorpus& corpus, const Weights& weights, Naming& naming, const SeenTags* seen)
      : corpus_(corpus),
        weights_(weights),
        naming_(naming),
        seen_(seen),
        tags_(weights.columns()),
        token_(tags_),
        values_(tags_),
        active_((tags_ + 63) / 64) {
    const Program& program = corpus.program();
    for (const Template& t : program.tags()) used_[t.tags] = pure_[t.tags] = true;
    for (const Reader& r : corpus.histories()) used_[r.tags()] = mixed_[r.tags()] = true;
  }

  void start(uint32_t sentence) { sentence_ = sentence; }

  // Tags of a token with these probabilities, after those of the state.
  void add(const TagState& s, const double* probabilities, double sign) {
    for (uint32_t a = 0; a < tags_; ++a) token_[a] += sign * probabilities[a];
    for (int tags = 1; tags < 4; ++tags) {
      if (!used_[tags]) continue;
      double* row = here_[tags].row({s.t1, s.t2}, tags, tags_);
      for (uint32_t a = 0; a < tags_; ++a) row[a] += sign * probabilities[a];
    }
  }

  // All of a token has been added.
  void close(uint32_t i, Difference& delta) {
    const uint32_t token = corpus_.start(sentence_) + i;
    list(token_.data());
    for (uint32_t id : corpus_.features(token)) put(id, 1, delta);
    for (const auto& r : corpus_.ready(token)) put(r.feature, r.value, delta);
    std::fill(token_.begin(), token_.end(), 0.0);
    for (int tags = 1; tags < 4; ++tags) {
      here_[tags].each(tags_, [&](const Pair& pair, const double* row) {
        if (pure_[tags]) {
          double* whole = whole_[tags].row(pair, tags, tags_);
          for (uint32_t a = 0; a < tags_; ++a) whole[a] += row[a];
        }
        if (!mixed_[tags]) return;
        list(row);
        if (!is_any_) return;
        for (size_t h = 0; h < corpus_.histories().size(); ++h)
          if (corpus_.histories()[h].tags() == tags) put(corpus_.history_key(token, h), tags, pair, delta);
      });
      here_[tags].clear();
    }
  }

  // What tags alone say, of the whole sentence.
  void put(Difference& delta) {
    for (int tags = 1; tags < 4; ++tags) {
      whole_[tags].each(tags_, [&](const Pair& pair, const double* row) {
        list(row);
        for (const Template& t : corpus_.program().tags())
          if (t.tags == tags) put(t.base, tags, pair, delta);
      });
      whole_[tags].clear();
    }
  }

 private:
  struct Pair {
    uint32_t t1, t2;
  };
  // Rows of tags by the tags before them, as far as templates read these.
  class Table {
   public:
    double* row(const Pair& pair, int tags, uint32_t n) {
      const size_t side = size_t{n} + 1;
      const size_t code = (tags & 1 ? pair.t1 : 0) + (tags & 2 ? pair.t2 : 0) * (tags & 1 ? side : 1);
      if (places_.size() <= code) places_.resize(tags == 3 ? side * side : side, 0);
      if (places_[code] == 0) {
        pairs_.push_back(pair);
        codes_.push_back(code);
        rows_.resize(pairs_.size() * n, 0);
        places_[code] = static_cast<uint32_t>(pairs_.size());
      }
      return &rows_[(places_[code] - 1) * size_t{n}];
    }
    template <class F>
    void each(uint32_t n, F&& f) const {
      for (size_t i = 0; i < pairs_.size(); ++i) f(pairs_[i], &rows_[i * n]);
    }
    void clear() {
      for (size_t code : codes_) places_[code] = 0;
      pairs_.clear();
      codes_.clear();
      rows_.clear();
    }

   private:
    std::vector<uint32_t> places_;  // by code: one more than the row, 0 if there is none
    std::vector<Pair> pairs_;
    std::vector<size_t> codes_;
    std::vector<double> rows_;
  };

  // What is less than this moves no weight that is worth its place.
  static constexpr double kNegligible = 1e-6;

  // From now on these are the values of tags.
  void list(const double* row) {
    std::fill(active_.begin(), active_.end(), 0);
    is_any_ = false;
    for (uint32_t a = 0; a < tags_; ++a) {
      if (std::abs(row[a]) <= kNegligible) continue;
      values_[a] = static_cast<float>(row[a]);
      active_[a / 64] |= uint64_t{1} << (a % 64);
      is_any_ = true;
    }
  }
  void put(uint32_t id, float times, Difference& delta) {
    for (uint32_t word = 0; word < active_.size(); ++word) {
      uint64_t bits = active_[word];
      if (seen_ != nullptr) bits &= seen_->of(id, word);
      for (; bits != 0; bits &= bits - 1) {
        const uint32_t a = word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
        delta.push_back({id, a, times * values_[a]});
      }
    }
  }
  void put(Key key, int tags, const Pair& pair, Difference& delta) {
    if (key == 0 || !is_any_) return;
    const Key folded = fold(mix_tags(key, tags, pair.t1, pair.t2), weights_.bits());
    if (seen_ == nullptr) return put(naming_.id(folded), 1, delta);
    if (!weights_.perhaps_generated(folded)) return;
    if (const uint32_t id = weights_.find_generated(folded); id != kNone) put(id, 1, delta);
  }

  const TaggingCorpus& corpus_;
  const Weights& weights_;
  Naming& naming_;
  const SeenTags* seen_;
  uint32_t tags_, sentence_ = 0;
  // By the tags that templates read: whether any does, alone, and with words.
  std::array<bool, 4> used_{}, pure_{}, mixed_{};
  std::vector<double> token_;
  std::array<Table, 4> here_, whole_;
  std::vector<float> values_;  // of the tags in active_
  std::vector<uint64_t> active_;
  bool is_any_ = false;
};

}  // namespace structron
