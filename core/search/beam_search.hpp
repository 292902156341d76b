// Beam search over any space; greedy is width 1, exact is unbounded width with merging.
//
// Ties: higher rank, then earlier parent, then lower action; the rank is the score, unless the space expects
// something of the future. structron/reference/sequence/search.py is the definition.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/items.hpp"
#include "search/ordering.hpp"
#include "search/search_options.hpp"
#include "search/search_space.hpp"
#include "util/interrupt.hpp"
#include "util/vectors.hpp"
#include "weights/key_table.hpp"

namespace structron {

template <bool Ranked>
struct Candidate {
  double score;
  uint32_t parent, action;
  uint64_t merge_key;

  double rank() const { return score; }
};
template <>
struct Candidate<true> {
  double score;
  uint32_t parent, action;
  uint64_t merge_key;
  double future = 0;

  double rank() const { return score + future; }
};

template <SearchSpace AnySpace>
class BeamSearch {
 public:
  using Space = AnySpace;
  using State = typename Space::State;
  static constexpr bool kSumsInOrder = true;  // an item's score is its parent's and one action's
  static constexpr bool kParentsTell = true;  // parents lead back along an item's path

  std::vector<Item<State>> items;  // all beams, one after the other
  struct Row {
    uint32_t begin, end;
  };
  std::vector<Row> rows;  // rows[r]: the beam after step r + 1

  explicit BeamSearch(SearchOptions options, bool gold_only = false)
      : options_(options), gold_only_(gold_only) {}

  const SearchOptions& options() const { return options_; }
  static SearchOptions kbest_options(SearchOptions options, uint32_t k) {
    SearchOptions found = for_kbest(options, k);
    found.arcs = kOffers.grouped && found.width > 0 && found.merge;
    return found;
  }
  // What was merged into the items of this search; itself among it. In the order of rows.
  std::span<const MergedArc> arcs() const { return arcs_; }

  void start(const Item<State>& root) {
    items.assign(1, root);
    if (keeps_outputs()) outputs_.assign(1, 0);
    arcs_.clear();
    rows.clear();
    clear_bins();
    open_ = {0, 1};
  }

  // LaSO: the beam becomes the last of these items alone. Its path is copied, so that it can be followed
  // across the restart.
  void restart(Space&, const std::vector<Item<State>>& gold, const Item<State>& last) {
    std::vector<Item<State>> chain;
    for (const Item<State>* i = &last; i->parent != kRoot; i = &gold[i->parent]) chain.push_back(*i);
    uint32_t parent = 0;
    for (size_t k = chain.size(); k-- > 0;) {
      chain[k].parent = parent;
      items.push_back(chain[k]);
      parent = static_cast<uint32_t>(items.size()) - 1;
    }
    items.back().good = true;
    rows.back() = open_ = {parent, parent + 1};
    clear_bins();
  }
  // The gold side, of which these items are: it goes on from this one alone.
  void restart(const Item<State>& only) {
    items.push_back(only);
    rows.back() = open_ = {static_cast<uint32_t>(items.size()) - 1, static_cast<uint32_t>(items.size())};
    clear_bins();
  }

  // The whole search, without gold.
  void run(Space& space) {
    start({0.0, space.initial(), kRoot, 0, false});
    while (advance(space)) {
    }
  }

  // Makes the next beam from the last one; false when nothing is left to extend.
  bool advance(Space& space) {
    return extend<true>(space, [](const Item<State>&, const float*) {});
  }
  // The same; on_expand(item, scores) is told of every item.
  template <class OnExpand>
  bool advance(Space& space, OnExpand&& on_expand) {
    return extend<false>(space, on_expand);
  }

  // The best item of row r: its first, unless items compete by more than their scores.
  uint32_t best_index(size_t r) const {
    uint32_t best = rows[r].begin;
    if constexpr (kRanked)
      for (uint32_t i = best + 1; i < rows[r].end; ++i)
        if (items[i].score > items[best].score) best = i;
    return best;
  }
  const Item<State>& best(size_t r) const { return items[best_index(r)]; }
  // The k best of row r, best first.
  void best_indices(size_t r, uint32_t k, std::vector<uint32_t>& found) const {
    found.resize(rows[r].end - rows[r].begin);
    std::iota(found.begin(), found.end(), rows[r].begin);
    if constexpr (kRanked)
      std::stable_sort(found.begin(), found.end(),
                       [&](uint32_t i, uint32_t j) { return items[i].score > items[j].score; });
    if (found.size() > k) found.resize(k);
  }
  void path(Space&, uint32_t item, std::vector<Move<State>>& moves) const {
    path_to(items, items[item], moves);
  }
  bool empty(size_t r) const { return rows[r].begin == rows[r].end; }

  // Whether gold is still in the search: in the last row, or past it and waiting on a later step.
  bool has_good() const {
    for (uint32_t i = open_.begin; i < open_.end; ++i)
      if (items[i].good) return true;
    if constexpr (!kOffers.unit_steps)
      for (const Bin& b : bins_)
        if (b.good_waits) return true;
    return false;
  }

 private:
  static constexpr Offers kOffers = Space::kOffers;
  static constexpr bool kRanked = kOffers.future || kOffers.grouped;
  static constexpr uint32_t kReady = 16;         // items that a space may look at together
  static constexpr uint32_t kManyActions = 128;  // of so many, most are passed over in blocks
  using Candidate = structron::Candidate<kRanked>;

  struct Waiting {
    uint64_t merge_key;
    uint32_t parent, action;
    float gain;
  };
  // A bound is a sum of floats, and may be a little less than what it bounds.
  static constexpr double kRounding = 1e-4;

  struct Bin {
    std::vector<Candidate> candidates;
    std::vector<Waiting> arcs;  // all that was offered, where that is kept
    double fence = kLowest;     // what a candidate must pass: the last of a beam that is full
    std::unordered_map<uint64_t, uint32_t> numbers;  // where merge keys are hashes, they get numbers here
    std::vector<uint32_t> at;                        // by merge key, for unbounded merging
    std::vector<double> best;                        // by merge key, for relax() and relax_classes()
    std::vector<uint64_t> who;
    std::vector<uint8_t> closed;                  // by merge base: relax() has nothing to gain there
    std::vector<std::vector<Candidate>> classes;  // by merge key, best first, for k-best
    bool relaxed = false;
    bool good_waits = false;  // a good item was offered, whether or not it still has a chance
  };

  template <bool kSkip, class OnExpand>
  bool extend(Space& space, OnExpand&& on_expand) {
    for (uint32_t i = open_.begin; i < open_.end; ++i) {
      pulse_();
      if (space.is_final(items[i].state)) continue;
      if constexpr (kOffers.ready)
        if ((i - open_.begin) % kReady == 0)
          space.ready({items.data() + i, std::min<size_t>(kReady, open_.end - i)});
      if constexpr (kOffers.prefetch)
        if (i + 2 < open_.end) space.prefetch(items[i + 2].state);
      if constexpr (kOffers.grouped) {
        expand_groups(space, i);
      } else if constexpr (kOffers.few_actions) {
        expand_few(space, i);
      } else {
        if (kSkip && hopeless(space, items[i])) continue;
        if constexpr (kSkip && kOffers.forced)
          if (take_forced(space, i)) continue;
        const float* scores = space.scores(items[i].state);
        on_expand(items[i], scores);
        if constexpr (kSkip && kOffers.unit_steps && !kRanked)
          if (take_alone(space, i, scores)) return true;
        expand(space, i, scores);
      }
    }
    if constexpr (kOffers.merge_base)
      if (bin(0).relaxed) collect(space, bin(0));
    if (pending_ == 0) return false;
    settle(space, bin(0));
    return true;
  }

  void clear_bins() {
    for (Bin& b : bins_) {
      b.candidates.clear();
      b.arcs.clear();
      b.fence = kLowest;
      if constexpr (!kOffers.numbered_keys) b.numbers.clear();
      for (auto& c : b.classes) c.clear();
      std::fill(b.at.begin(), b.at.end(), kRoot);
      std::fill(b.closed.begin(), b.closed.end(), 0);
      std::fill(b.best.begin(), b.best.end(), kLowest);
      b.relaxed = b.good_waits = false;
    }
    pending_ = 0;
  }

  // bins_ is a ring: bin(k) is the one k steps after the next.
  Bin& bin(size_t k) {
    if constexpr (kOffers.unit_steps) return bins_[0];
    if (k >= bins_.size()) {
      std::rotate(bins_.begin(), bins_.begin() + ring_, bins_.end());
      ring_ = 0;
      bins_.resize(k + 1);
    }
    const size_t at = ring_ + k;
    return bins_[at < bins_.size() ? at : at - bins_.size()];
  }

  // A beam that bounds: most actions are passed over, several at a time.
  void expand_bounded(Space& space, Bin& to, const Item<State>& from, uint32_t parent, const float* scores) {
    const uint32_t actions = space.num_actions();
    const bool many = actions >= kManyActions;
    raise_fence(to, from.score, many ? block_peaks(scores, actions) : peaks(scores, actions));
    const float least =
        to.fence == kLowest ? std::numeric_limits<float>::lowest() : least_gain(to.fence, from.score);
    for (uint32_t first = 0; first < actions; first += kBlock) {
      if (many && !reaches(&blocks_[first / kBlock * 4], least)) continue;
      for (uint32_t left = at_least(scores + first, std::min(actions - first, kBlock), least); left != 0;
           left &= left - 1) {
        const uint32_t a = first + static_cast<uint32_t>(std::countr_zero(left));
        if (from.score + scores[a] > to.fence) offer(space, to, from, parent, a, scores[a]);
      }
    }
  }
  Peaks peaks(const float* scores, uint32_t actions) const {
    return options_.width <= 4 ? peaks_of<4>(scores, actions) : peaks_of<16>(scores, actions);
  }
  Peaks block_peaks(const float* scores, uint32_t actions) {
    blocks_.resize((actions + kBlock - 1) / kBlock * 4);
    return options_.width <= 4 ? peaks_of_blocks<4>(scores, actions, blocks_.data())
                               : peaks_of_blocks<16>(scores, actions, blocks_.data());
  }
  // A float that no gain beyond the fence is below; two roundings lie between it and the difference.
  static float least_gain(double fence, double score) {
    const double difference = fence - score;
    return static_cast<float>(difference - std::abs(difference) * 1e-6 - (std::abs(fence) + 1) * 1e-12);
  }

  // The only item of a row takes its only action unscored, where nobody asks for scores.
  bool take_forced(Space& space, uint32_t parent) {
    if (options_.scores || gold_only_ || open_.end - open_.begin != 1) return false;
    const uint32_t action = space.forced(items[parent].state);
    if (action == kNone) return false;
    offer(space, bin(0), Item<State>(items[parent]), parent, action, 0);
    return true;
  }

  // The only item of a row has but one successor that is not too far behind: there is nothing to compare.
  bool take_alone(Space& space, uint32_t parent, const float* scores) {
    if (options_.width == 0 || gold_only_ || keeps_outputs() || open_.end - open_.begin != 1) return false;
    const uint32_t actions = space.num_actions();
    if (actions > 32) return false;
    const float highest = peaks_of<4>(scores, actions).highest;
    if (highest == kImpossible) return false;
    const double score = items[parent].score;
    const uint32_t left =
        at_least(scores, actions, least_gain(just_below(score + highest - options_.within), score));
    if (!std::has_single_bit(left)) return false;
    const Item<State> from = items[parent];
    const uint32_t action = static_cast<uint32_t>(std::countr_zero(left));
    const uint32_t place = static_cast<uint32_t>(items.size());
    items.push_back({from.score + highest, space.advance(from.state, action), parent, action,
                     from.good && space.allows(from.state, action)});
    rows.push_back(open_ = {place, place + 1});
    return true;
  }

  // A number a little below.
  static double just_below(double x) { return x - (std::abs(x) * 1e-15 + 1e-300); }

  // What cannot stay in the next beam is not offered: it is below as many as that has room for, of this item
  // alone, or too far behind the best.
  void raise_fence(Bin& to, double score, const Peaks& found) const {
    double least = score + found.highest - options_.within;
    if (!options_.merge && options_.width <= 16) least = std::max(least, score + found.of_many);
    to.fence = std::max(to.fence, just_below(least));
  }

  void expand(Space& space, uint32_t parent, const float* scores) {
    const Item<State>& from = items[parent];
    const uint32_t actions = space.num_actions();
    if constexpr (kOffers.unit_steps) {
      Bin& next = bin(0);
      if constexpr (kOffers.merge_base)
        if (options_.width == 0 && options_.merge && !gold_only_) {
          if (const int64_t base = space.merge_base(from.state); base >= 0)
            return options_.per_class == 1 ? relax(space, next, from.score, parent, scores, base)
                                           : relax_classes(space, next, from, parent, scores, base);
        }
      if (options_.width == 1 && !gold_only_ &&
          !kRanked) {  // greedy: one look finds the one candidate that can matter
        const float highest = peaks_of<4>(scores, actions).highest;
        if (highest == kImpossible) return;
        offer(space, next, from, parent, next_from(scores, 0, actions, highest), highest);
        return;
      }
      if (!kRanked && options_.width > 0 && !gold_only_)
        return expand_bounded(space, next, from, parent, scores);
      for (uint32_t a = 0; a < actions; ++a) {
        if (scores[a] == kImpossible || (gold_only_ && !space.allows(from.state, a))) continue;
        offer(space, next, from, parent, a, scores[a]);
      }
    } else {
      const int here = space.step(from.state);
      for (uint32_t a = 0; a < actions; ++a) {
        if (scores[a] == kImpossible || (gold_only_ && !space.allows(from.state, a))) continue;
        Bin& to = bin(static_cast<size_t>(space.step(space.advance(from.state, a)) - here - 1));
        to.good_waits |= from.good && space.allows(from.state, a);
        offer(space, to, from, parent, a, scores[a]);
      }
    }
  }

  void expand_few(Space& space, uint32_t parent) {
    const Item<State> from = items[parent];
    Bin* to = nullptr;
    uint32_t steps = 0;
    const Choices choices = space.choices(from.state);
    for (const Choice& c : choices.all) {
      const bool good = (gold_only_ || from.good) && space.allows(from.state, c.action);
      if (gold_only_ && !good) continue;
      if (c.steps != steps) to = &bin((steps = c.steps) - 1);
      to->good_waits |= good;
      if (!kRanked && from.score + choices.scores[c.at] <= to->fence) continue;
      offer(space, *to, from, parent, c.action, choices.scores[c.at]);
    }
  }

  void expand_groups(Space& space, uint32_t parent) {
    const Item<State> from = items[parent];
    for (const ActionGroup& g : space.groups(from.state)) {
      Bin& to = bin(g.steps - 1);
      const double most = from.score + g.most + g.future + kRounding;
      const bool bounded = g.bounds != nullptr && !options_.arcs;
      for (uint32_t a = g.first; a < g.last; ++a) {
        const bool good = (gold_only_ || from.good) && space.allows(from.state, a);
        if (gold_only_ && !good) continue;
        to.good_waits |= good;
        if (bounded && most + static_cast<double>(g.bounds[a - g.first]) <= to.fence) continue;
        offer(space, to, from, parent, a, space.gain(from.state, a), g.future);
      }
    }
  }

  // Viterbi's inner loop, for spaces in which the successors of a state have the merge keys base, base + 1,
  // ... by action. Parents come in order, so a tie goes to the one already here.
  void relax(Space& space, Bin& to, double score, uint32_t parent, const float* __restrict scores,
             int64_t base) {
    if (to.best.empty()) {
      to.best.assign(space.merge_keys(), kLowest);
      to.who.assign(space.merge_keys(), 0);
      to.closed.assign(space.merge_keys(), 0);
    }
    take_better(scores, score, parent, to.best.data() + base, to.who.data() + base, space.num_actions());
    to.relaxed = true;
  }

  // Parents come best first: once even the bound on their scores is no gain on this one, nothing is on the
  // later ones that lead to the same states.
  bool hopeless(Space& space, const Item<State>& from) {
    if constexpr (kOffers.bound) {
      Bin& next = bin(0);
      const int64_t base = next.relaxed ? space.merge_base(from.state) : -1;
      if (base < 0) return false;
      if (next.closed[base]) return true;
      const float* bound = space.bound(from.state);
      if (bound == nullptr) return false;
      const double* best = next.best.data() + base;
      const uint32_t actions = space.num_actions();
      for (uint32_t a = 0; a < actions; ++a)
        if (from.score + static_cast<double>(bound[a]) > best[a]) return false;
      next.closed[base] = 1;
      return true;
    }
    return false;
  }

  // The same for k-best: few candidates get past the last of a class that is full.
  void relax_classes(Space& space, Bin& to, const Item<State>& from, uint32_t parent, const float* scores,
                     int64_t base) {
    if (to.best.empty()) to.best.assign(space.merge_keys(), kLowest);
    double* fence = to.best.data() + base;
    const uint32_t actions = space.num_actions();
    for (uint32_t a = 0; a < actions; ++a) {
      const double s = from.score + static_cast<double>(scores[a]);
      if (!(s > fence[a])) continue;
      const uint32_t key = static_cast<uint32_t>(base) + a;
      const std::vector<Candidate>& kept = offer_class(space, to, {s, parent, a, key});
      if (kept.size() == options_.per_class) fence[a] = kept.back().score;
    }
  }

  // What relax() left, as candidates.
  void collect(Space& space, Bin& from) {
    for (size_t key = 0; key < from.best.size(); ++key) {
      if (from.best[key] == kLowest) continue;
      const uint32_t parent = static_cast<uint32_t>(from.who[key]);
      const uint32_t action =
          static_cast<uint32_t>(static_cast<int64_t>(key) - space.merge_base(items[parent].state));
      from.candidates.push_back({from.best[key], parent, action, 0});
      from.best[key] = kLowest;
    }
    std::fill(from.closed.begin(), from.closed.end(), 0);
    from.relaxed = false;
    pending_ = from.candidates.size();
  }

  void offer(Space& space, Bin& to, const Item<State>& from, uint32_t parent, uint32_t action, float gain,
             double future = 0) {
    Candidate c{from.score + gain, parent, action, 0};
    if constexpr (kOffers.future) future = space.future(from.state, action);
    if constexpr (kRanked) c.future = future;
    std::vector<Candidate>& kept = to.candidates;
    const bool bounded = options_.width > 0;
    if constexpr (kOffers.grouped)
      if (options_.arcs)
        to.arcs.push_back({merge_key(space, to, space.advance(from.state, action)), parent, action, gain});
    // Candidates come in the order of parents and actions, so a tie goes to the one already here.
    if (c.rank() <= to.fence) return;
    if (options_.merge) c.merge_key = merge_key(space, to, space.advance(from.state, c.action));
    if (bounded) {
      if (options_.merge) {
        const auto same = std::find_if(kept.begin(), kept.end(),
                                       [&](const Candidate& k) { return k.merge_key == c.merge_key; });
        if (same != kept.end()) {
          if (same->score >= c.score) return;
          kept.erase(same);
          --pending_;
        }
      }
      if (kept.size() == options_.width) {
        kept.pop_back();
        --pending_;
      }
      put(kept, c);
      if (kept.size() == options_.width) to.fence = kept.back().rank();
      return;
    }
    if (options_.merge && options_.per_class > 1) {
      offer_class(space, to, c);
      return;
    }
    if (options_.merge) {
      if (to.at.size() <= c.merge_key) to.at.resize(merge_keys(space, to), kRoot);
      uint32_t& at = to.at[c.merge_key];
      if (at != kRoot) {
        if (kept[at].score < c.score) kept[at] = c;
        return;
      }
      at = static_cast<uint32_t>(kept.size());
    }
    kept.push_back(c);
    ++pending_;
  }

  // A state's merge key; as a small number where candidates are found by it.
  uint64_t merge_key(Space& space, Bin& to, const State& state) const {
    if constexpr (!kOffers.numbered_keys) {
      uint64_t key;
      if constexpr (kOffers.gold_merge_key) {
        key = gold_only_ ? space.gold_merge_key(state) : space.merge_key(state);
      } else {
        key = space.merge_key(state);
      }
      if (options_.width > 0) return key;
      return to.numbers.try_emplace(key, static_cast<uint32_t>(to.numbers.size())).first->second;
    } else {
      return space.merge_key(state);
    }
  }
  size_t merge_keys(const Space& space, const Bin& to) const {
    if constexpr (!kOffers.numbered_keys) {
      return to.numbers.size();
    } else {
      return space.merge_keys();
    }
  }

  // The best few of each class.
  const std::vector<Candidate>& offer_class(Space& space, Bin& to, const Candidate& c) {
    if (to.classes.size() <= c.merge_key) to.classes.resize(merge_keys(space, to));
    std::vector<Candidate>& kept = to.classes[c.merge_key];
    if constexpr (kOffers.output_after)
      if (options_.distinct) {
        const uint64_t mine = output(space, c);
        const auto same = std::find_if(kept.begin(), kept.end(),
                                       [&](const Candidate& k) { return output(space, k) == mine; });
        if (same != kept.end()) {
          if (same->score >= c.score) return kept;
          kept.erase(same);
          --pending_;
        }
      }
    if (kept.size() == options_.per_class) {
      if (c.score <= kept.back().score) return kept;
      kept.pop_back();
      --pending_;
    }
    put(kept, c);
    return kept;
  }

  bool keeps_outputs() const { return kOffers.output_after && options_.distinct; }
  uint64_t output(Space& space, const Candidate& c) const
    requires(kOffers.output_after)
  {
    return space.output_after(outputs_[c.parent], c.action);
  }

  // Best first; of equal ones the one that came first.
  void put(std::vector<Candidate>& kept, const Candidate& c) {
    size_t place = kept.size();
    kept.push_back(c);
    for (; place > 0 && kept[place - 1].rank() < c.rank(); --place) kept[place] = kept[place - 1];
    kept[place] = c;
    ++pending_;
  }

  void settle(Space& space, Bin& from) {
    std::vector<Candidate>& kept = from.candidates;
    for (auto& few : from.classes) {
      kept.insert(kept.end(), few.begin(), few.end());
      few.clear();
    }
    if (!from.classes.empty()) std::fill(from.best.begin(), from.best.end(), kLowest);
    pending_ -= kept.size();
    if (options_.width == 0) {
      for (const Candidate& c : kept)
        if (c.merge_key < from.at.size()) from.at[c.merge_key] = kRoot;
      ordering_.sort(kept);
    }
    if (!gold_only_)  // best first: what is too far behind stands at the end
      while (!kept.empty() && kept.back().rank() < kept.front().rank() - options_.within) kept.pop_back();
    const uint32_t begin = static_cast<uint32_t>(items.size());
    if constexpr (kOffers.grouped)
      if (options_.arcs) keep_arcs(from);
    for (const Candidate& c : kept) {
      pulse_();
      const Item<State> parent = items[c.parent];
      const bool good = parent.good && space.allows(parent.state, c.action);
      if constexpr (kOffers.output_after)
        if (options_.distinct) outputs_.push_back(output(space, c));
      items.push_back({c.score, space.advance(parent.state, c.action), c.parent, c.action, good});
    }
    kept.clear();
    from.fence = kLowest;
    if constexpr (!kOffers.numbered_keys) from.numbers.clear();
    from.good_waits = false;
    rows.push_back(open_ = {begin, static_cast<uint32_t>(items.size())});
    if (++ring_ >= bins_.size()) ring_ = 0;
  }

  // Of all that was offered, what was merged into the items that will be made of a bin's candidates.
  void keep_arcs(Bin& from) {
    std::unordered_map<uint64_t, uint32_t> item_of;
    for (const Candidate& c : from.candidates)
      item_of.emplace(c.merge_key, static_cast<uint32_t>(items.size() + item_of.size()));
    for (const Waiting& w : from.arcs)
      if (const auto at = item_of.find(w.merge_key); at != item_of.end())
        arcs_.push_back({at->second, w.parent, w.action, w.gain});
    from.arcs.clear();
  }

  SearchOptions options_;
  bool gold_only_;
  std::vector<MergedArc> arcs_;
  std::vector<Bin> bins_ = std::vector<Bin>(1);
  Ordering<Candidate> ordering_;
  std::vector<uint64_t> outputs_;  // of items, where no two of a class may have the same
  std::vector<float> blocks_;      // of the scores at hand, see peaks_of_blocks
  size_t ring_ = 0, pending_ = 0;
  Pulse pulse_;
  Row open_{0, 1};  // the beam to be expanded next
};

}  // namespace structron
