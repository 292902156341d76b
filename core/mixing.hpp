// Iterative parameter mixing (McDonald, Hall & Mann 2010): one weight vector from those of the shards.
// structron/weights.py is the definition.
//
// Shards start an epoch from the same weights and tell only the rows that they have changed since, so that
// what travels and what is computed grows with the changes and not with the model.
#pragma once
#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include "weights.hpp"

namespace structron {

// Cells sorted by key and action.
struct Cells {
  std::vector<Key> key;
  std::vector<uint16_t> action;
  std::vector<float> weight;
  std::vector<double> past;

  void put(Key k, uint32_t a, float w, double p) {
    key.push_back(k);
    action.push_back(static_cast<uint16_t>(a));
    weight.push_back(w);
    past.push_back(p);
  }
};

// The rows that were changed since they were marked, without cells that are zero; a row that is zero all over
// has one cell, to say so.
inline Cells changes(const Weights& weights) {
  std::vector<uint32_t> ids;
  weights.each_marked([&](uint32_t id) { ids.push_back(id); });
  std::sort(ids.begin(), ids.end(),
            [&](uint32_t a, uint32_t b) { return weights.key_of(a) < weights.key_of(b); });
  struct Kept {
    uint32_t action;
    float weight;
    double past;
  };
  Cells found;
  std::vector<Kept> row;
  for (uint32_t id : ids) {
    row.clear();
    weights.each_cell(id, [&](uint32_t a, float w, double p) {
      if (w != 0 || p != 0) row.push_back({a, w, p});
    });
    if (row.empty()) row.push_back({0, 0, 0});
    std::sort(row.begin(), row.end(), [](const Kept& x, const Kept& y) { return x.action < y.action; });
    for (const Kept& c : row) found.put(weights.key_of(id), c.action, c.weight, c.past);
  }
  return found;
}

// What one shard gives.
struct ShardPart {
  std::span<const Key> key;
  std::span<const uint16_t> action;
  std::span<const float> weight;
  std::span<const double> past;
  uint64_t clock;
  double share;
};

// What all take over: these cells, and the rest of what averaging remembers stretched.
struct Mixture {
  Cells cells;
  double scale = 1;
  uint64_t clock = 1;
};

inline void adopt(Weights& weights, std::span<const Key> key, std::span<const uint16_t> action,
                  std::span<const float> weight, std::span<const double> past, double scale, uint64_t clock) {
  weights.scale_past(scale);
  for (size_t i = 0; i < key.size(); ++i) weights.restore(key[i], action[i], weight[i], past[i]);
  weights.set_clock(clock);
}

// sum_i share_i w_i, whose average is the same mixture of the shards' averages: a shard that saw fewer
// examples has a smaller clock, and on the common one its past grows.
inline Mixture mix(const Weights& common, std::span<const ShardPart> parts) {
  Mixture out;
  out.clock = 0;
  for (const ShardPart& p : parts) out.clock = std::max(out.clock, p.clock);
  std::vector<double> stretch;
  out.scale = 0;
  for (const ShardPart& p : parts) {
    stretch.push_back(static_cast<double>(out.clock) / static_cast<double>(p.clock));
    out.scale += p.share * stretch.back();
  }
  const uint32_t actions = common.actions();
  std::vector<double> weight(actions, 0), past(actions, 0);
  std::vector<uint8_t> there(actions, 0);
  std::vector<size_t> at(parts.size(), 0);
  for (;;) {
    bool any = false;
    Key key = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (at[i] == parts[i].key.size()) continue;
      if (!any || parts[i].key[at[i]] < key) key = parts[i].key[at[i]];
      any = true;
    }
    if (!any) break;
    const uint32_t id = common.find_folded(key);
    for (size_t i = 0; i < parts.size(); ++i) {
      const ShardPart& p = parts[i];
      const auto put = [&](uint32_t a, float w, double before) {
        if (a >= actions) throw std::invalid_argument("no such action");
        weight[a] += p.share * static_cast<double>(w);
        past[a] += p.share * stretch[i] * before;
        there[a] = 1;
      };
      if (at[i] < p.key.size() && p.key[at[i]] == key) {
        for (; at[i] < p.key.size() && p.key[at[i]] == key; ++at[i])
          put(p.action[at[i]], p.weight[at[i]], p.past[at[i]]);
        if (id != kNone)  // what this shard has brought to zero must be told to the others
          common.each_cell(id,
                           [&](uint32_t a, float w, double before) { there[a] |= w != 0 || before != 0; });
      } else if (id != kNone) {
        common.each_cell(id, [&](uint32_t a, float w, double before) {
          if (w != 0 || before != 0) put(a, w, before);
        });
      }
    }
    for (uint32_t a = 0; a < actions; ++a) {
      if (!there[a]) continue;
      out.cells.put(key, a, static_cast<float>(weight[a]), past[a]);
      weight[a] = past[a] = 0;
      there[a] = 0;
    }
  }
  return out;
}

}  // namespace structron
