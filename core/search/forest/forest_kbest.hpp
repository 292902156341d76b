// The k best derivations of a node of a forest, lazily (Huang & Chiang 2005, Algorithm 3).
// structron/reference/forest/forest_kbest.py::kbest is the definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <set>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "search/forest/forest_search.hpp"
#include "util/interrupt.hpp"

namespace structron {

// Of derivations that say the same, all are wanted.
struct AnyOutput {
  static constexpr bool kTells = false;
};

// The search must have kept what it merged. An Output that tells gives Value and of(use, values of the
// tails): what is said so far; then of the derivations of an item that say the same the best alone is found.
template <class Search, class Output = AnyOutput>
class ForestKBest {
 public:
  using State = typename Search::State;
  using Ranks = std::array<uint32_t, kMostTails>;

  explicit ForestKBest(const Search& search, Output output = {}) : search_(search), output_(output) {}

  // f(uses, score) for the k best derivations of a node, best first; one that gives false has seen enough.
  template <class F>
  void each(uint32_t node, uint32_t k, F&& f) {
    const NodeItems items = search_.of_node(node);
    std::vector<Next> heap;
    const auto later = [](const Next& x, const Next& y) {
      return x.score != y.score ? x.score < y.score : x.place != y.place ? x.place > y.place : x.n > y.n;
    };
    const auto offer = [&](uint32_t place, uint32_t n) {
      double score;
      if (!find(items[place], n, score)) return;
      heap.push_back({score, place, n});
      std::push_heap(heap.begin(), heap.end(), later);
    };
    for (uint32_t place = 0; place < items.size(); ++place) offer(place, 0);
    std::vector<Use<State>> uses;
    for (uint32_t found = 0; found < k && !heap.empty(); ++found) {
      std::pop_heap(heap.begin(), heap.end(), later);
      const Next next = heap.back();
      heap.pop_back();
      uses.clear();
      tree(items[next.place], next.n, uses);
      if constexpr (std::is_same_v<decltype(f(uses, next.score)), bool>) {
        if (!f(uses, next.score)) return;
      } else {
        f(uses, next.score);
      }
      offer(next.place, next.n + 1);
    }
  }

 private:
  struct Next {
    double score;
    uint32_t place, n;
  };
  // A derivation of an item: which way to build it, and which derivations of its tails.
  struct Ranked {
    double score;
    uint32_t way;
    Ranks ranks;
  };
  struct NoOutput {
    using Value = uint8_t;
  };
  using Value = typename std::conditional_t<Output::kTells, Output, NoOutput>::Value;
  struct Derived {
    std::vector<Ranked> found, heap;
    std::vector<Value> said;  // of those that were found
    std::set<Value> known;
    std::set<std::pair<uint32_t, Ranks>> asked;
  };

  static bool later(const Ranked& x, const Ranked& y) {
    if (x.score != y.score) return x.score < y.score;
    return x.way != y.way ? x.way > y.way : x.ranks > y.ranks;
  }

  // The score of the n-th best derivation of an item, from 0; false if there are fewer.
  bool find(uint32_t item, uint32_t n, double& score) {
    const auto [at, is_new] = derived_.try_emplace(item);
    if (is_new)
      for (uint32_t way = 0; way < search_.merged(item).size(); ++way) offer(item, way, {});
    for (;;) {
      Derived& d = derived_[item];
      if (d.found.size() > n || d.heap.empty()) break;
      std::pop_heap(d.heap.begin(), d.heap.end(), later);
      const Ranked best = d.heap.back();
      d.heap.pop_back();
      if constexpr (Output::kTells) {
        const Value said = said_by(item, best);
        Derived& own = derived_[item];
        if (own.known.insert(said).second) {
          own.found.push_back(best);
          own.said.push_back(said);
        }
      } else {
        d.found.push_back(best);
      }
      for (uint32_t k = 0; k < search_.merged(item)[best.way].edge.arity; ++k) {
        Ranks next = best.ranks;
        ++next[k];
        offer(item, best.way, next);
      }
    }
    const Derived& d = derived_[item];
    if (d.found.size() <= n) return false;
    score = d.found[n].score;
    return true;
  }
  void offer(uint32_t item, uint32_t way, const Ranks& ranks) {
    pulse_();
    if (!derived_[item].asked.insert({way, ranks}).second) return;
    const auto& made = search_.merged(item)[way];
    double score = made.gain, below;
    for (uint32_t k = 0; k < made.edge.arity; ++k) {
      if (!find(made.tails[k], ranks[k], below)) return;
      score += below;
    }
    std::vector<Ranked>& heap = derived_[item].heap;
    heap.push_back({score, way, ranks});
    std::push_heap(heap.begin(), heap.end(), later);
  }
  Value said_by(uint32_t item, const Ranked& ranked) {
    const auto& made = search_.merged(item)[ranked.way];
    std::array<Value, kMostTails> said{};
    for (uint32_t k = 0; k < made.edge.arity; ++k) said[k] = derived_[made.tails[k]].said[ranked.ranks[k]];
    return output_.of(Use<State>{made.node, made.edge, search_.states_of(made)}, said);
  }
  void tree(uint32_t item, uint32_t n, std::vector<Use<State>>& uses) {
    const Ranked ranked = derived_[item].found[n];
    const auto& made = search_.merged(item)[ranked.way];
    for (uint32_t k = 0; k < made.edge.arity; ++k) tree(made.tails[k], ranked.ranks[k], uses);
    uses.push_back({made.node, made.edge, search_.states_of(made)});
  }

  const Search& search_;
  Output output_;
  std::unordered_map<uint32_t, Derived> derived_;
  Pulse pulse_;
};

}  // namespace structron
