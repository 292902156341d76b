// The pairs of pieces that a transducer may use, and its feature templates.
//
// structron/tasks/transduction.py and structron/tasks/transduction/features.py are the definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tasks/transduction/known_words.hpp"
#include "util/hash.hpp"
#include "weights/table.hpp"

namespace structron {

inline constexpr Key kEdge = 0xB0A7DA12B0A7DA12ull;     // what stands one place beyond an end
inline constexpr uint16_t kNoSymbol = 0xFFFF;           // before the first target symbol
inline constexpr uint16_t kStrangeSymbol = 0xFFFE;      // a target symbol that no pair emits
inline constexpr uint32_t kTargets = 7, kActions = 12;  // how far back a state remembers
inline constexpr int kFarthest = 32;                    // how far a template looks around in the source

// Pairs, what they emit and their sizes have columns of their own, of 32 bits together.
inline constexpr size_t kMostPairsOfPieces = size_t{1} << 30;

struct TransductionTemplate {
  Key base;
  std::vector<int> source, source_classes;   // offsets
  std::vector<int> hints;                    // which of `Hints`
  std::vector<int> targets, target_classes;  // how far back
  std::vector<int> actions;                  // how far back; 0 is the last pair that began with s[0]
  uint32_t view;                             // what is weighed: 0 the pair, 1 what it emits, 2 its size
  uint32_t source_node = 0, past_node = 0;   // where its atoms end in the inventory's trees

  template <class F>
  void each_offset(F&& f) const {
    for (int offset : source) f(offset);
    for (int offset : source_classes) f(offset);
  }
};

// Templates that begin alike share the work: a tree of their atoms. Node 0 is the root.
struct ContextAtom {
  uint32_t before;  // the look before
  int kind, where;
};
// Of an atom in the source: a symbol or its class, by offset, or what known words tell; of one in what was
// emitted: a target symbol, a pair, or the class of a symbol, by how far back.
inline constexpr int kSymbolHere = 0, kClassHere = 1, kHintHere = 2;
inline constexpr int kSymbolBefore = 1, kPairBefore = 2, kClassBefore = 3;

// A node of the tree of atoms at what was emitted. A path goes down from a node through its first children.
struct PastNode {
  uint32_t before, path;
  bool carries;                         // whether it goes on the path of the node before
  std::vector<uint32_t> templates;      // places in Inventory::history() of those that end here
  int before_here = 0, after_here = 0;  // how far these look around in the source
};

class Inventory {
 public:
  using Piece = std::vector<std::string>;
  struct Shape {
    uint32_t consumes, first, emits;  // emits target symbols emitted_[first ..]
    uint32_t columns[3];              // by view
    Key key;                          // what stands for the pair in a joint n-gram
    Key begins;                       // its first source symbol
  };

  // Symbols are of two classes: those given, and all others. Known words must stay where they are.
  Inventory(const std::vector<std::pair<Piece, Piece>>& pairs, std::vector<TransductionTemplate> templates,
            const Piece& source_vowels = {}, const Piece& target_vowels = {},
            const KnownWords* known_words = nullptr)
      : templates_(std::move(templates)), known_words_(known_words) {
    for (const std::string& s : source_vowels) source_vowels_.intern(hash_bytes(s), 0);
    for (const std::string& s : target_vowels) target_vowels_.intern(hash_bytes(s), 0);
    if (pairs.empty() || pairs.size() > kMostPairsOfPieces)
      throw std::invalid_argument("too few or too many pairs");
    for (const auto& [source, target] : pairs) add_pair(source, target);
    shapes_.push_back({1, 0, 0, {}, hash_bytes(""), 0});  // skip
    lay_out_columns();
    for (size_t t = 0; t < templates_.size(); ++t) check(t);
    lay_out_paths();
  }

  // What stands for a pair in a key: the hash of both sides, symbols apart by blanks.
  static Key key_of(const Piece& source, const Piece& target) {
    std::string text;
    for (const Piece* side : {&source, &target}) {
      if (side == &target) text += '\n';
      for (size_t i = 0; i < side->size(); ++i) {
        if (i > 0) text += ' ';
        text += (*side)[i];
      }
    }
    return hash_bytes(text);
  }

  uint32_t skip() const { return static_cast<uint32_t>(shapes_.size()) - 1; }
  uint32_t columns() const { return columns_; }  // the length of a row of weights
  const Shape& shape(uint32_t action) const { return shapes_[action]; }
  std::span<const uint16_t> emits(uint32_t action) const {
    return {emitted_.data() + shapes_[action].first, shapes_[action].emits};
  }

  const std::vector<std::string>& symbols() const { return symbols_; }
  Key symbol_key(uint16_t symbol) const { return symbol_keys_[symbol]; }
  uint16_t symbol(std::string_view text) const {
    const auto it = symbol_ids_.find(std::string(text));
    return it == symbol_ids_.end() ? kStrangeSymbol : it->second;
  }

  const std::vector<TransductionTemplate>& templates() const { return templates_; }
  const std::vector<uint32_t>& local() const { return local_; }      // templates that read the source alone
  const std::vector<uint32_t>& history() const { return history_; }  // the others
  const std::vector<PastNode>& past_nodes() const { return past_nodes_; }  // nodes before those after them
  uint32_t paths() const { return paths_; }
  uint32_t target_order() const { return target_order_; }
  uint32_t action_order() const { return action_order_; }

  // The actions there are at a place of a source, in increasing order.
  void actions_at(std::span<const Key> source, size_t at, std::vector<uint32_t>& out) const {
    out.clear();
    if (at >= source.size()) return;
    Key piece = kPiece;
    bool skips = false;
    for (size_t n = 1; n <= longest_ && at + n <= source.size(); ++n) {
      piece = combine(piece, source[at + n - 1]);
      const uint32_t id = pieces_.find(piece);
      skips |= n == 1 && (id == kNone || !ranges_[id].whole);
      if (id == kNone) break;  // no piece begins so
      for (uint32_t a = ranges_[id].begin; a < ranges_[id].end; ++a) out.push_back(a);
    }
    if (skips) out.push_back(skip());
  }

  // What known words tell about a source; nothing if there are none.
  void read_hints(std::span<const Key> source, std::vector<Hints>& hints) const {
    hints.clear();
    if (known_words_ != nullptr) known_words_->read(source, hints);
  }
  // What all templates read of the source at a place, by node; 0 where that is silent.
  void read_source(std::span<const Key> source, std::span<const Hints> hints, size_t at,
                   std::vector<Key>& keys) const {
    const int64_t n = static_cast<int64_t>(source.size());
    keys.resize(source_atoms_.size());
    keys[0] = kStart;
    std::array<Key, 2 * kFarthest + 1> classes;
    for (int offset = first_class_; offset <= last_class_; ++offset)
      if (const int64_t i = static_cast<int64_t>(at) + offset; i >= 0 && i < n)
        classes[static_cast<size_t>(offset + kFarthest)] =
            class_of(source_vowels_, source[static_cast<size_t>(i)]);
    for (size_t k = 1; k < source_atoms_.size(); ++k) {
      const ContextAtom& atom = source_atoms_[k];
      const Key before = keys[atom.before];
      if (atom.kind == kHintHere) {
        const Key hint = hints.empty() ? 0 : hints[at][static_cast<size_t>(atom.where)];
        keys[k] = before == 0 || hint == 0 ? 0 : combine(before, hint);
        continue;
      }
      const int64_t i = static_cast<int64_t>(at) + atom.where;
      const bool silent = before == 0 || i < -1 || i > n;
      keys[k] = silent            ? 0
                : i < 0 || i == n ? combine(before, kEdge)
                : atom.kind == kSymbolHere
                    ? combine(before, source[static_cast<size_t>(i)])
                    : combine(before, classes[static_cast<size_t>(atom.where + kFarthest)]);
    }
  }
  // All that is seen from so many symbols before a place to so many after it, and what applies there.
  Key window(std::span<const Key> source, size_t at, int before, int after) const {
    const int64_t n = static_cast<int64_t>(source.size());
    Key key = kStart;
    for (int offset = -before; offset <= std::max(after, static_cast<int>(longest_) - 1); ++offset) {
      const int64_t i = static_cast<int64_t>(at) + offset;
      key = combine(key, i >= 0 && i < n     ? source[static_cast<size_t>(i)]
                         : i == -1 || i == n ? kEdge
                                             : kBeyond);
    }
    return key;
  }
  // The same of what was emitted, where `here` is the next source symbol; both histories have the newest
  // first.
  void read_past(const uint16_t* targets, const uint32_t* actions, Key here, std::vector<Key>& keys) const {
    keys.resize(past_atoms_.size());
    keys[0] = kStart;
    for (size_t k = 1; k < past_atoms_.size(); ++k) {
      const ContextAtom& atom = past_atoms_[k];
      const uint32_t back = static_cast<uint32_t>(atom.where) - 1;
      const Key value =
          atom.kind == kSymbolBefore
              ? past_key(targets, back, kNoSymbol, [&](uint32_t t) { return symbol_keys_[t]; })
          : atom.kind == kClassBefore
              ? past_key(targets, back, kNoSymbol, [&](uint32_t t) { return symbol_classes_[t]; })
          : atom.where == 0 ? last_beginning(actions, here)
                            : past_key(actions, back, kNone, [&](uint32_t a) { return shapes_[a].key; });
      keys[k] = keys[atom.before] == 0 || value == 0 ? 0 : combine(keys[atom.before], value);
    }
  }

 private:
  static constexpr Key kPiece = 0x5049454345ull, kStart = 0x5354415254ull, kBeyond = 0x4245594F4E44ull;
  static constexpr Key kVowel = 0x564F57454Cull, kOther = 0x4F54484552ull;  // what stands for the classes
  struct Range {
    uint32_t begin = 0, end = 0;
    bool whole = false;  // it is the source of some pair, not only the beginning of one
  };

  // What stands so far back in a history; 0 if that is before the edge.
  template <class Each, class KeyOf>
  static Key past_key(const Each* history, uint32_t back, Each none, KeyOf&& key_of) {
    if (history[back] != none) return key_of(history[back]);
    return back > 0 && history[back - 1] == none ? 0 : kEdge;
  }

  // The last pair that began with this symbol, of those that a state remembers.
  Key last_beginning(const uint32_t* actions, Key symbol) const {
    for (uint32_t i = 0; i < kActions && actions[i] != kNone; ++i)
      if (shapes_[actions[i]].begins == symbol) return shapes_[actions[i]].key;
    return kEdge;
  }

  static Key class_of(const Table& vowels, Key symbol) {
    return vowels.find(symbol) == kNone ? kOther : kVowel;
  }

  void add_pair(const Piece& source, const Piece& target) {
    if (source.empty() || source.size() > 8 || target.size() > 8)
      throw std::invalid_argument("a pair consumes 1 to 8 symbols and emits at most 8");
    const uint32_t action = static_cast<uint32_t>(shapes_.size());
    Key piece = kPiece;
    for (const std::string& s : source) {
      piece = combine(piece, hash_bytes(s));
      const uint32_t id = pieces_.intern(piece, static_cast<uint32_t>(ranges_.size()));
      if (id == ranges_.size()) ranges_.push_back({});
    }
    Range& range = ranges_[pieces_.find(piece)];
    if (!range.whole) range = {action, action, true};
    if (range.end++ != action) throw std::invalid_argument("the pairs are not sorted");
    longest_ = std::max(longest_, source.size());
    const uint32_t first = static_cast<uint32_t>(emitted_.size());
    for (const std::string& s : target) emitted_.push_back(intern_symbol(s));
    shapes_.push_back({static_cast<uint32_t>(source.size()),
                       first,
                       static_cast<uint32_t>(target.size()),
                       {},
                       key_of(source, target),
                       hash_bytes(source.front())});
  }

  uint16_t intern_symbol(const std::string& text) {
    const auto [it, is_new] = symbol_ids_.try_emplace(text, static_cast<uint16_t>(symbols_.size()));
    if (is_new) {
      if (symbols_.size() >= 0xFFF0) throw std::invalid_argument("too many target symbols");
      symbols_.push_back(text);
      symbol_keys_.push_back(hash_bytes(text));
      symbol_classes_.push_back(class_of(target_vowels_, symbol_keys_.back()));
    }
    return it->second;
  }

  void lay_out_columns() {
    std::map<std::vector<uint16_t>, uint32_t> emits;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> sizes;
    const uint32_t actions = static_cast<uint32_t>(shapes_.size());
    for (uint32_t a = 0; a < actions; ++a) {
      const std::span<const uint16_t> e = this->emits(a);
      shapes_[a].columns[0] = a;
      shapes_[a].columns[1] =
          actions +
          emits.try_emplace({e.begin(), e.end()}, static_cast<uint32_t>(emits.size())).first->second;
      shapes_[a].columns[2] =
          sizes.try_emplace({shapes_[a].consumes, shapes_[a].emits}, static_cast<uint32_t>(sizes.size()))
              .first->second;
    }
    const uint32_t before = actions + static_cast<uint32_t>(emits.size());
    for (Shape& s : shapes_) s.columns[2] += before;
    columns_ = before + static_cast<uint32_t>(sizes.size());
  }

  static uint32_t atom_node(std::vector<ContextAtom>& atoms, uint32_t before, int kind, int where) {
    for (uint32_t k = 1; k < atoms.size(); ++k)
      if (atoms[k].before == before && atoms[k].kind == kind && atoms[k].where == where) return k;
    atoms.push_back({before, kind, where});
    return static_cast<uint32_t>(atoms.size()) - 1;
  }

  void check(size_t t) {
    TransductionTemplate& x = templates_[t];
    x.each_offset([](int offset) {
      if (offset < -kFarthest || offset > kFarthest)
        throw std::invalid_argument("a template looks too far around");
    });
    for (int offset : x.source) x.source_node = atom_node(source_atoms_, x.source_node, kSymbolHere, offset);
    for (int offset : x.source_classes) {
      x.source_node = atom_node(source_atoms_, x.source_node, kClassHere, offset);
      first_class_ = std::min(first_class_, offset);
      last_class_ = std::max(last_class_, offset);
    }
    for (int hint : x.hints) {
      if (hint < 0 || hint >= static_cast<int>(kHints))
        throw std::invalid_argument("a template asks known words for what they do not tell");
      x.source_node = atom_node(source_atoms_, x.source_node, kHintHere, hint);
    }
    for (int back : x.targets) x.past_node = atom_node(past_atoms_, x.past_node, kSymbolBefore, back);
    for (int back : x.target_classes) x.past_node = atom_node(past_atoms_, x.past_node, kClassBefore, back);
    for (int back : x.actions) x.past_node = atom_node(past_atoms_, x.past_node, kPairBefore, back);
    for (const std::vector<int>* looks : {&x.targets, &x.target_classes})
      for (int back : *looks) {
        if (back < 1 || back > static_cast<int>(kTargets))
          throw std::invalid_argument("a template looks too far back");
        target_order_ = std::max(target_order_, static_cast<uint32_t>(back));
      }
    for (int back : x.actions) {
      if (back < 0 || back > static_cast<int>(kActions))
        throw std::invalid_argument("a template looks too far back");
      action_order_ = std::max(action_order_, back == 0 ? kActions : static_cast<uint32_t>(back));
    }
    if (x.view > 2) throw std::invalid_argument("a template weighs nothing that is known");
    const bool is_local = x.targets.empty() && x.target_classes.empty() && x.actions.empty();
    // Sums of histories are remembered by the symbols around, which do not say what known words tell.
    if (!is_local && !x.hints.empty())
      throw std::invalid_argument("a template looks at known words and back");
    (is_local ? local_ : history_).push_back(static_cast<uint32_t>(t));
  }

  void lay_out_paths() {
    past_nodes_.resize(past_atoms_.size());
    std::vector<bool> has_child(past_atoms_.size());
    for (uint32_t k = 1; k < past_atoms_.size(); ++k) {
      const uint32_t before = past_atoms_[k].before;
      const bool carries = before != 0 && !has_child[before];
      has_child[before] = true;
      past_nodes_[k] = {before, carries ? past_nodes_[before].path : paths_++, carries, {}};
    }
    for (uint32_t h = 0; h < history_.size(); ++h) {
      PastNode& node = past_nodes_[templates_[history_[h]].past_node];
      node.templates.push_back(h);
      templates_[history_[h]].each_offset([&](int offset) {
        node.before_here = std::max(node.before_here, -offset);
        node.after_here = std::max(node.after_here, offset);
      });
    }
  }

  std::vector<TransductionTemplate> templates_;
  const KnownWords* known_words_;
  std::vector<PastNode> past_nodes_;
  std::vector<ContextAtom> source_atoms_{{0, 0, 0}}, past_atoms_{{0, 0, 0}};
  std::vector<uint32_t> local_, history_;
  uint32_t target_order_ = 0, action_order_ = 0, columns_ = 0, paths_ = 0;
  size_t longest_ = 1;
  std::vector<Shape> shapes_;
  std::vector<uint16_t> emitted_;
  Table pieces_;  // by the running hash of a piece's symbols
  std::vector<Range> ranges_;
  std::vector<std::string> symbols_;
  std::vector<Key> symbol_keys_, symbol_classes_;
  Table source_vowels_, target_vowels_;
  int first_class_ = kFarthest + 1, last_class_ = -kFarthest - 1;  // how far templates look at classes
  std::unordered_map<std::string, uint16_t> symbol_ids_;
};

}  // namespace structron
