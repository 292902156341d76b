// The beam with dynamic programming of Huang & Sagae (2010): states that look alike share one place in it,
// and what stands below the topmost element is shared by all that came from one push (the graph-structured
// stack).
//
// A space gives, besides what core/search/search_space.hpp asks for: push_action(); joins(), the ranges of
// actions that join the two topmost elements or take one off; labels_matter(), whether those of one range
// leave states that look different; joined(below, state, action), after the state's topmost element was put
// on the stack of `below`; top_key(state) and left_key(state), what can be seen of the topmost element, and
// of what will stand below after a push; under(state), without the topmost element; gold_at(step), the gold
// action there. structron/reference/sequence/dp_beam.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "search/items.hpp"
#include "search/search_options.hpp"
#include "search/search_space.hpp"
#include "util/hash.hpp"
#include "util/interrupt.hpp"

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

// What a space of states with a stack has besides.
template <class S>
concept StackSpace = SearchSpace<S> && S::kOffers.unit_steps && S::kOffers.single_gold &&
                     requires(S& s, const typename S::State& x) {
                       { s.push_action() } -> std::same_as<uint32_t>;
                       s.joins().begin();
                       { s.labels_matter() } -> std::same_as<bool>;
                       { s.joined(x, x, 0u) } -> std::same_as<typename S::State>;
                       { s.top_key(x) } -> std::same_as<Key>;
                       { s.left_key(x) } -> std::same_as<Key>;
                       { s.has_stack(x) } -> std::same_as<bool>;
                       { s.under(x) } -> std::same_as<typename S::State>;
                       { s.gold_at(x) } -> std::same_as<uint32_t>;
                     };

template <StackSpace AnySpace>
class DPSearch {
 public:
  using Space = AnySpace;
  using State = typename Space::State;
  static constexpr bool kSumsInOrder = false;  // scores are sums of inside scores
  static constexpr bool kParentsTell = false;  // a reduction also stands on a predictor

  std::vector<DPItem<State>> items;  // all beams, one after the other
  struct Row {
    uint32_t begin, end;
  };
  std::vector<Row> rows;  // rows[r]: the beam after step r + 1

  explicit DPSearch(SearchOptions options, bool = false) : options_(options) {}

  const SearchOptions& options() const { return options_; }

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
  void restart(Space& space, const std::vector<Item<State>>& gold, const Item<State>& last) {
    path_to(gold, last, before_);
    begin_ = last.state;
    std::vector<State> stack{begin_};
    while (space.has_stack(stack.back())) stack.push_back(space.under(stack.back()));
    for (size_t k = stack.size(); k-- > 0;) {
      Item<State> element = last;
      element.state = stack[k];
      give(element);
      if (k + 1 == stack.size()) continue;
      items.back().first = static_cast<uint32_t>(predictors_.size());
      predictors_.push_back(static_cast<uint32_t>(items.size()) - 2);
      items.back().last = items.back().first + 1;
    }
    rows.back() = open_;
  }

  // The whole search, without gold.
  void run(Space& space) {
    start({0.0, space.initial(), kRoot, 0, false});
    while (advance(space)) {
    }
  }

  // Makes the next beam from the last one; `gold` asks what gold is worth one step on.
  bool advance(Space& space, GoldStep* gold = nullptr) {
    waiting_.clear();
    pushes_.clear();
    ranked_.clear();
    ways_.clear();
    for (uint32_t i = open_.begin; i < open_.end; ++i) {
      pulse_();
      if (space.is_final(items[i].state)) continue;
      const float* scores = space.scores(items[i].state);
      if (gold != nullptr && items[i].good) gold->score = items[i].score + scores[gold->action];
      push(space, i, scores[space.push_action()]);
      join(space, i, scores);
    }
    // A push is worth what it is on its best predictor; all others stay with it.
    for (uint32_t p = 0; p < pushes_.size(); ++p) {
      std::vector<Upon>& upon = pushes_[p].upon;
      std::stable_sort(upon.begin(), upon.end(),
                       [](const Upon& x, const Upon& y) { return x.score > y.score; });
      waiting_.push_back({upon[0].score, 0, upon[0].item, space.push_action(), 0, kRoot, p, 0});
    }
    if (waiting_.empty()) return false;
    settle(space);
    return true;
  }

  uint32_t best_index(size_t r) const { return rows[r].begin; }
  const DPItem<State>& best(size_t r) const { return items[rows[r].begin]; }
  void best_indices(size_t r, uint32_t k, std::vector<uint32_t>& found) const {
    found.clear();
    for (uint32_t i = rows[r].begin; i < rows[r].end && found.size() < k; ++i) found.push_back(i);
  }
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
    uint32_t which;    // predictor, counted among those of its push
    uint32_t below;    // the same as an item; kRoot for a push
    uint32_t at, end;  // a push in pushes_, or its place and the end of its list in ranked_
  };
  struct Ranked {
    float score;
    uint32_t action;
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
  static bool is_worse(const Candidate& x, const Candidate& y) { return is_better(y, x); }

  void push(Space& space, uint32_t parent, float gain) {
    if (gain == kImpossible) return;
    items[parent].push_gain = gain;
    const Key key = space.left_key(items[parent].state);
    auto same = std::find_if(pushes_.begin(), pushes_.end(), [&](const Push& p) { return p.key == key; });
    if (same == pushes_.end()) same = pushes_.insert(same, Push{key, {}});
    same->upon.push_back({items[parent].score + gain, parent});
  }

  // The item's topmost element with that of each predictor. Of actions whose results look alike the best is
  // enough; of others, the next best comes when the one before has been taken.
  void join(Space& space, uint32_t parent, const float* scores) {
    const DPItem<State>& origin = items[items[parent].origin];
    for (const ActionRange& range : space.joins()) {
      if (range.begin == range.end || scores[range.begin] == kImpossible) continue;
      const uint32_t first = static_cast<uint32_t>(ranked_.size());
      if (space.labels_matter()) {
        for (uint32_t a = range.begin; a < range.end; ++a) ranked_.push_back({scores[a], a});
        std::stable_sort(ranked_.begin() + first, ranked_.end(),
                         [](const Ranked& x, const Ranked& y) { return x.score > y.score; });
      } else {
        const float* best = std::max_element(scores + range.begin, scores + range.end);
        ranked_.push_back({*best, static_cast<uint32_t>(best - scores)});
      }
      for (uint32_t k = origin.first; k < origin.last; ++k) {
        waiting_.push_back(ranked(first, parent, k - origin.first, predictors_[k]));
        if (counting_) count(space, parent, predictors_[k], range);
      }
    }
  }

  Candidate ranked(uint32_t at, uint32_t parent, uint32_t which, uint32_t predictor, uint32_t end = 0) const {
    const DPItem<State>& below = items[predictor];
    const double inside = below.inside + below.push_gain + items[parent].inside + ranked_[at].score;
    return {items[below.origin].score + inside,
            inside,
            parent,
            ranked_[at].action,
            which,
            predictor,
            at,
            end ? end : static_cast<uint32_t>(ranked_.size())};
  }

  // What came from one push stands on the same predictors.
  static Key merge_key(Space& space, const DPItem<State>& below, const State& state) {
    return combine(space.top_key(state), below.origin);
  }

  void count(Space& space, uint32_t parent, uint32_t below, const ActionRange& range) {
    const double ways = items[below].ways * items[parent].ways;
    for (uint32_t a = range.begin; a < range.end; ++a) {
      const State state = space.joined(items[below].state, items[parent].state, a);
      ways_[merge_key(space, items[below], state)] += ways;
    }
  }

  // The best of those that wait, in their order; what looks like one that is in already is left out.
  void settle(Space& space) {
    const uint32_t begin = static_cast<uint32_t>(items.size());
    keys_.clear();
    std::make_heap(waiting_.begin(), waiting_.end(), is_worse);
    while (!waiting_.empty() && (options_.width == 0 || items.size() - begin < options_.width)) {
      pulse_();
      std::pop_heap(waiting_.begin(), waiting_.end(), is_worse);
      const Candidate c = waiting_.back();
      waiting_.pop_back();
      if (c.below == kRoot) {
        items.push_back(pushed(space, c));
        continue;
      }
      if (c.at + 1 < c.end) {
        waiting_.push_back(ranked(c.at + 1, c.parent, c.which, c.below, c.end));
        std::push_heap(waiting_.begin(), waiting_.end(), is_worse);
      }
      const State state = space.joined(items[c.below].state, items[c.parent].state, c.action);
      const Key key = merge_key(space, items[c.below], state);
      if (std::find(keys_.begin(), keys_.end(), key) != keys_.end()) continue;
      keys_.push_back(key);
      items.push_back(joined(space, c, state));
      if (counting_) items.back().ways = ways_[key];
    }
    rows.push_back(open_ = {begin, static_cast<uint32_t>(items.size())});
  }

  DPItem<State> pushed(Space& space, const Candidate& c) {
    const DPItem<State>& parent = items[c.parent];
    const uint32_t own = static_cast<uint32_t>(items.size());
    DPItem<State> made{c.score, 0, space.advance(parent.state, c.action), c.parent, c.action, kRoot, own};
    made.first = static_cast<uint32_t>(predictors_.size());
    for (const Upon& upon : pushes_[c.at].upon) predictors_.push_back(upon.item);
    made.last = static_cast<uint32_t>(predictors_.size());
    made.push_good = space.gold_at(parent.state) == c.action;
    made.good = parent.good && made.push_good;
    return made;
  }

  DPItem<State> joined(Space& space, const Candidate& c, const State& state) const {
    const DPItem<State>&parent = items[c.parent], &below = items[c.below];
    DPItem<State> made{c.score, c.inside, state, c.parent, c.action, c.below, below.origin};
    made.inside_good = below.inside_good && items[parent.origin].push_good && parent.inside_good &&
                       space.gold_at(parent.state) == c.action;
    made.good = items[made.origin].good && made.inside_good;
    return made;
  }

  SearchOptions options_;
  bool counting_ = false;
  State begin_{};
  std::vector<Move<State>> before_;   // what led to where the search began
  std::vector<uint32_t> predictors_;  // of all pushes
  std::vector<Candidate> waiting_;    // to be taken in their order
  std::vector<Ranked> ranked_;        // the actions of reductions, lists of them, best first
  std::vector<Key> keys_;             // of the reductions that were taken
  std::vector<Push> pushes_;
  std::unordered_map<Key, double> ways_;
  Row open_{0, 1};  // the beam to be expanded next
  Pulse pulse_;
};

}  // namespace structron
