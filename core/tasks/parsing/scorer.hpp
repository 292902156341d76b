// Scores of all actions of a parser state, in one pass over its feature rows.
//
// All keys first, then their slots, then their rows: each is on its way from memory while the others are
// asked for. In a beam most states share what they look at, so each group's sum is kept and used again while
// the sentence and the weights stay the same.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/parsing/keys.hpp"
#include "util/vectors.hpp"
#include "weights/rows.hpp"

namespace structron {

template <class Rows>
class ParseScorer {
 public:
  // 2^sum_bits sums are kept: more cost a beam the processor's nearest memory.
  ParseScorer(const ParseProgram& program, Rows rows, bool keep_sums, int sum_bits = 10)
      : program_(program),
        state_keys_(program),
        rows_(rows),
        lookups_(rows),
        keep_sums_(keep_sums),
        sums_kept_(1u << sum_bits),
        shift_(64 - sum_bits),
        scores_(rows.stride()) {
    if (keep_sums) {
      there_.resize(program.places().size());
      for (size_t p = 0; p < there_.size(); ++p) multipliers_.push_back(combine(0x504C414345ull, p) | 1);
      sum_keys_.assign(sums_kept_, 0);
      claimed_.assign(sums_kept_, 0);
      // Groups whose place another one of the same state has taken go behind: scores are always sums of
      // groups in their order, so that what was kept before does not change how they are rounded.
      sums_.resize((static_cast<size_t>(sums_kept_) + program.groups().size()) * rows.stride());
    }
  }

  uint32_t stride() const { return rows_.stride(); }
  const ParseProgram& program() const { return program_; }

  void sentence(ParseWords words) {
    state_keys_.sentence(words);
    ++epoch_;
  }
  void weights_changed() { ++epoch_; }

  float* scores(const Transitions& system, const ParseState& s) {
    std::fill(scores_.begin(), scores_.end(), 0.0f);
    look(system, s);
    if (!parts_.empty()) add_all(parts_, scores_.data(), stride());
    return scores_.data();
  }
  // The same for one action, where sums are kept.
  float score(const Transitions& system, const ParseState& s, uint32_t action) {
    look(system, s);
    float sum = 0;
    for (const float* part : parts_) sum += part[action];
    return sum;
  }

  // f(id) for every feature of the state; those that are new get an id.
  template <class F>
  void each_feature(const Transitions& system, const ParseState& s, F&& f) {
    state_keys_.each(system, s, [&](Key key) {
      const Key folded = rows_.folded(key);
      if (rows_.learns(folded)) f(rows_.intern(folded));
    });
  }

 private:
  struct Pending {
    uint32_t begin, end;  // templates
    float* to;
  };

  // Lists the sums of the groups, or adds all rows where none are kept.
  void look(const Transitions& system, const ParseState& s) {
    state_keys_.look(system, s);
    pending_.clear();
    parts_.clear();
    if (keep_sums_) {
      use_sums();
    } else {
      pending_.push_back({0, static_cast<uint32_t>(program_.templates().size()), scores_.data()});
    }
    if (!pending_.empty()) sum_pending();
  }
  // Adds the sums that are at hand, and makes a list of the rest.
  void use_sums() {
    ++state_;
    uint32_t behind = sums_kept_;
    const Key now = epoch_ * 0x9E3779B97F4A7C15ull;
    for (size_t p = 0; p < there_.size(); ++p)
      there_[p] = (state_keys_.spot(p).token + Key{1}) * multipliers_[p];
    for (const auto& g : program_.groups()) {
      Key key = g.base + now;
      for (uint8_t p : g.places) key += there_[p];
      for (uint16_t a : g.changing) key += state_keys_.added(a);
      const uint32_t slot = static_cast<uint32_t>(key >> shift_);
      float* sum = &sums_[static_cast<size_t>(slot) * stride()];
      if (sum_keys_[slot] == key) {
        claimed_[slot] = state_;
        parts_.push_back(sum);
      } else {
        if (claimed_[slot] == state_) {
          sum = &sums_[static_cast<size_t>(behind++) * stride()];
        } else {
          sum_keys_[slot] = key;
          claimed_[slot] = state_;
        }
        std::fill_n(sum, stride(), 0.0f);
        pending_.push_back({g.begin, g.end, sum});
        parts_.push_back(sum);
      }
    }
  }

  void sum_pending() {
    state_keys_.read_words();
    lookups_.begin(program_.templates().size());
    for (uint32_t p = 0; p < pending_.size(); ++p)
      for (uint32_t t = pending_[p].begin; t < pending_[p].end; ++t)
        lookups_.add(state_keys_.key(program_.templates()[t]), 0, p);
    found_ = lookups_.resolve(room_);
    for (const auto& found : found_)
      if (found.row.plain != nullptr)
        for (uint32_t a = 16; a < stride(); a += 16) __builtin_prefetch(found.row.plain + a);
    for (size_t i = 0; i < found_.size();) i = add_rows(i);
  }

  // Adds the rows from the i-th on that go to the same place, the plain ones first and all at once; where
  // those for the next place begin.
  size_t add_rows(size_t i) {
    const uint32_t pending = found_[i].owner;
    const auto [begin, end, to] = pending_[pending];
    plain_.resize(end - begin);
    if (cells_.size() < end - begin) cells_.resize(end - begin);
    size_t whole = 0, others = 0;
    for (; i < found_.size() && found_[i].owner == pending; ++i) {  // no branch: it would go either way
      const RowView& row = found_[i].row;
      plain_[whole] = row.plain;
      cells_[others] = row;
      whole += row.plain != nullptr;
      others += row.plain == nullptr;
    }
    plain_.resize(whole);
    if (whole > 0) add_all(plain_, to, stride());
    for (size_t k = 0; k < others; ++k) add_cells(cells_[k], to);
    return i;
  }

  const ParseProgram& program_;
  StateKeys state_keys_;
  Rows rows_;
  Lookups<Rows> lookups_;
  bool keep_sums_;
  uint32_t sums_kept_;
  int shift_;
  std::vector<float> scores_, sums_;
  std::vector<Key> sum_keys_;
  std::vector<Key> multipliers_, there_;  // by place: what tells its words apart, and which is there now
  std::vector<uint64_t> claimed_;
  uint64_t epoch_ = 1, state_ = 0;
  std::vector<typename Lookups<Rows>::Found> room_;
  std::span<const typename Lookups<Rows>::Found> found_;
  std::vector<Pending> pending_;
  std::vector<const float*> parts_, plain_;
  std::vector<RowView> cells_;
};

}  // namespace structron
