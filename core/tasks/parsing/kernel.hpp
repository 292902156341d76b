// Kernel features (Huang & Sagae 2010): what templates can see of the stack of a state, now or later.
// structron/tasks/parsing/transitions/kernel.py is the definition.
#pragma once
#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <set>
#include <vector>

#include "tasks/parsing/keys.hpp"

namespace structron {

class Kernel {
 public:
  // With `tokens` it is also known which words s0 and s1 are: a margin depends on that.
  Kernel(const ParseProgram& program, bool tokens) {
    std::array<std::set<View>, kDepths> read;
    for (const ParseProgram::Atom& atom : program.atoms()) {
      note(program, atom, atom.place, read);
      if (atom.sight == Sight::distance) note(program, atom, atom.other, read);
    }
    if (tokens) read[1].insert({{0, 0}, kToken, 0});
    for (int depth = kDepths - 1; depth > 0; --depth)  // s0 may become s1: monotonic
      read[depth - 1].insert(read[depth].begin(), read[depth].end());
    close(read[0]);
    for (int depth = 0; depth < kDepths; ++depth)
      views_[depth].assign(read[depth].begin(), read[depth].end());
    for (const View& v : views_[0])
      sees_labels_ |= v.sight == kRelation || v.sight == kLeftSet || v.sight == kRightSet;
  }

  // Whether arcs that differ in nothing but their labels leave different kernels.
  bool sees_labels() const { return sees_labels_; }

  // Of the topmost word alone: where it was begun tells the rest.
  Key top(const Transitions& system, ParseWords words, const ParseState& s) const {
    return seen(system, words, s.top, 0, 0x544F50ull);
  }
  // Of what will stand below when the next word is pushed, and which word that is.
  Key left(const Transitions& system, ParseWords words, const ParseState& s) const {
    Key key = combine(0x4C454654ull, s.next);
    uint32_t node = s.top;
    for (int depth = 1; depth < kDepths; ++depth) {
      key = seen(system, words, node, depth, key);
      node = system.node(node).below;
    }
    return key;
  }

 private:
  static constexpr int kDepths = 4;  // s0 to s3
  static constexpr uint8_t kWord = static_cast<uint8_t>(Sight::word),
                           kRelation = static_cast<uint8_t>(Sight::relation),
                           kLeftSet = static_cast<uint8_t>(Sight::left_set),
                           kRightSet = static_cast<uint8_t>(Sight::right_set),
                           kToken = static_cast<uint8_t>(Sight::distance);  // distances need to know the word

  // One thing seen on a word of the stack, or on a child at the end of the path.
  struct View {
    std::array<uint8_t, 2> path;
    uint8_t sight;
    uint16_t slot;
    auto operator<=>(const View&) const = default;
  };

  // In arc-standard, words on the stack have no head: what is seen of that never changes.
  static void note(const ParseProgram& program, const ParseProgram::Atom& atom, uint8_t place,
                   std::array<std::set<View>, kDepths>& read) {
    std::vector<uint8_t> steps;
    uint8_t at = place;
    for (; at >= kAnchors; at = program.places()[at].from) steps.push_back(program.places()[at].step);
    std::reverse(steps.begin(), steps.end());
    if (at >= kDepths) return;  // the buffer
    for (uint8_t step : steps)
      if (step == static_cast<uint8_t>(Step::head)) return;
    if (atom.sight == Sight::relation && steps.empty()) return;
    steps.resize(2, 0);
    read[at].insert({{steps[0], steps[1]}, static_cast<uint8_t>(atom.sight), atom.slot});
  }

  // Adds what a reduction must know of the two words it joins, so that all this is known after it.
  static void close(std::set<View>& views) {
    std::vector<View> todo(views.begin(), views.end());
    while (!todo.empty()) {
      View v = todo.back();
      todo.pop_back();
      if (v.path[0] == 0) continue;
      if (v.path[0] == static_cast<uint8_t>(Step::left2) || v.path[0] == static_cast<uint8_t>(Step::right2)) {
        --v.path[0];  // it was the outermost child
      } else if (v.sight == kRelation && v.path[1] == 0) {
        continue;  // the reduction itself gives it
      } else {
        v.path = {v.path[1], 0};  // it was the other word
      }
      if (views.insert(v).second) todo.push_back(v);
    }
  }

  Key seen(const Transitions& system, ParseWords words, uint32_t node, int depth, Key key) const {
    for (const View& v : views_[depth]) key = combine(key, value(system, words, node, v));
    return key;
  }

  static Key value(const Transitions& system, ParseWords words, uint32_t node, const View& v) {
    uint16_t label = kNoLabel;
    for (uint8_t step : v.path) {
      if (step == 0) break;
      const Node& parent = system.node(node);
      label = parent.child_label[step - 1];
      node = parent.child[step - 1];
    }
    const Node& n = system.node(node);
    switch (v.sight) {
      case kWord:
        return words.values[static_cast<size_t>(n.token) * words.slots + v.slot];
      case kRelation:
        return label;
      case kLeftSet:
        return n.left_set;
      case kRightSet:
        return n.right_set;
      case kToken:
        return n.token;
      default:
        return std::min<Key>(
            v.sight == static_cast<uint8_t>(Sight::left_count) ? n.left_count : n.right_count, 7);
    }
  }

  std::array<std::vector<View>, kDepths> views_;
  bool sees_labels_ = false;
};

}  // namespace structron
