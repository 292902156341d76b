// Templates over parts of a dependency tree, compiled. structron/tasks/parsing/features/graph.py is the
// definition.
//
// A key is a sum, base + value * multiplier over its atoms: what words add is looked up, not hashed again.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tasks/parsing/program.hpp"
#include "text/atoms.hpp"

namespace structron {

// Words of a part, and what is seen of the part itself; the numbers are the definition's PLACES.
enum class PartPlace : int {
  head = 0,
  modifier,
  sibling,
  child,
  between,
  direction,
  distance,
  second_sibling,
  side,
  modifier_relation,
  sibling_relation,
  child_relation,
  head_count,
  modifier_count,
};
inline constexpr int kPartPlaces = 14;
constexpr uint32_t bit_of(PartPlace place) {
  return 1u << static_cast<int>(place);
}
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
    const Atom* between() const {
      for (const Atom& a : atoms)
        if (a.place == PartPlace::between) return &a;
      return nullptr;
    }
  };
  // Templates that look at the same things besides head and modifier: their sum is kept as one.
  struct Group {
    uint32_t places;  // a bit for each
    std::vector<Template> templates;
  };

  // `pruning`: the templates of the pruner, which see arcs alone.
  GraphProgram(const std::vector<GraphTemplate>& templates, const std::vector<GraphTemplate>& pruning,
               int columns, const WordClusters* clusters = nullptr)
      : columns_(columns), clusters_(clusters) {
    if (columns < 1 || columns > 256) throw std::invalid_argument("a token has from 1 to 256 columns");
    for (const GraphTemplate& t : templates) {
      const uint32_t places = places_of(t);
      seen_ |= places;
      const PartKind kind = kind_of(places);
      if (kind == PartKind::arc) {
        arcs_.push_back(compiled(t));
      } else {
        group(kind, places & ~kOfArcs).templates.push_back(compiled(t));
      }
    }
    for (const GraphTemplate& t : pruning) {
      if (kind_of(places_of(t)) != PartKind::arc)
        throw std::invalid_argument("a template of the pruner looks at more than an arc");
      pruning_.push_back(compiled(t));
    }
  }

  int columns() const { return columns_; }
  const WordClusters* clusters() const { return clusters_; }
  const std::vector<ParseProgram::Slot>& slots() const { return slots_; }
  const std::vector<Template>& arcs() const { return arcs_; }
  const std::vector<Template>& pruning() const { return pruning_; }
  // Of siblings or grandchildren.
  const std::vector<Group>& groups(PartKind kind) const { return groups_[static_cast<int>(kind) - 1]; }

  bool sees(PartPlace place) const { return seen_ & bit_of(place); }
  bool sees_child() const {
    return sees(PartPlace::sibling) || sees(PartPlace::child) || sees(PartPlace::second_sibling);
  }
  bool sees_relation() const {
    return sees(PartPlace::modifier_relation) || sees(PartPlace::sibling_relation) ||
           sees(PartPlace::child_relation);
  }
  bool sees_count() const { return sees(PartPlace::head_count) || sees(PartPlace::modifier_count); }
  bool is_higher_order() const { return !groups_[0].empty() || !groups_[1].empty(); }

 private:
  static constexpr uint32_t kOfArcs = bit_of(PartPlace::head) | bit_of(PartPlace::modifier) |
                                      bit_of(PartPlace::between) | bit_of(PartPlace::direction) |
                                      bit_of(PartPlace::distance);
  static constexpr uint32_t kOfSiblings = bit_of(PartPlace::sibling) | bit_of(PartPlace::second_sibling) |
                                          bit_of(PartPlace::sibling_relation) | bit_of(PartPlace::head_count);
  static constexpr uint32_t kOfGrandchildren = bit_of(PartPlace::child) | bit_of(PartPlace::child_relation) |
                                               bit_of(PartPlace::modifier_count) | bit_of(PartPlace::side);

  static uint32_t places_of(const GraphTemplate& t) {
    uint32_t places = 0;
    for (const GraphAtom& a : t.atoms) {
      const int place = static_cast<int>(a.place);
      if (place < 0 || place >= kPartPlaces || a.offset < -9 || a.offset > 9)
        throw std::invalid_argument("a template looks at no such word");
      if (a.place == PartPlace::between && places & bit_of(PartPlace::between))
        throw std::invalid_argument("a template looks at two words between");
      places |= bit_of(a.place);
    }
    return places;
  }
  static PartKind kind_of(uint32_t places) {
    if (places & kOfSiblings && places & kOfGrandchildren)
      throw std::invalid_argument("a template looks at a sibling and at a grandchild");
    return places & kOfSiblings        ? PartKind::sibling
           : places & kOfGrandchildren ? PartKind::grandchild
                                       : PartKind::arc;
  }
  static bool is_word(PartPlace place) {
    return place <= PartPlace::between || place == PartPlace::second_sibling;
  }

  Group& group(PartKind kind, uint32_t places) {
    std::vector<Group>& groups = groups_[static_cast<int>(kind) - 1];
    const auto at =
        std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.places == places; });
    if (at != groups.end()) return *at;
    groups.push_back({places, {}});
    return groups.back();
  }
  Template compiled(const GraphTemplate& t) {
    Template made{t.base, {}};
    for (const GraphAtom& a : t.atoms)
      made.atoms.push_back({a.place, a.offset, is_word(a.place) ? slot(a) : uint16_t{0}, a.multiplier});
    return made;
  }
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
  const WordClusters* clusters_;
  uint32_t seen_ = 0;
  std::vector<ParseProgram::Slot> slots_;
  std::vector<Template> arcs_, pruning_;
  std::vector<Group> groups_[2];
};

}  // namespace structron
