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
  // Those of an item of which more than the best is wanted.
  struct Derived {
    std::vector<Ranked> found, heap;
    std::vector<Value> said;  // of those that were found
    std::set<Value> known;
    Ranked last;  // that was taken from the heap; what comes after it is not in the heap yet
    bool is_followed = false;
  };

  static bool later(const Ranked& x, const Ranked& y) {
    if (x.score != y.score) return x.score < y.score;
    return x.way != y.way ? x.way > y.way : x.ranks > y.ranks;
  }

  // The best of an item is known from the search: it is the first way, with the best of its tails.
  Derived& derived(uint32_t item) {
    const auto [at, is_new] = derived_.try_emplace(item);
    Derived& d = at->second;
    if (!is_new) return d;
    const auto& ways = search_.merged(item);
    d.last = {ways[0].score, 0, {}};
    d.found.push_back(d.last);
    for (uint32_t way = 1; way < ways.size(); ++way) {
      pulse_();
      d.heap.push_back({ways[way].score, way, {}});
    }
    std::make_heap(d.heap.begin(), d.heap.end(), later);
    if constexpr (Output::kTells) {
      d.said.push_back(said_by(item, d.last));
      d.known.insert(d.said[0]);
    }
    return d;
  }
  // The score of the n-th best derivation of an item, from 0; false if there are fewer.
  bool find(uint32_t item, uint32_t n, double& score) {
    if (n == 0) {
      score = search_.items[item].score;
      return true;
    }
    Derived& d = derived(item);
    while (d.found.size() <= n) {
      follow(item, d);
      if (d.heap.empty()) return false;
      std::pop_heap(d.heap.begin(), d.heap.end(), later);
      d.last = d.heap.back();
      d.heap.pop_back();
      d.is_followed = false;
      if constexpr (Output::kTells) {
        Value said = said_by(item, d.last);
        if (!d.known.insert(said).second) continue;
        d.said.push_back(std::move(said));
      }
      d.found.push_back(d.last);
    }
    score = d.found[n].score;
    return true;
  }
  // Puts what comes after the last derivation into the heap. Each has one before it: that which is one less
  // in the last of its ranks that is not 0.
  void follow(uint32_t item, Derived& d) {
    if (std::exchange(d.is_followed, true)) return;
    const Ranked last = d.last;
    for (uint32_t k = search_.merged(item)[last.way].edge.arity; k-- > 0;) {
      Ranks next = last.ranks;
      ++next[k];
      offer(item, d, last.way, next);
      if (last.ranks[k] != 0) return;
    }
  }
  void offer(uint32_t item, Derived& d, uint32_t way, const Ranks& ranks) {
    pulse_();
    const auto& made = search_.merged(item)[way];
    double score = made.gain, below;
    for (uint32_t k = 0; k < made.edge.arity; ++k) {
      if (!find(made.tails[k], ranks[k], below)) return;
      score += below;
    }
    d.heap.push_back({score, way, ranks});
    std::push_heap(d.heap.begin(), d.heap.end(), later);
  }
  Value said_by(uint32_t item, const Ranked& ranked) {
    const auto& made = search_.merged(item)[ranked.way];
    std::array<Value, kMostTails> said{};
    for (uint32_t k = 0; k < made.edge.arity; ++k) said[k] = derived(made.tails[k]).said[ranked.ranks[k]];
    return output_.of(Use<State>{made.node, made.edge, search_.states_of(made)}, said);
  }
  void tree(uint32_t item, uint32_t n, std::vector<Use<State>>& uses) {
    const Ranked ranked = n == 0 ? Ranked{0, 0, {}} : derived_[item].found[n];
    const auto& made = search_.merged(item)[ranked.way];
    for (uint32_t k = 0; k < made.edge.arity; ++k) tree(made.tails[k], ranked.ranks[k], uses);
    uses.push_back({made.node, made.edge, search_.states_of(made)});
  }

  const Search& search_;
  Output output_;
  std::unordered_map<uint32_t, Derived> derived_;  // its values stay where they are
  Pulse pulse_;
};

}  // namespace structron
