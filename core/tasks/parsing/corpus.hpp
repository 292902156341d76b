// Sentences for parsing as integers: what templates can see of each word, and the tree.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/parsing/keys.hpp"
#include "tasks/parsing/known_tree.hpp"
#include "tasks/parsing/oracle.hpp"
#include "text/lexicon.hpp"
#include "util/counting.hpp"
#include "util/interrupt.hpp"
#include "weights/table.hpp"

namespace structron {

// Words become values here, once per vocabulary entry and aspect.
class ParseLexicons {
 public:
  // Program gives slots(), columns() and clusters().
  template <class Program>
  explicit ParseLexicons(const Program& program)
      : slots_(program.slots()), lexicons_(program.columns()), used_(program.columns(), 0) {
    for (Lexicon& l : lexicons_) l.look_up(program.clusters());
    for (const auto& s : slots_) {
      at_.push_back(lexicons_[s.column].slot({s.aspect, s.length, s.column, 0}));
      used_[s.column] = 1;
    }
    ids_.resize(program.columns());
  }

  uint32_t slots() const { return static_cast<uint32_t>(slots_.size()); }
  uint32_t words() const {
    uint32_t all = 0;
    for (const Lexicon& l : lexicons_) all += l.size();
    return all;
  }
  void clear() {
    for (Lexicon& l : lexicons_) l.clear();
  }

  // A column that no template reads is not looked at.
  void read(int column, std::string_view text) {
    if (!used_[column]) return;
    ids_[column] = lexicons_[column].intern(text, [](const Word&, Key) {});
  }
  // The values of the token whose columns were read last.
  void put(std::vector<Key>& values) const {
    for (size_t s = 0; s < slots_.size(); ++s) {
      const Key v = lexicons_[slots_[s].column].value(ids_[slots_[s].column], at_[s]);
      values.push_back(v ? v : kBoundary);  // an affix that the word is too short for
    }
  }
  void put_boundary(std::vector<Key>& values) const { values.insert(values.end(), slots_.size(), kBoundary); }

 private:
  std::vector<ParseProgram::Slot> slots_;
  std::vector<size_t> at_;
  std::vector<Lexicon> lexicons_;
  std::vector<uint8_t> used_;
  std::vector<uint32_t> ids_;
};

// Whether no arcs cross, the root standing before the first word; of heads that nobody knows nothing does.
inline bool is_projective(const uint16_t* heads, uint32_t n) {
  // A word's subtree must be one span: words between a word and its head must lead to that head.
  for (uint32_t i = 1; i <= n; ++i) {
    if (heads[i - 1] == kUnknown) continue;
    const uint32_t h = heads[i - 1], from = std::min(i, h), to = std::max(i, h);
    for (uint32_t k = from + 1; k < to; ++k) {
      const uint32_t g = heads[k - 1];
      if (g != kUnknown && (g < from || g > to)) return false;
    }
  }
  return true;
}

// Every word must lead to the root, or to one whose head nobody knows.
inline void check_tree(const uint16_t* heads, uint32_t n) {
  std::vector<uint8_t> seen(n + 1, 0);  // 1: on the way, 2: leads to the root
  for (uint32_t i = 1; i <= n; ++i) {
    uint32_t at = i;
    for (; at != 0 && at != kUnknown && seen[at] == 0; at = heads[at - 1]) seen[at] = 1;
    if (at != 0 && at != kUnknown && seen[at] == 1)
      throw std::invalid_argument("token " + std::to_string(at) + " is its own ancestor");
    for (at = i; at != 0 && at != kUnknown && seen[at] == 1; at = heads[at - 1]) seen[at] = 2;
  }
}

class ParseCorpus {
 public:
  ParseCorpus(const ParseProgram& program, Transitions system, int bits)
      : program_(program),
        lexicons_(program),
        system_(std::move(system)),
        oracle_(system_, false),
        bits_(checked_bits(bits)) {}

  uint32_t sentences() const { return static_cast<uint32_t>(begin_.size()) - 1; }
  uint64_t tokens() const { return heads_.size(); }
  uint32_t length(uint32_t s) const { return begin_[s + 1] - begin_[s]; }
  ParseWords words(uint32_t s) const {
    return {values_.data() + (static_cast<size_t>(begin_[s]) + s) * lexicons_.slots(), lexicons_.slots()};
  }
  void gold(uint32_t s, GoldTree& tree) const {
    tree.set(heads_.data() + begin_[s], labels_.data() + begin_[s], length(s),
             system_.system() == System::swap);
  }
  ParseLexicons& lexicons() { return lexicons_; }
  // Whether of some tree not all is known.
  bool is_partial() const { return is_partial_; }

  void open_sentence() { lexicons_.put_boundary(values_); }
  void close_token(uint16_t head, uint16_t label) {
    lexicons_.put(values_);
    heads_.push_back(head);
    labels_.push_back(label);
  }
  // The tree must be one that the system's oracle can build.
  void close_sentence() {
    const uint32_t first = begin_.back(), n = static_cast<uint32_t>(heads_.size()) - first;
    check_tree(heads_.data() + first, n);
    tree_.set(heads_.data() + first, labels_.data() + first, n, system_.system() == System::swap);
    is_partial_ |= tree_.is_partial;
    if (tree_.is_partial) {
      check_known(n);
    } else {
      check_reachable(n);
    }
    begin_.push_back(first + n);
  }
  void drop_sentence() {
    const uint32_t first = begin_.back();
    heads_.resize(first);
    labels_.resize(first);
    values_.resize((static_cast<size_t>(first) + sentences()) * lexicons_.slots());
  }

  // How often each feature is seen on the way to the gold trees.
  Sightings counts() {
    StateKeys keys(program_);
    Counting counting;
    for (uint32_t s = 0; s < sentences(); ++s) {
      hear();
      gold(s, tree_);
      if (tree_.is_partial) continue;
      keys.sentence(words(s));
      follow(length(s), [&](const ParseState& state, uint32_t) {
        keys.each(system_, state, [&](Key key) { counting.see(fold(key, bits_)); });
      });
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
  // f(state, action) along the static oracle's path to tree_.
  template <class F>
  void follow(uint32_t n, F&& f) {
    system_.sentence(n);
    oracle_.sentence(&tree_);
    ParseState s;
    while (!system_.is_final(s)) {
      const uint32_t a = oracle_.action(s);
      if (a >= system_.size())
        throw std::invalid_argument(
            "the tree cannot be built: crossing arcs, a second root or an unknown arc");
      f(s, a);
      s = system_.advance(s, a);
    }
  }

  void check_reachable(uint32_t n) {
    follow(n, [&](const ParseState& s, uint32_t action) {
      const Attached arc = system_.attached(s, action);
      if (arc.dependent && (arc.head != tree_.head[arc.dependent] || arc.label != tree_.label[arc.dependent]))
        throw std::invalid_argument("the tree cannot be built: crossing arcs or a second root");
    });
  }

  void check_known(uint32_t n) {
    system_.sentence(n);
    KnownTree known(system_);
    known.sentence(&tree_);
    if (!known.fits())
      throw std::invalid_argument("no tree that this system builds agrees with what is known");
  }

  const ParseProgram& program_;
  ParseLexicons lexicons_;
  bool is_partial_ = false;
  Transitions system_;
  ParseOracle oracle_;
  GoldTree tree_;
  std::vector<Key> values_;  // [sentence][its boundary, then its tokens][slot]
  std::vector<uint16_t> heads_, labels_;
  std::vector<uint32_t> begin_{0};
  int bits_;
  bool cut_ = false;
  Table open_;
};

}  // namespace structron
