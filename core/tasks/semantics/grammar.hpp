// Productions and templates of semantic parsing as the engine runs them. structron/tasks/semantics/space.py
// is the definition, and structron/tasks/semantics/features.py that of templates, whose numbers of atoms are
// its own.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tasks/translation/decoding/templates.hpp"
#include "util/hash.hpp"
#include "weights/key_table.hpp"

namespace structron {

struct SemanticTemplate {
  enum Atom : uint32_t {
    kProduction,
    kFunction,
    kName,
    kWord,
    kPrefix,
    kWordBefore,
    kWordAfter,
    kPart,
    kPartFunction,
    kSlot,
    kFirst,
    kLast,
    kBefore,
    kAfter,
    kBare,
    kIn,
    kAny,
    kOrder,
    kAtoms
  };
  enum Kind { kOfWord, kOfPart, kOfSpan, kOfOrder };

  Key base;
  std::vector<uint32_t> atoms;

  bool has(uint32_t atom) const {
    for (uint32_t a : atoms)
      if (a == atom) return true;
    return false;
  }
  Kind kind() const {
    if (has(kWord) || has(kPrefix) || has(kWordBefore) || has(kWordAfter)) return kOfWord;
    if (has(kPart) || has(kPartFunction) || has(kSlot)) return kOfPart;
    return has(kOrder) ? kOfOrder : kOfSpan;
  }
  void check() const {
    if (atoms.empty()) throw std::invalid_argument("a template is empty");
    for (size_t i = 0; i < atoms.size(); ++i) {
      const bool each = atoms[i] == kIn || atoms[i] == kAny;
      const bool of_span = atoms[i] >= kFirst && atoms[i] < kOrder, of_order = atoms[i] == kOrder,
                 of_part = atoms[i] >= kPart && atoms[i] < kFirst,
                 of_word = atoms[i] >= kWord && atoms[i] < kPart;
      if (atoms[i] >= kAtoms || (each && i + 1 != atoms.size()) || (of_span && kind() != kOfSpan) ||
          (of_order && kind() != kOfOrder) || (of_part && kind() != kOfPart) ||
          (of_word && kind() != kOfWord))
        throw std::invalid_argument("no such template");
    }
  }
};

struct SemanticProduction {
  Key whole, function, seen;  // what templates see of it
  Key kind;                   // what they see of a word that is never more than a part of its name
  uint32_t type;
  bool spoken;                               // whether it may say words itself
  std::vector<std::vector<uint32_t>> slots;  // for each the types that fit
};

class SemanticGrammar {
 public:
  using Pair = std::pair<uint32_t, Key>;

  SemanticGrammar(std::vector<SemanticProduction> productions, std::vector<uint32_t> start,
                  std::vector<SemanticTemplate> templates, uint32_t chain, float least)
      : productions_(std::move(productions)), start_(std::move(start)), chain_(chain), least_(least) {
    if (productions_.empty()) throw std::invalid_argument("the grammar has no productions");
    if (chain > 8) throw std::invalid_argument("a chain has at most eight productions");
    for (const SemanticProduction& p : productions_)
      if (p.slots.size() > 64) throw std::invalid_argument("a production has at most 64 slots");
    for (SemanticTemplate& t : templates) {
      t.check();
      templates_[t.kind()].push_back(std::move(t));
    }
  }

  // How much words and productions belong together.
  void associate(uint32_t production, Key word, float value) {
    if (production >= productions_.size()) throw std::invalid_argument("there is no such production");
    association_[combine(word, production)] = value;
  }
  void add_word(Key word) { words_.insert(word); }

  uint32_t size() const { return static_cast<uint32_t>(productions_.size()); }
  uint32_t chain() const { return chain_; }
  const SemanticProduction& operator[](uint32_t p) const { return productions_[p]; }
  const std::vector<SemanticTemplate>& templates(SemanticTemplate::Kind kind) const {
    return templates_[kind];
  }
  uint32_t arity(uint32_t p) const { return static_cast<uint32_t>(productions_[p].slots.size()); }
  bool is_start(uint32_t p) const { return holds(start_, productions_[p].type); }
  // Types from here on are of the rest of a conjunction, which stands last in any case.
  static constexpr uint32_t kRest = 1u << 31;
  // Whether there are two slots and types do not tell which part is for which.
  bool is_exchangeable(uint32_t p) const {
    const auto& slots = productions_[p].slots;
    if (slots.size() != 2) return false;
    std::vector<uint32_t> last = slots[1];
    std::erase_if(last, [](uint32_t type) { return type >= kRest; });
    return slots[0] == last;
  }
  bool fits(uint32_t p, uint32_t slot, uint32_t part) const {
    return holds(productions_[p].slots[slot], productions_[part].type);
  }
  bool is_known(Key word) const { return words_.contains(word); }
  float associated(uint32_t production, Key word) const {
    if (!is_known(word)) return 0;
    const auto found = association_.find(combine(word, production));
    return found == association_.end() ? least_ : found->second;
  }

 private:
  static bool holds(const std::vector<uint32_t>& types, uint32_t type) {
    for (uint32_t t : types)
      if (t == type) return true;
    return false;
  }

  std::vector<SemanticProduction> productions_;
  std::vector<uint32_t> start_;
  std::vector<SemanticTemplate> templates_[4];
  uint32_t chain_;
  float least_;
  std::unordered_map<Key, float> association_;
  std::unordered_set<Key> words_;
};

// A name in a question.
struct NamedSpan {
  uint32_t begin, end, production;

  bool operator==(const NamedSpan&) const = default;
};

// A question as templates see it.
struct Question {
  std::vector<Key> words, prefixes;
  std::vector<NamedSpan> names;

  uint32_t length() const { return static_cast<uint32_t>(words.size()); }
  Key word(int64_t i) const {
    return i >= 0 && i < static_cast<int64_t>(words.size()) ? words[static_cast<size_t>(i)] : kBoundary;
  }
  void clear() {
    words.clear();
    prefixes.clear();
    names.clear();
  }
  void add_word(std::string_view word) {
    words.push_back(hash_bytes(word));
    size_t end = 0;
    for (uint32_t characters = 0; end < word.size(); ++end)
      if ((static_cast<unsigned char>(word[end]) & 0xC0) != 0x80 && ++characters > kPrefixCharacters) break;
    prefixes.push_back(hash_bytes(word.substr(0, end)));
  }
  void add_name(const NamedSpan& name, uint32_t productions) {
    if (name.begin >= name.end || name.end > words.size() || name.production >= productions)
      throw std::invalid_argument("a name is not inside of its question");
    names.push_back(name);
  }
  // A word inside of names that nothing but a name was ever seen to say is seen as their types.
  void see_names(const SemanticGrammar& grammar) {
    std::vector<std::vector<Key>> kinds(words.size());
    for (const NamedSpan& name : names)
      for (uint32_t i = name.begin; i < name.end; ++i) {
        std::vector<Key>& here = kinds[i];
        const Key kind = grammar[name.production].kind;
        if (std::find(here.begin(), here.end(), kind) == here.end()) here.push_back(kind);
      }
    for (size_t i = 0; i < words.size(); ++i) {
      if (kinds[i].empty() || grammar.is_known(words[i])) continue;
      words[i] = prefixes[i] = combine(kBoundary, std::accumulate(kinds[i].begin(), kinds[i].end(), Key{0}));
    }
  }

  static constexpr uint32_t kPrefixCharacters = 4;
};

}  // namespace structron
