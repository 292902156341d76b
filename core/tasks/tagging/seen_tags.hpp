// Which tags the gold of a corpus has with each feature: a CRF whose other weights stay 0 is far smaller, and
// learned in less time.
#pragma once
#include <cstdint>
#include <vector>

#include "learn/naming.hpp"
#include "tasks/tagging/live_scorer.hpp"

namespace structron {

class SeenTags {
 public:
  SeenTags(const TaggingCorpus& corpus, Weights& weights)
      : tags_(weights.columns()), words_((tags_ + 63) / 64) {
    Naming naming(weights, true);
    const auto& pure = corpus.program().tags();
    const auto& mixed = corpus.histories();
    for (uint32_t s = 0; s < corpus.sentences(); ++s) {
      uint32_t t1 = tags_, t2 = tags_;  // before the first token
      for (uint32_t i = 0; i < corpus.length(s); ++i) {
        const uint32_t token = corpus.start(s) + i, tag = corpus.gold(s)[i];
        const auto mark_history = [&](Key key, int tags) {
          if (key != 0) mark(naming.id(fold(mix_tags(key, tags, t1, t2), weights.bits())), tag);
        };
        for (uint32_t id : corpus.features(token)) mark(id, tag);
        for (const auto& r : corpus.ready(token)) mark(r.feature, tag);
        for (const Template& t : pure) mark_history(t.base, t.tags);
        for (size_t h = 0; h < mixed.size(); ++h) mark_history(corpus.history_key(token, h), mixed[h].tags());
        t2 = t1;
        t1 = tag;
      }
    }
  }

  // 64 tags of a feature from tag 64 * word on, a bit each.
  uint64_t of(uint32_t id, uint32_t word) const {
    const size_t at = size_t{id} * words_ + word;
    return at < bits_.size() ? bits_[at] : 0;
  }

 private:
  void mark(uint32_t id, uint32_t tag) {
    if (const size_t past = (size_t{id} + 1) * words_; bits_.size() < past)
      bits_.resize(std::max(past, bits_.size() * 2), 0);
    bits_[size_t{id} * words_ + tag / 64] |= uint64_t{1} << (tag % 64);
  }

  uint32_t tags_, words_;
  std::vector<uint64_t> bits_;  // [feature][tag]
};

}  // namespace structron
