// Training texts as characters, each with what gold does with it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tasks/segmentation/word_program.hpp"
#include "util/counting.hpp"
#include "weights/weights.hpp"

namespace structron {

class WordCorpus {
 public:
  // The words of a text count so many sightings less in it than they have among the known tokens.
  WordCorpus(const WordProgram& program, const KnownTokens& known, uint32_t less, const Weights& weights)
      : program_(program), reader_(known), less_(less), bits_(weights.bits()) {}

  const WordProgram& program() const { return program_; }
  uint32_t examples() const { return static_cast<uint32_t>(begin_.size()) - 1; }
  uint64_t characters() const { return characters_.size(); }
  std::span<const Character> text(uint32_t i) const {
    return {characters_.data() + begin_[i], begin_[i + 1] - begin_[i]};
  }
  // One more than there are characters: the last ends the text.
  const uint16_t* gold(uint32_t i) const { return gold_.data() + begin_[i] + i; }
  const Table* open() const { return is_cut_ ? &open_ : nullptr; }

  // An action for each character.
  void add(const TextView& text, std::span<const uint16_t> actions) {
    const WordLayout& layout = program_.layout();
    const size_t first = characters_.size();
    lengths_.assign(actions.size(), 0);
    for (size_t i = 0, begin = 0; i < actions.size(); ++i) {
      if (actions[i] != WordLayout::kAppend) begin = i;
      ++lengths_[begin];
    }
    reader_.read(text, characters_, {lengths_, less_});
    try {
      check_gold(layout, actions, characters_.size() - first);
    } catch (...) {
      characters_.resize(first);
      throw;
    }
    gold_.insert(gold_.end(), actions.begin(), actions.end());
    gold_.push_back(static_cast<uint16_t>(layout.finish()));
    begin_.push_back(characters_.size());
    longest_ = std::max(longest_, actions.size());
  }
  size_t longest() const { return longest_; }

  // At how many characters each feature of the text alone is seen.
  Sightings counts() const {
    Counting counting;
    for (uint32_t e = 0; e < examples(); ++e)
      for (uint32_t i = 0; i <= text(e).size(); ++i)
        for (const WordTemplate& t : program_.local())
          if (const Key key = WordProgram::local_key(t, text(e), i)) counting.see(fold(key, bits_));
    return std::move(counting).give();
  }
  // Lets go of all others, for good. What depends on words and tags has no count before it is searched.
  void keep(std::span<const Key> keys) {
    open_ = Table();
    for (Key key : keys) open_.intern(key, 0);
    is_cut_ = true;
  }

 private:
  const WordProgram& program_;
  CharacterReader reader_;
  uint32_t less_;
  int bits_;
  std::vector<Character> characters_;  // all texts, one after the other
  std::vector<size_t> begin_{0};
  std::vector<uint16_t> gold_;
  std::vector<uint32_t> lengths_;  // of the words of one text, where they begin
  size_t longest_ = 0;
  bool is_cut_ = false;
  Table open_;
};

}  // namespace structron
