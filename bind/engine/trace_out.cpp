#include "trace_out.hpp"

using namespace structron;

namespace {

template <class T>
nb::object copied(const std::vector<T>& values) {
  return numpy_of(std::vector<T>(values));
}

nb::list path_out(const ActionPath& path) {
  nb::list actions;
  for (uint32_t action : path) actions.append(action);
  return actions;
}
nb::list paths_out(const std::vector<ActionPath>& paths) {
  nb::list all;
  for (const ActionPath& path : paths) all.append(path_out(path));
  return all;
}

void put_sequence(const SequenceTrace& trace, nb::dict& out) {
  out["begin"] = copied(trace.begin);
  out["end"] = copied(trace.end);
  out["score"] = copied(trace.score);
  out["parent"] = copied(trace.parent);
  out["action"] = copied(trace.action);
  out["good"] = copied(trace.good);
  nb::list gold_paths;
  for (const auto& path : trace.gold_paths) {
    if (path) {
      gold_paths.append(path_out(*path));
    } else {
      gold_paths.append(nb::none());
    }
  }
  out["gold_paths"] = gold_paths;
  if (trace.paths) out["paths"] = paths_out(*trace.paths);
}

// The items of each node as (score, gain, action, tails as (node, rank), state, good), and their ranks.
void put_side(const ForestSide& side, const char* items, const char* ranks, nb::dict& out) {
  nb::list all_items, all_ranks;
  for (const auto& node : side.items) {
    nb::list found;
    for (const ForestTraceItem& item : node) {
      nb::list tails;
      for (const auto& [at, rank] : item.tails) tails.append(nb::make_tuple(at, rank));
      found.append(nb::make_tuple(item.score, item.gain, item.action, tails, item.state, item.good));
    }
    all_items.append(found);
  }
  for (const auto& node : side.ranks) all_ranks.append(path_out(node));
  out[items] = all_items;
  out[ranks] = all_ranks;
}

}  // namespace

nb::dict trace_out(const Trace& trace) {
  nb::dict out;
  if (trace.sequence) put_sequence(*trace.sequence, out);
  if (trace.classes) {
    out["best_paths"] = paths_out(trace.classes->best_paths);
    out["gold_paths"] = paths_out(trace.classes->gold_paths);
  }
  if (trace.forest) {
    put_side(trace.forest->free, "items", "ranks", out);
    if (trace.forest->gold) put_side(*trace.forest->gold, "gold_items", "gold_ranks", out);
  }
  if (trace.tree) {
    nb::list words;
    for (const auto& [head, label] : trace.tree->words) words.append(nb::make_tuple(head, label));
    out["words"] = words;
  }
  // What update methods read.
  out["best_score"] = copied(trace.bins.best_score);
  out["gold_score"] = copied(trace.bins.gold_score);
  out["gold_in_beam"] = copied(trace.bins.gold_in_beam);
  out["best_is_gold"] = copied(trace.bins.best_is_gold);
  return out;
}
