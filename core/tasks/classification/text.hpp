// n-grams of the words and characters of a text. structron/tasks/classification/features.py is the
// definition.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "text/unicode.hpp"
#include "util/hash.hpp"

namespace structron {

struct TextTemplate {
  Key base;
  bool characters;
  uint32_t length;
};

// The words of one text after the other; its memory is used again.
class TextReader {
 public:
  TextReader(std::vector<TextTemplate> templates, bool lowered)
      : templates_(std::move(templates)), lowered_(lowered) {
    for (const TextTemplate& t : templates_) {
      if (t.length < 1 || t.length > 16) throw std::invalid_argument("templates have a length of 1 to 16");
      needs_characters_ |= t.characters;
    }
    for (uint32_t c = 0; c < 128; ++c) {
      const uint32_t small = lowered ? unicode::lower(c) : c;
      ascii_[c] = is_word(small) ? static_cast<char>(small) : 0;
    }
    std::fill(ascii_.begin() + 128, ascii_.end(), '\0');
  }

  // add(key) for each place where a template fits.
  template <class Add>
  void text(std::string_view s, Add&& add) {
    begin();
    // No letter takes more than twice its bytes in lower case, or where it is ill-formed.
    if (room_.size() < 2 * s.size() + 16) room_.resize(2 * s.size() + 16);
    char* const first = room_.data();
    char* end = first;
    for (size_t i = 0; i < s.size();) {
      // Nearly all of most texts: a byte at a time.
      const char small = ascii_[static_cast<unsigned char>(s[i])];
      if (small != 0) {
        *end++ = small;
        ++i;
        continue;
      }
      uint32_t code = static_cast<unsigned char>(s[i]);
      if (code >= 128) {
        code = unicode::next(s, i);
        if (lowered_) code = unicode::lower(code);
        if (is_word(code)) {
          wide_.clear();
          unicode::append(wide_, code);
          end = std::copy(wide_.begin(), wide_.end(), end);
          continue;
        }
      } else {
        ++i;
      }
      if (end != first) close(first, end);
      end = first;
    }
    if (end != first) close(first, end);
    finish(add);
  }

  // The same for words that are given.
  void begin() {
    words_.clear();
    joined_.assign(1, ' ');
  }
  void word(std::string_view w) {
    words_.push_back(hash_bytes(w));
    if (needs_characters_) joined_.append(w).append(1, ' ');
  }
  template <class Add>
  void finish(Add&& add) {
    for (const TextTemplate& t : templates_) t.characters ? characters(t, add) : words(t, add);
  }

 private:
  static bool is_word(uint32_t c) {
    if (c == '_') return true;
    const char kind = unicode::kind(c);
    return kind != 'P' && kind != 'Z';
  }
  // The word from first to end; there is room for eight bytes more.
  void close(const char* first, const char* end) {
    const size_t n = static_cast<size_t>(end - first);
    words_.push_back(n < 8 ? hash_short(first, n) : hash_bytes({first, n}));
    if (needs_characters_) joined_.append(first, n).append(1, ' ');
  }
  // hash_bytes of fewer than eight bytes, read at once.
  static Key hash_short(const char* first, size_t n) {
    Key tail;
    std::memcpy(&tail, first, 8);
    tail &= (Key{1} << 8 * n) - 1;
    return combine(combine(0x5354525543545231ull, tail), n);
  }
  template <class Add>
  void words(const TextTemplate& t, Add&& add) const {
    for (size_t i = 0; i + t.length <= words_.size(); ++i) {
      Key key = t.base;
      for (uint32_t k = 0; k < t.length; ++k) key = combine(key, words_[i + k]);
      add(key);
    }
  }
  template <class Add>
  void characters(const TextTemplate& t, Add&& add) {
    if (words_.empty()) return;
    starts_.clear();
    for (size_t i = 0; i < joined_.size(); ++i)
      if ((static_cast<unsigned char>(joined_[i]) & 0xC0) != 0x80)
        starts_.push_back(static_cast<uint32_t>(i));
    starts_.push_back(static_cast<uint32_t>(joined_.size()));
    const std::string_view all = joined_;
    for (size_t i = 0; i + t.length < starts_.size(); ++i)
      add(combine(t.base, hash_bytes(all.substr(starts_[i], starts_[i + t.length] - starts_[i]))));
  }

  std::vector<TextTemplate> templates_;
  bool lowered_, needs_characters_ = false;
  std::array<char, 256>
      ascii_{};  // of a byte that is a letter of a word by itself, that in lower case; else 0
  std::vector<char> room_;
  std::string wide_, joined_;
  std::vector<Key> words_;
  std::vector<uint32_t> starts_;
};

}  // namespace structron
