// Inputs of a classifier on their way to a decoder. Texts are kept as they come and read when they are
// opened, so that threads share that work too.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tasks/classification/vectorizer.hpp"

namespace structron {

class ClassificationInputs {
 public:
  static constexpr size_t kBytes = 8;  // of a text that make one more feature, about

  explicit ClassificationInputs(const Vectorizer& vectorizer)
      : vectorizer_(vectorizer), reader_(vectorizer.reader()) {}

  void clear() {
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

  // The features of the k-th input with their values; it stays until the next is opened.
  const Bag& open(uint32_t k) {
    const Input& x = inputs_[k];
    bag_.clear(x.is_text ? x.size / kBytes : x.size);
    if (x.is_text) {
      reader_.text(std::string_view(texts_).substr(x.begin, x.size),
                   [&](Key key) { bag_.add(vectorizer_.folded(key), 1.0); });
    } else {
      for (size_t i = x.begin; i < x.begin + x.size; ++i) bag_.add(keys_[i], values_[i]);
    }
    vectorizer_.weigh(bag_);
    return bag_;
  }

 private:
  struct Input {
    bool is_text;
    size_t begin, size;
  };

  const Vectorizer& vectorizer_;
  TextReader reader_;
  Bag bag_;
  std::string texts_;
  std::vector<Key> keys_;
  std::vector<double> values_;
  std::vector<Input> inputs_;
};

// sums[c] += value * weight of column c.
template <class Number>
void add_row(const RowView& row, Number value, Number* __restrict sums) {
  if (row.plain != nullptr) {
    const float* __restrict w = row.plain;
    for (uint32_t c = 0; c < row.used; ++c) sums[c] += value * w[c];
  } else {
    for (const Cell* c = row.cells; c != row.cells + row.used; ++c) sums[c->column] += value * c->weight;
  }
}

}  // namespace structron
