// Scores of the pairs at one place of a source, with weights that are learned or finished.
//
// What the source says is the same for all items of a beam: it is summed once for each place. Of thousands of
// pairs a few apply there; they get slots of their own, and a row's other cells fall into slot 0.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "frozen.hpp"
#include "learners/learner.hpp"
#include "naming.hpp"
#include "row.hpp"
#include "search.hpp"
#include "tasks/inventory.hpp"
#include "weights.hpp"

namespace structron {

// What features see of a derivation: the last target symbols and pairs, newest first.
struct Emitted {
  std::array<uint16_t, kTargets> targets;
  std::array<uint16_t, kActions> actions;
  bool operator==(const Emitted&) const = default;
};

// Two faces of one question: where is the row of this key?
class LivePairs {
 public:
  LivePairs(const Weights& weights, Naming& naming, const Table* kept)
      : weights_(&weights), naming_(&naming), kept_(kept) {}
  Key folded(Key key) const { return fold(key, weights_->bits()); }
  bool perhaps(Key key) const { return weights_->perhaps(key); }
  void prefetch(Key key) const { weights_->prefetch(key); }
  RowView row(Key key) const {
    const uint32_t id = weights_->find_folded(key);
    return id == kNone ? RowView{} : weights_->row(id);
  }
  // Features of the source that were cut never get a weight.
  bool learns(Key key) const { return kept_ == nullptr || kept_->find(key) != kNone; }
  uint32_t intern(Key key) const { return naming_->id(key); }

 private:
  const Weights* weights_;
  Naming* naming_;
  const Table* kept_;
};

class FrozenPairs {
 public:
  explicit FrozenPairs(const Frozen& weights) : weights_(&weights) {}
  Key folded(Key key) const { return weights_->folded(key); }
  bool perhaps(Key key) const { return weights_->perhaps(key); }
  void prefetch(Key key) const { weights_->prefetch(key); }
  RowView row(Key key) const {
    const Frozen::Run run = weights_->run(key);
    return {run.first, run.size, nullptr};
  }

 private:
  const Frozen* weights_;
};

template <class Rows>
class TransductionScorer {
 public:
  TransductionScorer(const Inventory& inventory, Rows rows) : inventory_(inventory), rows_(rows) {
    for (auto& slots : slot_) slots.assign(inventory.columns(), 0);
  }

  void source(std::span<const Key> symbols) {
    source_ = symbols;
    close();
  }
  uint32_t at() const { return at_; }
  void close() {
    at_ = next_ = kNone;
    for (Ahead& a : ahead_) a.ready = false;
  }

  // Everything that does not depend on what was emitted before.
  void open(uint32_t pos) {
    if (next_ != pos) read_source(pos);
    keys_.swap(next_keys_);
    parts_.swap(next_parts_);
    for (size_t view = 0; view < 3; ++view) {
      for (uint32_t c : columns_[view]) slot_[view][c] = 0;
      columns_[view].clear();
    }
    used_ = 1;
    inventory_.actions_at(source_, pos, actions_);
    slots_.clear();
    for (uint32_t a : actions_) {
      const auto& c = inventory_.shape(a).columns;
      slots_.push_back({take(0, c[0]), take(1, c[1]), take(2, c[2])});
    }
    sums_.assign(used_, 0.0f);
    find(keys_, found_);
    add(found_, sums_.data());
    choices_.resize(actions_.size());
    base_.resize(actions_.size());
    for (size_t k = 0; k < actions_.size(); ++k) {
      choices_[k].action = actions_[k];
      base_[k] = total(sums_, slots_[k]);
    }
    for (Ahead& a : ahead_) a.ready = false;
    at_ = pos;
    read_source(pos + 1);
  }

  // Raises the scores of these actions here.
  template <class Which>
  void raise(float by, Which&& which) {
    for (size_t k = 0; k < actions_.size(); ++k)
      if (which(actions_[k])) base_[k] += by;
  }

  // An item that will be asked for soon: its keys are made now, the rows of the one before are fetched.
  void prefetch(const Emitted& past) {
    locate(ahead_[newest_]);
    newest_ = (newest_ + 1) % ahead_.size();
    prepare(ahead_[newest_], past);
  }

  // Call after open(). What depends on history is added to what does not.
  std::span<const Choice> choices(const Emitted& past) {
    Ahead* mine = nullptr;
    for (Ahead& a : ahead_)
      if (a.ready && a.past == past) mine = &a;
    if (mine == nullptr) {
      mine = &ahead_[newest_ = (newest_ + 1) % ahead_.size()];
      prepare(*mine, past);
    }
    locate(*mine);
    sums_.assign(used_, 0.0f);
    add(mine->rows, sums_.data());
    for (size_t k = 0; k < choices_.size(); ++k) choices_[k].score = base_[k] + total(sums_, slots_[k]);
    return choices_;
  }

  // Adds sign * Phi of one action; only what depends on history where the rest is shared.
  void difference(uint32_t pos, const Emitted& past, uint32_t action, float sign, bool history_only,
                  Difference& delta) {
    const auto& columns = inventory_.shape(action).columns;
    const auto& templates = inventory_.templates();
    inventory_.read_source(source_, pos, nodes_);
    if (!history_only)
      for (uint32_t t : inventory_.local())
        if (const Key raw = named(templates[t]))
          if (const Key key = rows_.folded(raw); rows_.learns(key))
            delta.push_back({rows_.intern(key), columns[templates[t].view], sign});
    inventory_.read_past(past.targets.data(), past.actions.data(), past_);
    for (uint32_t h : inventory_.history()) {
      const Key part = named(templates[h]), history = past_[templates[h].past_node];
      if (part != 0 && history != 0)
        delta.push_back({rows_.intern(rows_.folded(mix(part, history))), columns[templates[h].view], sign});
    }
  }

 private:
  using Slots = std::array<uint32_t, 3>;

  // A key with what its template weighs: where keys are folded, a row may hold more than that.
  struct Question {
    Key key;
    int view;
  };
  struct Answer {
    RowView row;
    int view;
  };
  // An item's questions and answers, made ahead of their use.
  struct Ahead {
    Emitted past;
    bool ready = false, located = false;
    std::vector<Question> keys;
    std::vector<Answer> rows;
  };

  uint32_t take(size_t view, uint32_t column) {
    uint32_t& slot = slot_[view][column];
    if (slot == 0) {
      columns_[view].push_back(column);
      slot = used_++;
    }
    return slot;
  }
  static float total(const std::vector<float>& sums, const Slots& s) {
    return sums[s[0]] + sums[s[1]] + sums[s[2]];
  }

  // What a template reads of the source, with its name; 0 if it is silent. Call after read_source.
  Key named(const TransductionTemplate& t) const {
    const Key key = nodes_[t.source_node];
    return key == 0 ? 0 : mix(key, t.base);
  }

  // The keys of the next place are made one place ahead, so that their rows are near when they are needed.
  void read_source(uint32_t pos) {
    next_ = pos;
    next_keys_.clear();
    next_parts_.clear();
    if (pos >= source_.size()) return;
    inventory_.read_source(source_, pos, nodes_);
    const auto& templates = inventory_.templates();
    for (uint32_t t : inventory_.local()) ask(named(templates[t]), templates[t].view, next_keys_);
    for (uint32_t h : inventory_.history()) next_parts_.push_back(named(templates[h]));
  }
  void ask(Key raw, int view, std::vector<Question>& keys) const {
    if (raw == 0) return;
    const Key key = rows_.folded(raw);
    if (!rows_.perhaps(key)) return;
    rows_.prefetch(key);
    keys.push_back({key, view});
  }
  void prepare(Ahead& a, const Emitted& past) {
    a.past = past;
    a.ready = true;
    a.located = false;
    a.keys.clear();
    inventory_.read_past(past.targets.data(), past.actions.data(), past_);
    const std::vector<uint32_t>& history = inventory_.history();
    for (size_t h = 0; h < history.size(); ++h) {
      const TransductionTemplate& t = inventory_.templates()[history[h]];
      const Key before = past_[t.past_node];
      if (parts_[h] != 0 && before != 0) ask(mix(parts_[h], before), t.view, a.keys);
    }
  }
  void locate(Ahead& a) {
    if (!a.ready || a.located) return;
    find(a.keys, a.rows);
    a.located = true;
  }
  void find(const std::vector<Question>& keys, std::vector<Answer>& found) const {
    found.clear();
    for (const Question& q : keys) {
      const RowView row = rows_.row(q.key);
      if (row.used == 0 && row.dense == nullptr) continue;
      __builtin_prefetch(row.dense ? static_cast<const void*>(row.dense) : row.cells);
      found.push_back({row, q.view});
    }
  }
  void add(const std::vector<Answer>& found, float* __restrict sums) const {
    for (const auto& [row, view] : found) {
      const uint32_t* __restrict slot = slot_[static_cast<size_t>(view)].data();
      if (row.dense) {
        for (uint32_t c : columns_[static_cast<size_t>(view)]) sums[slot[c]] += row.dense[c];
      } else {
        for (uint32_t i = 0; i < row.used; ++i) sums[slot[row.cells[i].action]] += row.cells[i].weight;
      }
    }
  }

  const Inventory& inventory_;
  Rows rows_;
  std::span<const Key> source_;
  uint32_t at_ = kNone, next_ = kNone;
  std::vector<Question> keys_, next_keys_;
  std::array<Ahead, 4> ahead_;
  size_t newest_ = 0;
  std::vector<Key> parts_, next_parts_;         // of the history templates, what they read of the source
  std::vector<Key> nodes_, past_;               // scratch
  std::vector<uint32_t> actions_, columns_[3];  // what applies at this place, by view
  std::vector<uint32_t> slot_[3];               // [view][column], 0 for what does not apply
  std::vector<Slots> slots_;                    // [choice]
  uint32_t used_ = 1;                           // slots taken
  std::vector<float> sums_, base_;
  std::vector<Choice> choices_;
  std::vector<Answer> found_;
};

}  // namespace structron
