// What one thread needs to tag on its own: the words it has met are its own, too.
#pragma once
#include <algorithm>
#include <limits>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "search/beam_search.hpp"
#include "search/decoders.hpp"
#include "search/forward_backward.hpp"
#include "search/watched.hpp"
#include "tasks/tagging/frozen_scorer.hpp"
#include "tasks/tagging/label_sets.hpp"
#include "tasks/tagging/space.hpp"

namespace structron {

using LabelNumbers = std::vector<uint16_t>;

template <class Tags>
class TaggingDecoder {
 public:
  using Space = TaggingSpace<FrozenScorer, Tags>;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;
  static constexpr size_t kBatch = 2048;  // sentences; a tenth faster than 64

  TaggingDecoder(const Program& program, const Frozen& weights, const TagDictionary& dictionary,
                 const TagRules& rules, bool ready, size_t room, Tags tags)
      : ready_(ready),
        tags_(tags),
        rules_(rules),
        scorer_(program, weights, dictionary, room),
        space_(scorer_, rules, program.order(), 0, tags) {}

  Space& space() { return space_; }
  uint32_t length() const { return length_; }
  uint64_t& evictions() { return scorer_.evictions(); }
  // Whether tokens are ready features and not words.
  bool is_ready() const { return ready_; }
  int columns() const { return scorer_.program().columns(); }

  // Sentences are loaded token by token.
  void begin_batch() {
    scorer_.begin_batch();
    begin_.assign(1, 0);
    duties_.clear();
    given_.clear();
    given_at_.clear();
    tokens_ = 0;
  }
  void add_word(int column, std::string_view word) { scorer_.add_word(column, word); }
  void add_ready(Key key, float value) { scorer_.add_ready(key, value); }
  void close_token(uint8_t duty = 0) {
    scorer_.close_token();
    duties_.push_back(duty);
    ++tokens_;
  }
  void close_sentence() { begin_.push_back(tokens_); }
  // The labels of the sentence that was closed last must be in these sets.
  void restrict_to(const LabelSets& sets, std::span<const uint16_t> numbers) {
    if (numbers.size() != begin_.back() - begin_[begin_.size() - 2])
      throw std::invalid_argument("tokens and given labels differ in number");
    if (!open_tags(sets, numbers, rules_, tags_.each, may_))
      throw std::invalid_argument("no sequence of labels that the rules allow has all labels given");
    given_at_.resize(begin_.size() - 1, kNowhere);
    given_at_.back() = given_.size();
    given_.insert(given_.end(), may_.begin(), may_.end());
  }
  void open(uint32_t k, const uint16_t* gold = nullptr) {
    length_ = begin_[k + 1] - begin_[k];
    scorer_.sentence(begin_[k], length_);
    space_.sentence(length_, gold, duties_.data() + begin_[k]);
    if (k < given_at_.size() && given_at_[k] != kNowhere) space_.restrict_to(given_.data() + given_at_[k]);
  }

  // The probability of each label of each token, and the logarithm of that of the gold labels.
  std::vector<float> marginals() {
    const uint32_t labels = scorer_.labels() / tags_.each;
    std::vector<float> all(static_cast<size_t>(length_) * labels, 0.0f);
    run(all_, false);
    if (all_.steps() != length_ || length_ == 0) return all;
    all_.turn();
    for (uint32_t i = length_; i-- > 0;)
      all_.back(space_, [&](const TagState&, const double* p) {
        for (uint32_t a = 0; a < scorer_.labels(); ++a)
          all[i * size_t{labels} + tags_.label(a)] += static_cast<float>(p[a]);
      });
    return all;
  }
  double log_likelihood() {
    run(all_, false);
    const double total = all_.log_total();
    run(all_, true);
    return all_.steps() == length_ ? std::min(0.0, all_.log_total() - total)
                                   : -std::numeric_limits<double>::infinity();
  }

  // The labels of the best sequence, and of the k best that differ.
  LabelNumbers best(const Search& search) const {
    check(search);
    return labels_to(search, best_item(search));
  }
  std::vector<std::pair<LabelNumbers, double>> kbest(const Search& search, uint32_t k) const {
    check(search);
    return distinct_best<LabelNumbers>(search, k, [&](uint32_t item) { return labels_to(search, item); });
  }

 private:
  void run(ForwardBackward<Space>& sums, bool gold) {
    check_sums(space_, length_);
    sums.start(space_, 1, gold);
    while (sums.forward(space_)) {
    }
  }
  void check(const Search& search) const {
    if (search.rows.size() != length_) throw std::runtime_error("search found no sequence of labels");
  }
  LabelNumbers labels_to(const Search& search, uint32_t at) const {
    LabelNumbers labels(length_);
    for (uint32_t i = length_; i-- > 0; at = search.items[at].parent)
      labels[i] = static_cast<uint16_t>(tags_.label(search.items[at].action));
    return labels;
  }

  static constexpr size_t kNowhere = ~size_t{0};

  bool ready_;
  [[no_unique_address]] Tags tags_;
  const TagRules& rules_;
  FrozenScorer scorer_;
  Space space_;
  ForwardBackward<Space> all_;
  std::vector<uint32_t> begin_{0};
  std::vector<uint8_t> duties_;       // of all tokens
  std::vector<uint8_t> given_, may_;  // of sentences of which parts are given, see open_tags
  std::vector<size_t> given_at_;      // by sentence, as far as any was restricted
  uint32_t tokens_ = 0;
  uint32_t length_ = 0;  // of the sentence that is open
};

}  // namespace structron
