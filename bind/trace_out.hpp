// A watched search as plain arrays, for structron.reference.Trace and for `show`.
#pragma once
#include <cmath>
#include <vector>

#include "bind.hpp"
#include "search/forest/watched_forest.hpp"
#include "search/one_bin.hpp"
#include "search/watched.hpp"
#include "search/watched_classes.hpp"

// What update methods read.
inline void put_bins(const structron::Bins& bins, nb::dict& out) {
  out["best_score"] = numpy_of(std::vector<double>(bins.best_score));
  out["gold_score"] = numpy_of(std::vector<double>(bins.gold_score));
  out["gold_in_beam"] = numpy_of(std::vector<uint8_t>(bins.gold_in_beam));
  out["best_is_gold"] = numpy_of(std::vector<uint8_t>(bins.best_is_gold));
}

// A watched search as plain arrays; `paths` has the actions that lead to each item, where parents alone do
// not tell.
template <class Search>
nb::dict trace_out(const structron::Watched<Search>& w, typename Search::Space& space) {
  using namespace structron;
  typename Watched<Search>::Derivation moves;
  const auto actions_of = [&moves] {
    nb::list actions;
    for (const auto& m : moves) actions.append(m.action);
    return actions;
  };
  std::vector<uint32_t> begin, end, parent, action;
  std::vector<double> score;
  std::vector<uint8_t> good;
  for (const auto& row : w.free.rows) {
    begin.push_back(row.begin);
    end.push_back(row.end);
  }
  for (const auto& i : w.free.items) {
    score.push_back(i.score);
    parent.push_back(i.parent);
    action.push_back(i.action);
    good.push_back(i.good);
  }
  // The gold side: bin by bin the best gold path's actions.
  nb::list gold_paths;
  for (int bin = 0; bin < w.bins.size(); ++bin) {
    if (!w.bins.has_gold(bin)) {
      gold_paths.append(nb::none());
      continue;
    }
    w.gold(space, bin, moves);
    gold_paths.append(actions_of());
  }
  nb::dict out;
  out["begin"] = numpy_of(std::move(begin));
  out["end"] = numpy_of(std::move(end));
  out["score"] = numpy_of(std::move(score));
  out["parent"] = numpy_of(std::move(parent));
  out["action"] = numpy_of(std::move(action));
  out["good"] = numpy_of(std::move(good));
  put_bins(w.bins, out);
  out["gold_paths"] = gold_paths;
  if constexpr (!Search::kParentsTell) {
    nb::list paths;
    for (uint32_t i = 0; i < w.free.items.size(); ++i) {
      w.free.path(space, i, moves);
      paths.append(actions_of());
    }
    out["paths"] = paths;
  }
  return out;
}

// Of a beam that is compared class by class, what update methods read, and the actions of the best items.
template <class Search>
nb::dict trace_out(const structron::WatchedClasses<Search>& w, typename Search::Space& space) {
  typename structron::WatchedClasses<Search>::Derivation moves;
  nb::list best, gold;
  for (int bin = 0; bin < w.bins.size(); ++bin) {
    nb::list guessed, right;
    if (!std::isnan(w.bins.best_score[bin])) {
      w.best(space, bin, moves);
      for (const auto& m : moves) guessed.append(m.action);
    }
    w.gold(space, bin, moves);
    for (const auto& m : moves) right.append(m.action);
    best.append(guessed);
    gold.append(right);
  }
  nb::dict out;
  put_bins(w.bins, out);
  out["best_paths"] = best;
  out["gold_paths"] = gold;
  return out;
}

// The items of each node: (score, gain, action, tails as (node, rank), state, good).
template <class Search>
nb::list forest_items(const Search& search) {
  nb::list nodes;
  for (uint32_t node = 0; node < search.nodes(); ++node) {
    nb::list items;
    const structron::NodeItems found = search.of_node(node);
    for (uint32_t rank = 0; rank < found.size(); ++rank) {
      const auto& item = search.items[found[rank]];
      nb::list tails;
      for (uint32_t k = 0; k < item.edge.arity; ++k) {
        const auto& tail = search.items[item.tails[k]];
        tails.append(nb::make_tuple(tail.node, tail.rank));
      }
      items.append(nb::make_tuple(item.score, item.gain, item.edge.action, tails, item.state, item.good));
    }
    nodes.append(items);
  }
  return nodes;
}

// Where the items of each node stand in their group.
template <class Search>
nb::list forest_ranks(const Search& search) {
  nb::list nodes;
  for (uint32_t node = 0; node < search.nodes(); ++node) {
    nb::list ranks;
    const structron::NodeItems found = search.of_node(node);
    for (uint32_t k = 0; k < found.size(); ++k) ranks.append(search.items[found[k]].rank);
    nodes.append(ranks);
  }
  return nodes;
}

// The same over a forest; the gold side where there may be many derivations of gold.
template <class Space>
nb::dict trace_out(const structron::WatchedForest<Space>& w, Space&) {
  nb::dict out;
  out["items"] = forest_items(w.free);
  out["ranks"] = forest_ranks(w.free);
  if constexpr (Space::kOffers.exhaustive_gold)
    if (w.bins.size() > 0) {
      out["gold_items"] = forest_items(w.gold_side());
      out["gold_ranks"] = forest_ranks(w.gold_side());
    }
  put_bins(w.bins, out);
  return out;
}

// The same of whole trees: (head, relation) of each word of the one that was found.
template <class Search>
nb::dict trace_out(const structron::OneBin<Search>& w, typename Search::Space&) {
  nb::list words;
  for (size_t m = 1; m < w.free.found.size(); ++m)
    words.append(nb::make_tuple(w.free.found[m].head, w.free.found[m].label));
  nb::dict out;
  out["words"] = words;
  put_bins(w.bins, out);
  return out;
}

// The search of one example from its start, watched if there is gold.
template <class Watched>
nb::dict watched_out(typename Watched::Space& space, const structron::SearchOptions& options, bool has_gold) {
  Watched w(options);
  w.run(space, has_gold);
  return trace_out(w, space);
}
