// A sentence of raw text as CoNLL-U. The definition is structron/segments/segmented_text.py, whose
// rows structron/io/formats/conllu.py renders.
#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "tasks/segmentation/units.hpp"
#include "words/unicode.hpp"

namespace structron {

class ConlluWriter {
 public:
  // The text is cut out of another one, in which it begins at `offset`.
  ConlluWriter(const TextView& text, uint64_t offset, std::string_view comments)
      : text_(text), offset_(offset) {
    out_.reserve(kUsual);
    out_ = comments;
  }

  // The comment that gives the characters of the sentence.
  void source(uint32_t begin, uint32_t end) {
    out_ += "# text = ";
    characters(begin, end);
    out_ += '\n';
  }
  void number(uint64_t value) {
    char digits[20];
    const auto [end, _] = std::to_chars(digits, digits + sizeof digits, value);
    out_.append(digits, end);
  }
  void range(uint64_t first, uint64_t last) {
    number(first);
    out_ += '-';
    number(last);
  }
  void tab() { out_ += '\t'; }
  void line() { out_ += '\n'; }
  void text(std::string_view plain) { out_ += plain; }
  // A value from elsewhere.
  void value(std::string_view text) {
    for (const char c : text) fits_ &= c != '\t' && c != '\n' && c != '\r';
    out_ += text;
  }
  // Characters of the text; a run of white space becomes one blank.
  void characters(uint32_t begin, uint32_t end) {
    text_.visit([&](const auto* c) {
      bool white = false;
      for (uint32_t i = begin; i < end; ++i) {
        const uint32_t code = c[i];
        const bool now = is_white(code);
        if (!now) {
          fits_ &= code < 0xD800 || code > 0xDFFF;  // half of a surrogate pair has no UTF-8
          unicode::append(out_, code);
        } else if (!white) {
          out_ += ' ';
        }
        white = now;
      }
    });
  }
  // MISC of a token, after which the next one begins at `next`.
  void misc(uint32_t begin, uint32_t end, uint32_t next) {
    text_.visit([&](const auto* c) {
      if (next == end) {
        out_ += "SpaceAfter=No|";
      } else if (next != end + 1 || c[end] != ' ') {
        out_ += "SpacesAfter=";
        for (uint32_t i = end; i < next; ++i) escaped(c[i]);
        out_ += '|';
      }
    });
    out_ += "TokenRange=";
    number(begin + offset_);
    out_ += ':';
    number(end + offset_);
  }
  // Where the white space after a place ends.
  uint32_t after_white(uint32_t at) const {
    return text_.visit([&](const auto* c) {
      while (at < text_.size() && is_white(c[at])) ++at;
      return at;
    });
  }

  // Whether every value can stand in a file.
  bool fits() const { return fits_; }
  const std::string& out() const { return out_; }

 private:
  void escaped(uint32_t c) {
    switch (c) {
      case ' ':
        out_ += "\\s";
        return;
      case '\t':
        out_ += "\\t";
        return;
      case '\n':
        out_ += "\\n";
        return;
      case '\r':
        out_ += "\\r";
        return;
      default:
        char digits[8];
        const auto [end, _] = std::to_chars(digits, digits + sizeof digits, c, 16);
        out_ += "\\u{";
        out_.append(digits, end);
        out_ += '}';
    }
  }

  static constexpr size_t kUsual = 4096;  // characters

  TextView text_;
  uint64_t offset_;
  std::string out_;
  bool fits_ = true;
};

}  // namespace structron
