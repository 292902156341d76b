// The feature keys of a parser state.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tasks/parsing/program.hpp"
#include "tasks/parsing/transitions.hpp"

namespace structron {

// The words of one sentence as values, slot by slot; row 0 is the place beyond every end.
struct ParseWords {
  const Key* values = nullptr;
  uint32_t slots = 0;
};

class StateKeys {
 public:
  struct Spot {
    uint32_t token, node;
    uint16_t label;
  };

  explicit StateKeys(const ParseProgram& program)
      : program_(program), spots_(program.places().size()), adds_(program.atoms().size()) {}

  const ParseProgram& program() const { return program_; }
  void sentence(ParseWords words) { words_ = words; }
  // Call look() before these two, and read_words() before key().
  const Spot& spot(size_t place) const { return spots_[place]; }
  Key added(size_t atom) const { return adds_[atom]; }

  // Finds every place, and the values that change from state to state.
  void look(const Transitions& system, const ParseState& s) {
    uint32_t at = s.top;
    for (int i = 0; i < 4; ++i) {
      const Node& n = system.node(at);
      spots_[i] = {n.token, at, n.label};
      at = n.below;
    }
    at = s.front;
    uint32_t next = s.next;
    for (int i = 4; i < kAnchors; ++i) {
      if (at) {
        spots_[i] = {system.node(at).token, at, kNoLabel};
        at = system.node(at).below;
      } else {
        spots_[i] = {next <= system.length() ? next : 0, 0, kNoLabel};
        ++next;
      }
    }
    const auto& places = program_.places();
    for (size_t p = kAnchors; p < places.size(); ++p) {
      const Node& n = system.node(spots_[places[p].from].node);
      if (places[p].step == static_cast<int>(Step::head)) {
        const uint32_t h = n.label == kNoLabel ? 0 : n.below;
        spots_[p] = {system.node(h).token, h, system.node(h).label};
      } else {
        const uint32_t child = n.child[places[p].step - 1];
        spots_[p] = {system.node(child).token, child, n.child_label[places[p].step - 1]};
      }
    }
    for (uint16_t a : program_.changing_atoms()) {
      const ParseProgram::Atom& atom = program_.atoms()[a];
      adds_[a] = changing(system, atom) * atom.multiplier;
    }
  }

  void read_words() {
    for (uint16_t a : program_.word_atoms()) {
      const ParseProgram::Atom& atom = program_.atoms()[a];
      adds_[a] = words_.values[static_cast<size_t>(spots_[atom.place].token) * words_.slots + atom.slot] *
                 atom.multiplier;
    }
  }

  Key key(const ParseProgram::Template& t) const {
    Key key = t.base;
    for (uint32_t i = t.begin; i < t.end; ++i) key += adds_[program_.atom_list()[i]];
    return key;
  }

  // f(key) for every feature of the state.
  template <class F>
  void each(const Transitions& system, const ParseState& s, F&& f) {
    look(system, s);
    read_words();
    for (const auto& t : program_.templates()) f(key(t));
  }

 private:
  Key changing(const Transitions& system, const ParseProgram::Atom& atom) const {
    const Spot& at = spots_[atom.place];
    const Node& n = system.node(at.node);
    switch (atom.sight) {
      case Sight::relation:
        return at.label == kNoLabel ? 1 : at.label + Key{2};
      case Sight::left_count:
        return std::min<Key>(n.left_count, 7) + 1;
      case Sight::right_count:
        return std::min<Key>(n.right_count, 7) + 1;
      case Sight::left_set:
        return n.left_set;
      case Sight::right_set:
        return n.right_set;
      case Sight::distance:
        return distance(at.token, spots_[atom.other].token);
      case Sight::word:
        break;
    }
    return 0;
  }

  // 1, 2, 3, 4, 5-6, 7-10, more; 0 where one of the two is not there.
  static Key distance(uint32_t a, uint32_t b) {
    if (a == 0 || b == 0) return 0;
    const uint32_t d = a < b ? b - a : a - b;
    return d <= 4 ? d : d <= 6 ? 5 : d <= 10 ? 6 : 7;
  }

  const ParseProgram& program_;
  ParseWords words_;
  std::vector<Spot> spots_;
  std::vector<Key> adds_;
};

}  // namespace structron
