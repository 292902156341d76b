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
#include <utility>
#include <vector>

#include "search/beam/candidates.hpp"
#include "search/items.hpp"
#include "search/search_options.hpp"
#include "search/search_space.hpp"
#include "util/interrupt.hpp"
#include "util/vectors.hpp"
#include "weights/key_table.hpp"

namespace structron {

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
      : options_(gold_only ? without_keeper(options) : options),
        gold_only_(gold_only),
        waiting_(options_.keeper ? unbounded(options_) : options_, gold_only) {}

  const SearchOptions& options() const { return options_; }
  static SearchOptions kbest_options(SearchOptions options, uint32_t k) {
    SearchOptions found = for_kbest(options, k);
    found.arcs = kOffers.grouped && found.width > 0 && found.merge && !found.keeper;
    return found;
  }
  // What was merged into the items of this search; itself among it. In the order of rows.
  std::span<const MergedArc> arcs() const { return waiting_.arcs(); }

  void start(const Item<State>& root) {
    items.assign(1, root);
    rows.clear();
    waiting_.start();
    open_ = {0, 1};
    if (options_.keeper) memory_ = options_.keeper->begin();
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
    waiting_.clear();
  }
  // The gold side, of which these items are: it goes on from this one alone.
  void restart(const Item<State>& only) {
    items.push_back(only);
    rows.back() = open_ = {static_cast<uint32_t>(items.size()) - 1, static_cast<uint32_t>(items.size())};
    waiting_.clear();
  }

  // The whole search, without gold.
  void run(Space& space) {
    start({0.0, space.initial(), kRoot, 0, false});
    while (advance(space)) {
    }
  }

  // Makes the next beam from the last one; false when nothing is left to extend. `gold` asks what gold is
  // worth one step on, which takes the scores of every item.
  bool advance(Space& space, GoldStep* gold = nullptr) {
    for (uint32_t i = open_.begin; i < open_.end; ++i) {
      pulse_();
      if (space.is_final(items[i].state)) continue;
      announce(space, i);
      if constexpr (kOffers.grouped) {
        expand_groups(space, i);
      } else if constexpr (kOffers.few_actions) {
        expand_few(space, i);
      } else {
        if (gold == nullptr && waiting_.hopeless(space, items[i])) continue;
        if constexpr (kOffers.forced)
          if (gold == nullptr && take_forced(space, i)) continue;
        const float* scores = space.scores(items[i].state);
        if (gold != nullptr && items[i].good) gold->score = items[i].score + scores[gold->action];
        if constexpr (kOffers.unit_steps && !kRanked)
          if (gold == nullptr && take_alone(space, i, scores)) return true;
        expand(space, i, scores);
      }
    }
    if constexpr (kOffers.merge_base)
      if (waiting_.bin(0).relaxed) waiting_.collect(space, waiting_.bin(0), items);
    if (waiting_.empty()) return false;
    settle(space);
    return true;
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
    if constexpr (!kOffers.unit_steps) return waiting_.good_waits();
    return false;
  }

 private:
  static constexpr Offers kOffers = Space::kOffers;
  static constexpr bool kRanked = Candidates<Space>::kRanked;
  static constexpr uint32_t kReady = 16;         // items that a space may look at together
  static constexpr uint32_t kManyActions = 128;  // of so many, most are passed over in blocks
  using Bin = typename Candidates<Space>::Bin;

  // A bound is a sum of floats, and may be a little less than what it bounds.
  static constexpr double kRounding = 1e-4;

  static SearchOptions without_keeper(SearchOptions options) {
    options.keeper = nullptr;
    return options;
  }
  // All that a row could hold is offered to a keeper.
  static SearchOptions unbounded(SearchOptions options) {
    options.width = 0;
    return options;
  }

  // Which states scores will be asked for soon.
  void announce(Space& space, uint32_t i) {
    if constexpr (kOffers.ready)
      if ((i - open_.begin) % kReady == 0)
        space.ready({items.data() + i, std::min<size_t>(kReady, open_.end - i)});
    if constexpr (kOffers.prefetch)
      if (i + 2 < open_.end) space.prefetch(items[i + 2].state);
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
        if (from.score + scores[a] > to.fence) waiting_.offer(space, to, from, parent, a, scores[a]);
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
    if (options_.scores || gold_only_ || options_.keeper || open_.end - open_.begin != 1) return false;
    const uint32_t action = space.forced(items[parent].state);
    if (action == kNone) return false;
    waiting_.offer(space, waiting_.bin(0), Item<State>(items[parent]), parent, action, 0);
    return true;
  }

  // The only item of a row has but one successor that is not too far behind: there is nothing to compare.
  bool take_alone(Space& space, uint32_t parent, const float* scores) {
    if (options_.width == 0 || gold_only_ || waiting_.keeps_outputs() || options_.keeper ||
        open_.end - open_.begin != 1)
      return false;
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
      Bin& next = waiting_.bin(0);
      if constexpr (kOffers.merge_base)
        if (options_.width == 0 && options_.merge && !gold_only_) {
          if (const int64_t base = space.merge_base(from.state); base >= 0)
            return options_.per_class == 1 ? waiting_.relax(space, next, from.score, parent, scores, base)
                                           : waiting_.relax_classes(space, next, from, parent, scores, base);
        }
      if (options_.width == 1 && !gold_only_ && !options_.keeper &&
          !kRanked) {  // greedy: one look finds the one candidate that can matter
        const float highest = peaks_of<4>(scores, actions).highest;
        if (highest == kImpossible) return;
        waiting_.offer(space, next, from, parent, next_from(scores, 0, actions, highest), highest);
        return;
      }
      if (!kRanked && options_.width > 0 && !gold_only_ && !options_.keeper)
        return expand_bounded(space, next, from, parent, scores);
      for (uint32_t a = 0; a < actions; ++a) {
        if (scores[a] == kImpossible || (gold_only_ && !space.allows(from.state, a))) continue;
        waiting_.offer(space, next, from, parent, a, scores[a]);
      }
    } else {
      const int here = space.step(from.state);
      for (uint32_t a = 0; a < actions; ++a) {
        if (scores[a] == kImpossible || (gold_only_ && !space.allows(from.state, a))) continue;
        Bin& to = waiting_.bin(static_cast<size_t>(space.step(space.advance(from.state, a)) - here - 1));
        to.good_waits |= from.good && space.allows(from.state, a);
        waiting_.offer(space, to, from, parent, a, scores[a]);
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
      if (c.steps != steps) to = &waiting_.bin((steps = c.steps) - 1);
      to->good_waits |= good;
      if (!kRanked && from.score + choices.scores[c.at] <= to->fence) continue;
      waiting_.offer(space, *to, from, parent, c.action, choices.scores[c.at]);
    }
  }

  void expand_groups(Space& space, uint32_t parent) {
    const Item<State> from = items[parent];
    for (const ActionGroup& g : space.groups(from.state)) {
      Bin& to = waiting_.bin(g.steps - 1);
      const double most = from.score + g.most + g.future + kRounding;
      const bool bounded = g.bounds != nullptr && !options_.arcs;
      for (uint32_t a = g.first; a < g.last; ++a) {
        const bool good = (gold_only_ || from.good) && space.allows(from.state, a);
        if (gold_only_ && !good) continue;
        to.good_waits |= good;
        if (bounded && most + static_cast<double>(g.bounds[a - g.first]) <= to.fence) continue;
        waiting_.offer(space, to, from, parent, a, space.gain(from.state, a), g.future);
      }
    }
  }

  void settle(Space& space) {
    const uint32_t begin = static_cast<uint32_t>(items.size());
    const auto& offered = waiting_.close(begin);
    if (options_.keeper) ask_keeper(offered);
    const size_t kept = options_.keeper ? places_.size() : offered.size();
    for (size_t k = 0; k < kept; ++k) {
      const auto& c = offered[options_.keeper ? places_[k] : k];
      pulse_();
      const Item<State> parent = items[c.parent];
      const bool good = parent.good && space.allows(parent.state, c.action);
      waiting_.note(space, c);
      items.push_back({c.score, space.advance(parent.state, c.action), c.parent, c.action, good});
    }
    rows.push_back(open_ = {begin, static_cast<uint32_t>(items.size())});
    waiting_.next();
  }

  template <class Offered>
  void ask_keeper(const Offered& offered) {
    places_.clear();
    if (offered.empty()) return;
    RowOffers offers{static_cast<uint32_t>(rows.size()), {}, {}, {}};
    for (const auto& c : offered) {
      offers.score.push_back(c.score);
      offers.parent.push_back(c.parent);
      offers.action.push_back(c.action);
    }
    memory_->keep(std::move(offers), places_);
  }

  SearchOptions options_;
  bool gold_only_;
  Candidates<Space> waiting_;
  std::shared_ptr<RowKeeper::Memory> memory_;  // of this search, see options_.keeper
  std::vector<uint32_t> places_;
  std::vector<float> blocks_;  // of the scores at hand, see peaks_of_blocks
  Pulse pulse_;
  Row open_{0, 1};  // the beam to be expanded next
};

}  // namespace structron
