// Trees of which parts are known: which actions of a transition system still lead to one that agrees.
// structron/tasks/parsing/transitions/restriction.py is the definition, and says why it is so.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "tasks/parsing/oracle.hpp"
#include "tasks/parsing/transitions.hpp"
#include "util/interrupt.hpp"

namespace structron {

// Bits in rows, of which two can be compared.
class BitRows {
 public:
  void reset(uint32_t side) {
    words_ = (side + 63) / 64;
    bits_.assign(size_t{side} * words_, 0);
  }
  void set(uint32_t row, uint32_t bit) { bits_[row * words_ + bit / 64] |= uint64_t{1} << (bit % 64); }
  bool has(uint32_t row, uint32_t bit) const { return bits_[row * words_ + bit / 64] >> (bit % 64) & 1; }
  // Whether a bit from this one on is set in a row here and in a row there.
  bool meets(uint32_t row, const BitRows& other, uint32_t its, uint32_t from = 0) const {
    const uint64_t *a = &bits_[row * words_], *b = &other.bits_[its * words_];
    size_t w = from / 64;
    if (w >= words_) return false;
    if ((a[w] & b[w]) >> (from % 64)) return true;
    for (++w; w < words_; ++w)
      if (a[w] & b[w]) return true;
    return false;
  }

 private:
  size_t words_ = 0;
  std::vector<uint64_t> bits_;
};

// A yes or no for every cell of Eisner's chart: whether a projective tree can be made of some arcs.
class TreeExists {
 public:
  // may(head, dependent): the arcs there may be; reach: what the descendants of a word must reach if its head
  // is on its left; among: the same if its head is on its right and it has dependents on its left.
  template <class May>
  bool operator()(uint32_t n, bool single_root, std::span<const uint32_t> reach,
                  std::span<const uint32_t> among, May&& may) {
    for (BitRows* rows : {&right_, &right_ends_, &left_begins_, &left_, &arc_right_, &arc_left_, &arc_far_})
      rows->reset(n + 2);
    for (uint32_t i = 0; i <= n; ++i) {
      right_.set(i, i);
      left_.set(i, i);
      if (i > 0) left_begins_.set(i, i - 1);
      if (reach[i] <= i) right_ends_.set(i, i);
    }
    for (uint32_t width = 1; width <= n; ++width)
      for (uint32_t i = 0; i + width <= n; ++i) {
        pulse_();
        cell(i, i + width, single_root, reach, among, may);
      }
    return right_.has(0, n);
  }
  // The same for whole sentences of which some heads are known: heads[m - 1] is that of word m.
  bool operator()(uint32_t n, bool single_root, const uint16_t* heads) {
    own_.resize(n + 1);
    std::iota(own_.begin(), own_.end(), 0u);
    return (*this)(n, single_root, own_, own_, [&](uint32_t h, uint32_t m) {
      return m != 0 && (heads[m - 1] == kUnknown || heads[m - 1] == h);
    });
  }

 private:
  template <class May>
  void cell(uint32_t i, uint32_t j, bool single_root, std::span<const uint32_t> reach,
            std::span<const uint32_t> among, May&& may) {
    const bool meet = i == 0 && single_root ? left_begins_.has(j, 0) : right_.meets(i, left_begins_, j, i);
    if (meet && may(i, j)) arc_right_.set(i, j);
    if (meet && may(j, i)) {
      arc_left_.set(j, i);
      if (among[i] < j && right_.meets(i, left_begins_, j, among[i])) arc_far_.set(j, i);
    }
    // By the word where both parts meet; right_ends_ has only words whose descendants reach far enough.
    if (arc_right_.meets(i, right_ends_, j)) {
      right_.set(i, j);
      if (j >= reach[i]) right_ends_.set(j, i);
    }
    if (arc_left_.has(j, i) || left_.meets(i, arc_far_, j, i + 1)) {
      left_.set(i, j);
      if (i > 0) left_begins_.set(j, i - 1);
    }
  }

  BitRows right_, right_ends_;  // [begin][end] complete items to the right; [end][begin]
  BitRows left_, left_begins_;  // [begin][end] complete items to the left; [end][begin - 1]
  BitRows arc_right_;           // [begin][end] arcs to the right
  BitRows arc_left_, arc_far_;  // [end][begin] arcs to the left; those for words with dependents there
  std::vector<uint32_t> own_;   // each word itself: its descendants need not reach further
  Pulse pulse_;
};

class KnownTree {
 public:
  explicit KnownTree(Transitions& system) : system_(system) {}

  // What is known of the current sentence's tree, with kUnknown where nobody knows; null for nothing.
  void sentence(const GoldTree* known) {
    known_ = known;
    is_kept_ = false;
  }
  bool is_there() const { return known_ != nullptr; }

  // Whether some tree agrees. With swap, whose orders are too many to look ahead, that is not known.
  bool fits() { return is_swap() || leads_on({}); }

  bool allows(const ParseState& s, uint32_t action) {
    const Transition t = system_[action];
    if (!(kinds(s, system_.possible(s)) >> static_cast<int>(t.kind) & 1)) return false;
    return agrees(s, action);
  }
  // Of these kinds of action those that lead to a tree that agrees, with a relation that does.
  uint32_t kinds(const ParseState& s, uint32_t possible) {
    if (is_kept_ && kept_for_.top == s.top && kept_for_.front == s.front && kept_for_.step == s.step &&
        kept_for_.next == s.next && kept_for_.swaps == s.swaps)
      return kept_;
    uint32_t found = 0;
    for (int k = 0; k < kKinds; ++k) {
      if (!(possible >> k & 1)) continue;
      const uint32_t first = system_.begin(static_cast<Kind>(k));
      const Attached arc = system_.attached(s, first);
      if (arc.dependent && !is_head(arc.dependent, arc.head)) continue;
      if (is_swap() ? keeps_dependents(s, static_cast<Kind>(k)) : leads_on(system_.advance(s, first)))
        found |= 1u << k;
    }
    is_kept_ = true;
    kept_for_ = s;
    return kept_ = found;
  }
  // Whether the relation of an action's arc is the known one.
  bool agrees(const ParseState& s, uint32_t action) const {
    const Attached arc = system_.attached(s, action);
    return arc.dependent == 0 ||
           (is_head(arc.dependent, arc.head) &&
            (known_->label[arc.dependent] == kUnknown || known_->label[arc.dependent] == arc.label));
  }

 private:
  bool is_swap() const { return system_.system() == System::swap; }
  bool is_head(uint32_t word, uint32_t head) const {
    return known_->head[word] == kUnknown || known_->head[word] == head;
  }

  // Whether some derivation goes on from here to a tree that agrees.
  bool leads_on(const ParseState& s) {
    list_words(s);
    const uint32_t n = static_cast<uint32_t>(words_.size()) - 1;
    bool is_bound = false;
    for (uint32_t d = 1; d <= n; ++d)
      is_bound |=
          !headed_[d] && (known_->head[words_[d]] != kUnknown || known_->label[words_[d]] != kUnknown);
    if (!is_bound) return true;
    const System system = system_.system();
    reach_.resize(n + 1);
    among_.resize(n + 1);
    for (uint32_t d = 0; d <= n; ++d) {
      reach_[d] = among_[d] = d;
      if (d == 0 || d > stacked_) continue;
      if (system == System::arc_standard && d < stacked_) reach_[d] = among_[d] = d + 1;
      if (system != System::arc_eager) continue;
      if (system_.single_root() && !headed_[d]) reach_[d] = n;
      among_[d] = n + 1;
    }
    return exists_(n, system_.single_root(), reach_, among_,
                   [&](uint32_t h, uint32_t d) { return may(h, d); });
  }

  // The root and the words that are left, in their order.
  void list_words(const ParseState& s) {
    words_.assign(1, 0);
    headed_.assign(1, 0);
    for (uint32_t at = s.top; at; at = system_.node(at).below) {
      words_.push_back(system_.node(at).token);
      headed_.push_back(system_.node(at).label != kNoLabel);
    }
    stacked_ = static_cast<uint32_t>(words_.size()) - 1;
    std::reverse(words_.begin() + 1, words_.end());
    std::reverse(headed_.begin() + 1, headed_.end());
    if (const uint32_t first = system_.buffer_word(s))
      for (uint32_t w = first; w <= system_.length(); ++w) words_.push_back(w);
    headed_.resize(words_.size(), 0);
  }

  // Whether an arc between two of these may be made, as far as they and what is known decide it.
  bool may(uint32_t h, uint32_t d) const {
    if (d == 0) return false;
    const System system = system_.system();
    if (system == System::arc_eager && d <= stacked_ && headed_[d]) return h + 1 == d;  // it is there
    const uint32_t head = words_[h], word = words_[d];
    if (!is_head(word, head)) return false;
    const Kind kind = head == 0 ? Kind::root : head > word ? Kind::left : Kind::right;
    if (known_->label[word] == kUnknown ? system_.count(kind) == 0
                                        : system_.find(kind, known_->label[word]) == system_.size())
      return false;
    if (h > stacked_ || d > stacked_) return true;
    if (system == System::arc_hybrid) return h + 1 == d;
    return system != System::arc_eager || joined_at_end(h, d);
  }
  // Whether arc-eager joins the two when the buffer is empty; words with heads are in its way.
  bool joined_at_end(uint32_t h, uint32_t d) const {
    if (!system_.single_root()) return h == 0;
    const auto from = headed_.begin() + (h > d ? d : h + 1), to = headed_.begin() + (h > d ? h + 1 : d);
    return std::find(from, to, uint8_t{1}) == to;
  }

  // With swap: whether a word that this kind of action takes away for good leaves no dependent behind.
  bool keeps_dependents(const ParseState& s, Kind kind) const {
    uint32_t gone = 0;
    const Node& s0 = system_.node(s.top);
    if (kind == Kind::left) gone = system_.node(s0.below).token;
    if (kind == Kind::right || kind == Kind::root) gone = s0.token;
    if (gone == 0) return true;
    const auto waits = [&](uint32_t at) {
      for (; at; at = system_.node(at).below)
        if (system_.node(at).token != gone && known_->head[system_.node(at).token] == gone) return true;
      return false;
    };
    if (waits(s.top) || waits(s.front)) return false;
    for (uint32_t w = s.next; w <= system_.length(); ++w)
      if (known_->head[w] == gone) return false;
    return true;
  }

  Transitions& system_;
  const GoldTree* known_ = nullptr;
  TreeExists exists_;
  std::vector<uint32_t> words_, reach_, among_;
  std::vector<uint8_t> headed_;
  uint32_t stacked_ = 0;
  bool is_kept_ = false;
  ParseState kept_for_;
  uint32_t kept_ = 0;
};

}  // namespace structron
