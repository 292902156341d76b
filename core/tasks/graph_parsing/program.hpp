// Templates over parts of a dependency tree, compiled. structron/features/parsing/graph.py is the definition.
//
// A key is a sum, base + value * multiplier over its atoms: what words add is looked up, not hashed again.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tasks/parsing/program.hpp"
#include "words/atoms.hpp"

namespace structron {

// Words of a part, and what is seen of an arc itself.
enum class PartPlace : int { head = 0, modifier, sibling, child, between, direction, distance };
enum class PartKind : int { arc = 0, sibling, grandchild };

struct GraphAtom {
  PartPlace place;
  int offset;
  Aspect aspect;  // of words
  int length, column;
  Key multiplier;
};
struct GraphTemplate {
  Key base;
  std::vector<GraphAtom> atoms;
};

class GraphProgram {
 public:
  struct Atom {
    PartPlace place;
    int offset;
    uint16_t slot;  // which value of the word
    Key multiplier;
  };
  struct Template {
    Key base;
    std::vector<Atom> atoms;
    bool is_between;
  };

  GraphProgram(const std::vector<GraphTemplate>& templates, int columns) : columns_(columns) {
    if (columns < 1 || columns > 256) throw std::invalid_argument("a token has from 1 to 256 columns");
    for (const GraphTemplate& t : templates) {
      Template made{t.base, {}, false};
      PartKind kind = PartKind::arc;
      for (const GraphAtom& a : t.atoms) {
        if (a.place < PartPlace::head || a.place > PartPlace::distance || a.offset < -9 || a.offset > 9)
          throw std::invalid_argument("a template looks at no such word");
        if (a.place == PartPlace::sibling) kind = PartKind::sibling;
        if (a.place == PartPlace::child) kind = PartKind::grandchild;
        if (a.place == PartPlace::between) {
          if (made.is_between) throw std::invalid_argument("a template looks at two words between");
          made.is_between = true;
        }
        made.atoms.push_back(
            {a.place, a.offset, a.place >= PartPlace::direction ? uint16_t{0} : slot(a), a.multiplier});
      }
      templates_[static_cast<int>(kind)].push_back(std::move(made));
    }
  }

  int columns() const { return columns_; }
  const std::vector<ParseProgram::Slot>& slots() const { return slots_; }
  const std::vector<Template>& templates(PartKind kind) const { return templates_[static_cast<int>(kind)]; }
  bool is_second_order() const { return !templates_[1].empty() || !templates_[2].empty(); }

 private:
  uint16_t slot(const GraphAtom& a) {
    if (a.column < 0 || a.column >= columns_)
      throw std::invalid_argument("a template looks at no such column");
    if (a.length < 0 || (a.length > 64 && a.aspect != Aspect::feature))
      throw std::invalid_argument("an affix is too long");
    for (size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].aspect == a.aspect && slots_[i].length == a.length && slots_[i].column == a.column)
        return static_cast<uint16_t>(i);
    slots_.push_back({a.aspect, a.length, a.column});
    return static_cast<uint16_t>(slots_.size() - 1);
  }

  int columns_;
  std::vector<ParseProgram::Slot> slots_;
  std::vector<Template> templates_[3];
};

}  // namespace structron
