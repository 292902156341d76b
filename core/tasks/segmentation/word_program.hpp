// Templates of segmenters that build words, and what they see. The definitions are
// structron/tasks/segmentation/features/words.py and structron/tasks/segmentation/words/space.py.
#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "search/refusal.hpp"
#include "search/search_options.hpp"
#include "tasks/segmentation/characters.hpp"
#include "util/hash.hpp"

namespace structron {

// How far we are; where the last word and the one before it begin, their tags and keys, last first.
struct WordState {
  uint32_t pos, begin, before;
  uint16_t t1, t2;
  Key w1, w2;
  bool operator==(const WordState&) const = default;
};

enum class WordAtom : uint8_t { c, k, d, r, w, len, first, last, one, known, ahead, t, seen };

// What is done with characters, and the columns it is weighed by, for so many tags.
struct WordLayout {
  uint32_t tags;
  bool sentences;
  bool spaces;  // whether words may hold white space

  static constexpr uint32_t kAppend = 0;
  uint32_t finish() const { return tags + 1; }
  uint32_t first_sentence() const { return tags + 2; }
  uint32_t actions() const { return sentences ? 2 * tags + 2 : tags + 2; }

  uint32_t over() const { return tags; }
  uint32_t append(uint32_t tag) const { return tags + 1 + tag; }
  uint32_t separate() const { return 2 * tags + 1; }
  uint32_t joined() const { return 2 * tags + 2; }
  uint32_t sentence() const { return 2 * tags + 3; }
  uint32_t columns() const { return 2 * tags + 4; }

  // f(column) for those of an action; t1 is the tag of the word before it.
  template <class F>
  void each_column(uint32_t action, uint32_t t1, F&& f) const {
    if (action == kAppend) {
      f(append(t1));
      f(joined());
    } else if (action <= tags + 1) {
      f(action - 1);  // the text is over: the column after those of tags
      f(separate());
    } else {
      f(action - first_sentence());
      f(separate());
      f(sentence());
    }
  }
};

// What gold does with the characters of a text, if that can be done; the last action is not among it.
inline void check_gold(const WordLayout& layout, std::span<const uint16_t> actions, size_t characters) {
  if (characters != actions.size())
    throw std::invalid_argument("a text has not as many characters as its gold has actions");
  for (size_t i = 0; i < actions.size(); ++i) {
    const uint32_t a = actions[i];
    const bool begins = a >= 1 && a <= layout.tags;
    if (!begins && (i == 0 || a >= layout.actions() || a == layout.finish()))
      throw std::invalid_argument("gold does what cannot be done with a character");
  }
}

// Exact search keeps the last two words and their tags apart: it must be possible to hold all of them.
inline void check_exact(const SearchOptions& how, const WordLayout& layout, size_t characters) {
  constexpr double kMost = 2e7;
  const double n = static_cast<double>(characters), tags = layout.tags;
  if (how.width == 0 && n * n * n * tags * tags / 6 > kMost)
    refuse_exact("the words of " + std::to_string(characters) + " characters", "too much memory");
}

struct WordTemplate {
  Key base;
  std::vector<std::pair<WordAtom, int>> local, history;  // atoms that see the text alone, and the others
  uint32_t first, last;                                  // the columns it weighs
};

class WordProgram {
 public:
  static constexpr Key kBoundary = 0xB0A7DA12B0A7DA12ull;
  static constexpr uint32_t kMostLength = 15;

  WordProgram(uint32_t tags, bool sentences, bool spaces, std::vector<WordTemplate> templates)
      : layout_{tags, sentences, spaces} {
    if (tags < 1 || tags > 30000) throw std::invalid_argument("there must be 1 to 30000 tags");
    for (WordTemplate& t : templates) {
      if (t.first >= t.last || t.last > layout_.columns())
        throw std::invalid_argument("a template weighs columns that are not there");
      for (const auto& [atom, offset] : t.local)
        if (atom > WordAtom::r || offset < -32 || offset > 32) throw std::invalid_argument("no such atom");
      for (const auto& [atom, offset] : t.history)
        if (atom <= WordAtom::r || atom > WordAtom::seen || offset < -2 || offset > -1)
          throw std::invalid_argument("no such atom");
      (t.history.empty() ? local_ : history_).push_back(std::move(t));
    }
  }

  const WordLayout& layout() const { return layout_; }
  // Those that see the text alone, and the others.
  const std::vector<WordTemplate>& local() const { return local_; }
  const std::vector<WordTemplate>& history() const { return history_; }

  // What a template sees of the text alone; 0 if it is silent.
  static Key local_key(const WordTemplate& t, std::span<const Character> text, uint32_t pos) {
    Key key = t.base;
    for (const auto& [atom, offset] : t.local) {
      const Key value = see(atom, text, pos, offset);
      if (value == 0) return 0;
      key = combine(key, value);
    }
    return key;
  }
  // The same with what it sees of words and tags, by atoms() of the state.
  static Key history_key(const WordTemplate& t, Key key, const Key* atoms) {
    for (const auto& [atom, offset] : t.history) {
      const Key value = atoms[slot(atom, offset)];
      if (value == 0) return 0;
      key = combine(key, value);
    }
    return key;
  }

  // All that templates may ask of a state.
  static constexpr size_t kSlots = 18;
  static void atoms(std::span<const Character> text, const WordState& s, Key* out) {
    see_word(text, s.begin, s.pos, s.w1, out);
    see_word(text, s.before, s.begin, s.w2, out + 1);
    out[slot(WordAtom::t, -1)] = Key{1} + s.t1;
    out[slot(WordAtom::t, -2)] = Key{1} + s.t2;
  }

 private:
  static constexpr size_t slot(WordAtom atom, int offset) {
    return 2 * (static_cast<size_t>(atom) - static_cast<size_t>(WordAtom::w)) + (offset == -2);
  }

  static void see_word(std::span<const Character> text, uint32_t begin, uint32_t end, Key word, Key* out) {
    const bool there = end > 0;
    const uint32_t length = end - begin;
    const auto put = [&](WordAtom atom, Key value) { out[slot(atom, -1)] = value; };
    put(WordAtom::w, there ? word : kBoundary);
    put(WordAtom::len, there ? std::min(length, kMostLength) : kBoundary);
    put(WordAtom::first, there ? text[begin].value : kBoundary);
    put(WordAtom::last, there ? text[end - 1].value : kBoundary);
    put(WordAtom::one, there && length == 1);
    put(WordAtom::known, there ? how_known(text[begin], length) : kBoundary);
    put(WordAtom::ahead, there ? longest_known(text[begin]) : kBoundary);
    put(WordAtom::seen, !there ? kBoundary : how_known(text[begin], length) > 1 ? word : Key{1});
  }

  static Key see(WordAtom atom, std::span<const Character> text, uint32_t pos, int offset) {
    const int64_t place = int64_t{pos} + offset, n = static_cast<int64_t>(text.size());
    if (place < -1 || place > n) return 0;
    const bool inside = place >= 0 && place < n;
    if (atom == WordAtom::r) return inside && pos < text.size() && text[place].value == text[pos].value;
    if (!inside) return kBoundary;
    const Character& there = text[place];
    return atom == WordAtom::c ? there.symbol : atom == WordAtom::k ? there.kind : there.known;
  }

  WordLayout layout_;
  std::vector<WordTemplate> local_, history_;
};

}  // namespace structron
