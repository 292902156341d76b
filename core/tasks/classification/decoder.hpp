// What one thread needs to classify on its own. Texts are kept as they come and read when they are opened, so
// that threads share that work too.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "beam_search.hpp"
#include "decoders.hpp"
#include "frozen.hpp"
#include "tasks/classification/space.hpp"
#include "tasks/classification/vectorizer.hpp"
#include "watched.hpp"

namespace structron {

using Actions = std::vector<uint16_t>;  // one for each step

class ClassificationDecoder {
 public:
  using Space = ClassificationSpace;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  ClassificationDecoder(const Vectorizer& vectorizer, const Frozen& weights, Decisions decisions)
      : vectorizer_(vectorizer),
        weights_(weights),
        reader_(vectorizer.reader()),
        space_(decisions, nullptr, 0) {}

  Space& space() { return space_; }
  uint64_t& evictions() { return evictions_; }

  static constexpr size_t kBytes = 8;  // of a text that make one more feature, about

  void begin_batch() {
    texts_.clear();
    keys_.clear();
    values_.clear();
    inputs_.clear();
  }
  void add_text(std::string_view s) {
    inputs_.push_back({true, texts_.size(), s.size()});
    texts_ += s;
  }
  // Or a bag of counts, feature by feature.
  void begin_counts() { inputs_.push_back({false, keys_.size(), 0}); }
  void add_count(Key key, double value) {
    keys_.push_back(vectorizer_.folded(key));
    values_.push_back(value);
    ++inputs_.back().size;
  }
  TextReader& reader() { return reader_; }

  void open(uint32_t k, const uint16_t* gold = nullptr) {
    const Input& x = inputs_[k];
    bag_.clear(x.is_text ? x.size / kBytes : x.size);
    if (x.is_text) {
      reader_.text(std::string_view(texts_).substr(x.begin, x.size),
                   [&](Key key) { bag_.add(vectorizer_.folded(key), 1.0); });
    } else {
      for (size_t i = x.begin; i < x.begin + x.size; ++i) bag_.add(keys_[i], values_[i]);
    }
    vectorizer_.weigh(bag_);
    weights_.find_rows(bag_.keys(), rows_);
    const std::span<float> sums = space_.ready(gold);
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (size_t i = 0; i < rows_.size(); ++i)
      add(rows_[i], static_cast<float>(bag_.values()[i]), sums.data());
  }
  // One for each column, of the input that is open.
  std::span<const float> sums() const { return space_.sums(); }

  Actions best(const Search& search) const { return output(search, best_item(search)); }
  std::vector<std::pair<Actions, double>> kbest(const Search& search, uint32_t k) const {
    return distinct_best<Actions>(search, k, [&](uint32_t item) { return output(search, item); });
  }

 private:
  struct Input {
    bool is_text;
    size_t begin, size;
  };

  static void add(const RowView& row, float value, float* __restrict sums) {
    if (row.plain != nullptr) {
      const float* __restrict w = row.plain;
      for (uint32_t c = 0; c < row.used; ++c) sums[c] += value * w[c];
    } else {
      for (const Cell* c = row.cells; c != row.cells + row.used; ++c) sums[c->column] += value * c->weight;
    }
  }
  Actions output(const Search& search, uint32_t at) const {
    Actions out;
    if (at == kRoot) return out;
    for (; search.items[at].parent != kRoot; at = search.items[at].parent)
      out.push_back(static_cast<uint16_t>(search.items[at].action));
    std::reverse(out.begin(), out.end());
    return out;
  }

  const Vectorizer& vectorizer_;
  const Frozen& weights_;
  TextReader reader_;
  Space space_;
  Bag bag_;
  std::vector<RowView> rows_;
  std::string texts_;
  std::vector<Key> keys_;
  std::vector<double> values_;
  std::vector<Input> inputs_;
  uint64_t evictions_ = 0;
};

}  // namespace structron
