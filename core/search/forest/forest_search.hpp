// Search over a forest, bottom-up: inside-Viterbi, or with a width cube pruning.
// structron/reference/forest/forest.py is the definition.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "search/forest/forest_items.hpp"
#include "search/forest/forest_space.hpp"
#include "search/refusal.hpp"
#include "search/search_options.hpp"
#include "util/hash.hpp"
#include "util/interrupt.hpp"

namespace structron {

// How many combinations exact search may look at for one input. Tests lower it.
inline std::atomic<double> most_combinations = 1e9;

template <ForestSpace AnySpace>
class ForestSearch {
 public:
  using Space = AnySpace;
  using State = typename Space::State;
  using Item = ForestItem<State>;

  std::vector<Item> items;  // node by node, best first

  // With options.per_class > 1 the ways that were merged into an item stay with it, for the k best.
  explicit ForestSearch(SearchOptions options, bool gold_only = false)
      : options_(options), gold_only_(gold_only) {}

  const SearchOptions& options() const { return options_; }
  static SearchOptions kbest_options(SearchOptions options, uint32_t k) {
    options.per_class = std::max(2u, k);
    return options;
  }
  uint32_t nodes() const { return static_cast<uint32_t>(of_node_.size()); }
  NodeItems of_node(uint32_t node) const { return of_node_[node]; }
  // All ways to build an item that were found, itself the first.
  const std::vector<Item>& merged(uint32_t item) const { return merged_[item]; }

  // Where pruning leaves nothing at the goal, search begins again with twice the width.
  void run(Space& space) {
    width_ = options_.width;
    build(space);
    while (!gold_only_ && width_ != 0 && !of_node_.empty() && of_node_.back().empty()) {
      width_ = width_ < kWidest ? 2 * width_ : 0;
      build(space);
    }
  }

  // The uses of edges of an item's best derivation, those of the tails before their own.
  void derivation(uint32_t item, std::vector<Use<State>>& uses) const {
    const Item& i = items[item];
    for (uint32_t k = 0; k < i.edge.arity; ++k) derivation(i.tails[k], uses);
    uses.push_back({i.node, i.edge, states_of(i)});
  }
  TailStates<State> states_of(const Item& i) const {
    TailStates<State> states{};
    for (uint32_t k = 0; k < i.edge.arity; ++k) states[k] = items[i.tails[k]].state;
    return states;
  }

 private:
  using Ranks = std::array<uint32_t, kMostTails>;
  static constexpr uint32_t kWidest = 1024;
  static constexpr double kNothing = -std::numeric_limits<double>::infinity();
  // Where states tell derivations apart, as the words at both ends of a translation do, exact search has
  // exponentially many of them. What is beyond these limits would take hours, or all memory.
  static constexpr uint64_t kMostItems = (uint64_t{2} << 30) / sizeof(Item);

  void build(Space& space) {
    items.clear();
    merged_.clear();
    clear_cubes();  // a search that was given up may have left some
    combinations_ = 0;
    kept_items_ = 0;
    of_node_.assign(space.nodes(), {});
    best_of_node_.assign(Space::kOffers.one_key ? space.nodes() : 0, kNothing);
    for (uint32_t node = first_from(space, 0), after; node < of_node_.size();
         node = first_from(space, after)) {
      pulse_();
      for (after = node + 1; after < of_node_.size() && space.group(after) == space.group(node);) ++after;
      found_.clear();
      known_.forget();
      for (uint32_t each = node; each < after; ++each)
        width_ == 0 ? combine_all(space, each) : open_cubes(space, each);
      if (width_ != 0) pop_cubes(space);
      close_group(space);
    }
  }

  // Smaller is better: higher score, then earlier tails by node and rank, lower action, node.
  bool is_better(const Item& x, const Item& y) const {
    if (x.score != y.score) return x.score > y.score;
    for (uint32_t k = 0; k < std::min(x.edge.arity, y.edge.arity); ++k) {
      const Item &a = items[x.tails[k]], &b = items[y.tails[k]];
      if (a.node != b.node) return a.node < b.node;
      if (a.rank != b.rank) return a.rank < b.rank;
    }
    if (x.edge.arity != y.edge.arity) return x.edge.arity < y.edge.arity;
    if (x.edge.action != y.edge.action) return x.edge.action < y.edge.action;
    return x.node < y.node;
  }

  // One use of an edge; false if the tails do not fit, or on the gold side if it is not gold.
  bool joined(Space& space, uint32_t node, const ForestEdge& edge, const Ranks& ranks, Item& made) {
    pulse_();
    made.node = node;
    made.edge = edge;
    TailStates<State> states{};
    bool good = true;
    for (uint32_t k = 0; k < edge.arity; ++k) {
      made.tails[k] = of_node_[edge.tails[k]][ranks[k]];
      const Item& tail = items[made.tails[k]];
      states[k] = tail.state;
      good = good && tail.good;
    }
    if (!space.join(node, edge, states, made.state)) return false;
    made.good = good && space.allows(node, edge, states);
    if (gold_only_ && !made.good) return false;
    made.gain = gold_only_ ? space.gold_gain(node, edge, states) : space.gain(node, edge, states);
    made.score = made.gain;
    for (uint32_t k = 0; k < edge.arity; ++k) made.score += items[made.tails[k]].score;
    return true;
  }

  // The first node from here on that may have items.
  uint32_t first_from(Space& space, uint32_t node) const {
    if constexpr (Space::kOffers.next_gold)
      if (gold_only_) return space.next_gold(node);
    return node;
  }

  // The best way to build a node of which one item is kept: only that way is joined.
  void combine_best(Space& space, uint32_t node) {
    Item best{};
    bool is_any = false;
    space.each_scored_edge(node, [&](const ForestEdge& edge, float gain) {
      pulse_();
      double score = gain;
      for (uint32_t k = 0; k < edge.arity; ++k) {
        const double tail = best_of_node_[edge.tails[k]];
        if (tail == kNothing) return;
        score += tail;
      }
      if (is_any && score < best.score) return;
      Item made{};
      made.score = score;
      made.gain = gain;
      made.node = node;
      made.edge = edge;
      for (uint32_t k = 0; k < edge.arity; ++k) made.tails[k] = of_node_[edge.tails[k]].first;
      if (is_any && !is_better(made, best)) return;
      best = made;
      is_any = true;
    });
    if (!is_any) return;
    const TailStates<State> states = states_of(best);
    if (!space.join(node, best.edge, states, best.state)) return;
    best.good = true;
    for (uint32_t k = 0; k < best.edge.arity; ++k) best.good = best.good && items[best.tails[k]].good;
    best.good = best.good && space.allows(node, best.edge, states);
    found_.push_back(best);
  }

  void combine_all(Space& space, uint32_t node) {
    if constexpr (Space::kOffers.one_key)
      if (!gold_only_ && options_.per_class <= 1) return combine_best(space, node);
    space.each_edge(node, [&](const ForestEdge& edge) {
      Ranks ranks{};
      double ways = 1;
      for (uint32_t k = 0; k < edge.arity; ++k) ways *= of_node_[edge.tails[k]].size();
      if (ways == 0) return;
      // Edges whose tails have one item each are as many as the forest has.
      if (ways > 1) combinations_ += ways;
      check_work();
      for (;;) {
        Item made;
        if (joined(space, node, edge, ranks, made)) keep_best(space, made);
        uint32_t k = edge.arity;
        while (k > 0 && ++ranks[k - 1] == of_node_[edge.tails[k - 1]].size()) ranks[--k] = 0;
        if (k == 0) return;
      }
    });
  }
  // Refuses what would take too long. Gold derivations are told apart by what is left to say, and stay few.
  void check_work() const {
    if (gold_only_) return;
    const bool is_long = combinations_ > most_combinations.load(std::memory_order_relaxed);
    if (!is_long && kept_items_ <= kMostItems) return;
    throw SearchTooLarge(
        is_long ? "exact search would look at more than 1,000 million combinations for one input; use one "
                  "that keeps a few items of each node, such as forest:30"
                : "exact search would take more than 2 GiB of memory for one input; use one that keeps a few "
                  "items of each node, such as forest:30");
  }
  // Of items with equal keys the best alone, unless the others are wanted too.
  void keep_best(Space& space, const Item& made) {
    if (options_.per_class <= 1) {
      uint32_t& place = known_.of(key_of(space, made));
      if (place != kNone) {
        if (is_better(made, found_[place])) found_[place] = made;
        return;
      }
      place = static_cast<uint32_t>(found_.size());
    }
    found_.push_back(made);
    ++kept_items_;
    check_work();
  }

  // A combination that was looked at; its grid is that of one edge.
  struct Asked {
    Item item;
    Ranks ranks;
    uint32_t grid, before;  // before: the one of the same grid that was asked for last, or kNone
  };

  void open_cubes(Space& space, uint32_t node) {
    space.each_edge(node, [&](const ForestEdge& edge) {
      const uint32_t grid = static_cast<uint32_t>(last_of_grid_.size());
      last_of_grid_.push_back(kNone);
      // With one tail there is no cube: all its items are looked at, as in a beam.
      const uint32_t corners = edge.arity == 1 ? of_node_[edge.tails[0]].size() : 1;
      for (uint32_t k = 0; k < corners; ++k) offer(space, node, edge, {k}, grid);
    });
  }
  // Puts a combination into the heap; where it does not fit, its neighbours in its place.
  void offer(Space& space, uint32_t node, const ForestEdge& edge, const Ranks& ranks, uint32_t grid) {
    for (uint32_t k = 0; k < edge.arity; ++k)
      if (ranks[k] >= of_node_[edge.tails[k]].size()) return;
    const uint32_t number = static_cast<uint32_t>(asked_.size());
    asked_.emplace_back();
    Asked& asked = asked_.back();
    asked.ranks = ranks;
    asked.grid = grid;
    asked.before = last_of_grid_[grid];
    last_of_grid_[grid] = number;
    if (!joined(space, node, edge, ranks, asked.item)) return neighbours(space, node, edge, ranks, grid);
    heap_.push_back(number);
    std::push_heap(heap_.begin(), heap_.end(), worse());
  }
  // Those that were not looked at yet.
  void neighbours(Space& space, uint32_t node, const ForestEdge& edge, const Ranks& ranks, uint32_t grid) {
    if (edge.arity == 1) return;  // open_cubes looks at all of them
    for (uint32_t k = 0; k < edge.arity; ++k) {
      Ranks next = ranks;
      ++next[k];
      const auto is_next = [&](const Ranks& r) {
        return r[0] == next[0] && r[1] == next[1] && r[2] == next[2];
      };
      static_assert(kMostTails == 3);
      uint32_t known = last_of_grid_[grid];
      while (known != kNone && !is_next(asked_[known].ranks)) known = asked_[known].before;
      if (known == kNone) offer(space, node, edge, next, grid);
    }
  }
  auto worse() const {
    return [this](uint32_t x, uint32_t y) { return is_better(asked_[y].item, asked_[x].item); };
  }
  // The best of the heap, until so many different keys are there, or a space loses its patience.
  void pop_cubes(Space& space) {
    uint32_t different = 0;
    uint64_t tries = std::numeric_limits<uint64_t>::max();
    if constexpr (requires { Space::kPatience; }) tries = uint64_t{Space::kPatience} * width_;
    while (!heap_.empty() && different < width_ && tries-- > 0) {
      std::pop_heap(heap_.begin(), heap_.end(), worse());
      const uint32_t best = heap_.back();
      heap_.pop_back();
      found_.push_back(asked_[best].item);
      const Item item = asked_[best].item;
      const Ranks ranks = asked_[best].ranks;
      if (uint32_t& place = known_.of(key_of(space, item)); place == kNone) place = different++;
      neighbours(space, item.node, item.edge, ranks, asked_[best].grid);
    }
    clear_cubes();
  }
  void clear_cubes() {
    heap_.clear();
    asked_.clear();
    last_of_grid_.clear();
  }

  Key key_of(Space& space, const Item& item) const {
    return combine(item.node + Key{1}, key_in_node(space, item));
  }
  Key key_in_node(Space& space, const Item& item) const {
    if constexpr (Space::kOffers.exhaustive_gold)
      if (gold_only_) return space.gold_merge_key(item.state);
    return space.merge_key(item.state);
  }

  // Of items with equal keys the best stays; the group keeps so many.
  void close_group(Space& space) {
    if (width_ == 0 && options_.per_class <= 1 && is_one_each()) return put_all();
    if (found_.size() > 1)
      std::sort(found_.begin(), found_.end(),
                [this](const Item& x, const Item& y) { return is_better(x, y); });
    known_.forget();
    const uint32_t first = static_cast<uint32_t>(items.size());
    for (Item& item : found_) {
      pulse_();
      uint32_t& rank = known_.of(key_of(space, item));
      if (rank == kNone) {
        const uint32_t kept = static_cast<uint32_t>(items.size()) - first;
        if (width_ != 0 && kept == width_) continue;
        item.rank = rank = kept;
        items.push_back(item);
        if (options_.per_class > 1) merged_.emplace_back();
      }
      if (options_.per_class > 1) merged_[first + rank].push_back(item);
    }
    if (first < items.size()) by_node(first);
  }
  // Whether each node has one item.
  bool is_one_each() const {
    for (size_t i = 1; i < found_.size(); ++i)
      if (found_[i].node <= found_[i - 1].node) return false;
    return true;
  }
  // Where nothing is pruned these stay as they are, and only their ranks are to be told.
  void put_all() {
    order_.resize(found_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(),
              [this](uint32_t x, uint32_t y) { return is_better(found_[x], found_[y]); });
    for (uint32_t rank = 0; rank < order_.size(); ++rank) found_[order_[rank]].rank = rank;
    for (const Item& item : found_) {
      of_node_[item.node] = {static_cast<uint32_t>(items.size()), 1};
      if constexpr (Space::kOffers.one_key) best_of_node_[item.node] = item.score;
      items.push_back(item);
    }
  }
  // Brings together the items of each node of a group.
  void by_node(uint32_t first) {
    const auto begin = items.begin() + first;
    const bool is_one =
        std::all_of(begin, items.end(), [&](const Item& item) { return item.node == begin->node; });
    if (!is_one) {
      if (options_.per_class > 1)
        std::stable_sort(merged_.begin() + first, merged_.end(),
                         [](const auto& x, const auto& y) { return x[0].node < y[0].node; });
      std::stable_sort(begin, items.end(), [](const Item& x, const Item& y) { return x.node < y.node; });
    }
    for (uint32_t i = first; i < items.size(); ++i) {
      NodeItems& its = of_node_[items[i].node];
      if (its.empty()) its.first = i;
      ++its.count;
    }
  }

  SearchOptions options_;
  bool gold_only_;
  double combinations_ = 0;  // of exact search so far
  uint64_t kept_items_ = 0;
  PlacesByKey known_;
  uint32_t width_ = 0;  // as wide as was asked for, or wider where that left nothing
  Pulse pulse_;
  std::vector<NodeItems> of_node_;
  // The score of the only item of a node, where all its items have one key; kNothing where there is none.
  std::vector<double> best_of_node_;
  std::vector<std::vector<Item>> merged_;
  std::vector<Item> found_;
  std::vector<Asked> asked_;
  std::vector<uint32_t> heap_;  // numbers of asked_
  std::vector<uint32_t> last_of_grid_, order_;
};

}  // namespace structron
