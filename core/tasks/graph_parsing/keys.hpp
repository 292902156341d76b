// The feature keys of the parts of a dependency tree.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tasks/graph_parsing/program.hpp"
#include "tasks/parsing/keys.hpp"
#include "util/hash.hpp"

namespace structron {

// Words that features see together, and what else they see of them. The root is word 0; it is nobody's
// child, so that 0 stands for a sibling or child that is not there.
struct GraphPart {
  uint32_t head, modifier;
  uint32_t sibling = 0, second_sibling = 0, child = 0;
  uint32_t modifier_relation = 0, sibling_relation = 0, child_relation = 0;  // from 1; 0 for none
  uint32_t head_count = 0, modifier_count = 0, side = 0;
};

inline uint32_t distance_bucket(uint32_t distance) {
  return distance <= 5 ? distance : distance <= 10 ? 6 : 7;
}

class GraphKeys {
 public:
  explicit GraphKeys(const GraphProgram& program)
      : program_(program),
        arcs_(program.arcs()),
        pruning_(program.pruning()),
        root_(hash_bytes("<root>")),
        no_word_(hash_bytes("<none>")) {}

  const GraphProgram& program() const { return program_; }
  uint32_t length() const { return length_; }

  void sentence(ParseWords words, uint32_t length) {
    words_ = words;
    length_ = length;
    arcs_.is_known = pruning_.is_known = false;
  }

  // Appends the keys of an arc.
  void arc(uint32_t head, uint32_t modifier, std::vector<Key>& keys) { put(arcs_, head, modifier, keys); }
  void pruning(uint32_t head, uint32_t modifier, std::vector<Key>& keys) {
    put(pruning_, head, modifier, keys);
  }
  // Appends the keys that a group of templates has for a part.
  void group(const GraphProgram::Group& group, const GraphPart& part, std::vector<Key>& keys) const {
    for (const GraphProgram::Template& t : group.templates) {
      Key key = t.base;
      const GraphProgram::Atom* between = nullptr;
      for (const GraphProgram::Atom& a : t.atoms) {
        if (a.place == PartPlace::between) {
          between = &a;
        } else {
          key += value(a, part) * a.multiplier;
        }
      }
      if (between == nullptr) {
        keys.push_back(key);
        continue;
      }
      const uint32_t from = std::min(part.head, part.modifier), to = std::max(part.head, part.modifier);
      for (uint32_t w = from + 1; w < to; ++w)
        keys.push_back(key + word(w, between->slot) * between->multiplier);
    }
  }
  // Appends all keys of a sibling or a grandchild.
  void other(PartKind kind, const GraphPart& part, std::vector<Key>& keys) const {
    for (const GraphProgram::Group& g : program_.groups(kind)) group(g, part, keys);
  }

 private:
  // What heads and modifiers add to the keys of templates over arcs, word by word: keys are then sums of
  // few numbers that lie together.
  struct ArcTable {
    explicit ArcTable(const std::vector<GraphProgram::Template>& listed) {
      for (const auto& t : listed)
        if (t.between() == nullptr) templates.push_back(&t);
      plain = templates.size();
      for (const auto& t : listed)
        if (t.between() != nullptr) templates.push_back(&t);
      for (const auto* t : templates) {
        Key direction = 0, distance = 0;
        for (const GraphProgram::Atom& a : t->atoms) {
          if (a.place == PartPlace::direction) direction += a.multiplier;
          if (a.place == PartPlace::distance) distance += a.multiplier;
        }
        directions.push_back(direction);
        distances.push_back(distance);
      }
    }

    std::vector<const GraphProgram::Template*> templates;  // those with a word between are the last
    size_t plain = 0;
    std::vector<Key> directions, distances;    // multipliers
    std::vector<Key> heads, modifiers, inner;  // [word][template]
    bool is_known = false;
  };

  void put(ArcTable& table, uint32_t head, uint32_t modifier, std::vector<Key>& keys) {
    if (!table.is_known) fill(table);
    const size_t width = table.templates.size();
    const Key *h = &table.heads[head * width], *m = &table.modifiers[modifier * width];
    const Key side = side_of(head, modifier), distance = distance_of(head, modifier);
    const size_t first = keys.size();
    keys.resize(first + table.plain);
    for (size_t t = 0; t < table.plain; ++t)
      keys[first + t] = h[t] + m[t] + side * table.directions[t] + distance * table.distances[t];
    const uint32_t from = std::min(head, modifier), to = std::max(head, modifier);
    const size_t extra = width - table.plain;
    for (size_t t = table.plain; t < width; ++t) {
      const Key key = h[t] + m[t] + side * table.directions[t] + distance * table.distances[t];
      for (uint32_t w = from + 1; w < to; ++w) keys.push_back(key + table.inner[w * extra + t - table.plain]);
    }
  }
  void fill(ArcTable& table) {
    table.is_known = true;
    const size_t width = table.templates.size(), extra = width - table.plain;
    table.heads.resize((length_ + 1) * width);
    table.modifiers.resize((length_ + 1) * width);
    table.inner.assign((length_ + 1) * extra, 0);
    for (uint32_t w = 0; w <= length_; ++w)
      for (size_t t = 0; t < width; ++t) {
        Key head = table.templates[t]->base, modifier = 0;
        for (const GraphProgram::Atom& a : table.templates[t]->atoms) {
          if (a.place == PartPlace::head)
            head += word(static_cast<int64_t>(w) + a.offset, a.slot) * a.multiplier;
          if (a.place == PartPlace::modifier)
            modifier += word(static_cast<int64_t>(w) + a.offset, a.slot) * a.multiplier;
          if (a.place == PartPlace::between)
            table.inner[w * extra + t - table.plain] = word(w, a.slot) * a.multiplier;
        }
        table.heads[w * width + t] = head;
        table.modifiers[w * width + t] = modifier;
      }
  }

  Key word(int64_t w, uint16_t slot) const {
    if (w == 0) return root_;
    if (w < 0 || w > length_) return kBoundary;
    return words_.values[static_cast<size_t>(w) * words_.slots + slot];
  }
  Key other_word(uint32_t w, const GraphProgram::Atom& a) const {
    return w == 0 ? no_word_ : word(static_cast<int64_t>(w) + a.offset, a.slot);
  }
  static Key side_of(uint32_t head, uint32_t modifier) { return head < modifier ? 1 : 2; }
  static Key distance_of(uint32_t head, uint32_t modifier) {
    return side_of(head, modifier) +
           4 * Key{distance_bucket(std::max(head, modifier) - std::min(head, modifier))};
  }
  Key value(const GraphProgram::Atom& a, const GraphPart& part) const {
    switch (a.place) {
      case PartPlace::head:
        return word(static_cast<int64_t>(part.head) + a.offset, a.slot);
      case PartPlace::modifier:
        return word(static_cast<int64_t>(part.modifier) + a.offset, a.slot);
      case PartPlace::sibling:
        return other_word(part.sibling, a);
      case PartPlace::second_sibling:
        return other_word(part.second_sibling, a);
      case PartPlace::child:
        return other_word(part.child, a);
      case PartPlace::direction:
        return side_of(part.head, part.modifier);
      case PartPlace::distance:
        return distance_of(part.head, part.modifier);
      case PartPlace::side:
        return part.side;
      case PartPlace::modifier_relation:
        return part.modifier_relation + Key{1};
      case PartPlace::sibling_relation:
        return part.sibling_relation + Key{1};
      case PartPlace::child_relation:
        return part.child_relation + Key{1};
      case PartPlace::head_count:
        return part.head_count + Key{1};
      case PartPlace::modifier_count:
        return part.modifier_count + Key{1};
      case PartPlace::between:
        break;
    }
    return 0;
  }

  const GraphProgram& program_;
  ArcTable arcs_, pruning_;
  Key root_, no_word_;
  ParseWords words_{};
  uint32_t length_ = 0;
};

}  // namespace structron
