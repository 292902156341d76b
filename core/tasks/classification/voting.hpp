// Predicting by votes: what each weight vector says of an input, from the input's products with the examples
// that were mistaken in training. structron/reference/learners/voted_perceptron.py is the definition.
#pragma once
#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "interrupt.hpp"
#include "tasks/classification/ballot.hpp"
#include "tasks/classification/decoder.hpp"

namespace structron {

// One input: its products with all examples that were mistaken.
struct Products {
  std::vector<float> of;
};

// The vectors, one after the other; nothing read from a file is trusted.
class Electorate {
 public:
  Electorate(Decisions decisions, uint32_t examples, const MistakeSpans& m)
      : decisions_(decisions),
        examples_(examples),
        mistakes_{{m.example.begin(), m.example.end()},
                  {m.begin.begin(), m.begin.end()},
                  {m.changed.begin(), m.changed.end()},
                  {m.votes.begin(), m.votes.end()}} {
    const auto is_beyond = [](const auto& all, uint64_t end) {
      return std::any_of(all.begin(), all.end(), [&](uint32_t x) { return x >= end; });
    };
    const size_t n = m.example.size();
    if (m.begin.size() != n + 1 || m.votes.size() != n + 1 || m.begin.front() != 0 ||
        m.begin.back() != m.changed.size() || !std::is_sorted(m.begin.begin(), m.begin.end()) ||
        is_beyond(m.example, examples) || is_beyond(m.changed, uint64_t{2} * decisions.columns()))
      throw std::invalid_argument("the mistakes do not fit together");
    if (std::all_of(m.votes.begin(), m.votes.end(), [](uint32_t votes) { return votes == 0; }))
      throw std::invalid_argument("nobody votes");
  }

  const Decisions& decisions() const { return decisions_; }
  uint32_t examples() const { return examples_; }
  const Mistakes& mistakes() const { return mistakes_; }

 private:
  Decisions decisions_;
  uint32_t examples_;
  Mistakes mistakes_;
};

// The count of one input's votes, in the place of a search.
class Poll {
 public:
  using Space = std::pair<const Electorate*, Products>;
  explicit Poll(SearchOptions) {}
  static SearchOptions kbest_options(SearchOptions options, uint32_t) { return options; }

  void run(Space& space) {
    const Electorate& all = *space.first;
    const Mistakes& m = all.mistakes();
    const Decisions& decisions = all.decisions();
    sums_.assign(decisions.columns(), 0.0);
    counted.clear();
    numbers_.clear();
    for (size_t i = 0; i < m.votes.size(); ++i) {
      pulse_();
      if (m.votes[i] != 0) count(decisions, m.votes[i]);
      if (i == m.example.size()) break;
      const double product = space.second.of[m.example[i]];
      for (uint32_t c = m.begin[i]; c < m.begin[i + 1]; ++c)
        sums_[m.changed[c] / 2] += m.changed[c] % 2 ? -product : product;
    }
  }

  // Outputs with their votes, in the order in which they were first found.
  std::vector<std::pair<Actions, uint64_t>> counted;

 private:
  // What the vector as it is says: the greatest sum, of equals the first; or what is above 0.
  void count(const Decisions& decisions, uint32_t votes) {
    if (decisions.yes_or_no()) {
      said_.resize(decisions.columns());
      for (size_t c = 0; c < sums_.size(); ++c) said_[c] = sums_[c] > 0;
    } else {
      said_.assign(1, static_cast<uint16_t>(std::max_element(sums_.begin(), sums_.end()) - sums_.begin()));
    }
    const auto [at, is_new] = numbers_.try_emplace(said_, counted.size());
    if (is_new) counted.emplace_back(said_, 0);
    counted[at->second].second += votes;
  }

  std::vector<double> sums_;
  Actions said_;
  std::map<Actions, size_t> numbers_;
  Pulse pulse_;
};

class VotedDecoder {
 public:
  using Space = Poll::Space;
  using Search = Poll;

  VotedDecoder(const Vectorizer& vectorizer, const Frozen& examples, const Electorate& electorate)
      : inputs_(vectorizer), examples_(examples), space_(&electorate, {}) {}

  Space& space() { return space_; }
  ClassificationInputs& inputs() { return inputs_; }
  uint64_t& evictions() { return evictions_; }
  void begin_batch() { inputs_.clear(); }

  void open(uint32_t k) {
    const Bag& bag = inputs_.open(k);
    examples_.find_rows(bag.keys(), rows_);
    std::vector<float>& products = space_.second.of;
    products.assign(examples_.stride(), 0.0f);
    for (size_t i = 0; i < rows_.size(); ++i)
      add_row(rows_[i], static_cast<float>(bag.values()[i]), products.data());
  }

  Actions best(const Poll& poll) const { return kbest(poll, 1).at(0).first; }
  std::vector<std::pair<Actions, double>> kbest(const Poll& poll, uint32_t k) const {
    std::vector<std::pair<Actions, double>> found(poll.counted.begin(), poll.counted.end());
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (found.size() > k) found.resize(k);
    return found;
  }
  // For each column the votes of vectors that say yes to it; where one column decides, less those that say
  // no.
  std::vector<float> sums(const Poll& poll) const {
    const Decisions& decisions = space_.first->decisions();
    std::vector<double> sums(decisions.columns(), 0.0);
    for (const auto& [actions, votes] : poll.counted) {
      const double n = static_cast<double>(votes);
      if (!decisions.yes_or_no()) {
        sums[actions[0]] += n;
      } else {
        for (size_t c = 0; c < sums.size(); ++c) sums[c] += actions[c] ? n : -n;
      }
    }
    return {sums.begin(), sums.end()};
  }

 private:
  ClassificationInputs inputs_;
  const Frozen& examples_;
  Space space_;
  std::vector<RowView> rows_;
  uint64_t evictions_ = 0;
};

}  // namespace structron
