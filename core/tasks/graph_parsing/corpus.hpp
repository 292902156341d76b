// Sentences for graph-based parsing as integers, with their trees.
#pragma once
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "table.hpp"
#include "tasks/graph_parsing/program.hpp"
#include "tasks/parsing/corpus.hpp"

namespace structron {

class GraphCorpus {
 public:
  // Trees with crossing arcs are refused, unless the search can build them.
  GraphCorpus(const GraphProgram& program, uint32_t labels, bool single_root, bool crossing = false)
      : program_(program),
        lexicons_(program),
        labels_(labels),
        single_root_(single_root),
        crossing_(crossing) {}

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
    if (!crossing_ && !is_projective(heads, n))
      throw std::invalid_argument("the tree has crossing arcs; lift them");
    if (single_root_ && std::count(heads, heads + n, 0) > 1)
      throw std::invalid_argument("the tree has more than one root");
    begin_.push_back(first + n);
  }
  void drop_sentence() {
    const uint32_t first = begin_.back();
    heads_.resize(first);
    names_.resize(first);
    values_.resize((static_cast<size_t>(first) + sentences()) * lexicons_.slots());
  }

 private:
  const GraphProgram& program_;
  ParseLexicons lexicons_;
  uint32_t labels_;
  bool single_root_, crossing_;
  std::vector<Key> values_;  // [sentence][its root, then its tokens][slot]
  std::vector<uint16_t> heads_, names_;
  std::vector<uint32_t> begin_{0};
};

}  // namespace structron
