// The sources that one thread translates, word by word, and what it says of them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/translation/phrases/options.hpp"

namespace structron {

// Target words by their numbers; kNone stands for the next of the copied ones.
struct Translated {
  std::vector<uint32_t> words;
  std::vector<std::string> copied;

  auto operator<=>(const Translated&) const = default;
};

class LoadedSources {
 public:
  void begin_batch() {
    keys_.clear();
    texts_.clear();
    begin_.assign(1, 0);
  }
  void add_word(std::string_view word) {
    keys_.push_back(hash_bytes(word));
    texts_.emplace_back(word);
  }
  void close_source() { begin_.push_back(keys_.size()); }
  std::span<const Key> source(uint32_t k) const {
    return {keys_.data() + begin_[k], begin_[k + 1] - begin_[k]};
  }

 protected:
  // The source that tokens are of from now on.
  void turn_to(uint32_t k) { at_ = k; }
  void say(const Token& token, Translated& out) const {
    out.words.push_back(token.target_id);
    if (token.target_id == kNone) out.copied.push_back(texts_[begin_[at_] + token.source_place]);
  }

 private:
  uint32_t at_ = 0;
  std::vector<Key> keys_;
  std::vector<std::string> texts_;
  std::vector<size_t> begin_{0};
};

}  // namespace structron
