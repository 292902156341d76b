// The vocabulary of one column: words become integers here, once, and are taken apart here, once.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "atoms.hpp"
#include "program.hpp"
#include "table.hpp"

namespace structron {

class Lexicon {
 public:
  // Which looks at this column's words the joint and history templates need later on.
  Lexicon(const Program& program, int column) : column_(column) {
    auto want = [&](const Template& t) {
      for (const Atom& a : t.atoms)
        if (a.column == column) slot(a);
    };
    for (const Template& t : program.joints()) want(t);
    for (const Template& t : program.histories()) want(t);
  }

  uint32_t size() const { return static_cast<uint32_t>(texts_.size()); }
  uint32_t find(std::string_view text) const {
    const uint32_t id = table_.find(hash_bytes(text));
    return id != kNone && texts_[id] == text ? id : kNone;
  }

  // The id of a word. On a word's first visit, taken_apart(word, id) may compute what else is kept for it.
  template <class F>
  uint32_t intern(std::string_view text, F&& taken_apart) {
    Key key = hash_bytes(text);
    for (;; key = mix(key, 1)) {  // two texts with one 64-bit hash: walk on to another key
      const uint32_t id = table_.find(key);
      if (id == kNone) break;
      if (texts_[id] == text) return id;
    }
    const uint32_t id = table_.intern(key);
    texts_.emplace_back(text);
    const Word word(texts_.back());
    for (const auto& [look, length] : looks_) values_.push_back(word.look(look, length));
    taken_apart(word, id);
    return id;
  }

  // Index of the look of atom a, for value().
  size_t slot(const Atom& a) {
    for (size_t i = 0; i < looks_.size(); ++i)
      if (looks_[i] == std::pair(a.look, a.length)) return i;
    looks_.emplace_back(a.look, a.length);
    return looks_.size() - 1;
  }
  Key value(uint32_t id, size_t slot) const { return values_[id * looks_.size() + slot]; }
  std::string_view text(uint32_t id) const { return texts_[id]; }
  int column() const { return column_; }

  void clear() {
    table_ = Table();
    texts_.clear();
    values_.clear();
  }

 private:
  int column_;
  Table table_;
  std::deque<std::string> texts_;
  std::vector<std::pair<Look, int>> looks_;
  std::vector<Key> values_;
};

// The key of a unary template on one word, 0 if an atom is absent.
inline Key unary_key(const Template& t, const Word& word) {
  Key key = t.base;
  for (const Atom& a : t.atoms) {
    const Key v = word.look(a.look, a.length);
    if (v == 0) return 0;
    key = mix(key, v);
  }
  return key;
}

inline Key boundary_key(const Template& t) {
  Key key = t.base;
  for (size_t i = 0; i < t.atoms.size(); ++i) key = mix(key, kBoundary);
  return key;
}

// A template whose atoms are resolved to slots of lexicons: reads a sentence given as word ids per column.
class Reader {
 public:
  Reader(const Template& t, std::vector<Lexicon>& lexicons) : base_(t.base), tags_(t.tags) {
    for (const Atom& a : t.atoms) parts_.push_back({a.column, a.offset, lexicons[a.column].slot(a)});
  }

  int tags() const { return tags_; }

  // words[c][i] is the id of token i in column c; n tokens. 0 if an atom is absent.
  Key key(const std::vector<Lexicon>& lexicons, const uint32_t* const* words, int n, int i) const {
    Key key = base_;
    for (const Part& p : parts_) {
      const int j = i + p.offset;
      const Key v = j < 0 || j >= n ? kBoundary : lexicons[p.column].value(words[p.column][j], p.slot);
      if (v == 0) return 0;
      key = mix(key, v);
    }
    return key;
  }

 private:
  struct Part {
    int column, offset;
    size_t slot;
  };
  Key base_;
  int tags_;
  std::vector<Part> parts_;
};

}  // namespace structron
