// Scores of the pairs at one place of a source, with weights that are learned or finished.
//
// What the source says is the same for all items of a beam: it is summed once for each place. What was
// emitted before differs, but most items have their last symbols in common: it is summed once for each
// history, on top of the sum of the shorter history. Of thousands of pairs a few apply at a place; they get
// slots of their own, and a row's other cells fall into the spare slots.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "learn/learner.hpp"
#include "search/items.hpp"
#include "tasks/transduction/history.hpp"
#include "tasks/transduction/inventory.hpp"
#include "util/numbers.hpp"
#include "weights/remembered.hpp"
#include "weights/rows.hpp"

namespace structron {

template <class Rows>
class TransductionScorer {
 public:
  static constexpr size_t kManyClasses = 1 << 14;  // so much is remembered of a place

  // Room for so many remembered sums of finished weights.
  TransductionScorer(const Inventory& inventory, Rows rows, size_t room)
      : inventory_(inventory),
        rows_(rows),
        lookups_(rows),
        remembered_(room),
        many_classes_(std::min(room, kManyClasses)),
        classes_of_(inventory.past_nodes().size()) {
    for (auto& slots : slot_) {
      slots.resize(inventory.columns());
      for (uint32_t c = 0; c < slots.size(); ++c) slots[c] = c % kSpare;
    }
    for (uint32_t t : inventory.local()) {
      const TransductionTemplate& x = inventory.templates()[t];
      bool is_near = x.hints.empty();
      x.each_offset([&](int offset) { is_near = is_near && -kNear <= offset && offset <= kNear; });
      (is_near ? near_ : far_).push_back({x.base, x.source_node, x.view});
    }
    for (uint32_t t : inventory.history()) {
      const TransductionTemplate& x = inventory.templates()[t];
      history_.push_back({x.base, x.source_node, x.view});
    }
  }

  void source(std::span<const Key> symbols) {
    source_ = symbols;
    inventory_.read_hints(source_, hints_);
    close();
  }
  uint32_t at() const { return at_; }
  uint64_t& evictions() { return remembered_.evictions(); }
  void close() { at_ = first_ = past_end_ = kNone; }

  // Everything that does not depend on what was emitted before.
  void open(uint32_t pos) {
    if (pos < first_ || pos >= past_end_) read_ahead(pos);
    const Ahead& here = ahead_[pos - first_];
    lay_out_slots(pos);
    parts_ = std::span(all_parts_).subspan((pos - first_) * history_.size(), history_.size());
    base_.assign(lanes_, 0.0f);
    if (here.near_sums != kNone) {
      if (here.near_sums != Remembered::kNothing) add_to(base_.data(), remembered_.at(here.near_sums));
    } else {
      const bool any = sum(sources_.data() + here.near_rows, sources_.data() + here.far_rows, sums_.data());
      if (any) add_to(base_.data(), sums_.data());
      if constexpr (Rows::kFinished) remembered_.put(here.near_key, sums_.data(), any ? lanes_ : 0);
    }
    if (sum(sources_.data() + here.far_rows, sources_.data() + here.end, sums_.data()))
      add_to(base_.data(), sums_.data());
    at_ = pos;
    forget();
  }

  // Raises the scores of these actions here.
  template <class Which>
  void raise(float by, Which&& which) {
    for (size_t k = 0; k < actions_.size(); ++k)
      if (which(actions_[k])) base_[k] += by;
  }

  // Call after open(): items that will be asked for, in this order.
  template <class PastOf>
  void ready(size_t items, PastOf&& past_of) {
    if (classes_.size() > many_classes_) {
      forget();
      ++remembered_.evictions();
    }
    waiting_.clear();
    ends_.clear();
    next_ = 0;
    const uint32_t known = static_cast<uint32_t>(classes_.size());
    for (size_t i = 0; i < items; ++i) {
      waiting_.push_back(past_of(i));
      classify(waiting_.back());
    }
    lookups_.begin((classes_.size() - known) * history_.size());
    for (uint32_t c = known; c < classes_.size(); ++c) look_up(c);
    const std::span<const Found> found = lookups_.resolve(found_);
    const size_t most = past_sums_ + (classes_.size() - known) * lanes_;
    if (pasts_.size() < most) pasts_.resize(most);
    const Found* next = found.data();
    const Found* end = next + found.size();
    for (uint32_t c = known; c < classes_.size(); ++c) next = sum_class(c, next, end);
  }

  // Call after open(). What depends on history is added to what does not.
  Choices choices(const Emitted& past) {
    if (next_ >= waiting_.size() || waiting_[next_] != past) ready(1, [&](size_t) { return past; });
    const uint32_t* ends = ends_.data() + next_++ * inventory_.paths();
    float* sums = sums_.data();
    std::copy_n(base_.data(), lanes_, sums);
    for (uint32_t p = 0; p < inventory_.paths(); ++p) add_to(sums, pasts_.data() + classes_[ends[p]].sums);
    return {choices_, sums};
  }

  // Adds sign * Phi of one action; only what depends on history where the rest is shared.
  void difference(uint32_t pos, const Emitted& past, uint32_t action, float sign, bool history_only,
                  Difference& delta) {
    const auto& columns = inventory_.shape(action).columns;
    const auto& templates = inventory_.templates();
    inventory_.read_source(source_, hints_, pos, nodes_);
    if (!history_only)
      for (uint32_t t : inventory_.local())
        if (const Key raw = named(templates[t].source_node, templates[t].base))
          if (const Key key = rows_.folded(raw); rows_.learns(key))
            delta.push_back({rows_.intern(key), columns[templates[t].view], sign});
    inventory_.read_past(past.targets.data(), past.actions.data(), source_[pos], past_);
    for (uint32_t h : inventory_.history()) {
      const Key part = named(templates[h].source_node, templates[h].base),
                history = past_[templates[h].past_node];
      if (part != 0 && history != 0)
        delta.push_back(
            {rows_.intern(rows_.folded(combine(part, history))), columns[templates[h].view], sign});
    }
  }

 private:
  using Found = typename Lookups<Rows>::Found;
  // Sums that go into one place wait for each other: what is not needed is spread over a few.
  static constexpr uint32_t kSpare = 8;
  static constexpr uint32_t kAhead = 8;   // places whose rows are looked for at once
  static constexpr size_t kTogether = 3;  // so many templates of one node are summed once for all
  static constexpr int kNear = 1;         // source features that see no more are summed apart

  // Of a template, what is needed again and again.
  struct Lean {
    Key base;
    uint32_t node, view;
  };
  // One of the places read ahead: its rows, or the sums that are remembered of them.
  struct Ahead {
    Key near_key;
    uint32_t near_sums, near_rows, far_rows, end;
  };
  // Items that agree in what a node of the tree of looks sees.
  struct Class {
    uint32_t node;
    Key key;
    uint32_t shorter;             // the class that it goes on from; 0 is the class of all
    uint32_t sums = 0;            // where its sums begin, those of the shorter ones with them
    uint32_t remembered = kNone;  // where its own sums are
    Key memory = 0;
  };

  // The pairs that apply here have the slots after the spare ones, in their order; then what they emit and
  // their sizes, which several may share.
  void lay_out_slots(uint32_t pos) {
    for (size_t view = 0; view < 3; ++view) {
      for (uint32_t c : columns_[view]) slot_[view][c] = c % kSpare;
      columns_[view].clear();
    }
    inventory_.actions_at(source_, pos, actions_);
    const uint32_t n = static_cast<uint32_t>(actions_.size());
    lanes_ = (n + 3) / 4 * 4;
    used_ = kSpare;
    choices_.resize(n);
    for (uint32_t k = 0; k < n; ++k) {
      choices_[k] = {actions_[k], k, inventory_.shape(actions_[k]).consumes};
      take(0, inventory_.shape(actions_[k]).columns[0]);
    }
    used_ = kSpare + lanes_;
    for (size_t view = 1; view < 3; ++view) {
      others_[view - 1].resize(n);
      for (uint32_t k = 0; k < n; ++k)
        others_[view - 1][k] = take(view, inventory_.shape(actions_[k]).columns[view]);
    }
    if (slots_.size() < used_) slots_.resize(used_);
    if (sums_.size() < lanes_) sums_.resize(lanes_);
  }
  uint32_t take(size_t view, uint32_t column) {
    uint32_t& slot = slot_[view][column];
    if (slot < kSpare) {
      columns_[view].push_back(column);
      slot = used_++;
    }
    return slot;
  }

  // The sum of rows for each pair; false, and nothing done, if there is none.
  bool sum(const Found* row, const Found* end, float* sums) {
    if (row == end) return false;
    float* slots = slots_.data();
    std::fill_n(slots, used_, 0.0f);
    uint32_t views = 0;
    for (; row != end; ++row) {
      add_row(row->row, slot_[row->view].data(), columns_[row->view], slots);
      views |= 1u << row->view;
    }
    std::copy_n(slots + kSpare, lanes_, sums);
    for (uint32_t view = 1; view < 3; ++view)
      if (views >> view & 1)
        for (size_t k = 0; k < actions_.size(); ++k) sums[k] += slots[others_[view - 1][k]];
    return true;
  }
  // sums[slot[c]] += weight of c, at least for these columns c.
  static void add_row(const RowView& row, const uint32_t* __restrict slot, std::span<const uint32_t> columns,
                      float* __restrict sums) {
    if (row.plain != nullptr) {
      for (uint32_t c : columns)
        if (const uint32_t i = c - row.first; i < row.used) sums[slot[c]] += row.plain[i];
    } else {
      for (uint32_t i = 0; i < row.used; ++i) sums[slot[row.cells[i].column]] += row.cells[i].weight;
    }
  }
  void add_to(float* __restrict sums, const float* __restrict more) const {
    for (uint32_t k = 0; k < lanes_; ++k) sums[k] += more[k];
  }

  // What a template reads of the source, with its name; 0 if it is silent. Call after read_source.
  Key named(uint32_t node, Key base) const { return nodes_[node] == 0 ? 0 : combine(nodes_[node], base); }

  // The rows of the next few places, all that the source alone decides.
  void read_ahead(uint32_t pos) {
    first_ = pos;
    past_end_ = static_cast<uint32_t>(std::min<size_t>(source_.size(), pos + kAhead));
    lookups_.begin(kAhead * (near_.size() + far_.size()));
    remembered_.tidy();
    all_parts_.clear();
    for (uint32_t p = pos; p < past_end_; ++p) {
      inventory_.read_source(source_, hints_, p, nodes_);
      Ahead& place = ahead_[p - pos];
      place.near_sums = kNone;
      if constexpr (Rows::kFinished) {
        place.near_key = inventory_.window(source_, p, kNear, kNear);
        place.near_sums = remembered_.find(place.near_key);
        if (place.near_sums < Remembered::kNothing) remembered_.prefetch_sums(place.near_sums, 16);
      }
      if (place.near_sums == kNone) look_up(near_, 2 * (p - pos));
      look_up(far_, 2 * (p - pos) + 1);
      for (const Lean& h : history_) all_parts_.push_back(named(h.node, h.base));
    }
    const size_t rows = lookups_.resolve(sources_).size();
    uint32_t i = 0;
    const auto pass = [&](uint32_t owner) {
      while (i < rows && sources_[i].owner == owner) ++i;
      return i;
    };
    for (uint32_t p = 0; p < past_end_ - pos; ++p) {
      ahead_[p].near_rows = i;
      ahead_[p].far_rows = pass(2 * p);
      ahead_[p].end = pass(2 * p + 1);
    }
  }
  void look_up(const std::vector<Lean>& templates, uint32_t owner) {
    for (const Lean& t : templates)
      if (const Key key = named(t.node, t.base)) lookups_.add(key, t.view, owner);
  }

  void forget() {
    numbers_.clear();
    classes_.assign(1, {});
    if (pasts_.size() < lanes_) pasts_.resize(lanes_);
    std::fill_n(pasts_.begin(), lanes_, 0.0f);
    past_sums_ = lanes_;
    waiting_.clear();
    next_ = 0;
    if constexpr (Rows::kFinished) {
      const std::vector<PastNode>& tree = inventory_.past_nodes();
      windows_.resize(tree.size());
      for (size_t k = 1; k < tree.size(); ++k)
        if (is_remembered(tree[k]))
          windows_[k] = inventory_.window(source_, at_, tree[k].before_here, tree[k].after_here);
    }
  }

  static bool is_remembered(const PastNode& node) {
    return node.before == 0 || node.templates.size() >= kTogether;
  }

  // Finds the classes of an item.
  void classify(const Emitted& past) {
    const std::vector<PastNode>& tree = inventory_.past_nodes();
    inventory_.read_past(past.targets.data(), past.actions.data(), source_[at_], past_);
    const size_t first = ends_.size();
    ends_.resize(first + inventory_.paths(), 0);
    for (uint32_t k = 1; k < tree.size(); ++k) {
      if (past_[k] == 0) continue;
      const PastNode& node = tree[k];
      const uint32_t c = 1 + numbers_.of(past_[k] + k);
      classes_of_[k] = ends_[first + node.path] = c;
      if (c < classes_.size()) continue;
      classes_.push_back({k, past_[k], node.carries ? classes_of_[node.before] : 0});
      if constexpr (Rows::kFinished)
        if (is_remembered(node))
          remembered_.prefetch(classes_[c].memory = combine(windows_[k] + k, past_[k]));
    }
  }

  // A new class looks up its rows unless their sums are known.
  void look_up(uint32_t c) {
    Class& it = classes_[c];
    const PastNode& node = inventory_.past_nodes()[it.node];
    if (it.memory != 0) {
      it.remembered = remembered_.find(it.memory);
      if (it.remembered < Remembered::kNothing) remembered_.prefetch_sums(it.remembered, lanes_);
      if (it.remembered != kNone) return;
    }
    for (uint32_t h : node.templates)
      if (parts_[h] != 0) lookups_.add(combine(parts_[h], it.key), history_[h].view, c);
  }

  // The sums of a class on top of the shorter one's; gives the first row that is another's.
  const Found* sum_class(uint32_t c, const Found* row, const Found* end) {
    Class& it = classes_[c];
    const uint32_t shorter = classes_[it.shorter].sums;
    it.sums = shorter;
    const Found* last = row;
    while (last != end && last->owner == c) ++last;
    float* own = pasts_.data() + past_sums_;
    bool any = false;
    if (it.remembered != kNone) {
      any = it.remembered != Remembered::kNothing;
      if (any) std::copy_n(remembered_.at(it.remembered), lanes_, own);
    } else {
      any = sum(row, last, own);
      if (it.memory != 0) remembered_.put(it.memory, own, any ? lanes_ : 0);
    }
    if (any) {
      add_to(own, pasts_.data() + shorter);
      it.sums = past_sums_;
      past_sums_ += lanes_;
    }
    return last;
  }

  const Inventory& inventory_;
  Rows rows_;
  Lookups<Rows> lookups_;
  Remembered remembered_;
  size_t many_classes_;
  std::vector<Lean> near_, far_, history_;
  std::span<const Key> source_;
  std::vector<Hints> hints_;  // by place
  uint32_t at_ = kNone;
  std::vector<Key> nodes_, past_;  // scratch

  uint32_t first_ = kNone, past_end_ = kNone;  // the places read ahead
  std::array<Ahead, kAhead> ahead_;
  std::vector<Found> sources_;  // their rows
  std::vector<Key> all_parts_;  // of the history templates, what they read of the source
  std::span<const Key> parts_;  // the same, at this place

  std::vector<uint32_t> actions_, columns_[3];  // what applies at this place, by view
  std::vector<uint32_t> slot_[3];               // [view][column], below kSpare for what does not apply
  std::vector<uint32_t> others_[2];             // [view - 1][choice]: the slot
  uint32_t used_ = kSpare, lanes_ = 0;          // slots taken; pairs, up to a whole vector
  std::vector<float> slots_, sums_, base_;
  std::vector<Choice> choices_;

  Numbers numbers_;
  std::vector<Class> classes_;
  std::vector<float> pasts_;  // sums of classes, lanes_ floats each
  uint32_t past_sums_ = 0;    // how many of these floats there are
  std::vector<Key> windows_;  // by node, what its templates see of the source at this place
  std::vector<Found> found_;
  std::vector<uint32_t> classes_of_;  // of one item, by node
  std::vector<Emitted> waiting_;      // items made ready, and not asked for yet from next_ on
  std::vector<uint32_t> ends_;        // of each of them the class in which a path ends
  size_t next_ = 0;
};

}  // namespace structron
