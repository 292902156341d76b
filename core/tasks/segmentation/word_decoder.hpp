// What one thread needs to find words on its own.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/beam_search.hpp"
#include "search/decoders.hpp"
#include "search/watched.hpp"
#include "tasks/segmentation/word_space.hpp"

namespace structron {

// What is done with each character of a text.
using WordActions = std::vector<uint16_t>;

class WordDecoder {
 public:
  using Space = WordSpace<FrozenRows>;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  WordDecoder(const WordProgram& program, const KnownTokens& known, const Frozen& weights)
      : reader_(known), space_(program, FrozenRows(weights)) {}

  Space& space() { return space_; }
  uint64_t& evictions() { return evictions_; }

  void begin_batch() {
    characters_.clear();
    duties_.clear();
    begin_.assign(1, 0);
  }
  // How many characters it has. `duties`: none, or one for each.
  size_t add(const TextView& text, std::span<const uint8_t> duties = {}) {
    reader_.read(text, characters_);
    const size_t count = characters_.size() - begin_.back();
    if (!duties.empty() && duties.size() != count) {
      characters_.resize(begin_.back());
      throw std::invalid_argument("there is one duty for each character");
    }
    duties_.insert(duties_.end(), duties.begin(), duties.end());
    duties_.resize(characters_.size(), kAnyDuty);
    begin_.push_back(characters_.size());
    return count;
  }
  std::span<const Character> text(uint32_t k) const {
    return {characters_.data() + begin_[k], begin_[k + 1] - begin_[k]};
  }
  void open(uint32_t k, const uint16_t* gold = nullptr) {
    space_.text(text(k), gold, {duties_.data() + begin_[k], begin_[k + 1] - begin_[k]});
  }

  WordActions best(const Search& search) const { return output(search, best_item(search)); }
  std::vector<std::pair<WordActions, double>> kbest(const Search& search, uint32_t k) const {
    return distinct_best<WordActions>(search, k, [&](uint32_t item) { return output(search, item); });
  }

 private:
  static WordActions output(const Search& search, uint32_t at) {
    WordActions out;
    if (at == kRoot) return out;
    at = search.items[at].parent;  // the last action ends the text
    for (; search.items[at].parent != kRoot; at = search.items[at].parent)
      out.push_back(static_cast<uint16_t>(search.items[at].action));
    std::reverse(out.begin(), out.end());
    return out;
  }

  CharacterReader reader_;
  Space space_;
  std::vector<Character> characters_;
  std::vector<uint8_t> duties_;  // of all characters
  std::vector<size_t> begin_{0};
  uint64_t evictions_ = 0;
};

}  // namespace structron
