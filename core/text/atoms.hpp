// Atoms: what a template can see of one word. structron/features/atoms.py is the definition in Python.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/clusters.hpp"
#include "text/unicode.hpp"
#include "util/hash.hpp"

namespace structron {

enum class Aspect : int {
  form = 0,
  lower = 1,
  prefix = 2,
  suffix = 3,
  shape = 4,
  classes = 5,
  lprefix = 6,
  lsuffix = 7,
  feature = 8,  // one of several, as in Case=Nom|Number=Sing; its length is what stands for its name
  cluster = 9,  // its length is how many bits of the path; 0 for all
  entry = 10    // the word itself; an empty one is absent
};

struct Atom {
  Aspect aspect;
  int length;  // of an affix, in characters; of a cluster, in bits
  int column;
  int offset;  // from the current token
};

// Beyond either end of the sentence every atom has this one value; absent atoms (an affix as long as the
// word or longer) are 0 and silence their template.
inline constexpr Key kBoundary = 0xB0A7DA12B0A7DA12ull;

// One word taken apart once; every aspect of it then is cheap.
class Word {
 public:
  Word() = default;
  explicit Word(std::string_view text, const WordClusters* clusters = nullptr) : clusters_(clusters) {
    read(text);
  }

  // Where its cluster is looked up; without that it has none.
  void look_up(const WordClusters* clusters) { clusters_ = clusters; }

  // The text must stay where it is as long as it is looked at.
  void read(std::string_view text) {
    text_ = text;
    lower_value_ = 0;
    if (is_ascii(text)) {
      read_ascii();
    } else {
      read_utf8();
    }
  }

  Key aspect(Aspect what, int length) const {
    const size_t n = codes_.size();
    const size_t k = static_cast<size_t>(length);
    switch (what) {
      case Aspect::form:
        return value(text_);
      case Aspect::lower:
        if (lower_value_ == 0)
          lower_value_ = value(lower_);  // the one that templates ask for again and again
        return lower_value_;
      case Aspect::prefix:
        return k < n ? value(text_.substr(0, starts_[k])) : 0;
      case Aspect::suffix:
        return k < n ? value(text_.substr(starts_[n - k])) : 0;
      case Aspect::lprefix:
        return k < n ? value(std::string_view(lower_).substr(0, lower_starts_[k])) : 0;
      case Aspect::lsuffix:
        return k < n ? value(std::string_view(lower_).substr(lower_starts_[n - k])) : 0;
      case Aspect::shape:
        return value(shape());
      case Aspect::classes:
        return combine(kBoundary, classes());
      case Aspect::feature:
        return feature(static_cast<Key>(length));
      case Aspect::cluster:
        return clusters_ == nullptr ? 0 : clusters_->prefix(text_, lower_, length);
      case Aspect::entry:
        return n ? value(text_) : 0;
    }
    return 0;
  }

 private:
  static bool is_ascii(std::string_view text) {
    unsigned char all = 0;
    for (unsigned char c : text) all |= c;
    return all < 0x80;
  }
  // Most words: every byte is a character.
  void read_ascii() {
    const size_t n = text_.size();
    lower_.resize(n);
    codes_.resize(n);
    starts_.resize(n + 1);
    for (size_t i = 0; i < n; ++i) {
      const unsigned char c = static_cast<unsigned char>(text_[i]);
      codes_[i] = c;
      lower_[i] = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
    for (size_t i = 0; i <= n; ++i) starts_[i] = static_cast<uint32_t>(i);
    lower_starts_ = starts_;
  }
  void read_utf8() {
    lower_.clear();
    codes_.clear();
    starts_.clear();
    lower_starts_.clear();
    for (size_t i = 0; i < text_.size();) {
      starts_.push_back(static_cast<uint32_t>(i));
      const uint32_t c = unicode::next(text_, i);
      codes_.push_back(c);
      lower_starts_.push_back(static_cast<uint32_t>(lower_.size()));
      unicode::append(lower_, unicode::lower(c));
    }
    starts_.push_back(static_cast<uint32_t>(text_.size()));
    lower_starts_.push_back(static_cast<uint32_t>(lower_.size()));
  }

  static Key value(std::string_view s) {
    const Key h = hash_bytes(s);
    return h ? h : 1;
  }

  // The value of the first feature whose name has this number.
  Key feature(Key number) const {
    for (size_t from = 0; from <= text_.size();) {
      const size_t end = std::min(text_.find('|', from), text_.size());
      const std::string_view part = text_.substr(from, end - from);
      const size_t equals = part.find('=');
      if (equals != part.npos && (hash_bytes(part.substr(0, equals)) & 0x7FFFFFFF) == number)
        return value(part.substr(equals + 1));
      from = end + 1;
    }
    return 0;
  }

  // Runs of one kind become one letter; punctuation stays itself: "McDonald's" is XxXx'x.
  std::string shape() const {
    std::string out;
    uint32_t last = 0xFFFFFFFFu;
    for (uint32_t c : codes_) {
      const char kind = unicode::kind(c);
      const uint32_t mark = kind == 'U' ? 'X' : kind == 'L' ? 'x' : kind == 'D' ? 'd' : kind == 'O' ? 'o' : c;
      if (mark != last) unicode::append(out, mark);
      last = mark;
    }
    return out;
  }

  // Bits: has upper, lower, digit, hyphen, other punctuation, other letter; starts upper; more than one
  // upper.
  Key classes() const {
    Key bits = 0;
    int uppers = 0;
    for (size_t i = 0; i < codes_.size(); ++i) {
      const uint32_t c = codes_[i];
      const char kind = unicode::kind(c);
      if (kind == 'U') {
        bits |= 1;
        ++uppers;
        if (i == 0) bits |= 64;
      } else if (kind == 'L') {
        bits |= 2;
      } else if (kind == 'D') {
        bits |= 4;
      } else if (c == '-') {
        bits |= 8;
      } else if (kind == 'P') {
        bits |= 16;
      } else if (kind == 'O') {
        bits |= 32;
      }
    }
    return bits | (uppers > 1 ? 128 : 0);
  }

  const WordClusters* clusters_ = nullptr;
  std::string_view text_;
  std::string lower_;
  mutable Key lower_value_ = 0;
  std::vector<uint32_t> codes_, starts_, lower_starts_;
};

}  // namespace structron
