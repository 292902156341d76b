// Sentences for graph-based parsing as integers, with their trees and the arcs that a pruner leaves.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tasks/graph_parsing/parts.hpp"
#include "tasks/graph_parsing/pruner.hpp"
#include "tasks/parsing/corpus.hpp"
#include "util/counting.hpp"
#include "weights/table.hpp"

namespace structron {

// How much a pruner leaves, and how much of what it should.
struct PruningCounts {
  uint64_t arcs = 0, gold = 0;
};

class GraphCorpus {
 public:
  // The pruner may be null. Trees with crossing arcs are refused, unless the search can build them.
  GraphCorpus(const GraphProgram& program, uint32_t labels, bool single_root, int bits,
              const GraphPruner* pruner, bool crossing = false)
      : program_(program),
        lexicons_(program),
        labels_(labels),
        single_root_(single_root),
        crossing_(crossing),
        bits_(checked_bits(bits)) {
    if (pruner != nullptr) pruning_.emplace(program, *pruner);
  }

  const GraphProgram& program() const { return program_; }
  uint32_t labels() const { return labels_; }
  bool single_root() const { return single_root_; }
  bool crossing() const { return crossing_; }
  uint32_t sentences() const { return static_cast<uint32_t>(begin_.size()) - 1; }
  uint64_t tokens() const { return heads_.size(); }
  uint32_t length(uint32_t s) const { return begin_[s + 1] - begin_[s]; }
  ParseWords words(uint32_t s) const {
    return {values_.data() + (static_cast<size_t>(begin_[s]) + s) * lexicons_.slots(), lexicons_.slots()};
  }
  // Those that the pruner leaves, and the gold ones; without a pruner none, for all.
  std::span<const PossibleArc> arcs(uint32_t s) const {
    if (!pruning_) return {};
    return {arcs_.data() + arcs_begin_[s], arcs_begin_[s + 1] - arcs_begin_[s]};
  }
  // Whether of some tree not all is known.
  bool is_partial() const { return is_partial_; }
  const PruningCounts& pruned() const { return pruned_; }
  void gold(uint32_t s, GoldTree& tree) const {
    tree.set(heads_.data() + begin_[s], names_.data() + begin_[s], length(s), false);
  }
  ParseLexicons& lexicons() { return lexicons_; }

  void open_sentence() { lexicons_.put_boundary(values_); }
  void close_token(uint16_t head, uint16_t label) {
    lexicons_.put(values_);
    heads_.push_back(head);
    names_.push_back(label);
  }
  void close_sentence() {
    const uint32_t first = begin_.back(), n = static_cast<uint32_t>(heads_.size()) - first;
    const uint16_t* heads = heads_.data() + first;
    check_tree(heads, n);
    const bool is_partial = std::count(heads, heads + n, kUnknown) > 0 ||
                            std::count(names_.begin() + first, names_.end(), kUnknown) > 0;
    is_partial_ |= is_partial;
    if (!is_partial && !crossing_ && !is_projective(heads, n))
      throw std::invalid_argument("the tree has crossing arcs; lift them");
    if (is_partial && !crossing_) check_known(heads, n);
    if (single_root_ && std::count(heads, heads + n, 0) > 1)
      throw std::invalid_argument("the tree has more than one root");
    begin_.push_back(first + n);
    if (pruning_) keep_arcs(heads, n);
  }
  void drop_sentence() {
    const uint32_t first = begin_.back();
    heads_.resize(first);
    names_.resize(first);
    values_.resize((static_cast<size_t>(first) + sentences()) * lexicons_.slots());
  }

  // How often each feature is seen in the gold trees.
  Sightings counts() {
    const GraphParts parts(program_);
    GraphKeys keys_of(program_);
    Counting counting;
    std::vector<Key> keys;
    std::vector<ArcChoice> tree;
    for (uint32_t s = 0; s < sentences(); ++s) {
      keys_of.sentence(words(s), length(s));
      tree.assign(1, {});
      for (uint32_t i = begin_[s]; i < begin_[s + 1]; ++i)
        tree.push_back(heads_[i] == kUnknown || names_[i] == kUnknown ? ArcChoice{}
                                                                      : ArcChoice{heads_[i], names_[i]});
      keys.clear();
      parts.each(
          tree, [&](uint32_t h, uint32_t m, uint32_t) { keys_of.arc(h, m, keys); },
          [&](PartKind kind, const GraphPart& part) { keys_of.other(kind, part, keys); });
      for (Key key : keys) counting.see(fold(key, bits_));
    }
    return std::move(counting).give();
  }
  // Only these features can be learned from now on.
  void keep(std::span<const Key> keys) {
    open_ = Table();
    for (Key key : keys) open_.intern(key, 0);
    cut_ = true;
  }
  // The features that can be learned; null: all.
  const Table* open() const { return cut_ ? &open_ : nullptr; }

 private:
  // Some projective tree must agree with the heads that are known.
  void check_known(const uint16_t* heads, uint32_t n) {
    if (!TreeExists()(n, single_root_, heads))
      throw std::invalid_argument("no projective tree agrees with what is known");
  }
  void keep_arcs(const uint16_t* heads, uint32_t n) {
    pruning_->choose(words(sentences() - 1), n, chosen_);
    pruned_.arcs += chosen_.size();
    size_t at = 0;
    for (uint32_t m = 1; m <= n; ++m) {
      bool has_gold = false;
      for (; at < chosen_.size() && chosen_[at].modifier == m; ++at) {
        has_gold |= chosen_[at].head == heads[m - 1];
        arcs_.push_back(chosen_[at]);
      }
      if (heads[m - 1] == kUnknown) continue;
      if (!has_gold) arcs_.push_back({heads[m - 1], static_cast<uint16_t>(m)});
      pruned_.gold += has_gold;
    }
    arcs_begin_.push_back(arcs_.size());
  }

  const GraphProgram& program_;
  ParseLexicons lexicons_;
  uint32_t labels_;
  bool single_root_, crossing_, is_partial_ = false;
  int bits_;
  std::optional<GraphPruning> pruning_;
  PruningCounts pruned_;
  std::vector<PossibleArc> chosen_, arcs_;
  std::vector<size_t> arcs_begin_{0};
  std::vector<Key> values_;  // [sentence][its root, then its tokens][slot]
  std::vector<uint16_t> heads_, names_;
  std::vector<uint32_t> begin_{0};
  bool cut_ = false;
  Table open_;
};

}  // namespace structron
