// Gazetteers beside the tokens of a sentence.
#pragma once
#include <string_view>
#include <vector>

#include "bind.hpp"
#include "text.hpp"
#include "text/gazetteers.hpp"
#include "text/program.hpp"

namespace {

using structron::Gazetteers;
using structron::Program;

// What gazetteers say of the words of a sentence: columns after those that its tokens have.
class Marks {
 public:
  Marks(const Gazetteers* lists, const Program& program)
      : lists_(lists), columns_(program.columns() - (lists == nullptr ? 0 : lists->size())) {
    if (columns_ < 1) throw nb::value_error("there are more gazetteers than columns");
  }

  // The columns that tokens have.
  int columns() const { return columns_; }

  void sentence(nb::handle tokens) {
    if (lists_ == nullptr) return;
    words_.clear();
    next_ = 0;
    const auto add = [&](int column, std::string_view word) {
      if (column == 0) words_.push_back(word);
    };
    each_token(tokens, columns_, add, [] {});
    lists_->mark(words_, marks_);
  }
  // Those of the next token.
  template <class To>
  void add(To& to) {
    if (lists_ == nullptr) return;
    for (size_t g = 0; g < marks_.size(); ++g)
      to.add_word(columns_ + static_cast<int>(g), marks_[g].at(next_));
    ++next_;
  }

 private:
  const Gazetteers* lists_;
  int columns_;
  std::vector<std::string_view> words_;
  std::vector<std::vector<std::string_view>> marks_;
  size_t next_ = 0;
};

}  // namespace
