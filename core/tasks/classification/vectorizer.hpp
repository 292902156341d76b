// From counts of features to their values. structron/tasks/classification/features.py is the definition.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tasks/classification/bag.hpp"
#include "tasks/classification/text.hpp"
#include "weights/key_table.hpp"

namespace structron {

enum class Tf { count, binary, log };

// All that stands between an input and its vector; threads share it.
class Vectorizer {
 public:
  struct Options {
    bool lowered = true;
    Tf tf = Tf::count;
    bool idf = false, l2 = false;
    double intercept = 1;  // the value of the feature that all inputs have; with 0 there is none
    int bits = 0;
  };

  // keys[i] is a feature of times[i] of so many documents, and others do not count; without documents all do.
  Vectorizer(std::vector<TextTemplate> templates, Options options, std::span<const Key> keys,
             std::span<const uint32_t> times, uint32_t documents)
      : templates_(std::move(templates)), options_(options), is_cut_(documents > 0) {
    checked_bits(options.bits);
    if (keys.size() != times.size()) throw std::invalid_argument("keys and times differ in length");
    known_.reset(std::max<size_t>(64, keys.size() * 2));
    for (size_t i = 0; i < keys.size(); ++i) {
      Slot& slot = known_.at(keys[i]);
      if (!slot.empty()) throw std::invalid_argument("a feature is there twice");
      const double idf = std::log((1.0 + documents) / (1.0 + times[i])) + 1.0;
      slot = {keys[i], options.idf ? idf : 1.0, true};
    }
  }

  const Options& options() const { return options_; }
  TextReader reader() const { return TextReader(templates_, options_.lowered); }
  Key folded(Key key) const { return fold(key, options_.bits); }

  // The value of a feature that is there so often, before it is weighed by its frequency.
  double of_count(double count) const {
    if (options_.tf == Tf::binary) return 1.0;
    return options_.tf == Tf::log && count >= 1 ? 1.0 + logarithm(count) : count;
  }
  // What that is multiplied by; 0 for a feature that does not count.
  double factor(Key key) const {
    if (!is_cut_) return 1.0;
    const Slot& slot = known_.at(key);
    return slot.empty() ? 0.0 : slot.idf;
  }

  // Makes the values of the counts in a bag.
  void weigh(Bag& bag) const {
    const std::span<const Key> keys = bag.keys();
    if (is_cut_)
      for (Key key : keys) known_.prefetch(key);
    size_t kept = 0;
    double squares = 0;
    for (size_t i = 0; i < keys.size(); ++i) {
      const Key key = keys[i];
      const double count = bag.values()[i];
      if (count == 0) continue;
      double value = of_count(count);
      if (is_cut_) {
        const Slot& slot = known_.at(key);
        if (slot.empty()) continue;
        value *= slot.idf;
      }
      squares += value * value;
      bag.put(kept++, key, value);
    }
    bag.cut(kept);
    if (options_.l2 && squares > 0) bag.divide(std::sqrt(squares));
    if (options_.intercept != 0) bag.append(folded(kIntercept()), options_.intercept);
  }

  static Key kIntercept() { return hash_bytes("intercept"); }

 private:
  struct Slot {
    Key key = 0;
    double idf = 1;
    bool is_used = false;
    bool empty() const { return !is_used; }
  };

  // Counts are small and whole, nearly always.
  static double logarithm(double count) {
    static const std::vector<double> kSmall = [] {
      std::vector<double> found(256);
      for (size_t i = 1; i < found.size(); ++i) found[i] = std::log(static_cast<double>(i));
      return found;
    }();
    if (count < 256 && count == std::floor(count)) return kSmall[static_cast<size_t>(count)];
    return std::log(count);
  }

  std::vector<TextTemplate> templates_;
  Options options_;
  bool is_cut_;
  KeyTable<Slot> known_{64};
};

}  // namespace structron
