// What one thread needs to parse on its own.
#pragma once
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "search/beam_search.hpp"
#include "search/decoders.hpp"
#include "search/watched.hpp"
#include "tasks/parsing/corpus.hpp"
#include "tasks/parsing/dp_space.hpp"
#include "tasks/parsing/scorer.hpp"
#include "tasks/parsing/space.hpp"
#include "tasks/parsing/tree.hpp"

namespace structron {

// Sentences to be parsed, as values; the current one is chosen by its place.
class LoadedSentences {
 public:
  template <class Program>
  LoadedSentences(const Program& program, size_t room)
      : columns_(program.columns()), lexicons_(program), room_(room) {}

  void begin_batch() {
    values_.clear();
    begin_.assign(1, 0);
    given_.clear();
    words_ = 0;
    if (lexicons_.words() <= room_) return;
    ++evictions_;
    lexicons_.clear();
  }
  // How often the words met in earlier sentences were let go.
  uint64_t& evictions() { return evictions_; }
  int columns() const { return columns_; }

  // A sentence is loaded token by token, the root before them.
  void begin_sentence() {
    lexicons_.put_boundary(values_);
    words_ = 0;
  }
  void add_word(int column, std::string_view word) { lexicons_.read(column, word); }
  void close_token() {
    lexicons_.put(values_);
    ++words_;
  }
  void close_sentence() { begin_.push_back(begin_.back() + words_ + 1); }
  // Parts of the tree of the sentence that was closed last.
  void give(GoldTree tree) { given_[static_cast<uint32_t>(begin_.size()) - 2] = std::move(tree); }
  // Those of a sentence; null if none are given.
  const GoldTree* given(uint32_t k) const {
    const auto at = given_.find(k);
    return at == given_.end() ? nullptr : &at->second;
  }
  // For a search that cannot keep to parts.
  void refuse_given(uint32_t k, const char* search) const {
    if (given(k) != nullptr) throw std::invalid_argument(std::string(search) + " cannot keep to given arcs");
  }

  uint32_t length(uint32_t k) const { return begin_[k + 1] - begin_[k] - 1; }
  ParseWords words(uint32_t k) const {
    return {values_.data() + static_cast<size_t>(begin_[k]) * lexicons_.slots(), lexicons_.slots()};
  }

 private:
  int columns_;
  ParseLexicons lexicons_;
  size_t room_;
  uint64_t evictions_ = 0;
  std::vector<Key> values_;
  std::vector<uint32_t> begin_{0};
  std::unordered_map<uint32_t, GoldTree> given_;
  uint32_t words_ = 0;  // of the sentence that is being loaded
};

class ParsingDecoder {
 public:
  using Scorer = ParseScorer<FrozenRows>;
  using Space = ParseSpace<Scorer, false>;
  using Search = BeamSearch<Space>;
  using Watched = structron::Watched<Search>;

  ParsingDecoder(const ParseProgram& program, const Transitions& system, const Frozen& weights, bool dynamic,
                 size_t room, int sum_bits = 10)
      : system_(system),
        oracle_(system_, dynamic),
        loaded_(program, room),
        greedy_(program, FrozenRows(weights), false),
        beam_(program, FrozenRows(weights), true, sum_bits),
        greedily_(system_, oracle_, greedy_),
        in_beams_(system_, oracle_, beam_) {}

  // Greedy search sees every state once: keeping sums would be for nothing.
  void prepare(const SearchOptions& options) {
    is_greedy_ = options.width == 1;
    system_.keep_signatures(options.merge);
  }
  Space& space() { return is_greedy_ ? greedily_ : in_beams_; }
  uint32_t length() const { return length_; }
  uint64_t& evictions() { return loaded_.evictions(); }
  LoadedSentences& loaded() { return loaded_; }

  void begin_batch() { loaded_.begin_batch(); }
  // Scores states of the open sentence, and keeps sums; greedy search leaves none.
  Scorer& summing_scorer() {
    if (is_greedy_) beam_.sentence(loaded_.words(open_));
    return beam_;
  }
  void open(uint32_t k, const GoldTree* gold = nullptr) {
    open_ = k;
    length_ = loaded_.length(k);
    (is_greedy_ ? greedy_ : beam_).sentence(loaded_.words(k));
    space().sentence(loaded_.words(k), length_, gold, loaded_.given(k));
  }

  Tree best(const Search& search) {
    check(search);
    return tree_to(search, best_item(search));
  }
  std::vector<std::pair<Tree, double>> kbest(const Search& search, uint32_t k) {
    check(search);
    return distinct_best<Tree>(search, k, [&](uint32_t item) { return tree_to(search, item); });
  }

 private:
  // Only swap does not look ahead to the end.
  void check(const Search& search) {
    if (search.rows.size() < space().system().steps())
      throw std::invalid_argument("the search found no tree with all arcs given; use a wider beam");
  }
  Tree tree_to(const Search& search, uint32_t at) {
    if (at == kRoot) return Tree{};
    Tree tree(length_);
    for (; search.items[at].parent != kRoot; at = search.items[at].parent) {
      const auto& item = search.items[at];
      tree.put(space().system().attached(search.items[item.parent].state, item.action));
    }
    return tree;
  }

  Transitions system_;
  ParseOracle oracle_;
  LoadedSentences loaded_;
  Scorer greedy_, beam_;
  Space greedily_, in_beams_;
  bool is_greedy_ = false;
  uint32_t open_ = 0, length_ = 0;
};

// The same with a beam that has dynamic programming.
class DPParsingDecoder {
 public:
  using Scorer = ParseScorer<FrozenRows>;
  using Space = DPParseSpace<Scorer>;
  using Search = DPSearch<Space>;
  using Watched = structron::Watched<Search>;

  DPParsingDecoder(const ParseProgram& program, const Transitions& system, const Frozen& weights, size_t room)
      : system_(system),
        oracle_(system_, false),
        loaded_(program, room),
        scorer_(program, FrozenRows(weights), true),
        space_(system_, oracle_, scorer_) {}

  Space& space() { return space_; }
  uint32_t length() const { return system_.length(); }
  uint64_t& evictions() { return loaded_.evictions(); }
  LoadedSentences& loaded() { return loaded_; }

  void begin_batch() { loaded_.begin_batch(); }
  void open(uint32_t k, const GoldTree* gold = nullptr) {
    loaded_.refuse_given(k, "search dp");
    scorer_.sentence(loaded_.words(k));
    space_.sentence(loaded_.words(k), loaded_.length(k), gold);
  }

  // The best tree and its score.
  std::pair<Tree, double> best(const Search& search) {
    std::pair<Tree, double> found{Tree(length()), 0.0};
    if (search.rows.empty()) return found;
    std::vector<Move<ParseState>> moves;
    search.path(space_, search.rows.back().begin, moves);
    for (const auto& m : moves) found.first.put(space_.system().attached(m.state, m.action));
    found.second = search.items[search.rows.back().begin].score;
    return found;
  }
  // How many derivations the beams hold of the sentence that is open.
  double derivations(const SearchOptions& how) {
    Search search(how);
    search.count_ways();
    search.run(space_);
    return search.ways();
  }

 private:
  Transitions system_;
  ParseOracle oracle_;
  LoadedSentences loaded_;
  Scorer scorer_;
  Space space_;
};

}  // namespace structron
