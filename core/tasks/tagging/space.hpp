// Sequence labelling: one action per token, its tag; the state is the last two tags.
// structron/labelling/space.py is the definition.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "learn/learner.hpp"
#include "search/refusal.hpp"
#include "search/search_options.hpp"
#include "search/search_space.hpp"
#include "util/hash.hpp"

namespace structron {

// Which tag may start, follow, end: BIO and BIOES as data. Empty vectors: everything is allowed.
struct TagRules {
  std::vector<uint8_t> after;  // [labels + 1][labels], the last row for the first token
  std::vector<uint8_t> end;    // [labels]
  std::vector<uint8_t> duty;   // [duties][labels], what a token with a duty may be; duty 0 is none
};

// A tag with the tags before it.
struct TagGram {
  uint32_t t1, t2, tag;

  // Whether a template that reads these previous tags sees a difference.
  bool same(const TagGram& o, int tags) const {
    return tag == o.tag && (!(tags & 1) || t1 == o.t1) && (!(tags & 2) || t2 == o.t2);
  }
};

struct TagState {
  uint32_t pos;
  uint16_t t1, t2;
};

// How tags belong to labels, which are what gold knows. Observed: each label is a tag.
struct ObservedTags {
  static constexpr bool kSingleGold = true;

  static constexpr uint32_t each = 1;  // tags of a label: those from first(label) on
  uint32_t first(uint32_t label) const { return label; }
  uint32_t label(uint32_t tag) const { return tag; }
};

// Hidden: each label owns several tags, its sub-labels, and any of them is gold (Sun et al. 2009).
struct HiddenTags {
  static constexpr bool kSingleGold = false;

  uint32_t each;
  uint32_t first(uint32_t label) const { return label * each; }
  uint32_t label(uint32_t tag) const { return tag / each; }
};

// Scores of one token's tags by the tag before it. There are as many vectors as are asked for, which in a
// beam are few: one for each tag would take the square of the number of tags.
class TagMemo {
 public:
  TagMemo(uint32_t tags, uint32_t stride) : stride_(stride), places_(tags) {}

  // Another token.
  void clear() {
    ++time_;
    used_ = 0;
  }
  // The vector of a tag, null if there is none.
  float* find(uint32_t tag) {
    const Place& place = places_[tag];
    return place.time == time_ ? memo_.data() + place.at : nullptr;
  }
  // One more, to be filled; those given before may move.
  float* add(uint32_t tag) {
    places_[tag] = {time_, used_};
    used_ += stride_;
    if (memo_.size() < used_) memo_.resize(used_);
    return memo_.data() + places_[tag].at;
  }

 private:
  struct Place {
    uint64_t time = 0;
    size_t at = 0;
  };
  size_t stride_, used_ = 0;
  uint64_t time_ = 1;
  std::vector<Place> places_;
  std::vector<float> memo_;
};

// Tables of pairs of tags are kept while they have at most so many entries.
inline constexpr size_t kMostPairs = size_t{1} << 24;

// Exact search looks at every pair of tags, or of pairs of them: it must be possible to hold these.
inline void check_exact(const SearchOptions& how, uint32_t tags, int order) {
  const uint64_t pairs = uint64_t{tags} * tags, bytes = order == 0 ? 0 : order == 1 ? 4 * pairs : 17 * pairs;
  if (how.width == 0 && bytes > uint64_t{1} << 30)
    refuse_exact(std::to_string(tags) + " labels",
                 std::to_string(bytes >> 30) + " GiB of memory for each thread");
}

// Scorer gives: labels(), here the number of tags; stride(), the length of arrays of scores; token(i), the
// scores of token i's tags from the words alone; after(i, t1, t2, room), the same with the tags before it;
// dictionary(i), the tags token i may take (empty: all); the two parts of a difference; whether it has
// bound() (kBounds), expect() and prefetch() (kPrefetches).
template <class Scorer, class Tags = ObservedTags>
class TaggingSpace {
 public:
  using State = TagState;
  static constexpr bool kSingleGold = Tags::kSingleGold;
  static constexpr Offers kOffers{.unit_steps = true,
                                  .single_gold = kSingleGold,
                                  .numbered_keys = true,
                                  .merge_base = true,
                                  .bound = Scorer::kBounds,
                                  .ready = Scorer::kPrefetches,
                                  .prefetch = Scorer::kPrefetches,
                                  .output_after = !kSingleGold,
                                  .loss = !kSingleGold,
                                  .mixed = true};

  TaggingSpace(Scorer& scorer, const TagRules& rules, int order, float margin = 0, Tags tags = {})
      : tags_(tags),
        scorer_(scorer),
        rules_(rules),
        order_(order),
        margin_(margin),
        labels_(scorer.labels()),
        scores_(scorer.stride()),
        bound_at_(labels_ + 1, kRoot) {}

  // The sentence is the scorer's current one; gold, its labels, may be null when nothing is watched. `duties`
  // of its tokens may be null where the rules have none.
  void sentence(uint32_t length, const uint16_t* gold, const uint8_t* duties = nullptr) {
    length_ = length;
    gold_ = gold;
    duties_ = rules_.duty.empty() ? nullptr : duties;
    given_ = gold_tags_ = nullptr;
    std::fill(bound_at_.begin(), bound_at_.end(), kRoot);
  }

  // After sentence(): which tags tokens may have, [token][tag], on both sides, and on gold's alone where its
  // labels are not all known; see open_tags. Null: whatever labels and rules say.
  void restrict_to(const uint8_t* given) { given_ = given; }
  void set_gold_tags(const uint8_t* gold_tags)
    requires(!kSingleGold)
  {
    gold_tags_ = gold_tags;
  }

  State initial() const { return {0, bos(), bos()}; }
  uint32_t num_actions() const { return labels_; }
  State advance(const State& s, uint32_t action) const {
    return {s.pos + 1, static_cast<uint16_t>(action), s.t1};
  }
  // Paths with the same labels have the same key, whatever their tags.
  Key output_after(Key before, uint32_t action) const
    requires(!kSingleGold)
  {
    return combine(before, tags_.label(action) + 1);
  }
  int step(const State& s) const { return static_cast<int>(s.pos); }
  bool is_final(const State& s) const { return s.pos >= length_; }
  uint32_t merge_keys() const { return order_ == 2 ? (labels_ + 1) * (labels_ + 1) : labels_ + 1; }
  uint32_t merge_key(const State& s) const {
    return order_ == 2 ? s.t2 * (labels_ + 1) + s.t1 : order_ == 1 || !rules_.after.empty() ? s.t1 : 0;
  }
  // The merge keys of a state's successors by action, counted from here; -1 if they do not come in a row.
  int64_t merge_base(const State& s) const {
    if (order_ == 2) return static_cast<int64_t>(s.t1) * (labels_ + 1);
    return order_ == 1 || !rules_.after.empty() ? 0 : -1;
  }
  uint32_t gold_action(const State& s) const
    requires(kSingleGold)
  {
    return gold_[s.pos];
  }
  bool allows(const State& s, uint32_t action) const {
    if constexpr (!kSingleGold)
      if (gold_tags_ != nullptr) return gold_tags_[size_t{s.pos} * labels_ + action] != 0;
    return gold_ != nullptr && action - tags_.first(gold_[s.pos]) < tags_.each;
  }
  void set_margin(float margin) { margin_ = margin; }
  void weights_changed() { scorer_.weights_changed(); }

  // scores() of these will be asked for soon, in this order.
  void ready(std::span<const Item<State>> items)
    requires(Scorer::kPrefetches)
  {
    if (order_ > 0) scorer_.expect(items);
  }
  // scores(s) will be asked for soon.
  void prefetch(const State& s) const
    requires(Scorer::kPrefetches)
  {
    scorer_.prefetch(s.t1, s.t2);
  }

  const float* scores(const State& s) {
    const float* found = order_ > 0 ? scorer_.after(s.pos, s.t1, s.t2, scores_.data()) : scorer_.token(s.pos);
    const std::span<const uint16_t> open = scorer_.dictionary(s.pos);
    if (margin_ == 0 && rules_.after.empty() && open.empty() && duty(s) == 0 && given_ == nullptr)
      return found;
    if (found != scores_.data()) std::copy_n(found, scores_.size(), scores_.data());
    refine(s, open, scores_.data());
    return scores_.data();
  }

  // No state of this step with this t1 has a score above these; null if nothing is known. The steps are those
  // of scores(), and rounding keeps order, so that the bound is one to the last bit.
  const float* bound(const State& s)
    requires(Scorer::kBounds)
  {
    // Before the third token t2 may be BOS, with weights of its own.
    if (order_ < 2 || s.pos < 2 || !scorer_.has_bounds()) return nullptr;
    if (bounds_.empty()) bounds_.resize(bound_at_.size() * scores_.size());
    float* bounds = &bounds_[s.t1 * scores_.size()];
    if (bound_at_[s.t1] != s.pos) {
      scorer_.bound(s.pos, s.t1, bounds);
      bound_at_[s.t1] = s.pos;
      refine(s, scorer_.dictionary(s.pos), bounds);
    }
    return bounds;
  }

  // Phi(gold) - Phi(guess) of two paths of equal length; what is equal on both sides cancels unseen.
  void difference(const std::vector<Move<State>>& gold, const std::vector<Move<State>>& guess,
                  Difference& delta) {
    for (size_t i = 0; i < gold.size(); ++i) {
      const State &g = gold[i].state, &z = guess[i].state;
      const bool same = gold[i].action == guess[i].action;
      if (!same) scorer_.token_difference(static_cast<uint32_t>(i), gold[i].action, guess[i].action, delta);
      if (same && g.t1 == z.t1 && (g.t2 == z.t2 || order_ < 2)) continue;
      scorer_.history_difference(static_cast<uint32_t>(i), {g.t1, g.t2, gold[i].action},
                                 {z.t1, z.t2, guess[i].action}, delta);
    }
  }

  // How many labels differ; of sub-labels nothing is known to be wrong.
  double loss(const std::vector<Move<State>>& gold, const std::vector<Move<State>>& guess) const
    requires(!kSingleGold)
  {
    size_t differing = 0;
    for (size_t i = 0; i < gold.size(); ++i)
      differing += tags_.label(gold[i].action) != tags_.label(guess[i].action);
    return static_cast<double>(differing);
  }

  // Every tag is a decision.
  uint32_t decisions(const std::vector<Move<State>>& gold, const std::vector<Move<State>>& guess,
                     std::vector<uint32_t>& wrong) const {
    wrong.clear();
    for (uint32_t i = 0; i < gold.size(); ++i)
      if (gold[i].action != guess[i].action) wrong.push_back(i);
    return static_cast<uint32_t>(gold.size());
  }

  // Phi(gold) - Phi(m), where m has the guess's tags in these positions (in order) and gold's elsewhere: only
  // they, and the tokens whose history they are in, are looked at.
  MixedAssignment mixed(const std::vector<Move<State>>& gold, const std::vector<Move<State>>& guess,
                        std::span<const uint32_t> positions, Difference& delta) {
    uint32_t wrong_labels = 0;
    for (uint32_t i : positions) wrong_labels += !allows(gold[i].state, guess[i].action);
    const MixedAssignment mixture{wrong_labels == 0, wrong_labels};
    uint16_t t1 = bos(), t2 = bos();  // of m, before token i
    size_t i = 0;
    for (size_t next = 0; next < positions.size() || i < gold.size();) {
      const size_t at = next < positions.size() ? positions[next] : gold.size();
      const bool differs = i == at;
      const State& g = gold[i].state;
      if (!differs && g.t1 == t1 && (g.t2 == t2 || order_ < 2)) {
        if (at == gold.size()) return mixture;
        i = at;  // from here to the next position both are gold
        t1 = gold[i].state.t1;
        t2 = gold[i].state.t2;
        continue;
      }
      const uint32_t token = static_cast<uint32_t>(i), right = gold[i].action;
      const uint32_t tag = differs ? guess[i].action : right;
      if (differs) scorer_.token_difference(token, right, tag, delta);
      scorer_.history_difference(token, {g.t1, g.t2, right}, {t1, t2, tag}, delta);
      t2 = t1;
      t1 = static_cast<uint16_t>(tag);
      next += differs;
      ++i;
    }
    return mixture;
  }

 private:
  uint16_t bos() const { return static_cast<uint16_t>(labels_); }

  uint8_t duty(const State& s) const { return duties_ == nullptr ? 0 : duties_[s.pos]; }

  // What the margin, the rules and the dictionary make of scores; of t2 they know nothing.
  void refine(const State& s, std::span<const uint16_t> open, float* scores) const {
    if (margin_ != 0 && gold_tags_ != nullptr) {
      for (uint32_t a = 0; a < labels_; ++a)
        if (!allows(s, a)) scores[a] += margin_;
    } else if (margin_ != 0 && gold_ != nullptr) {
      const uint32_t right = tags_.first(gold_[s.pos]);
      for (uint32_t a = 0; a < right; ++a) scores[a] += margin_;
      for (uint32_t a = right + tags_.each; a < labels_; ++a) scores[a] += margin_;
    }
    if (!rules_.after.empty()) forbid(s, scores);
    if (const uint8_t own = duty(s)) {
      const uint8_t* may = &rules_.duty[static_cast<size_t>(own) * labels_];
      for (uint32_t a = 0; a < labels_; ++a)
        if (!may[a]) scores[a] = kImpossible;
    }
    if (given_ != nullptr) {
      const uint8_t* may = given_ + size_t{s.pos} * labels_;
      for (uint32_t a = 0; a < labels_; ++a)
        if (!may[a]) scores[a] = kImpossible;
    }
    if (!open.empty()) restrict_to_known(open, scores);
  }

  void forbid(const State& s, float* scores) const {
    const uint8_t* may = &rules_.after[static_cast<size_t>(s.t1) * labels_];
    const bool last = s.pos + 1 == length_;
    for (uint32_t a = 0; a < labels_; ++a)
      if (!may[a] || (last && !rules_.end[a])) scores[a] = kImpossible;
  }

  // The dictionary yields where the rules leave none of its tags: there is always an action.
  void restrict_to_known(std::span<const uint16_t> open, float* scores) const {
    bool any = false;
    for (uint16_t a : open) any |= scores[a] != kImpossible;
    if (!any) return;
    size_t next = 0;
    for (uint32_t a = 0; a < labels_; ++a) {
      if (next < open.size() && open[next] == a) {
        ++next;
      } else {
        scores[a] = kImpossible;
      }
    }
  }

  [[no_unique_address]] Tags tags_;
  Scorer& scorer_;
  const TagRules& rules_;
  int order_;
  float margin_;  // cost-augmented search: every wrong tag scores this much more
  uint32_t labels_, length_ = 0;
  const uint16_t* gold_ = nullptr;
  const uint8_t *duties_ = nullptr, *given_ = nullptr, *gold_tags_ = nullptr;
  std::vector<float> scores_, bounds_;  // bounds_[t1]: see bound()
  std::vector<uint32_t> bound_at_;      // [t1]: the token it holds for
};

}  // namespace structron
