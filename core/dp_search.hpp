// The beam with dynamic programming of Huang & Sagae (2010): states that look alike share one place in it,
// and what stands below the topmost element is shared by all that came from one push (the graph-structured
// stack).
//
// A space gives, besides what core/search.hpp asks for: push_action(); joins(), the ranges of actions that
// join the two topmost elements or take one off; labels_matter(), whether those of one range leave states
// that look different; joined(below, state, action), after the state's topmost element was put on the stack
// of `below`; top_key(state) and left_key(state), what can be seen of the topmost element, and of what will
// stand below after a push; under(state), without the topmost element; gold_at(step), the gold action there.
// structron/reference/dp_beam.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hash.hpp"
#include "search.hpp"

namespace structron {

struct ActionRange {
  uint32_t begin, end;
};

template <class State>
struct DPItem {
  double score, inside;  // of the best way here; of the actions since the topmost element was begun
  State state;
  uint32_t parent, action;       // parent kRoot: given at the start
  uint32_t below;                // of a reduction: the predictor under the parent's topmost element, or kRoot
  uint32_t origin;               // where the topmost element was begun
  uint32_t first = 0, last = 0;  // of a push: its predictors, best first
  float push_gain = 0;           // what pushing the next element scores here
  bool good = false;             // the best way here is gold; so are the actions inside; so is the push
  bool inside_good = true, push_good = true;
  double ways = 1;  // to choose the actions inside, if they are counted
};

template <class Space>
class DPSearch {
 public:
  using State = typename Space::State;

  std::vector<DPItem<State>> items;  // all beams, one after the other
  struct Row {
    uint32_t begin, end;
  };
  std::vector<Row> rows;  // rows[r]: the beam after step r + 1

  explicit DPSearch(SearchOptions options, bool = false) : width_(options.width) {}

  // Count the derivations that the beams hold; that takes time.
  void count_ways() { counting_ = true; }
  double ways() const {
    double all = 0;
    for (uint32_t i = open_.begin; i < open_.end; ++i) all += items[i].ways;
    return all;
  }

  // From the state before all actions, whose stack is empty.
  void start(const Item<State>& root) {
    items.clear();
    rows.clear();
    predictors_.clear();
    before_.clear();
    begin_ = root.state;
    give(root);
  }

  // LaSO: the beam becomes the last of these items alone, with the elements of its stack.
  void restart(Space& space, const std::vector<Item<State>>& gold) {
    path_to(gold, gold.back(), before_);
    begin_ = gold.back().state;
    std::vector<State> stack{begin_};
    while (space.has_stack(stack.back())) stack.push_back(space.under(stack.back()));
    for (size_t k = stack.size(); k-- > 0;) {
      Item<State> element = gold.back();
      element.state = stack[k];
      give(element);
      if (k + 1 == stack.size()) continue;
      items.back().first = static_cast<uint32_t>(predictors_.size());
      predictors_.push_back(static_cast<uint32_t>(items.size()) - 2);
      items.back().last = items.back().first + 1;
    }
    rows.back() = open_;
  }

  bool advance(Space& space) {
    return advance(space, [](const DPItem<State>&, const float*) {});
  }
  // Makes the next beam from the last one; on_expand(item, scores) is told of every item.
  template <class OnExpand>
  bool advance(Space& space, OnExpand&& on_expand) {
    kept_.clear();
    pushes_.clear();
    ways_.clear();
    for (uint32_t i = open_.begin; i < open_.end; ++i) {
      if (space.is_final(items[i].state)) continue;
      const float* scores = space.scores(items[i].state);
      on_expand(items[i], scores);
      push(space, i, scores[space.push_action()]);
      join(space, i, scores);
    }
    // A push is worth what it is on its best predictor; all others stay with it.
    for (uint32_t p = 0; p < pushes_.size(); ++p) {
      std::vector<Upon>& upon = pushes_[p].upon;
      std::stable_sort(upon.begin(), upon.end(),
                       [](const Upon& x, const Upon& y) { return x.score > y.score; });
      const Candidate c{upon[0].score, 0, upon[0].item, space.push_action(), 0, kRoot, p, 0, {}};
      if (has_chance(c)) put(c);
    }
    if (kept_.empty()) return false;
    settle(space);
    return true;
  }

  const DPItem<State>& best(size_t r) const { return items[rows[r].begin]; }
  bool empty(size_t r) const { return rows[r].begin == rows[r].end; }
  // The item of the last row that gold leads to, null if it has fallen off. It may come back: another way to
  // the same push may have been better only until a reduction tells the two apart.
  const DPItem<State>* good_item() const {
    for (uint32_t i = open_.begin; i < open_.end; ++i)
      if (items[i].good) return &items[i];
    return nullptr;
  }
  bool has_good() const { return good_item() != nullptr; }

  // The best way to an item, with its states.
  void path(Space& space, uint32_t item, std::vector<Move<State>>& moves) const {
    std::vector<uint32_t> actions;  // last first
    enum Piece { way, inside, pushed };
    std::vector<std::pair<Piece, uint32_t>> todo{{way, item}};
    while (!todo.empty()) {
      const auto [piece, i] = todo.back();
      const DPItem<State>& at = items[i];
      todo.pop_back();
      if (piece == way) {
        const DPItem<State>& origin = items[at.origin];
        if (origin.parent != kRoot) {
          todo.push_back({way, predictors_[origin.first]});
          todo.push_back({pushed, at.origin});
        }
        todo.push_back({inside, i});
      } else if (piece == pushed) {
        if (at.parent != kRoot) actions.push_back(at.action);
      } else if (at.below != kRoot) {
        actions.push_back(at.action);
        todo.push_back({inside, at.below});
        todo.push_back({pushed, items[at.parent].origin});
        todo.push_back({inside, at.parent});
      }
    }
    moves = before_;
    State state = begin_;
    for (size_t k = actions.size(); k-- > 0;) {
      moves.push_back({state, actions[k]});
      state = space.advance(state, actions[k]);
    }
  }

 private:
  struct Candidate {
    double score, inside;
    uint32_t parent, action;
    uint32_t which;  // predictor, counted among those of its push
    uint32_t below;  // the same as an item; kRoot for a push
    uint32_t push;   // in pushes_
    Key key;         // of what a reduction leaves
    State state;
  };
  struct Upon {
    double score;
    uint32_t item;
  };
  struct Push {
    Key key;
    std::vector<Upon> upon;
  };

  void give(const Item<State>& root) {
    const uint32_t own = static_cast<uint32_t>(items.size());
    DPItem<State> item{root.score, 0, root.state, kRoot, 0, kRoot, own};
    item.good = root.good;
    items.push_back(item);
    open_ = {own, own + 1};
  }

  // Higher prefix score, higher inside score, earlier parent, lower action, better predictor.
  static bool is_better(const Candidate& x, const Candidate& y) {
    if (x.score != y.score) return x.score > y.score;
    if (x.inside != y.inside) return x.inside > y.inside;
    if (x.parent != y.parent) return x.parent < y.parent;
    return x.action != y.action ? x.action < y.action : x.which < y.which;
  }
  bool is_full() const { return width_ != 0 && kept_.size() == width_; }
  bool has_chance(const Candidate& c) const { return !is_full() || is_better(c, kept_.back()); }

  void push(Space& space, uint32_t parent, float gain) {
    if (gain == kImpossible) return;
    items[parent].push_gain = gain;
    const Key key = space.left_key(items[parent].state);
    auto same = std::find_if(pushes_.begin(), pushes_.end(), [&](const Push& p) { return p.key == key; });
    if (same == pushes_.end()) same = pushes_.insert(same, Push{key, {}});
    same->upon.push_back({items[parent].score + gain, parent});
  }

  // The item's topmost element with that of each predictor.
  void join(Space& space, uint32_t parent, const float* scores) {
    const DPItem<State>& from = items[parent];
    const DPItem<State>& origin = items[from.origin];
    for (const ActionRange& range : space.joins()) {
      if (scores[range.begin] == kImpossible) continue;
      const uint32_t best =
          static_cast<uint32_t>(std::max_element(scores + range.begin, scores + range.end) - scores);
      for (uint32_t k = origin.first; k < origin.last; ++k) {
        const DPItem<State>& below = items[predictors_[k]];
        const double base = below.inside + below.push_gain + from.inside, outside = items[below.origin].score;
        if (counting_) count(space, parent, predictors_[k], range);
        if (is_full() && outside + (base + scores[best]) < kept_.back().score) continue;
        const uint32_t first = space.labels_matter() ? range.begin : best,
                       last = space.labels_matter() ? range.end : best + 1;
        for (uint32_t a = first; a < last; ++a) {
          const double inside = base + scores[a];
          Candidate c{outside + inside, inside, parent, a, k - origin.first, predictors_[k], kRoot, 0, {}};
          if (!has_chance(c)) continue;
          c.state = space.joined(below.state, from.state, a);
          c.key = merge_key(space, below, c.state);
          put(c);
        }
      }
    }
  }

  // What came from one push stands on the same predictors.
  static Key merge_key(Space& space, const DPItem<State>& below, const State& state) {
    return mix(space.top_key(state), below.origin);
  }

  void put(const Candidate& c) {
    if (c.below != kRoot) {
      const auto same = std::find_if(kept_.begin(), kept_.end(),
                                     [&](const Candidate& k) { return k.below != kRoot && k.key == c.key; });
      if (same != kept_.end()) {
        if (!is_better(c, *same)) return;
        kept_.erase(same);
      }
    }
    if (is_full()) kept_.pop_back();
    kept_.insert(std::upper_bound(kept_.begin(), kept_.end(), c, is_better), c);
  }

  void count(Space& space, uint32_t parent, uint32_t below, const ActionRange& range) {
    const double ways = items[below].ways * items[parent].ways;
    for (uint32_t a = range.begin; a < range.end; ++a) {
      const State state = space.joined(items[below].state, items[parent].state, a);
      ways_[merge_key(space, items[below], state)] += ways;
    }
  }

  void settle(Space& space) {
    const uint32_t begin = static_cast<uint32_t>(items.size());
    for (const Candidate& c : kept_) {
      const DPItem<State>& parent = items[c.parent];
      const bool is_gold = space.gold_at(parent.state) == c.action;
      DPItem<State> made{c.score, c.inside, c.state, c.parent, c.action, c.below, 0};
      if (c.below == kRoot) {
        made.state = space.advance(parent.state, c.action);
        made.origin = static_cast<uint32_t>(items.size());
        made.first = static_cast<uint32_t>(predictors_.size());
        for (const Upon& upon : pushes_[c.push].upon) predictors_.push_back(upon.item);
        made.last = static_cast<uint32_t>(predictors_.size());
        made.push_good = is_gold;
        made.good = parent.good && is_gold;
      } else {
        const DPItem<State>& below = items[c.below];
        made.origin = below.origin;
        made.inside_good =
            below.inside_good && items[parent.origin].push_good && parent.inside_good && is_gold;
        made.good = items[made.origin].good && made.inside_good;
        if (counting_) made.ways = ways_[c.key];
      }
      items.push_back(made);
    }
    rows.push_back(open_ = {begin, static_cast<uint32_t>(items.size())});
  }

  uint32_t width_;
  bool counting_ = false;
  State begin_{};
  std::vector<Move<State>> before_;   // what led to where the search began
  std::vector<uint32_t> predictors_;  // of all pushes
  std::vector<Candidate> kept_;       // best first
  std::vector<Push> pushes_;
  std::unordered_map<Key, double> ways_;
  Row open_{0, 1};  // the beam to be expanded next
};

}  // namespace structron
