// A search watched from the gold side: per step the best score, the best gold score, and whether gold is in.
#pragma once
#include <cmath>
#include <vector>

#include "search.hpp"

namespace structron {

struct Trace {
  std::vector<double> best_score, gold_score;  // gold_score is NaN on a step where gold has no state
  std::vector<uint8_t> gold_in_beam, best_is_gold;

  int steps() const { return static_cast<int>(best_score.size()); }
  double excess(int step) const { return best_score[step] - gold_score[step]; }
  void clear() {
    best_score.clear();
    gold_score.clear();
    gold_in_beam.clear();
    best_is_gold.clear();
  }
};

// A space may bring its own kind of search: one that has path(space, item, moves), restart(space, gold items)
// and good_item() besides what Search has.
template <class Space>
concept HasOwnSearch = requires { typename Space::OwnSearch; };
template <class Space>
struct SearchFor {
  using Type = Search<Space>;
};
template <HasOwnSearch Space>
struct SearchFor<Space> {
  using Type = typename Space::OwnSearch;
};
template <class Space>
using SearchOf = typename SearchFor<Space>::Type;

// Runs the free search and the gold side (the same search, restricted to gold actions) in step.
template <class Space>
class Watched {
 public:
  using State = typename Space::State;

  SearchOf<Space> free;
  Trace trace;

  explicit Watched(SearchOptions options) : free(options), gold_(options, true) {}

  void start(Space& space) {
    const Item<State> root{0.0, space.initial(), kRoot, 0, true};
    free.start(root);
    trace.clear();
    if constexpr (Space::kSingleGold) {
      single_.assign(1, root);
    } else {
      gold_.start(root);
      gold_alive_ = true;
    }
  }

  // One more step of both; false at the end. With watch == false only the free search moves.
  bool advance(Space& space, bool watch) {
    if (!watch) return free.advance(space);
    if constexpr (Space::kSingleGold) {
      // While gold is in the beam its scores are computed there anyway.
      const Item<State> g = single_.back();
      const bool going = !space.is_final(g.state);
      const uint32_t action = going ? space.gold_action(g.state) : 0;
      double score = NAN;
      const bool any = free.advance(space, [&](const auto& i, const float* scores) {
        if (i.good && going) score = i.score + scores[action];
      });
      if (!any) return false;
      if constexpr (HasOwnSearch<Space>)  // whose sums may be rounded another way
        if (const auto* good = free.good_item()) score = good->score;
      if (going) {
        if (std::isnan(score)) score = g.score + space.scores(g.state)[action];
        single_.push_back(
            {score, space.advance(g.state, action), static_cast<uint32_t>(single_.size()) - 1, action, true});
      }
      record(score);
    } else {
      const bool any = free.advance(space);
      if (gold_alive_) gold_alive_ = gold_.advance(space);
      if (!any) return false;
      const size_t r = free.rows.size() - 1;
      record(r < gold_.rows.size() && !gold_.empty(r) ? gold_.best(r).score : NAN);
    }
    return true;
  }

  void best_path(int step, std::vector<Move<State>>& moves) const {
    path_to(free.items, free.best(step), moves);
  }
  void gold_path(int step, std::vector<Move<State>>& moves) const {
    if constexpr (Space::kSingleGold) {
      path_to(single_, single_[step + 1], moves);
    } else {
      path_to(gold_.items, gold_.best(step), moves);
    }
  }

  // LaSO: both sides go on from the best gold item, and from it alone.
  void restart_from_gold(Space& space) {
    if constexpr (HasOwnSearch<Space>) {
      free.restart(space, single_);
    } else if constexpr (Space::kSingleGold) {
      graft(single_, single_.back());
    } else {
      const Item<State> g = gold_.best(gold_.rows.size() - 1);
      graft(gold_.items, g);
      gold_.restart(g);
    }
  }

 private:
  // Copies gold's path into the free search's items, so that paths can be followed across the restart.
  void graft(const std::vector<Item<State>>& from, const Item<State>& last) {
    std::vector<const Item<State>*> chain;
    for (const Item<State>* i = &last; i->parent != kRoot; i = &from[i->parent]) chain.push_back(i);
    uint32_t parent = 0;
    for (size_t k = chain.size(); k-- > 1;) {
      Item<State> copy = *chain[k];
      copy.parent = parent;
      free.items.push_back(copy);
      parent = static_cast<uint32_t>(free.items.size()) - 1;
    }
    Item<State> copy = last;
    copy.parent = parent;
    copy.good = true;
    free.restart(copy);
  }

  void record(double gold_score) {
    const size_t r = free.rows.size() - 1;
    const bool any = !free.empty(r);
    trace.best_score.push_back(any ? free.best(r).score : NAN);
    trace.gold_score.push_back(gold_score);
    trace.gold_in_beam.push_back(free.has_good());
    trace.best_is_gold.push_back(any && free.best(r).good);
  }

  SearchOf<Space> gold_;
  std::vector<Item<State>> single_;
  bool gold_alive_ = true;
};

}  // namespace structron
