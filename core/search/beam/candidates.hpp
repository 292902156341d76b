// What is offered to the beams to come, and what stays of it: the best of a beam, of a class, of a merge key.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/beam/ordering.hpp"
#include "search/items.hpp"
#include "search/search_options.hpp"
#include "search/search_space.hpp"
#include "util/vectors.hpp"

namespace structron {

template <bool Ranked>
struct Candidate {
  double score;
  uint32_t parent, action;
  uint64_t merge_key;

  static constexpr double future = 0;
  double rank() const { return score; }
};
template <>
struct Candidate<true> {
  double score;
  uint32_t parent, action;
  uint64_t merge_key;
  double future = 0;

  double rank() const { return score + future; }
};

template <SearchSpace Space>
class Candidates {
 public:
  using State = typename Space::State;
  using Items = std::vector<Item<State>>;
  static constexpr Offers kOffers = Space::kOffers;
  static constexpr bool kRanked = kOffers.future || kOffers.grouped;
  using Candidate = structron::Candidate<kRanked>;

  struct Waiting {
    uint64_t merge_key;
    uint32_t parent, action;
    float gain;
  };
  struct Bin {
    std::vector<Candidate> candidates;
    std::vector<Waiting> arcs;  // all that was offered, where that is kept
    double fence = kLowest;     // what a candidate must pass: the last of a beam that is full
    std::unordered_map<uint64_t, uint32_t> numbers;  // where merge keys are hashes, they get numbers here
    std::vector<uint32_t> at;                        // by merge key, for unbounded merging
    std::vector<double> best;                        // by merge key, for relax() and relax_classes()
    std::vector<uint64_t> who;
    std::vector<uint8_t> closed;                  // by merge base: relax() has nothing to gain there
    std::vector<std::vector<Candidate>> classes;  // by merge key, best first, for k-best
    bool relaxed = false;
    bool good_waits = false;  // a good item was offered, whether or not it still has a chance
  };

  Candidates(const SearchOptions& options, bool gold_only) : options_(options), gold_only_(gold_only) {}

  // A search begins, from one item.
  void start() {
    if (keeps_outputs()) outputs_.assign(1, 0);
    arcs_.clear();
    clear();
  }
  // Nothing was offered yet.
  void clear() {
    for (Bin& b : bins_) {
      b.candidates.clear();
      b.arcs.clear();
      b.fence = kLowest;
      if constexpr (!kOffers.numbered_keys) b.numbers.clear();
      for (auto& c : b.classes) c.clear();
      std::fill(b.at.begin(), b.at.end(), kRoot);
      std::fill(b.closed.begin(), b.closed.end(), 0);
      std::fill(b.best.begin(), b.best.end(), kLowest);
      b.relaxed = b.good_waits = false;
    }
    pending_ = 0;
  }
  // What was merged into the items of the search; itself among it. In the order of rows.
  std::span<const MergedArc> arcs() const { return arcs_; }
  bool empty() const { return pending_ == 0; }
  bool keeps_outputs() const { return kOffers.output_after && options_.distinct; }
  bool good_waits() const {
    return std::any_of(bins_.begin(), bins_.end(), [](const Bin& b) { return b.good_waits; });
  }

  // The bins are a ring: bin(k) is the one k steps after the next.
  Bin& bin(size_t k) {
    if constexpr (kOffers.unit_steps) return bins_[0];
    if (k >= bins_.size()) {
      std::rotate(bins_.begin(), bins_.begin() + ring_, bins_.end());
      ring_ = 0;
      bins_.resize(k + 1);
    }
    const size_t at = ring_ + k;
    return bins_[at < bins_.size() ? at : at - bins_.size()];
  }

  void offer(Space& space, Bin& to, const Item<State>& from, uint32_t parent, uint32_t action, float gain,
             double future = 0) {
    Candidate c{from.score + gain, parent, action, 0};
    if constexpr (kOffers.future) future = space.future(from.state, action);
    if constexpr (kRanked) c.future = future;
    std::vector<Candidate>& kept = to.candidates;
    const bool bounded = options_.width > 0;
    if constexpr (kOffers.grouped)
      if (options_.arcs)
        to.arcs.push_back({merge_key(space, to, space.advance(from.state, action)), parent, action, gain});
    // Candidates come in the order of parents and actions, so a tie goes to the one already here.
    if (c.rank() <= to.fence) return;
    if (options_.merge) c.merge_key = merge_key(space, to, space.advance(from.state, c.action));
    if (bounded) {
      if (options_.merge) {
        const auto same = std::find_if(kept.begin(), kept.end(),
                                       [&](const Candidate& k) { return k.merge_key == c.merge_key; });
        if (same != kept.end()) {
          if (same->score >= c.score) return;
          kept.erase(same);
          --pending_;
        }
      }
      if (kept.size() == options_.width) {
        kept.pop_back();
        --pending_;
      }
      put(kept, c);
      if (kept.size() == options_.width) to.fence = kept.back().rank();
      return;
    }
    if (options_.merge && options_.per_class > 1) {
      offer_class(space, to, c);
      return;
    }
    if (options_.merge) {
      if (to.at.size() <= c.merge_key) to.at.resize(merge_keys(space, to), kRoot);
      uint32_t& at = to.at[c.merge_key];
      if (at != kRoot) {
        if (kept[at].score < c.score) kept[at] = c;
        return;
      }
      at = static_cast<uint32_t>(kept.size());
    }
    kept.push_back(c);
    ++pending_;
  }

  // Viterbi's inner loop, for spaces in which the successors of a state have the merge keys base, base + 1,
  // ... by action. Parents come in order, so a tie goes to the one already here.
  void relax(Space& space, Bin& to, double score, uint32_t parent, const float* __restrict scores,
             int64_t base) {
    if (to.best.empty()) {
      to.best.assign(space.merge_keys(), kLowest);
      to.who.assign(space.merge_keys(), 0);
      to.closed.assign(space.merge_keys(), 0);
    }
    take_better(scores, score, parent, to.best.data() + base, to.who.data() + base, space.num_actions());
    to.relaxed = true;
  }

  // Parents come best first: once even the bound on their scores is no gain on this one, nothing is on the
  // later ones that lead to the same states.
  bool hopeless(Space& space, const Item<State>& from) {
    if constexpr (kOffers.bound) {
      Bin& next = bin(0);
      const int64_t base = next.relaxed ? space.merge_base(from.state) : -1;
      if (base < 0) return false;
      if (next.closed[base]) return true;
      const float* bound = space.bound(from.state);
      if (bound == nullptr) return false;
      const double* best = next.best.data() + base;
      const uint32_t actions = space.num_actions();
      for (uint32_t a = 0; a < actions; ++a)
        if (from.score + static_cast<double>(bound[a]) > best[a]) return false;
      next.closed[base] = 1;
      return true;
    }
    return false;
  }

  // The same for k-best: few candidates get past the last of a class that is full.
  void relax_classes(Space& space, Bin& to, const Item<State>& from, uint32_t parent, const float* scores,
                     int64_t base) {
    if (to.best.empty()) to.best.assign(space.merge_keys(), kLowest);
    double* fence = to.best.data() + base;
    const uint32_t actions = space.num_actions();
    for (uint32_t a = 0; a < actions; ++a) {
      const double s = from.score + static_cast<double>(scores[a]);
      if (!(s > fence[a])) continue;
      const uint32_t key = static_cast<uint32_t>(base) + a;
      const std::vector<Candidate>& kept = offer_class(space, to, {s, parent, a, key});
      if (kept.size() == options_.per_class) fence[a] = kept.back().score;
    }
  }

  // What relax() left, as candidates.
  void collect(Space& space, Bin& from, const Items& items) {
    for (size_t key = 0; key < from.best.size(); ++key) {
      if (from.best[key] == kLowest) continue;
      const uint32_t parent = static_cast<uint32_t>(from.who[key]);
      const uint32_t action =
          static_cast<uint32_t>(static_cast<int64_t>(key) - space.merge_base(items[parent].state));
      from.candidates.push_back({from.best[key], parent, action, 0});
      from.best[key] = kLowest;
    }
    std::fill(from.closed.begin(), from.closed.end(), 0);
    from.relaxed = false;
    pending_ = from.candidates.size();
  }

  // The candidates of the next beam, in their order: these alone become items, the first of them with this
  // number.
  const std::vector<Candidate>& close(uint32_t begin) {
    Bin& from = bin(0);
    std::vector<Candidate>& kept = from.candidates;
    for (auto& few : from.classes) {
      kept.insert(kept.end(), few.begin(), few.end());
      few.clear();
    }
    if (!from.classes.empty()) std::fill(from.best.begin(), from.best.end(), kLowest);
    pending_ -= kept.size();
    if (options_.width == 0) {
      for (const Candidate& c : kept)
        if (c.merge_key < from.at.size()) from.at[c.merge_key] = kRoot;
      ordering_.sort(kept);
    }
    if (!gold_only_)  // best first: what is too far behind stands at the end
      while (!kept.empty() && kept.back().rank() < kept.front().rank() - options_.within) kept.pop_back();
    if constexpr (kOffers.grouped)
      if (options_.arcs) keep_arcs(from, begin);
    return kept;
  }
  // One of them becomes an item.
  void note(Space& space, const Candidate& c) {
    if constexpr (kOffers.output_after)
      if (options_.distinct) outputs_.push_back(output(space, c));
  }
  // They have all become items: the beam after this one is next.
  void next() {
    Bin& from = bin(0);
    from.candidates.clear();
    from.fence = kLowest;
    if constexpr (!kOffers.numbered_keys) from.numbers.clear();
    from.good_waits = false;
    if (++ring_ >= bins_.size()) ring_ = 0;
  }

 private:
  // A state's merge key; as a small number where candidates are found by it.
  uint64_t merge_key(Space& space, Bin& to, const State& state) const {
    if constexpr (!kOffers.numbered_keys) {
      uint64_t key;
      if constexpr (kOffers.gold_merge_key) {
        key = gold_only_ ? space.gold_merge_key(state) : space.merge_key(state);
      } else {
        key = space.merge_key(state);
      }
      if (options_.width > 0) return key;
      return to.numbers.try_emplace(key, static_cast<uint32_t>(to.numbers.size())).first->second;
    } else {
      return space.merge_key(state);
    }
  }
  size_t merge_keys(const Space& space, const Bin& to) const {
    if constexpr (!kOffers.numbered_keys) {
      return to.numbers.size();
    } else {
      return space.merge_keys();
    }
  }

  // The best few of each class.
  const std::vector<Candidate>& offer_class(Space& space, Bin& to, const Candidate& c) {
    if (to.classes.size() <= c.merge_key) to.classes.resize(merge_keys(space, to));
    std::vector<Candidate>& kept = to.classes[c.merge_key];
    if constexpr (kOffers.output_after)
      if (options_.distinct) {
        const uint64_t mine = output(space, c);
        const auto same = std::find_if(kept.begin(), kept.end(),
                                       [&](const Candidate& k) { return output(space, k) == mine; });
        if (same != kept.end()) {
          if (same->score >= c.score) return kept;
          kept.erase(same);
          --pending_;
        }
      }
    if (kept.size() == options_.per_class) {
      if (c.score <= kept.back().score) return kept;
      kept.pop_back();
      --pending_;
    }
    put(kept, c);
    return kept;
  }

  uint64_t output(Space& space, const Candidate& c) const
    requires(kOffers.output_after)
  {
    return space.output_after(outputs_[c.parent], c.action);
  }

  // Best first; of equal ones the one that came first.
  void put(std::vector<Candidate>& kept, const Candidate& c) {
    size_t place = kept.size();
    kept.push_back(c);
    for (; place > 0 && kept[place - 1].rank() < c.rank(); --place) kept[place] = kept[place - 1];
    kept[place] = c;
    ++pending_;
  }

  // Of all that was offered, what was merged into the items that will be made of a bin's candidates.
  void keep_arcs(Bin& from, uint32_t begin) {
    std::unordered_map<uint64_t, uint32_t> place_of;
    for (const Candidate& c : from.candidates)
      place_of.emplace(c.merge_key, static_cast<uint32_t>(place_of.size()));
    for (const Waiting& w : from.arcs)
      if (const auto at = place_of.find(w.merge_key); at != place_of.end())
        arcs_.push_back({begin + at->second, w.parent, w.action, w.gain, from.candidates[at->second].future});
    from.arcs.clear();
  }

  SearchOptions options_;
  bool gold_only_;
  std::vector<MergedArc> arcs_;
  std::vector<Bin> bins_ = std::vector<Bin>(1);
  Ordering<Candidate> ordering_;
  std::vector<uint64_t> outputs_;  // of items, where no two of a class may have the same
  size_t ring_ = 0, pending_ = 0;
};

}  // namespace structron
