// Lists of names: which words of a sentence are part of an entry. structron/features/gazetteers.py is the
// definition.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/unicode.hpp"
#include "weights/table.hpp"

namespace structron {

// One list. Entries are ways through a tree of words; of those that begin at a word the longest counts, and
// the next one begins after it.
class Gazetteer {
 public:
  // One entry a line, blanks between its words.
  explicit Gazetteer(std::string_view entries) {
    while (!entries.empty()) {
      const size_t end = std::min(entries.find('\n'), entries.size());
      add(entries.substr(0, end));
      entries.remove_prefix(std::min(end + 1, entries.size()));
    }
  }

  // How each word stands in an entry: S alone, B first, I inside, E last; nothing if it is in none.
  void mark(std::span<const std::string_view> words, std::vector<std::string_view>& marks) const {
    marks.assign(words.size(), {});
    for (size_t i = 0; i < words.size();) {
      const size_t n = longest(words.subspan(i));
      for (size_t k = 0; k < n; ++k) marks[i + k] = n == 1 ? "S" : k == 0 ? "B" : k + 1 == n ? "E" : "I";
      i += std::max<size_t>(n, 1);
    }
  }

 private:
  static Key step(uint32_t node, std::string_view word) { return combine(hash_bytes(word), node); }

  void add(std::string_view entry) {
    uint32_t node = 0;
    while (!entry.empty()) {
      const size_t end = std::min(entry.find(' '), entry.size());
      if (end > 0)
        node = nodes_.intern(step(node, entry.substr(0, end)), static_cast<uint32_t>(ends_.size()));
      if (node == ends_.size()) ends_.push_back(0);
      entry.remove_prefix(std::min(end + 1, entry.size()));
    }
    if (node) ends_[node] = 1;
  }

  // A word that leads nowhere is looked for in lower case too.
  size_t longest(std::span<const std::string_view> words) const {
    size_t found = 0;
    uint32_t node = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      uint32_t next = nodes_.find(step(node, words[i]));
      if (next == kNone) next = nodes_.find(step(node, lower(words[i])));
      if (next == kNone) break;
      node = next;
      if (ends_[node]) found = i + 1;
    }
    return found;
  }
  static std::string lower(std::string_view word) {
    std::string out;
    for (size_t i = 0; i < word.size();) unicode::append(out, unicode::lower(unicode::next(word, i)));
    return out;
  }

  Table nodes_;
  std::vector<uint8_t> ends_{0};  // whether an entry ends in a node
};

// Several lists. What each says of a word is a column after those that a sentence has.
class Gazetteers {
 public:
  explicit Gazetteers(const std::vector<std::string>& lists) {
    for (const std::string& entries : lists) lists_.emplace_back(entries);
  }

  int size() const { return static_cast<int>(lists_.size()); }

  // marks[list][word]
  void mark(std::span<const std::string_view> words,
            std::vector<std::vector<std::string_view>>& marks) const {
    marks.resize(lists_.size());
    for (size_t g = 0; g < lists_.size(); ++g) lists_[g].mark(words, marks[g]);
  }

 private:
  std::vector<Gazetteer> lists_;
};

}  // namespace structron
