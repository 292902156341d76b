// The vocabulary of one column: words become integers here, once, and are taken apart here, once.
#pragma once
#include <string_view>
#include <vector>

#include "text/atoms.hpp"
#include "text/program.hpp"
#include "weights/table.hpp"

namespace structron {

class Lexicon {
 public:
  Lexicon() = default;
  // Which aspects of this column's words the joint and history templates need later on.
  Lexicon(const Program& program, int column) {
    look_up(program.clusters());
    auto want = [&](const Template& t) {
      for (const Atom& a : t.atoms)
        if (a.column == column) slot(a);
    };
    for (const Template& t : program.joints()) want(t);
    for (const Template& t : program.histories()) want(t);
  }

  void look_up(const WordClusters* clusters) { word_.look_up(clusters); }

  uint32_t size() const { return static_cast<uint32_t>(hashes_.size()); }
  // What its words take.
  size_t bytes() const {
    return (hashes_.size() + values_.size()) * sizeof(Key) + (hashes_.empty() ? 0 : table_.bytes());
  }

  // The id of a word, told apart by its 64-bit hash as features are. On a word's first visit,
  // taken_apart(word, hash) may compute what else is kept for it.
  template <class F>
  uint32_t intern(std::string_view text, F&& taken_apart) {
    const Key hash = hash_bytes(text);
    const uint32_t id = table_.intern(hash, size());
    if (id < hashes_.size()) return id;
    hashes_.push_back(hash);
    word_.read(text);
    for (const auto& [aspect, length] : aspects_) values_.push_back(word_.aspect(aspect, length));
    taken_apart(word_, hash);
    return id;
  }

  // Index of the aspect of atom a, for value().
  size_t slot(const Atom& a) {
    for (size_t i = 0; i < aspects_.size(); ++i)
      if (aspects_[i] == std::pair(a.aspect, a.length)) return i;
    aspects_.emplace_back(a.aspect, a.length);
    return aspects_.size() - 1;
  }
  Key value(uint32_t id, size_t slot) const { return values_[id * aspects_.size() + slot]; }
  Key hash(uint32_t id) const { return hashes_[id]; }

  void clear() {
    table_ = Table();
    hashes_.clear();
    values_.clear();
  }

 private:
  Table table_;
  std::vector<Key> hashes_;
  Word word_;
  std::vector<std::pair<Aspect, int>> aspects_;
  std::vector<Key> values_;
};

// The key of a unary template on one word, 0 if an atom is absent. The last value is added by `last`.
template <class Last>
Key unary_key(const Template& t, const Word& word, Last&& last) {
  Key key = t.base;
  for (size_t i = 0; i < t.atoms.size(); ++i) {
    const Key v = word.aspect(t.atoms[i].aspect, t.atoms[i].length);
    if (v == 0) return 0;
    key = i + 1 < t.atoms.size() ? combine(key, v) : last(key, v);
  }
  return key;
}
inline Key unary_key(const Template& t, const Word& word) {
  return unary_key(t, word, combine);
}

inline Key boundary_key(const Template& t) {
  Key key = t.base;
  for (size_t i = 0; i < t.atoms.size(); ++i) key = combine(key, kBoundary);
  return key;
}

// A template whose atoms are resolved to slots of lexicons: reads a sentence given as word ids per column.
class Reader {
 public:
  Reader(const Template& t, std::vector<Lexicon>& lexicons) : base_(t.base), tags_(t.tags) {
    for (const Atom& a : t.atoms) parts_.push_back({a.column, a.offset, lexicons[a.column].slot(a)});
  }

  int tags() const { return tags_; }

  // words[c][i] is the id of token i in column c; n tokens. 0 if an atom is absent. The last value is added
  // by `last`.
  template <class Last>
  Key key(const std::vector<Lexicon>& lexicons, const uint32_t* const* words, int n, int i,
          Last&& last) const {
    Key key = base_;
    for (const Part& p : parts_) {
      const int j = i + p.offset;
      const Key v = j < 0 || j >= n ? kBoundary : lexicons[p.column].value(words[p.column][j], p.slot);
      if (v == 0) return 0;
      key = &p != &parts_.back() ? combine(key, v) : last(key, v);
    }
    return key;
  }
  Key key(const std::vector<Lexicon>& lexicons, const uint32_t* const* words, int n, int i) const {
    return key(lexicons, words, n, i, combine);
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
