// Expected features of a sentence: what the probabilities of tags, and of tags in a row, say of its features.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "learn/naming.hpp"
#include "tasks/tagging/live_scorer.hpp"
#include "tasks/tagging/space.hpp"

namespace structron {

class TagExpectations {
 public:
  TagExpectations(const TaggingCorpus& corpus, const Weights& weights, Naming& naming)
      : corpus_(corpus), weights_(weights), naming_(naming), tags_(weights.columns()), token_(tags_) {
    const Program& program = corpus.program();
    for (const Template& t : program.tags()) used_[t.tags] = pure_[t.tags] = true;
    for (const Reader& r : corpus.histories()) used_[r.tags()] = true;
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
    for (uint32_t id : corpus_.features(token))
      for (const auto& [a, value] : listed_) delta.push_back({id, a, value});
    for (const auto& r : corpus_.ready(token))
      for (const auto& [a, value] : listed_) delta.push_back({r.feature, a, r.value * value});
    std::fill(token_.begin(), token_.end(), 0.0);
    for (int tags = 1; tags < 4; ++tags) {
      here_[tags].each(tags_, [&](const Pair& pair, const double* row) {
        if (pure_[tags]) {
          double* whole = whole_[tags].row(pair, tags, tags_);
          for (uint32_t a = 0; a < tags_; ++a) whole[a] += row[a];
        }
        list(row);
        if (listed_.empty()) return;
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

  void list(const double* row) {
    listed_.clear();
    for (uint32_t a = 0; a < tags_; ++a)
      if (std::abs(row[a]) > kNegligible) listed_.push_back({a, static_cast<float>(row[a])});
  }
  void put(Key key, int tags, const Pair& pair, Difference& delta) {
    if (key == 0 || listed_.empty()) return;
    const uint32_t id = naming_.id(fold(mix_tags(key, tags, pair.t1, pair.t2), weights_.bits()));
    for (const auto& [a, value] : listed_) delta.push_back({id, a, value});
  }

  const TaggingCorpus& corpus_;
  const Weights& weights_;
  Naming& naming_;
  uint32_t tags_, sentence_ = 0;
  std::array<bool, 4> used_{}, pure_{};  // by the tags that templates read
  std::vector<double> token_;
  std::array<Table, 4> here_, whole_;
  std::vector<std::pair<uint32_t, float>> listed_;
};

}  // namespace structron
