// Learns which words of two languages belong together, from pairs of sentences and nothing else: Model 1,
// then the hidden Markov model, in both directions, by EM.
//
// Expected counts are whole multiples of 2^-32. Their sums are exact, so that neither the order of the pairs
// nor the number of threads changes a bit. The definition is structron/alignment/word_alignment.py.
#pragma once
#include <array>
#include <span>
#include <stdexcept>

#include "tasks/translation/words/hmm.hpp"
#include "util/hash.hpp"
#include "util/interrupt.hpp"
#include "util/pool.hpp"
#include "weights/table.hpp"

namespace structron {

struct AlignmentOptions {
  double null = 0.05;    // the share of words that nothing generates
  double uniform = 0.1;  // the share of jumps that go anywhere
  bool agree = true;     // whether both directions must expect a link for it to count (Liang et al. 2006)
};

class WordAligner {
 public:
  static constexpr uint64_t kMostWords = 500;  // on either side of a pair that is not passed by
  using Counts = std::vector<int64_t>;

  // Sentences one after the other, with offsets; words are numbers below the vocabularies' sizes.
  WordAligner(std::array<std::span<const uint32_t>, 2> words,
              std::array<std::span<const uint64_t>, 2> offsets, std::array<uint32_t, 2> vocabulary,
              AlignmentOptions options, uint32_t threads)
      : options_(options), pool_(threads), workers_(pool_.threads()) {
    for (int side = 0; side < 2; ++side) {
      if (offsets[side].empty() || offsets[side].size() != offsets[0].size())
        throw std::invalid_argument("the two sides have different numbers of sentences");
      for (size_t i = 0; i + 1 < offsets[side].size(); ++i)
        if (offsets[side][i] > offsets[side][i + 1] || offsets[side][i + 1] > words[side].size())
          throw std::invalid_argument("offsets do not rise or point too far");
      for (uint32_t w : words[side])
        if (w >= vocabulary[side]) throw std::invalid_argument("a word is not in the vocabulary");
      words_[side].assign(words[side].begin(), words[side].end());
      offsets_[side].assign(offsets[side].begin(), offsets[side].end());
      directions_[side].null.assign(vocabulary[side], 1.0 / vocabulary[side]);
    }
    number_cells();
    for (int d = 0; d < 2; ++d) {
      // Direction d generates side d from the other: uniform to begin with.
      directions_[d].lexical.assign(pairs_.size(), 1.0 / vocabulary[d]);
      Jumps& jumps = directions_[d].jumps;
      jumps.null = options_.null;
      jumps.uniform = options_.uniform;
      jumps.most = longest_[1 - d];
      jumps.weight.assign(2 * static_cast<size_t>(jumps.most) + 1, 1.0);
    }
  }

  size_t size() const { return offsets_[0].size() - 1; }
  const std::vector<uint64_t>& pairs() const { return pairs_; }
  const std::vector<double>& lexical(int d) const { return directions_[d].lexical; }
  const std::vector<double>& null(int d) const { return directions_[d].null; }
  const std::vector<double>& jumps(int d) const { return directions_[d].jumps.weight; }

  // How many steps of EM were made.
  uint32_t steps() const { return steps_; }
  // Goes on from what another aligner of the same text had found out about a direction in so many steps.
  void restore(int d, std::span<const double> lexical, std::span<const double> null,
               std::span<const double> jumps, uint32_t steps) {
    Direction& own = directions_[d];
    if (lexical.size() != own.lexical.size() || null.size() != own.null.size() ||
        jumps.size() != own.jumps.weight.size())
      throw std::invalid_argument("this is of an aligner of another text");
    own.lexical.assign(lexical.begin(), lexical.end());
    own.null.assign(null.begin(), null.end());
    own.jumps.weight.assign(jumps.begin(), jumps.end());
    steps_ = steps;
  }

  // One step of EM; the log-likelihoods of the two directions before it.
  std::array<double, 2> step(bool hmm) {
    std::vector<std::array<double, 2>> likelihoods(size());
    pool_.run([&](uint32_t t) {
      Worker& w = workers_[t];
      for (int d = 0; d < 2; ++d) {
        w.lexical[d].assign(pairs_.size(), 0);
        w.null[d].assign(directions_[d].null.size(), 0);
        w.jumped[d].assign(directions_[d].jumps.weight.size(), 0);
      }
      for (size_t s = t; s < size(); s += workers_.size())
        if (is_aligned(s)) likelihoods[s] = expect(s, hmm, w);
    });
    std::array<double, 2> total{};
    for (const auto& each : likelihoods)
      for (int d = 0; d < 2; ++d) total[d] += each[d];
    for (int d = 0; d < 2; ++d) maximise(d, hmm);
    ++steps_;
    return total;
  }

  // The best position, from 1, of each word of side d in the other sentence; 0: none.
  std::vector<uint32_t> best(int d) {
    std::vector<uint32_t> found(words_[d].size(), 0);
    pool_.run([&](uint32_t t) {
      std::vector<uint32_t> best;
      for (size_t s = t; s < size(); s += workers_.size())
        if (is_aligned(s)) {
          HmmLattice& lattice = workers_[t].lattice[d];
          fill(s, d, lattice);
          lattice.viterbi(directions_[d].jumps, best);
          std::copy(best.begin(), best.end(), found.begin() + static_cast<std::ptrdiff_t>(offsets_[d][s]));
        }
    });
    return found;
  }

  // Probabilities of all links of one pair: word i of side 0 with word j of side 1, by rows of side 0.
  std::vector<double> posteriors(int d, size_t s) {
    std::vector<double> found(static_cast<size_t>(length(0, s)) * length(1, s), 0.0);
    if (!is_aligned(s)) return found;
    HmmLattice& lattice = workers_[0].lattice[d];
    fill(s, d, lattice);
    lattice.hmm(directions_[d].jumps);
    for (uint32_t i = 0; i < length(0, s); ++i)
      for (uint32_t j = 0; j < length(1, s); ++j)
        found[static_cast<size_t>(i) * length(1, s) + j] =
            d == 1 ? lattice.posterior(i, j) : lattice.posterior(j, i);
    return found;
  }

 private:
  static constexpr double kOne = 4294967296.0;
  static int64_t fixed(double count) { return std::llrint(count * kOne); }

  struct Direction {
    std::vector<double> lexical;  // by the number of the pair of words
    std::vector<double> null;     // by the generated word
    Jumps jumps;
  };
  struct Worker {
    std::array<HmmLattice, 2> lattice;
    std::array<Counts, 2> lexical, null, jumped;
  };

  uint32_t length(int side, size_t s) const {
    return static_cast<uint32_t>(offsets_[side][s + 1] - offsets_[side][s]);
  }
  bool is_aligned(size_t s) const { return cells_at_[s + 1] > cells_at_[s]; }

  // Each word of side 0 with each of side 1 in the same pair of sentences, in the order of first sight.
  void number_cells() {
    Table table;
    cells_at_.assign(1, 0);
    for (size_t s = 0; s < size(); ++s) {
      hear();
      const uint64_t many = static_cast<uint64_t>(length(0, s)) * length(1, s);
      if (length(0, s) <= kMostWords && length(1, s) <= kMostWords) {
        for (uint64_t i = offsets_[0][s]; i < offsets_[0][s + 1]; ++i)
          for (uint64_t j = offsets_[1][s]; j < offsets_[1][s + 1]; ++j) {
            const uint64_t pair = static_cast<uint64_t>(words_[0][i]) << 32 | words_[1][j];
            const uint32_t number = table.intern(combine(0, pair), static_cast<uint32_t>(pairs_.size()));
            if (number == pairs_.size()) pairs_.push_back(pair);
            cells_.push_back(number);
          }
        if (many > 0)
          for (int side = 0; side < 2; ++side) longest_[side] = std::max(longest_[side], length(side, s));
      }
      cells_at_.push_back(cells_.size());
    }
  }

  uint32_t cell(size_t s, uint32_t i, uint32_t j) const {
    return cells_[cells_at_[s] + static_cast<size_t>(i) * length(1, s) + j];
  }

  void fill(size_t s, int d, HmmLattice& lattice) const {
    const Direction& direction = directions_[d];
    const uint32_t* observed = words_[d].data() + offsets_[d][s];
    lattice.fill(
        length(1 - d, s), length(d, s),
        [&](uint32_t i, uint32_t j) { return direction.lexical[d == 1 ? cell(s, i, j) : cell(s, j, i)]; },
        [&](uint32_t j) { return direction.null[observed[j]]; });
  }

  std::array<double, 2> expect(size_t s, bool hmm, Worker& w) const {
    std::array<double, 2> likelihood{};
    for (int d = 0; d < 2; ++d) {
      fill(s, d, w.lattice[d]);
      likelihood[d] = hmm ? w.lattice[d].hmm(directions_[d].jumps) : w.lattice[d].model1(options_.null);
    }
    for (uint32_t i = 0; i < length(0, s); ++i)
      for (uint32_t j = 0; j < length(1, s); ++j) {
        const double to = w.lattice[1].posterior(i, j), from = w.lattice[0].posterior(j, i);
        const uint32_t number = cell(s, i, j);
        w.lexical[1][number] += fixed(options_.agree ? to * from : to);
        w.lexical[0][number] += fixed(options_.agree ? to * from : from);
      }
    for (int d = 0; d < 2; ++d) {
      const HmmLattice& lattice = w.lattice[d];
      const uint32_t* observed = words_[d].data() + offsets_[d][s];
      for (uint32_t j = 0; j < lattice.observed(); ++j)
        w.null[d][observed[j]] += fixed(lattice.null_posterior(j));
      if (!hmm) continue;
      const size_t shift = directions_[d].jumps.most - lattice.hidden();
      for (size_t k = 0; k < lattice.jumped().size(); ++k)
        w.jumped[d][shift + k] += fixed(lattice.jumped()[k]);
    }
    return likelihood;
  }

  template <class Get>
  Counts summed(Get&& get) {
    Counts total = get(workers_[0]);
    for (size_t t = 1; t < workers_.size(); ++t) {
      const Counts& more = get(workers_[t]);
      for (size_t i = 0; i < total.size(); ++i) total[i] += more[i];
    }
    return total;
  }

  void maximise(int d, bool hmm) {
    Direction& direction = directions_[d];
    const Counts lexical = summed([&](Worker& w) -> Counts& { return w.lexical[d]; });
    const Counts null = summed([&](Worker& w) -> Counts& { return w.null[d]; });
    // Probabilities are shares of what the word of the other side generates; nothing is such a word too.
    Counts given(directions_[1 - d].null.size(), 0);
    for (size_t p = 0; p < pairs_.size(); ++p) given[hidden_of(p, d)] += lexical[p];
    int64_t all = 0;
    for (int64_t c : null) all += c;
    for (size_t p = 0; p < pairs_.size(); ++p)
      direction.lexical[p] = share(lexical[p], given[hidden_of(p, d)]);
    for (size_t w = 0; w < null.size(); ++w) direction.null[w] = share(null[w], all);
    if (!hmm) return;
    const Counts jumped = summed([&](Worker& w) -> Counts& { return w.jumped[d]; });
    for (size_t k = 0; k < jumped.size(); ++k)
      direction.jumps.weight[k] = static_cast<double>(jumped[k]) / kOne + kJumpPrior;
  }

  uint32_t hidden_of(size_t pair, int d) const {
    return static_cast<uint32_t>(d == 1 ? pairs_[pair] >> 32 : pairs_[pair]);
  }
  static double share(int64_t count, int64_t total) {
    return std::max(total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0.0, kLeast);
  }

  static constexpr double kLeast = 1e-12;     // no word is impossible
  static constexpr double kJumpPrior = 0.01;  // and no jump

  AlignmentOptions options_;
  Pool pool_;
  std::vector<Worker> workers_;
  std::array<std::vector<uint32_t>, 2> words_;
  std::array<std::vector<uint64_t>, 2> offsets_;
  std::array<Direction, 2> directions_;
  std::array<uint32_t, 2> longest_{};
  uint32_t steps_ = 0;
  std::vector<uint64_t> pairs_;     // the word of side 0, then that of side 1
  std::vector<uint32_t> cells_;     // pair by pair of sentences, numbers of pairs of words
  std::vector<uint64_t> cells_at_;  // where those of each begin
};

}  // namespace structron
