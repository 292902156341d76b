// What of a tagger comes as arrays from a file: its dictionary and its rules. Nothing in them is trusted.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "tasks/tagging/space.hpp"
#include "text/lexicon.hpp"
#include "util/hash.hpp"

namespace structron {

using TagDictionary = std::unordered_map<Key, std::vector<uint16_t>>;  // by hash of the word

// keys[r] (hash of the word) may take tags[offsets[r] .. offsets[r + 1]].
inline TagDictionary dictionary_of(std::span<const Key> keys, std::span<const uint32_t> offsets,
                                   std::span<const uint16_t> tags, uint32_t all) {
  TagDictionary d;
  if (keys.empty()) return d;
  if (offsets.size() != keys.size() + 1)
    throw std::invalid_argument("the dictionary's arrays do not fit together");
  for (size_t r = 0; r < keys.size(); ++r) {
    const uint32_t from = offsets[r], to = offsets[r + 1];
    if (from >= to || to > tags.size()) throw std::invalid_argument("the dictionary's rows are out of order");
    std::vector<uint16_t> row(tags.begin() + from, tags.begin() + to);
    for (size_t i = 0; i < row.size(); ++i)
      if (row[i] >= all || (i && row[i] <= row[i - 1]))
        throw std::invalid_argument("the dictionary's tags are out of order");
    d[keys[r]] = std::move(row);
  }
  return d;
}

// The tags of each word of a corpus; none where the dictionary does not know it. Empty without a dictionary.
inline std::vector<std::vector<uint16_t>> tags_of_words(const TagDictionary& dictionary,
                                                        const Lexicon& words) {
  std::vector<std::vector<uint16_t>> open;
  if (dictionary.empty()) return open;
  open.resize(words.size());
  for (uint32_t w = 0; w < words.size(); ++w)
    if (const auto it = dictionary.find(words.hash(w)); it != dictionary.end()) open[w] = it->second;
  return open;
}

inline TagRules tag_rules(std::span<const uint8_t> after, std::span<const uint8_t> end, uint32_t tags) {
  if (after.size() != static_cast<size_t>(tags + 1) * tags || end.size() != tags)
    throw std::invalid_argument("the rules do not fit the labels");
  TagRules rules;
  rules.after.assign(after.begin(), after.end());
  rules.end.assign(end.begin(), end.end());
  return rules;
}

// Tags that tokens with each duty may have; there is always one. Nothing for duty 0.
inline void set_duties(TagRules& rules, std::span<const uint8_t> allowed, uint32_t tags) {
  if (tags == 0 || allowed.size() % tags != 0 || allowed.size() > size_t{256} * tags)
    throw std::invalid_argument("the duties do not fit the labels");
  for (size_t at = 0; at < allowed.size(); at += tags)
    if (std::count(allowed.begin() + static_cast<std::ptrdiff_t>(at),
                   allowed.begin() + static_cast<std::ptrdiff_t>(at + tags), 0) == std::ptrdiff_t{tags})
      throw std::invalid_argument("no label is left for a token with a duty");
  rules.duty.assign(allowed.begin(), allowed.end());
}

// How many tags these labels have in all; at least one each. States hold tags of sixteen bits.
inline uint32_t tags_in_all(uint32_t labels, uint32_t each) {
  const uint64_t all = uint64_t{labels} * each;
  if (each < 1 || all >= 0xFFFF) throw std::invalid_argument("so many sub-labels cannot be");
  return static_cast<uint32_t>(all);
}

// Where features come ready there are no words.
inline void check_ready(bool ready, const Program& program, bool has_dictionary) {
  if (ready && (program.reads_words() || has_dictionary))
    throw std::invalid_argument("ready features leave no words for templates or a dictionary to read");
}

}  // namespace structron
