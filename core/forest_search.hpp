// Search over a forest, bottom-up: inside-Viterbi, or with a width cube pruning.
// structron/reference/forest.py is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "forest_space.hpp"
#include "hash.hpp"
#include "search_options.hpp"

namespace structron {

// A way to build a node.
template <class State>
struct ForestItem {
  double score;
  float gain;  // of the last edge; with the scores of the tails it is the score
  bool good;   // all its uses of edges are gold
  uint32_t node, rank;
  ForestEdge edge;
  std::array<uint32_t, kMostTails> tails;  // indices among the items
  State state;
};

template <ForestSpace AnySpace>
class ForestSearch {
 public:
  using Space = AnySpace;
  using State = typename Space::State;
  using Item = ForestItem<State>;

  std::vector<Item> items;  // group by group, best first

  // With options.per_class > 1 the ways that were merged into an item stay with it, for the k best.
  explicit ForestSearch(SearchOptions options, bool gold_only = false)
      : options_(options), gold_only_(gold_only) {}

  const SearchOptions& options() const { return options_; }
  static SearchOptions kbest_options(SearchOptions options, uint32_t k) {
    options.per_class = std::max(2u, k);
    return options;
  }
  uint32_t nodes() const { return static_cast<uint32_t>(of_node_.size()); }
  // The items of a node, best first, as indices.
  const std::vector<uint32_t>& of_node(uint32_t node) const { return of_node_[node]; }
  // All ways to build an item that were found, itself the first.
  const std::vector<Item>& merged(uint32_t item) const { return merged_[item]; }

  void run(Space& space) {
    items.clear();
    merged_.clear();
    of_node_.assign(space.nodes(), {});
    for (uint32_t node = 0, after; node < of_node_.size(); node = after) {
      for (after = node + 1; after < of_node_.size() && space.group(after) == space.group(node);) ++after;
      found_.clear();
      for (uint32_t each = node; each < after; ++each)
        options_.width == 0 ? combine_all(space, each) : open_cubes(space, each);
      if (options_.width != 0) pop_cubes(space);
      close_group(space);
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

  void combine_all(Space& space, uint32_t node) {
    space.each_edge(node, [&](const ForestEdge& edge) {
      Ranks ranks{};
      for (uint32_t k = 0; k < edge.arity; ++k)
        if (of_node_[edge.tails[k]].empty()) return;
      for (;;) {
        Item made{};
        if (joined(space, node, edge, ranks, made)) found_.push_back(made);
        uint32_t k = edge.arity;
        while (k > 0 && ++ranks[k - 1] == of_node_[edge.tails[k - 1]].size()) ranks[--k] = 0;
        if (k == 0) return;
      }
    });
  }

  // A combination that waits in the heap; its grid is that of one edge.
  struct Waiting {
    Item item;
    Ranks ranks;
    uint32_t grid;
  };

  void open_cubes(Space& space, uint32_t node) {
    space.each_edge(node, [&](const ForestEdge& edge) {
      const uint32_t grid = grids_++;
      // With one tail there is no cube: all its items are looked at, as in a beam.
      const size_t corners = edge.arity == 1 ? of_node_[edge.tails[0]].size() : 1;
      for (uint32_t k = 0; k < corners; ++k) offer(space, node, edge, {k}, grid);
    });
  }
  // Puts a combination into the heap; where it does not fit, its neighbours in its place.
  void offer(Space& space, uint32_t node, const ForestEdge& edge, Ranks ranks, uint32_t grid) {
    for (uint32_t k = 0; k < edge.arity; ++k)
      if (ranks[k] >= of_node_[edge.tails[k]].size()) return;
    Key name = grid;
    for (uint32_t k = 0; k < edge.arity; ++k) name = combine(name, ranks[k]);
    if (!asked_.insert(name).second) return;
    Waiting waiting{{}, ranks, grid};
    if (!joined(space, node, edge, ranks, waiting.item)) return neighbours(space, node, edge, ranks, grid);
    heap_.push_back(waiting);
    std::push_heap(heap_.begin(), heap_.end(), worse());
  }
  void neighbours(Space& space, uint32_t node, const ForestEdge& edge, const Ranks& ranks, uint32_t grid) {
    for (uint32_t k = 0; k < edge.arity; ++k) {
      Ranks next = ranks;
      ++next[k];
      offer(space, node, edge, next, grid);
    }
  }
  auto worse() const {
    return [this](const Waiting& x, const Waiting& y) { return is_better(y.item, x.item); };
  }
  // The best of the heap, until so many different keys are there.
  void pop_cubes(Space& space) {
    keys_.clear();
    while (!heap_.empty() && keys_.size() < options_.width) {
      std::pop_heap(heap_.begin(), heap_.end(), worse());
      const Waiting best = heap_.back();
      heap_.pop_back();
      keys_.insert(key_of(space, best.item));
      found_.push_back(best.item);
      neighbours(space, best.item.node, best.item.edge, best.ranks, best.grid);
    }
    heap_.clear();
    asked_.clear();
    grids_ = 0;
  }

  static Key key_of(Space& space, const Item& item) {
    return combine(item.node + Key{1}, space.merge_key(item.state));
  }

  // Of items with equal keys the best stays; the group keeps so many.
  void close_group(Space& space) {
    std::sort(found_.begin(), found_.end(), [this](const Item& x, const Item& y) { return is_better(x, y); });
    places_.clear();
    const uint32_t first = static_cast<uint32_t>(items.size());
    for (Item& item : found_) {
      const Key key = key_of(space, item);
      const auto known = std::find(places_.begin(), places_.end(), key);
      const uint32_t rank = static_cast<uint32_t>(known - places_.begin());
      if (known == places_.end()) {
        if (options_.width != 0 && places_.size() == options_.width) continue;
        places_.push_back(key);
        item.rank = rank;
        of_node_[item.node].push_back(static_cast<uint32_t>(items.size()));
        items.push_back(item);
        if (options_.per_class > 1) merged_.emplace_back();
      }
      if (options_.per_class > 1) merged_[first + rank].push_back(item);
    }
  }

  SearchOptions options_;
  bool gold_only_;
  std::vector<std::vector<uint32_t>> of_node_;
  std::vector<std::vector<Item>> merged_;
  std::vector<Item> found_;
  std::vector<Waiting> heap_;
  std::unordered_set<Key> asked_, keys_;
  std::vector<Key> places_;
  uint32_t grids_ = 0;
};

}  // namespace structron
