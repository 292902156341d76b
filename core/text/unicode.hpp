// Just enough of Unicode to look at words: code points, lower case, character classes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "text/unicode_tables.hpp"

namespace structron::unicode {

// The code point at s[i]; i moves past it. Ill-formed bytes come back as themselves, one at a time.
inline uint32_t next(std::string_view s, size_t& i) {
  auto byte = [&](size_t k) { return static_cast<unsigned char>(s[k]); };
  const uint32_t lead = byte(i);
  const int extra = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  if (extra == 0 || i + extra >= s.size()) {
    ++i;
    return lead;
  }
  uint32_t code = lead & (0x3F >> extra);
  for (int k = 1; k <= extra; ++k) code = (code << 6) | (byte(i + k) & 0x3F);
  i += extra + 1;
  return code;
}

inline void append(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// U upper or title case, L lower case, O other letters, D numbers, P punctuation and symbols, Z the rest.
inline char kind(uint32_t c) {
  if (c < 128) {
    static constexpr char kAscii[] =
        "ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZPPPPPPPPPPPPPPPDDDDDDDDDDPPPPPPPUUUUUUUUUUUUUUUUUUUUUUUUUUPPPPPPLLL"
        "LLLLLLLLLLLLLLLLLL"
        "LLLLLPPPPZ";
    return kAscii[c];
  }
  const Range* last = std::upper_bound(std::begin(kRanges), std::end(kRanges), c,
                                       [](uint32_t v, const Range& r) { return v < r.first; });
  return (last - 1)->kind;
}

inline uint32_t lower(uint32_t c) {
  if (c < 128) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  const Lower* at = std::lower_bound(std::begin(kLower), std::end(kLower), c,
                                     [](const Lower& l, uint32_t v) { return l.from < v; });
  return at != std::end(kLower) && at->from == c ? at->to : c;
}

}  // namespace structron::unicode
