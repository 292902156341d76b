// Feature templates, compiled: which atoms each template reads, sorted by how often they must be computed.
//
// A *unary* template reads one token of one column: its key belongs to a vocabulary entry, once for all.
// A *joint* template reads several tokens: one key per position. A *history* template reads previous tags
// too: what it reads of the words is folded into one key per position, the tags are mixed in last.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "text/atoms.hpp"

namespace structron {

struct Template {
  Key base;                 // hash of its canonical text
  std::vector<Atom> atoms;  // in written order
  int tags;                 // bit 0: reads t[-1]; bit 1: reads t[-2]
};

// All unary templates that look at one column at one offset.
struct Group {
  int column, offset;
  std::vector<Template> templates;
};

class Program {
 public:
  // `clusters`: where templates look up the clusters of words, if they do; they must stay where they are.
  Program(std::vector<Template> templates, int columns, const WordClusters* clusters = nullptr)
      : columns_(columns), clusters_(clusters) {
    if (columns < 1 || columns > kMostColumns) throw std::invalid_argument("tokens have 1 to 1000 columns");
    std::map<std::pair<int, int>, size_t> at;
    for (Template& t : templates) {
      for (const Atom& a : t.atoms) {
        if (a.column < 0 || a.column >= columns)
          throw std::invalid_argument("a template reads a column that is not there");
        if (a.length < 0 || a.length > 64) throw std::invalid_argument("an affix length is out of range");
      }
      if (t.tags) {
        order_ = std::max(order_, t.tags & 2 ? 2 : 1);
        (t.atoms.empty() ? tags_ : histories_).push_back(std::move(t));
        continue;
      }
      bool unary = !t.atoms.empty();
      for (const Atom& a : t.atoms) unary &= a.column == t.atoms[0].column && a.offset == t.atoms[0].offset;
      if (!unary) {
        joints_.push_back(std::move(t));
        continue;
      }
      const auto place = std::make_pair(t.atoms[0].column, t.atoms[0].offset);
      if (!at.contains(place)) {
        at[place] = groups_.size();
        groups_.push_back({place.first, place.second, {}});
      }
      groups_[at[place]].templates.push_back(std::move(t));
    }
  }

  int columns() const { return columns_; }
  const WordClusters* clusters() const { return clusters_; }
  // Whether a template looks at words; the bias is a joint template of nothing.
  bool reads_words() const {
    return !groups_.empty() || !histories_.empty() ||
           std::any_of(joints_.begin(), joints_.end(), [](const Template& t) { return !t.atoms.empty(); });
  }
  int order() const { return order_; }
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<Template>& joints() const { return joints_; }
  const std::vector<Template>& tags() const { return tags_; }            // pure tag templates
  const std::vector<Template>& histories() const { return histories_; }  // tags with words

 private:
  static constexpr int kMostColumns = 1000;

  int columns_, order_ = 0;
  const WordClusters* clusters_;
  std::vector<Group> groups_;
  std::vector<Template> joints_, tags_, histories_;
};

// The part of a history key that tags add; BOS is the number of labels.
inline Key mix_tags(Key key, int tags, uint32_t t1, uint32_t t2) {
  if (tags & 1) key = combine(key, t1 + 1);
  if (tags & 2) key = combine(key, (static_cast<Key>(t2) + 1) << 32);
  return key;
}

}  // namespace structron
