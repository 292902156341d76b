// The lemmas of words seen before, for words of ASCII, which nearly all are where many are asked for. The
// definition is structron/tasks/lemmatisation, and has the rest.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "util/hash.hpp"

namespace structron {

inline bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}
inline char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
inline char ascii_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
}

// What makes a lemma of a word: so many characters are replaced at either end.
struct EditScript {
  char casing;  // l, c, u, k; = for a lemma that is `before` itself; 0 makes none
  size_t first;
  std::string before;
  size_t last;
  std::string after;

  // Of a word of ASCII; false if the script is not made for such a word, or leaves nothing.
  bool apply(std::string_view word, std::string& lemma) const {
    if (casing == '=') {
      lemma = before;
      return !lemma.empty();
    }
    if (casing == 0 || first + last >= word.size()) return false;
    lemma = before;
    for (const char c : word.substr(first, word.size() - first - last))
      lemma += casing == 'k' ? c : ascii_lower(c);
    lemma += after;
    if (casing == 'c') lemma[0] = ascii_upper(lemma[0]);
    if (casing == 'u') std::transform(lemma.begin(), lemma.end(), lemma.begin(), ascii_upper);
    return true;
  }
  bool is_ascii() const { return structron::is_ascii(before) && structron::is_ascii(after); }
};

class KnownLemmas {
 public:
  // Keys are in increasing order; numbers[r] is the script of keys[r].
  KnownLemmas(std::span<const Key> keys, std::span<const uint32_t> numbers, std::vector<EditScript> scripts)
      : keys_(keys.begin(), keys.end()),
        numbers_(numbers.begin(), numbers.end()),
        scripts_(std::move(scripts)) {
    if (keys.size() != numbers.size() || !std::is_sorted(keys.begin(), keys.end()) ||
        std::any_of(numbers.begin(), numbers.end(), [&](uint32_t n) { return n >= scripts_.size(); }))
      throw std::invalid_argument("the known words do not fit together");
  }

  // The script of a form with some of its tags; null if it was not seen with them.
  const EditScript* find(std::string_view form_and_tags) const {
    const Key key = hash_bytes(form_and_tags);
    const auto at = std::lower_bound(keys_.begin(), keys_.end(), key);
    return at == keys_.end() || *at != key ? nullptr : &scripts_[numbers_[at - keys_.begin()]];
  }

 private:
  std::vector<Key> keys_;
  std::vector<uint32_t> numbers_;
  std::vector<EditScript> scripts_;
};

}  // namespace structron
