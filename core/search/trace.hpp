// What a watched search leaves behind, as plain arrays that know nothing of its space.
#pragma once
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "search/bins.hpp"
#include "search/forest/watched_forest.hpp"
#include "search/one_bin.hpp"
#include "search/search_options.hpp"
#include "search/watched.hpp"
#include "search/watched_classes.hpp"

namespace structron {

using ActionPath = std::vector<uint32_t>;

// The items of all rows, one after the other, and the actions of the best gold path of each bin.
struct SequenceTrace {
  std::vector<uint32_t> begin, end, parent, action;
  std::vector<double> score;
  std::vector<uint8_t> good;
  std::vector<std::optional<ActionPath>> gold_paths;
  std::optional<std::vector<ActionPath>> paths;  // of each item, where parents alone do not tell
};
// Of a beam that is compared class by class: the actions of the best items, bin by bin.
struct ClassTrace {
  std::vector<ActionPath> best_paths, gold_paths;
};
struct ForestTraceItem {
  double score, gain;
  uint32_t action;
  std::vector<std::pair<uint32_t, uint32_t>> tails;  // (node, rank)
  uint64_t state;
  bool good;
};
// The items of each node, and where they stand in their group.
struct ForestSide {
  std::vector<std::vector<ForestTraceItem>> items;
  std::vector<std::vector<uint32_t>> ranks;
};
struct ForestTrace {
  ForestSide free;
  std::optional<ForestSide> gold;  // where there may be many derivations of gold
};
// (head, relation) of each word of the tree that was found.
struct TreeTrace {
  std::vector<std::pair<uint32_t, uint32_t>> words;
};

// What update methods read, and what there is besides: one of the four.
struct Trace {
  Bins bins;
  std::optional<SequenceTrace> sequence = {};
  std::optional<ClassTrace> classes = {};
  std::optional<ForestTrace> forest = {};
  std::optional<TreeTrace> tree = {};
};

template <class Moves>
ActionPath actions_of(const Moves& moves) {
  ActionPath actions;
  for (const auto& m : moves) actions.push_back(m.action);
  return actions;
}

template <class Search>
Trace trace_of(const Watched<Search>& w, typename Search::Space& space) {
  typename Watched<Search>::Derivation moves;
  SequenceTrace out;
  for (const auto& row : w.free.rows) {
    out.begin.push_back(row.begin);
    out.end.push_back(row.end);
  }
  for (const auto& i : w.free.items) {
    out.score.push_back(i.score);
    out.parent.push_back(i.parent);
    out.action.push_back(i.action);
    out.good.push_back(i.good);
  }
  for (int bin = 0; bin < w.bins.size(); ++bin) {
    std::optional<ActionPath>& path = out.gold_paths.emplace_back();
    if (!w.bins.has_gold(bin)) continue;
    w.gold(space, bin, moves);
    path = actions_of(moves);
  }
  if constexpr (!Search::kParentsTell) {
    out.paths.emplace();
    for (uint32_t i = 0; i < w.free.items.size(); ++i) {
      w.free.path(space, i, moves);
      out.paths->push_back(actions_of(moves));
    }
  }
  return {.bins = w.bins, .sequence = std::move(out)};
}

template <class Search>
Trace trace_of(const WatchedClasses<Search>& w, typename Search::Space& space) {
  typename WatchedClasses<Search>::Derivation moves;
  ClassTrace out;
  for (int bin = 0; bin < w.bins.size(); ++bin) {
    moves.clear();
    if (!std::isnan(w.bins.best_score[bin])) w.best(space, bin, moves);
    out.best_paths.push_back(actions_of(moves));
    w.gold(space, bin, moves);
    out.gold_paths.push_back(actions_of(moves));
  }
  return {.bins = w.bins, .classes = std::move(out)};
}

template <class Search>
ForestSide side_of(const Search& search) {
  ForestSide out;
  for (uint32_t node = 0; node < search.nodes(); ++node) {
    auto& items = out.items.emplace_back();
    auto& ranks = out.ranks.emplace_back();
    const NodeItems found = search.of_node(node);
    for (uint32_t k = 0; k < found.size(); ++k) {
      const auto& item = search.items[found[k]];
      items.push_back({item.score, item.gain, item.edge.action, {}, item.state, item.good});
      for (uint32_t tail = 0; tail < item.edge.arity; ++tail)
        items.back().tails.emplace_back(search.items[item.tails[tail]].node,
                                        search.items[item.tails[tail]].rank);
      ranks.push_back(item.rank);
    }
  }
  return out;
}

template <class Space>
Trace trace_of(const WatchedForest<Space>& w, Space&) {
  ForestTrace out{side_of(w.free), {}};
  if constexpr (Space::kOffers.exhaustive_gold)
    if (w.bins.size() > 0) out.gold = side_of(w.gold_side());
  return {.bins = w.bins, .forest = std::move(out)};
}

template <class Search>
Trace trace_of(const OneBin<Search>& w, typename Search::Space&) {
  TreeTrace out;
  for (size_t m = 1; m < w.free.found.size(); ++m)
    out.words.emplace_back(w.free.found[m].head, w.free.found[m].label);
  return {.bins = w.bins, .tree = std::move(out)};
}

// The search of one input from its start, watched if there is gold.
template <class Watched>
Trace traced(typename Watched::Space& space, const SearchOptions& options, bool has_gold) {
  Watched w(options);
  w.run(space, has_gold);
  return trace_of(w, space);
}

}  // namespace structron
