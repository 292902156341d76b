// Iterative parameter mixing (McDonald, Hall & Mann 2010): one weight vector from those of the shards.
// structron/weights.py is the definition.
//
// Shards start an epoch from the same weights and tell only the cells that they have changed since, so that
// what travels and what is computed grows with the changes and not with the model. Rows are met in the order
// of their keys, which is no order in memory: they are asked for some steps before they are needed.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "util/interrupt.hpp"
#include "util/pool.hpp"
#include "weights/cells.hpp"

namespace structron {

struct KeyedRow {
  Key key;
  uint32_t note;  // which of those that were noted
};

// Keys are mixed, so that their highest bits deal them evenly to small heaps, each of which is sorted apart.
inline void sort_by_key(std::vector<KeyedRow>& rows) {
  const auto before = [](const KeyedRow& x, const KeyedRow& y) { return x.key < y.key; };
  Key greatest = 0;
  for (const KeyedRow& r : rows) greatest = std::max(greatest, r.key);
  const int bits = std::max(0, static_cast<int>(std::bit_width(rows.size())) - 3);
  const int shift = std::bit_width(greatest) - bits;
  if (bits == 0 || shift <= 0) return std::sort(rows.begin(), rows.end(), before);
  std::vector<uint32_t> ends(size_t{1} << bits, 0);
  for (const KeyedRow& r : rows) ++ends[r.key >> shift];
  uint32_t sum = 0;
  for (uint32_t& e : ends) sum = e += sum;
  std::vector<KeyedRow> dealt(rows.size());
  for (const KeyedRow& r : rows) dealt[--ends[r.key >> shift]] = r;
  // What were ends are beginnings now.
  for (size_t h = 0; h < ends.size(); ++h)
    std::sort(dealt.begin() + ends[h], h + 1 < ends.size() ? dealt.begin() + ends[h + 1] : dealt.end(),
              before);
  rows.swap(dealt);
}

// The cells that were changed since the weights were marked, with what they are now, be it zero.
inline Cells changes(const Weights& weights) {
  constexpr size_t kAhead = 8;
  std::vector<KeyedRow> rows(weights.noted());
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = {weights.key_of(weights.noted_id(i)), static_cast<uint32_t>(i)};
  sort_by_key(rows);
  std::vector<Weights::Before> were(weights.greatest_width(), Weights::Before{});
  std::vector<Weights::Before> row;
  Cells found;
  found.reserve(2 * rows.size());
  Pulse pulse;
  for (size_t i = 0; i < rows.size(); ++i) {
    pulse();
    if (i + 2 * kAhead < rows.size()) weights.prefetch_head(weights.noted_id(rows[i + 2 * kAhead].note));
    if (i + kAhead < rows.size()) {
      const uint32_t id = weights.noted_id(rows[i + kAhead].note);
      weights.prefetch_row(id);
      weights.prefetch_past(id);
    }
    const auto before = weights.before(rows[i].note);
    for (const Weights::Before& c : before) were[c.column] = c;
    row.clear();
    weights.each_cell(weights.noted_id(rows[i].note), [&](uint32_t a, float w, double p) {
      if (w != were[a].weight || p != were[a].past) row.push_back({a, w, p});
    });
    for (const Weights::Before& c : before) were[c.column] = {};
    std::sort(row.begin(), row.end(), [](const auto& x, const auto& y) { return x.column < y.column; });
    for (const Weights::Before& c : row) found.put(rows[i].key, c.column, c.weight, c.past);
  }
  return found;
}

// What one shard gives.
struct ShardPart {
  CellSpans cells;
  uint64_t clock;
  double share;
};

// What all take over: these cells, and the rest of what averaging remembers stretched.
struct Mixture {
  Cells cells;
  double scale = 1;
  uint64_t clock = 1;
};

// So many keys are looked up together: every step is made for all of them before the next one.
inline constexpr size_t kTogether = 32;

inline void find_together(const Weights& weights, std::span<const Key> keys, std::span<uint32_t> ids) {
  for (Key key : keys) weights.prefetch(key);
  for (size_t i = 0; i < keys.size(); ++i) {
    ids[i] = weights.find_folded(keys[i]);
    if (ids[i] != kNone) weights.prefetch_head(ids[i]);
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    if (ids[i] == kNone) continue;
    weights.prefetch_row(ids[i]);
    weights.prefetch_past(ids[i]);
  }
}

// Where nothing is known yet, nothing is half changed if it is given up: only then it can be.
inline void adopt(Weights& weights, const CellSpans& cells, double scale, uint64_t clock) {
  const bool is_new = weights.features() <= (weights.dense() != 0);
  Pulse pulse;
  weights.scale_past(scale);
  std::array<uint32_t, kTogether> ids;
  for (size_t start = 0; start < cells.size(); start += kTogether) {
    if (is_new) pulse();
    const size_t n = std::min(kTogether, cells.size() - start);
    find_together(weights, cells.key.subspan(start, n), ids);
    for (size_t i = 0; i < n; ++i) {
      const uint32_t id = ids[i] != kNone ? ids[i] : weights.intern_foreign(cells.key[start + i]);
      weights.restore(id, cells.column[start + i], cells.weight[start + i], cells.past[start + i]);
    }
  }
  weights.set_clock(clock);
}

// A row on its way into the mixture: sums over the shards, and what it was before.
class MixedRow {
 public:
  explicit MixedRow(uint32_t columns) : cells_(columns) {}

  // Begins with the row that all shards had, kNone if they had none.
  void begin(const Weights& common, uint32_t id) {
    for (uint32_t a : seen_) cells_[a] = {};
    seen_.clear();
    if (id == kNone) return;
    common.each_cell(id, [&](uint32_t a, float w, double p) {
      if (w == 0 && p == 0) return;
      Sum& c = see(a);
      c.before = w;
      c.past_before = p;
    });
  }
  // A shard that has not touched the row.
  void add_before(double share, double stretch) {
    for (uint32_t a : seen_) cells_[a].add(share, stretch, cells_[a].before, cells_[a].past_before);
  }
  // The cells that one has changed; they have been checked.
  void add(const ShardPart& part, size_t from, size_t to, double stretch) {
    ++visit_;
    for (size_t i = from; i < to; ++i) {
      Sum& c = see(part.cells.column[i]);
      c.add(part.share, stretch, part.cells.weight[i], part.cells.past[i]);
      c.changed = true;
      c.visit = visit_;
    }
    for (uint32_t a : seen_)
      if (cells_[a].visit != visit_)
        cells_[a].add(part.share, stretch, cells_[a].before, cells_[a].past_before);
  }
  // What came out, in the order of columns. A cell that no shard has changed is not told: what it remembers
  // is stretched like that of the rows that nobody has touched.
  void tell(Key key, Cells& out) {
    std::sort(seen_.begin(), seen_.end());
    for (uint32_t a : seen_)
      if (cells_[a].changed) out.put(key, a, static_cast<float>(cells_[a].weight), cells_[a].past);
  }

 private:
  struct Sum {
    double weight = 0, past = 0;
    double past_before = 0;
    float before = 0;
    uint32_t visit = 0;
    bool seen = false, changed = false;

    void add(double share, double stretch, float w, double p) {
      weight += share * static_cast<double>(w);
      past += share * stretch * p;
    }
  };
  Sum& see(uint32_t a) {
    if (!cells_[a].seen) seen_.push_back(a);
    cells_[a].seen = true;
    return cells_[a];
  }

  std::vector<Sum> cells_;
  std::vector<uint32_t> seen_;
  uint32_t visit_ = 0;
};

// The mixture of these cells of every part, from `at` to `until`.
inline Cells mix_between(const Weights& common, std::span<const ShardPart> parts,
                         std::span<const double> stretch, std::vector<size_t> at,
                         const std::vector<size_t>& until) {
  Cells out;
  size_t cells = 0;
  for (size_t i = 0; i < parts.size(); ++i) cells += until[i] - at[i];
  out.reserve(cells);
  MixedRow row(common.greatest_width());
  std::vector<size_t> ahead = at;
  std::array<Key, kTogether> keys;
  std::array<uint32_t, kTogether> ids;
  for (;;) {
    hear();
    size_t n = 0;
    for (; n < kTogether; ++n) {
      bool any = false;
      for (size_t i = 0; i < parts.size(); ++i) {
        if (ahead[i] == until[i]) continue;
        if (!any || parts[i].cells.key[ahead[i]] < keys[n]) keys[n] = parts[i].cells.key[ahead[i]];
        any = true;
      }
      if (!any) break;
      for (size_t i = 0; i < parts.size(); ++i)
        while (ahead[i] < until[i] && parts[i].cells.key[ahead[i]] == keys[n]) ++ahead[i];
    }
    if (n == 0) return out;
    find_together(common, std::span(keys).first(n), ids);
    for (size_t k = 0; k < n; ++k) {
      row.begin(common, ids[k]);
      for (size_t i = 0; i < parts.size(); ++i) {
        const size_t from = at[i];
        while (at[i] < until[i] && parts[i].cells.key[at[i]] == keys[k]) ++at[i];
        if (at[i] > from)
          row.add(parts[i], from, at[i], stretch[i]);
        else
          row.add_before(parts[i].share, stretch[i]);
      }
      row.tell(keys[k], out);
    }
  }
}

// sum_i share_i w_i, whose average is the same mixture of the shards' averages: a shard that saw fewer
// examples has a smaller clock, and on the common one its past grows. No bit depends on the threads.
inline Mixture mix(const Weights& common, std::span<const ShardPart> parts, uint32_t threads = 1) {
  if (parts.empty()) throw std::invalid_argument("there are no shards to mix");
  for (const ShardPart& p : parts) {
    p.cells.check(common);
    if (p.clock == 0) throw std::invalid_argument("a clock cannot be 0");
  }
  Mixture out;
  out.clock = 0;
  for (const ShardPart& p : parts) out.clock = std::max(out.clock, p.clock);
  std::vector<double> stretch;
  out.scale = 0;
  for (const ShardPart& p : parts) {
    stretch.push_back(static_cast<double>(out.clock) / static_cast<double>(p.clock));
    out.scale += p.share * stretch.back();
  }
  // Each thread has a range of keys, as long as the others' in the part that has most of them.
  const ShardPart& longest = *std::max_element(
      parts.begin(), parts.end(),
      [](const ShardPart& x, const ShardPart& y) { return x.cells.key.size() < y.cells.key.size(); });
  Pool pool(threads);
  threads = pool.threads();
  std::vector<std::vector<size_t>> bounds(threads + 1, std::vector<size_t>(parts.size(), 0));
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto& keys = parts[i].cells.key;
    for (uint32_t t = 1; t < threads && !longest.cells.key.empty(); ++t) {
      const Key first = longest.cells.key[longest.cells.key.size() * t / threads];
      const auto place = std::lower_bound(keys.begin(), keys.end(), first) - keys.begin();
      bounds[t][i] = std::max(bounds[t - 1][i], static_cast<size_t>(place));  // whatever the order is
    }
    bounds[threads][i] = keys.size();
  }
  std::vector<Cells> mixed(threads);
  pool.run([&](uint32_t t) { mixed[t] = mix_between(common, parts, stretch, bounds[t], bounds[t + 1]); });
  out.cells = std::move(mixed[0]);
  for (uint32_t t = 1; t < threads; ++t) out.cells.append(mixed[t]);
  return out;
}

}  // namespace structron
