// How large the chart of a question would be, before it is built.
#pragma once
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/forest/forest_search.hpp"
#include "search/refusal.hpp"
#include "tasks/semantics/grammar.hpp"

namespace structron {

class ChartBound {
 public:
  explicit ChartBound(const SemanticGrammar& grammar) : grammar_(grammar) {
    for (uint32_t p = 0; p < grammar.size(); ++p) {
      if (!grammar[p].spoken) continue;
      for (const auto& types : grammar[p].slots)
        for (uint32_t type : types) ++slots_of_[type];
    }
    for (uint32_t p = 0; p < grammar.size(); ++p)
      if (grammar[p].spoken) add(p, spoken_);
  }

  // Refuses a question whose chart would take too much memory or too long. The k best forms keep every way
  // to build a node.
  void check(const Question& question, bool all_ways) const {
    const Size size = size_of(question, all_ways);
    if (size.bytes <= kMostBytes && size.edges <= kMostEdges) return;
    const std::string what = (all_ways ? "the chart of the k best forms of " : "the chart of ") +
                             std::to_string(question.length());
    if (size.bytes > kMostBytes)
      throw ChartTooLarge(what + " words would take " +
                          std::to_string(static_cast<uint64_t>(size.bytes / kGiB)) +
                          " GiB of memory for each thread");
    throw ChartTooLarge(what + " words would have " +
                        std::to_string(static_cast<uint64_t>(size.edges / 1e9)) +
                        " billion edges, which takes too long");
  }

 private:
  struct Size {
    double bytes, edges;
  };
  // Of one span: its nodes, their edges, and those edges that there are once for each place to split it.
  struct Span {
    double nodes = 0, edges = 0, splits = 0;
  };
  static constexpr double kGiB = 1024.0 * 1024 * 1024, kMostBytes = kGiB, kMostEdges = 4e9;
  // An item is copied while a list of them grows; beside it are its place in the list, that of gold, and what
  // updates read.
  static constexpr double kItem = sizeof(ForestItem<uint32_t>), kNode = 1.5 * kItem + 40, kWay = 1.5 * kItem;

  void add(uint32_t p, Span& span) const {
    const uint32_t arity = grammar_.arity(p), levels = arity == 1 ? grammar_.chain() + 1 : 1;
    const uint32_t open = arity == 0 ? 0 : arity < 3 ? arity + 1 : arity;
    span.nodes += 1 + levels + arity + open;
    const auto found = slots_of_.find(grammar_[p].type);
    // Each slot that takes it, at every level; and what a chain of productions adds to its levels.
    const double taken = found == slots_of_.end() ? 0 : found->second;
    span.edges += 2 + levels + 2 * open + 2 * taken * levels;
    span.splits += arity == 2 ? 4 : arity;
  }
  Size size_of(const Question& question, bool all_ways) const {
    Span span = spoken_;
    std::vector<uint32_t> named;
    for (const NamedSpan& name : question.names)
      if (!grammar_[name.production].spoken) named.push_back(name.production);
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end()), named.end());
    for (uint32_t p : named) add(p, span);
    const double n = question.length(), spans = n * (n + 1) / 2;
    const double edges = spans * span.edges + span.splits * (n * n * n - n) / 6;
    return {spans * span.nodes * kNode + (all_ways ? edges * kWay : 0), edges};
  }

  const SemanticGrammar& grammar_;
  std::unordered_map<uint32_t, uint32_t> slots_of_;  // how many slots take a type
  Span spoken_;
};

}  // namespace structron
