// Many-to-many alignment of two strings by EM (Jiampojamarn, Kondrak & Sherif 2007): pairs of sequences are
// cut into pieces, each of 1 to m source and 0 to n target symbols; the pieces' weights are learned from the
// pairs.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "util/interrupt.hpp"
#include "weights/table.hpp"

namespace structron {

// What a piece's weight is a share of: all pieces, those with the same source, those with the same target.
enum class Maximise { joint, target_given_source, source_given_target };

enum class Alignable : uint8_t { yes, no, too_long };

class Aligner {
 public:
  // Tables beyond this are not built: a pair of 700 symbols each still is.
  static constexpr uint64_t kMostCells = 1u << 19;

  struct Piece {
    uint64_t source_at, target_at;  // where it stood first, in all symbols that were added
    uint32_t source_length, target_length;
  };

  Aligner(uint32_t m, uint32_t n, bool deletions, bool both, Maximise maximise) : maximise_(maximise) {
    // Ties go to the shape that comes first. What is deleted is deleted alone.
    for (uint32_t k = 1; k <= m; ++k)
      for (uint32_t l = 0; l <= n; ++l)
        if (l == 0 ? deletions && k == 1 : both || k == 1 || l == 1) shapes_.push_back({k, l});
    pieces_.push_back({});  // number 0 stands for no piece, and weighs nothing
    weights_.push_back(0);
    of_source_.push_back(0);
    of_target_.push_back(0);
  }

  void add(std::span<const uint32_t> source, std::span<const uint32_t> target) {
    hear();
    Pair p{static_cast<uint32_t>(source.size()), static_cast<uint32_t>(target.size()), links_.size(),
           Alignable::yes};
    if ((source.size() + 1ull) * (target.size() + 1ull) > kMostCells) {
      p.alignable = Alignable::too_long;
    } else {
      link(source, target, p);
    }
    source_symbols_ += source.size();
    target_symbols_ += target.size();
    pairs_.push_back(p);
  }

  size_t pairs() const { return pairs_.size(); }
  Alignable alignable(size_t i) const { return pairs_[i].alignable; }
  const std::vector<Piece>& pieces() const { return pieces_; }
  const std::vector<double>& weights() const { return weights_; }
  const std::vector<double>& counts() const { return counts_; }

  // Goes on from what another aligner of the same pairs had found out.
  void restore(std::span<const double> weights, std::span<const double> counts, uint32_t steps) {
    if (weights.size() != pieces_.size() || counts.size() != pieces_.size())
      throw std::invalid_argument("there are not as many weights as pieces");
    weights_.assign(weights.begin(), weights.end());
    counts_.assign(counts.begin(), counts.end());
    steps_ = steps;
  }
  // How many steps of EM were made.
  uint32_t steps() const { return steps_; }

  // The E step: how often each piece is expected in the alignments; returns the logarithm of the likelihood.
  double expect() {
    counts_.assign(pieces_.size(), 0.0);
    double likelihood = 0;
    for (const Pair& p : pairs_) {
      hear();
      if (p.alignable == Alignable::yes) likelihood += expect(p);
    }
    return likelihood;
  }

  // The M step: weights are shares of the expected counts.
  void maximise() {
    const std::vector<uint32_t> all(maximise_ == Maximise::joint ? pieces_.size() : 0, 0);
    const std::vector<uint32_t>& group = maximise_ == Maximise::joint                 ? all
                                         : maximise_ == Maximise::target_given_source ? of_source_
                                                                                      : of_target_;
    std::vector<double> sums(1 + *std::max_element(group.begin(), group.end()), 0.0);
    for (size_t i = 1; i < pieces_.size(); ++i) sums[group[i]] += counts_[i];
    for (size_t i = 1; i < pieces_.size(); ++i)
      weights_[i] = sums[group[i]] > 0 ? counts_[i] / sums[group[i]] : 0.0;
    ++steps_;
  }

  // The pieces of the best alignment of each pair, one after the other; none where there is no alignment.
  void best(std::vector<uint64_t>& offsets, std::vector<uint32_t>& found) {
    logs_.resize(weights_.size());
    for (size_t i = 0; i < weights_.size(); ++i) logs_[i] = std::log(weights_[i]);
    offsets.assign(1, 0);
    found.clear();
    for (const Pair& p : pairs_) {
      hear();
      if (p.alignable == Alignable::yes) best(p, found);
      offsets.push_back(found.size());
    }
  }

 private:
  struct Shape {
    uint32_t k, l;
  };
  struct Pair {
    uint32_t source, target;
    uint64_t links;  // of cell (1, 0); then cell by cell, shape by shape
    Alignable alignable;
  };

  size_t width(const Pair& p) const { return p.target + 1ull; }
  const uint32_t* links(const Pair& p, size_t i, size_t j) const {
    return links_.data() + p.links + ((i - 1) * width(p) + j) * shapes_.size();
  }

  // Numbers for all pieces that stand on some way from the first cell to the last.
  void link(std::span<const uint32_t> source, std::span<const uint32_t> target, Pair& p) {
    const size_t w = width(p), last = p.source * w + p.target;
    std::vector<uint8_t> from(last + 1, 0), to(last + 1, 0);
    from[0] = to[last] = 1;
    each(p, [&](size_t i, size_t j, const Shape& s) { from[i * w + j] |= from[(i - s.k) * w + j - s.l]; });
    if (!from[last]) {
      p.alignable = Alignable::no;
      return;
    }
    for (size_t i = p.source; i > 0; --i)
      for (size_t j = w; j-- > 0;)
        for (const Shape& s : shapes_)
          if (to[i * w + j] && s.k <= i && s.l <= j) to[(i - s.k) * w + j - s.l] = 1;
    links_.resize(links_.size() + p.source * w * shapes_.size(), 0);
    uint32_t* link = links_.data() + p.links;
    each(p, [&](size_t i, size_t j, const Shape& s) {
      if (to[i * w + j] && from[(i - s.k) * w + j - s.l])
        link[((i - 1) * w + j) * shapes_.size() + (&s - shapes_.data())] =
            piece(source.subspan(i - s.k, s.k), target.subspan(j - s.l, s.l), i - s.k, j - s.l);
    });
  }

  template <class F>
  void each(const Pair& p, F&& f) const {
    for (size_t i = 1; i <= p.source; ++i)
      for (size_t j = 0; j <= p.target; ++j)
        for (const Shape& s : shapes_)
          if (s.k <= i && s.l <= j) f(i, j, s);
  }

  uint32_t piece(std::span<const uint32_t> source, std::span<const uint32_t> target, size_t i, size_t j) {
    const uint32_t x = spell(sources_, source), y = spell(targets_, target);
    const uint32_t id = table_.intern(combine(combine(kPiece, x), y), static_cast<uint32_t>(pieces_.size()));
    if (id == pieces_.size()) {
      pieces_.push_back({source_symbols_ + i, target_symbols_ + j, static_cast<uint32_t>(source.size()),
                         static_cast<uint32_t>(target.size())});
      weights_.push_back(1);  // so that at the start all alignments of a pair are equally likely
      of_source_.push_back(x);
      of_target_.push_back(y);
    }
    return id;
  }

  static uint32_t spell(Table& spellings, std::span<const uint32_t> symbols) {
    Key key = combine(kPiece, symbols.size());
    for (const uint32_t s : symbols) key = combine(key, s);
    return spellings.intern(key, spellings.size());
  }

  // Rows are scaled by powers of two, which loses nothing: the numbers are those of the unscaled recursion. A
  // row that all likely pieces go beyond may hold next to nothing and is left alone, or the scale would
  // overflow. Rows that a new one is made of are brought to the scale of the largest: of several little ones
  // in a row, the last is no measure for what goes beyond them all.
  static int scale(double* row, size_t n) {
    const double most = *std::max_element(row, row + n);
    if (!(most > 0x1p-900)) return 0;
    int exponent = 0;
    std::frexp(most, &exponent);
    const double factor = std::ldexp(1.0, -exponent);
    for (size_t j = 0; j < n; ++j) row[j] *= factor;
    return exponent;
  }

  double expect(const Pair& p) {
    const size_t w = width(p), n = shapes_.size();
    if (p.source == 0) return 0;
    forward(p);
    const double z = forward_[p.source * w + p.target];
    if (!(z > 0)) return 0;
    backward(p);
    for (size_t i = 1; i <= p.source; ++i) {
      for (size_t s = 0; s < n; ++s) {
        if (shapes_[s].k > i) continue;
        power_[s] = two_to(forward_power_[i - shapes_[s].k] + backward_power_[i] - forward_power_[p.source]);
      }
      for (size_t j = 0; j < w; ++j) {
        const uint32_t* link = links(p, i, j);
        const double after = backward_[i * w + j];
        for (size_t s = 0; s < n; ++s)
          if (link[s]) {
            const double before = forward_[(i - shapes_[s].k) * w + j - shapes_[s].l];
            counts_[link[s]] += before * weights_[link[s]] * after / z * power_[s];
          }
      }
    }
    int exponent = 0;
    const double mantissa = std::frexp(z, &exponent);
    return std::log(mantissa) + static_cast<double>(exponent + forward_power_[p.source]) * kLog2;
  }

  void forward(const Pair& p) {
    const size_t w = width(p), n = shapes_.size();
    forward_.assign((p.source + 1) * w, 0.0);
    forward_power_.assign(p.source + 1, 0);
    power_.resize(n);
    forward_[0] = 1;
    for (size_t i = 1; i <= p.source; ++i) {
      long most = forward_power_[i - 1];
      for (const Shape& s : shapes_)
        if (s.k <= i) most = std::max(most, forward_power_[i - s.k]);
      for (size_t s = 0; s < n; ++s)
        if (shapes_[s].k <= i) power_[s] = two_to(forward_power_[i - shapes_[s].k] - most);
      for (size_t j = 0; j < w; ++j) {
        const uint32_t* link = links(p, i, j);
        double sum = 0;
        for (size_t s = 0; s < n; ++s)
          if (link[s])
            sum += forward_[(i - shapes_[s].k) * w + j - shapes_[s].l] * weights_[link[s]] * power_[s];
        forward_[i * w + j] = sum;
      }
      forward_power_[i] = most + scale(&forward_[i * w], w);
    }
  }

  void backward(const Pair& p) {
    const size_t w = width(p), n = shapes_.size();
    backward_.assign((p.source + 1) * w, 0.0);
    backward_power_.assign(p.source + 1, 0);
    backward_[p.source * w + p.target] = 1;
    for (size_t i = p.source; i-- > 0;) {
      long most = backward_power_[i + 1];
      for (const Shape& s : shapes_)
        if (i + s.k <= p.source) most = std::max(most, backward_power_[i + s.k]);
      for (size_t s = 0; s < n; ++s)
        if (i + shapes_[s].k <= p.source) power_[s] = two_to(backward_power_[i + shapes_[s].k] - most);
      for (size_t j = 0; j < w; ++j) {
        double sum = 0;
        for (size_t s = 0; s < n; ++s) {
          const size_t a = i + shapes_[s].k, b = j + shapes_[s].l;
          if (a > p.source || b > p.target) continue;
          if (const uint32_t link = links(p, a, b)[s])
            sum += backward_[a * w + b] * weights_[link] * power_[s];
        }
        backward_[i * w + j] = sum;
      }
      backward_power_[i] = most + scale(&backward_[i * w], w);
    }
  }

  // Never infinite: of what is next to nothing on both sides, the product would be no number.
  static double two_to(long power) {
    return std::ldexp(1.0, static_cast<int>(std::clamp(power, -2000l, 1023l)));
  }

  void best(const Pair& p, std::vector<uint32_t>& found) {
    const size_t w = width(p), n = shapes_.size();
    forward_.assign((p.source + 1) * w, -HUGE_VAL);
    chosen_.assign((p.source + 1) * w, 0);
    forward_[0] = 0;
    for (size_t i = 1; i <= p.source; ++i)
      for (size_t j = 0; j < w; ++j) {
        const uint32_t* link = links(p, i, j);
        for (size_t s = 0; s < n; ++s) {
          if (!link[s]) continue;
          const double score = forward_[(i - shapes_[s].k) * w + j - shapes_[s].l] + logs_[link[s]];
          if (score > forward_[i * w + j]) {
            forward_[i * w + j] = score;
            chosen_[i * w + j] = static_cast<uint8_t>(s);
          }
        }
      }
    size_t i = p.source, j = p.target;
    if (!(forward_[i * w + j] > -HUGE_VAL)) return;
    const size_t begin = found.size();
    while (i > 0) {
      const uint8_t s = chosen_[i * w + j];
      found.push_back(links(p, i, j)[s]);
      i -= shapes_[s].k;
      j -= shapes_[s].l;
    }
    std::reverse(found.begin() + static_cast<std::ptrdiff_t>(begin), found.end());
  }

  static constexpr Key kPiece = 0x5049454345534B59ull;
  static constexpr double kLog2 = 0.6931471805599453;

  Maximise maximise_;
  std::vector<Shape> shapes_;
  std::vector<Pair> pairs_;
  std::vector<uint32_t> links_;
  std::vector<Piece> pieces_;
  std::vector<uint32_t> of_source_, of_target_;
  std::vector<double> weights_, counts_, logs_;
  Table table_, sources_, targets_;
  uint64_t source_symbols_ = 0, target_symbols_ = 0;
  uint32_t steps_ = 0;
  // Room for one pair at a time.
  std::vector<double> forward_, backward_, power_;
  std::vector<long> forward_power_, backward_power_;
  std::vector<uint8_t> chosen_;
};

}  // namespace structron
