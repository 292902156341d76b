// Which cluster a word is in: the path to it in a binary tree, a text of bits. structron/features/clusters.py
// is the definition.
#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "weights/table.hpp"

namespace structron {

class WordClusters {
 public:
  // Both texts have one entry a line; of_words: which path each word has.
  WordClusters(std::string_view words, std::span<const uint32_t> of_words, std::string_view paths) {
    each_line(paths, [&](std::string_view path) {
      std::vector<Key> prefixes;
      for (size_t n = 0; n <= path.size(); ++n) prefixes.push_back(hashed(path.substr(0, n)));
      prefixes_.push_back(std::move(prefixes));
    });
    size_t at = 0;
    each_line(words, [&](std::string_view word) {
      if (at == of_words.size() || of_words[at] >= prefixes_.size())
        throw std::invalid_argument("a word has no cluster");
      paths_.intern(hash_bytes(word), of_words[at++]);
    });
    if (at != of_words.size()) throw std::invalid_argument("a cluster has no word");
  }

  uint32_t size() const { return paths_.size(); }

  // The first bits of a word's path, all of them with 0; the whole of one that is shorter. A word that is not
  // known is looked for in lower case; 0 if that is not known either.
  Key prefix(std::string_view word, std::string_view lower, int length) const {
    uint32_t path = paths_.find(hash_bytes(word));
    if (path == kNone && lower != word) path = paths_.find(hash_bytes(lower));
    if (path == kNone) return 0;
    const std::vector<Key>& all = prefixes_[path];
    const size_t n = static_cast<size_t>(length);
    return length == 0 || n >= all.size() ? all.back() : all[n];
  }

 private:
  static Key hashed(std::string_view path) {
    const Key h = hash_bytes(path);
    return h ? h : 1;
  }
  template <class F>
  static void each_line(std::string_view text, F&& f) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      if (end == text.npos) throw std::invalid_argument("a list has a last line without an end");
      f(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
  }

  Table paths_;
  std::vector<std::vector<Key>> prefixes_;  // by path, then by length
};

}  // namespace structron
