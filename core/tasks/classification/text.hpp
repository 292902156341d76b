// n-grams of the words and characters of a text. structron/features/classification.py is the definition.
#pragma once
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "hash.hpp"
#include "words/unicode.hpp"

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
  }

  // add(key) for each place where a template fits.
  template <class Add>
  void text(std::string_view s, Add&& add) {
    begin();
    for (size_t i = 0; i < s.size();) {
      const unsigned char byte = static_cast<unsigned char>(s[i]);
      if (byte < 128) {
        // Nearly all of most texts: a run at a time.
        const size_t first = i;
        while (i < s.size() && static_cast<signed char>(s[i]) >= 0 && ascii_[static_cast<size_t>(s[i])] != 0)
          ++i;
        if (i > first) {
          const size_t before = word_.size();
          word_.resize(before + (i - first));
          for (size_t k = first; k < i; ++k) word_[before + k - first] = ascii_[static_cast<size_t>(s[k])];
          continue;
        }
        ++i;
        if (!word_.empty()) close_word();
        continue;
      }
      uint32_t code = unicode::next(s, i);
      if (lowered_) code = unicode::lower(code);
      if (is_word(code)) {
        unicode::append(word_, code);
      } else if (!word_.empty()) {
        close_word();
      }
    }
    if (!word_.empty()) close_word();
    finish(add);
  }

  // The same for words that are given.
  void begin() {
    word_.clear();
    words_.clear();
    joined_.assign(1, ' ');
  }
  void word(std::string_view w) {
    word_ = w;
    close_word();
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
  void close_word() {
    words_.push_back(hash_bytes(word_));
    if (needs_characters_) joined_.append(word_).append(1, ' ');
    word_.clear();
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
  std::array<char, 128> ascii_{};
  std::string word_, joined_;
  std::vector<Key> words_;
  std::vector<uint32_t> starts_;
};

}  // namespace structron
