// The k best outputs of all paths through a beam that keeps what it merged (Huang & Chiang 2005).
//
// Row by row every item gets its best paths, no two of which have yielded the same: what looks alike and has
// yielded the same will yield the same, so the better one is enough. Ties as everywhere: higher rank, which
// is the score with what the item expects of the rest of the way, then the earlier path, then the lower
// action.
#pragma once
#include <algorithm>
#include <cstdint>
#include <queue>
#include <set>
#include <vector>

#include "search/items.hpp"
#include "util/interrupt.hpp"

namespace structron {

// A path to an item.
struct LatticePath {
  double score, rank;
  uint32_t item, before, action;  // `before` is the path that it continues
  uint64_t output;
};

template <class Search>
class LatticeKBest {
 public:
  using Space = typename Search::Space;

  // The best paths to outputs, k at most.
  const std::vector<uint32_t>& run(Space& space, const Search& search, uint32_t k) {
    paths_.assign(1, {0.0, 0.0, 0, kRoot, 0, 0});
    first_.assign(search.items.size() + 1, 0);
    of_item_.assign(1, 0);
    first_[1] = 1;
    arcs_.assign(search.arcs().begin(), search.arcs().end());
    std::stable_sort(arcs_.begin(), arcs_.end(),
                     [](const MergedArc& a, const MergedArc& b) { return a.item < b.item; });
    size_t arc = 0;
    for (const auto& row : search.rows) {
      const size_t begin = paths_.size();
      for (uint32_t item = row.begin; item < row.end; ++item) {
        const size_t from = arc;
        while (arc < arcs_.size() && arcs_[arc].item == item) ++arc;
        best_of(space, item, {arcs_.data() + from, arc - from}, k);
      }
      std::sort(paths_.begin() + static_cast<ptrdiff_t>(begin), paths_.end(), is_before);
      place(row.begin, row.end, begin);
    }
    collect(search, k);
    return found_;
  }
  const LatticePath& operator[](uint32_t path) const { return paths_[path]; }
  // What a path did, first things first.
  void actions(uint32_t path, std::vector<uint32_t>& found) const {
    found.clear();
    for (; paths_[path].before != kRoot; path = paths_[path].before) found.push_back(paths_[path].action);
    std::reverse(found.begin(), found.end());
  }

 private:
  struct Next {
    LatticePath path;
    uint32_t arc, rank;  // of the parent's paths, which one it continues
  };
  static bool is_before(const LatticePath& a, const LatticePath& b) {
    if (a.rank != b.rank) return a.rank > b.rank;
    return a.before != b.before ? a.before < b.before : a.action < b.action;
  }
  struct Later {
    bool operator()(const Next& a, const Next& b) const { return is_before(b.path, a.path); }
  };

  void best_of(Space& space, uint32_t item, std::span<const MergedArc> arcs, uint32_t k) {
    std::priority_queue<Next, std::vector<Next>, Later> waiting;
    const auto wait = [&](uint32_t arc, uint32_t rank) {
      const MergedArc& a = arcs[arc];
      if (first_[a.parent] + rank >= first_[a.parent + 1]) return;
      const uint32_t before = of_item_[first_[a.parent] + rank];
      const double score = paths_[before].score + static_cast<double>(a.gain);
      waiting.push({{score, score + a.future, item, before, a.action,
                     space.output_after(paths_[before].output, a.action)},
                    arc,
                    rank});
    };
    for (uint32_t arc = 0; arc < arcs.size(); ++arc) wait(arc, 0);
    std::set<uint64_t> known;
    while (!waiting.empty() && known.size() < k) {
      pulse_();
      const Next best = waiting.top();
      waiting.pop();
      if (known.insert(best.path.output).second) paths_.push_back(best.path);
      wait(best.arc, best.rank + 1);
    }
  }
  // Where the paths of each item of a row stand, in their order.
  void place(uint32_t begin, uint32_t end, size_t from) {
    std::vector<std::vector<uint32_t>> own(end - begin);
    for (size_t p = from; p < paths_.size(); ++p)
      own[paths_[p].item - begin].push_back(static_cast<uint32_t>(p));
    for (uint32_t item = begin; item < end; ++item) {
      first_[item] = static_cast<uint32_t>(of_item_.size());
      of_item_.insert(of_item_.end(), own[item - begin].begin(), own[item - begin].end());
      first_[item + 1] = static_cast<uint32_t>(of_item_.size());
    }
  }
  void collect(const Search& search, uint32_t k) {
    found_.clear();
    if (search.rows.empty()) {
      found_.push_back(0);
      return;
    }
    std::set<uint64_t> known;
    const uint32_t begin = search.rows.back().begin;
    for (uint32_t p = 0; p < paths_.size() && found_.size() < k; ++p)
      if (paths_[p].item >= begin && paths_[p].before != kRoot && known.insert(paths_[p].output).second)
        found_.push_back(p);
  }

  std::vector<LatticePath> paths_;  // row by row, best first
  std::vector<uint32_t> first_, of_item_;
  std::vector<MergedArc> arcs_;
  std::vector<uint32_t> found_;
  Pulse pulse_;
};

}  // namespace structron
