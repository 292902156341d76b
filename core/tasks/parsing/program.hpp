// Templates over parser states, compiled: places, atoms, and templates grouped by what they look at.
//
// A key is a sum, base + value * multiplier over its atoms (multilinear hashing): what an atom adds is
// computed once per state, whichever templates read it. structron/tasks/parsing/features/templates.py is the
// definition.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "text/atoms.hpp"

namespace structron {

enum class Sight : int { word = 0, relation, left_count, right_count, left_set, right_set, distance };

// Places: 0-3 are s0-s3, 4-7 are q0-q3; one more step leads to a child or to the head.
enum class Step : int { none = 0, left = 1, left2 = 2, right = 3, right2 = 4, head = 5 };
inline constexpr int kAnchors = 8;

struct PlaceCode {
  int anchor;
  int steps[2];
  bool operator<(const PlaceCode& o) const {
    return std::tie(anchor, steps[0], steps[1]) < std::tie(o.anchor, o.steps[0], o.steps[1]);
  }
};

struct SightAtom {
  Sight sight;
  PlaceCode place, other;  // the other only for distances
  Aspect aspect;           // for words
  int length, column;
  Key multiplier;
};

struct ParseTemplate {
  Key base;
  std::vector<SightAtom> atoms;
};

class ParseProgram {
 public:
  struct Place {
    uint8_t from;  // an earlier place
    uint8_t step;  // a Step; none for anchors
  };
  struct Atom {
    Sight sight;
    uint8_t place, other;
    uint16_t slot;  // which value of the word
    Key multiplier;
  };
  struct Template {
    Key base;
    uint32_t begin, end;  // in atom_list()
  };
  // Templates that look at the same places and at the same things that change.
  struct Group {
    Key base;
    std::vector<uint8_t> places;     // whose words are read
    std::vector<uint16_t> changing;  // atoms whose values depend on the state
    uint32_t begin, end;             // in templates()
  };
  struct Slot {
    Aspect aspect;
    int length, column;
  };

  ParseProgram(const std::vector<ParseTemplate>& templates, int columns,
               const WordClusters* clusters = nullptr)
      : columns_(columns), clusters_(clusters) {
    for (int a = 0; a < kAnchors; ++a) places_.push_back({static_cast<uint8_t>(a), 0});
    Groups groups;
    for (const ParseTemplate& t : templates) {
      Read read{t.base, {}};
      std::vector<uint8_t> words;
      std::vector<uint16_t> changing;
      for (const SightAtom& a : t.atoms) {
        const uint16_t id = atom_of(a);
        read.atoms.push_back(id);
        if (a.sight == Sight::word) {
          words.push_back(atoms_[id].place);
        } else {
          changing.push_back(id);
        }
      }
      tidy(words);
      tidy(changing);
      groups[{words, changing}].push_back(std::move(read));
    }
    join_small(groups);
    for (const auto& [sees, reads] : groups) {
      Group g{combine(0x47524F5550ull, groups_.size()), sees.first, sees.second,
              static_cast<uint32_t>(templates_.size()), 0};
      for (const Read& r : reads) {
        const uint32_t begin = static_cast<uint32_t>(list_.size());
        list_.insert(list_.end(), r.atoms.begin(), r.atoms.end());
        templates_.push_back({r.base, begin, static_cast<uint32_t>(list_.size())});
      }
      g.end = static_cast<uint32_t>(templates_.size());
      groups_.push_back(std::move(g));
    }
    for (size_t a = 0; a < atoms_.size(); ++a)
      (atoms_[a].sight == Sight::word ? words_ : changing_).push_back(static_cast<uint16_t>(a));
  }

  int columns() const { return columns_; }
  const WordClusters* clusters() const { return clusters_; }
  const std::vector<Place>& places() const { return places_; }
  const std::vector<Atom>& atoms() const { return atoms_; }
  const std::vector<uint16_t>& word_atoms() const { return words_; }
  const std::vector<uint16_t>& changing_atoms() const { return changing_; }
  const std::vector<Template>& templates() const { return templates_; }
  const std::vector<uint16_t>& atom_list() const { return list_; }
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  struct Read {
    Key base;
    std::vector<uint16_t> atoms;
  };
  using Sees = std::pair<std::vector<uint8_t>, std::vector<uint16_t>>;
  using Groups = std::map<Sees, std::vector<Read>>;

  // A group of a few templates joins the smallest one that looks at all of its places and more: every group
  // costs a look-up and an addition of vectors per state.
  static void join_small(Groups& groups) {
    std::vector<Sees> by_size;
    for (const auto& [sees, reads] : groups) by_size.push_back(sees);
    const auto size = [](const Sees& s) { return s.first.size() + s.second.size(); };
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](const Sees& x, const Sees& y) { return size(x) < size(y); });
    for (const Sees& small : by_size) {
      if (groups[small].size() >= kEnough) continue;
      const auto within = [&](const Sees& large) {
        return large != small && groups.contains(large) &&
               std::includes(large.first.begin(), large.first.end(), small.first.begin(),
                             small.first.end()) &&
               std::includes(large.second.begin(), large.second.end(), small.second.begin(),
                             small.second.end());
      };
      const auto host = std::find_if(by_size.begin(), by_size.end(), within);
      if (host == by_size.end()) continue;
      auto& reads = groups[*host];
      reads.insert(reads.end(), groups[small].begin(), groups[small].end());
      groups.erase(small);
    }
  }
  static constexpr size_t kEnough = 4;

  template <class T>
  static void tidy(std::vector<T>& v) {
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
  }

  uint8_t place_of(const PlaceCode& p) {
    if (p.anchor < 0 || p.anchor >= kAnchors)
      throw std::invalid_argument("a template looks at no such place");
    uint8_t at = static_cast<uint8_t>(p.anchor);
    for (int step : p.steps) {
      if (step == 0) break;
      if (step < 0 || step > 5) throw std::invalid_argument("a template looks at no such place");
      const auto same = [&](const Place& q) { return q.from == at && q.step == step; };
      const auto found = std::find_if(places_.begin() + kAnchors, places_.end(), same);
      if (found != places_.end()) {
        at = static_cast<uint8_t>(found - places_.begin());
        continue;
      }
      if (places_.size() > 250) throw std::invalid_argument("the templates look at too many places");
      places_.push_back({at, static_cast<uint8_t>(step)});
      at = static_cast<uint8_t>(places_.size() - 1);
    }
    return at;
  }

  uint16_t atom_of(const SightAtom& a) {
    Atom made{a.sight, place_of(a.place), 0, 0, a.multiplier};
    if (a.sight == Sight::distance) made.other = place_of(a.other);
    if (a.sight == Sight::word) made.slot = slot_of(a);
    for (size_t i = 0; i < atoms_.size(); ++i)
      if (atoms_[i].sight == made.sight && atoms_[i].place == made.place && atoms_[i].other == made.other &&
          atoms_[i].slot == made.slot)
        return static_cast<uint16_t>(i);
    if (atoms_.size() > 1000) throw std::invalid_argument("the templates have too many atoms");
    atoms_.push_back(made);
    return static_cast<uint16_t>(atoms_.size() - 1);
  }

  uint16_t slot_of(const SightAtom& a) {
    if (a.column < 0 || a.column >= columns_)
      throw std::invalid_argument("a template reads a column that is not there");
    if (a.length < 0 || (a.length > 64 && a.aspect != Aspect::feature))
      throw std::invalid_argument("an affix length is out of range");
    for (size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].aspect == a.aspect && slots_[i].length == a.length && slots_[i].column == a.column)
        return static_cast<uint16_t>(i);
    slots_.push_back({a.aspect, a.length, a.column});
    return static_cast<uint16_t>(slots_.size() - 1);
  }

  int columns_;
  const WordClusters* clusters_;
  std::vector<Place> places_;
  std::vector<Atom> atoms_;
  std::vector<uint16_t> words_, changing_, list_;
  std::vector<Template> templates_;
  std::vector<Group> groups_;
  std::vector<Slot> slots_;
};

}  // namespace structron
