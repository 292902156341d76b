// A watched search as plain arrays, for structron.reference.Trace and for `show`.
#pragma once
#include <vector>

#include "bind.hpp"
#include "trace.hpp"

// The actions that lead to each item, where its parents alone do not tell.
template <structron::HasOwnSearch Space>
nb::list paths_out(const structron::Watched<Space>& w, Space& space) {
  nb::list paths;
  std::vector<structron::Move<typename Space::State>> moves;
  for (uint32_t i = 0; i < w.free.items.size(); ++i) {
    w.free.path(space, i, moves);
    nb::list actions;
    for (const auto& m : moves) actions.append(m.action);
    paths.append(actions);
  }
  return paths;
}

template <class Space>
nb::dict trace_out(const structron::Watched<Space>& w) {
  using namespace structron;
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
  // The gold side: row by row the best gold path's actions.
  nb::list gold_paths;
  std::vector<Move<typename Space::State>> moves;
  for (int s = 0; s < w.trace.steps(); ++s) {
    if (std::isnan(w.trace.gold_score[s])) {
      gold_paths.append(nb::none());
      continue;
    }
    w.gold_path(s, moves);
    nb::list actions;
    for (const auto& m : moves) actions.append(m.action);
    gold_paths.append(actions);
  }
  nb::dict out;
  out["begin"] = numpy_of(std::move(begin));
  out["end"] = numpy_of(std::move(end));
  out["score"] = numpy_of(std::move(score));
  out["parent"] = numpy_of(std::move(parent));
  out["action"] = numpy_of(std::move(action));
  out["good"] = numpy_of(std::move(good));
  out["best_score"] = numpy_of(std::vector<double>(w.trace.best_score));
  out["gold_score"] = numpy_of(std::vector<double>(w.trace.gold_score));
  out["gold_in_beam"] = numpy_of(std::vector<uint8_t>(w.trace.gold_in_beam));
  out["best_is_gold"] = numpy_of(std::vector<uint8_t>(w.trace.best_is_gold));
  out["gold_paths"] = gold_paths;
  return out;
}
