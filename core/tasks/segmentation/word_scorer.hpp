// Scores of what can be done with a character, with weights that are learned or finished.
//
// What the text says is the same for all items of a beam and is summed once for each character. What words
// and tags say is looked up for several items at once.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/learner.hpp"
#include "tasks/segmentation/word_program.hpp"
#include "weights/rows.hpp"

namespace structron {

template <class Rows>
class WordScorer {
 public:
  WordScorer(const WordProgram& program, Rows rows)
      : program_(program), rows_(rows), lookups_(rows), width_(program.layout().columns()) {}

  void text(std::span<const Character> characters) {
    text_ = characters;
    forget();
  }
  std::span<const Character> text() const { return text_; }
  void forget() {
    at_ = kNone;
    waiting_.clear();
    next_ = 0;
  }

  // Items that will be asked for, in this order, all of them at one character.
  template <class StateOf>
  void ready(size_t items, StateOf&& state_of) {
    waiting_.clear();
    next_ = 0;
    for (size_t i = 0; i < items; ++i) waiting_.push_back(state_of(i));
    open(waiting_.front().pos);
    const std::vector<WordTemplate>& history = program_.history();
    lookups_.begin(items * history.size());
    for (size_t i = 0; i < items; ++i) {
      Key atoms[WordProgram::kSlots];
      WordProgram::atoms(text_, waiting_[i], atoms);
      for (size_t t = 0; t < history.size(); ++t) {
        if (parts_[t] == 0) continue;
        if (const Key key = WordProgram::history_key(history[t], parts_[t], atoms))
          lookups_.add(key, static_cast<uint32_t>(t), static_cast<uint32_t>(i));
      }
    }
    sums_.resize(items * width_);
    for (size_t i = 0; i < items; ++i) std::copy_n(base_.data(), width_, sums_.data() + i * width_);
    for (const auto& found : lookups_.resolve(found_))
      add(found.row, history[found.view], sums_.data() + found.owner * width_);
  }

  // The sums of all columns.
  const float* sums(const WordState& s) {
    if (next_ >= waiting_.size() || waiting_[next_] != s) ready(1, [&](size_t) { return s; });
    return sums_.data() + next_++ * width_;
  }

  // Adds sign * Phi of one action; only what depends on words and tags where the rest is shared.
  void difference(const WordState& s, uint32_t action, float sign, bool history_only, Difference& delta) {
    Key atoms[WordProgram::kSlots];
    WordProgram::atoms(text_, s, atoms);
    const auto put = [&](const WordTemplate& t, Key raw) {
      program_.layout().each_column(action, s.t1, [&](uint32_t column) {
        if (column >= t.first && column < t.last)
          delta.push_back({rows_.intern(rows_.folded(raw)), column, sign});
      });
    };
    if (!history_only)
      for (const WordTemplate& t : program_.local())
        if (const Key key = WordProgram::local_key(t, text_, s.pos);
            key != 0 && rows_.learns(rows_.folded(key)))
          put(t, key);
    for (const WordTemplate& t : program_.history())
      if (const Key part = WordProgram::local_key(t, text_, s.pos))
        if (const Key key = WordProgram::history_key(t, part, atoms)) put(t, key);
  }

 private:
  // Everything that does not depend on words and tags.
  void open(uint32_t pos) {
    if (at_ == pos) return;
    at_ = pos;
    const std::vector<WordTemplate>& local = program_.local();
    lookups_.begin(local.size());
    for (size_t t = 0; t < local.size(); ++t)
      if (const Key key = WordProgram::local_key(local[t], text_, pos))
        lookups_.add(key, static_cast<uint32_t>(t), 0);
    base_.assign(width_, 0.0f);
    for (const auto& found : lookups_.resolve(found_)) add(found.row, local[found.view], base_.data());
    parts_.clear();
    for (const WordTemplate& t : program_.history()) parts_.push_back(WordProgram::local_key(t, text_, pos));
  }

  // Where keys are folded a row may have more columns than its template weighs.
  static void add(const RowView& row, const WordTemplate& t, float* __restrict sums) {
    if (row.plain != nullptr) {
      const uint32_t from = std::max(t.first, row.first), to = std::min(t.last, row.first + row.used);
      for (uint32_t c = from; c < to; ++c) sums[c] += row.plain[c - row.first];
    } else {
      for (const Cell* c = row.cells; c != row.cells + row.used; ++c)
        if (c->column >= t.first && c->column < t.last) sums[c->column] += c->weight;
    }
  }

  const WordProgram& program_;
  Rows rows_;
  Lookups<Rows> lookups_;
  uint32_t width_;
  std::span<const Character> text_;
  uint32_t at_ = kNone;
  std::vector<float> base_, sums_;  // of the character alone; of each item that waits
  std::vector<Key> parts_;          // of the templates that see words or tags, what they see of the text
  std::vector<WordState> waiting_;  // items made ready, and not asked for yet from next_ on
  size_t next_ = 0;
  std::vector<typename Lookups<Rows>::Found> found_;
};

}  // namespace structron
