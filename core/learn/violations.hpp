// Which bin to update on (Huang, Fayong & Guo 2012, Sec. 4-5). Each reads only the bins.
// structron/reference/learners/violations.py is the definition.
#pragma once
#include <algorithm>

#include "search/bins.hpp"

namespace structron {

enum class Update : int {
  standard = 0,
  early = 1,
  hybrid = 2,
  latest = 3,
  max_violation = 4,
  laso = 5,
  skip = 6,
  parallel = 7,
  own = 8  // chosen elsewhere, see choosing.hpp
};

inline constexpr int kNoViolation = -1;

inline bool wrong(const Bins& b, int bin) {
  return !b.best_is_gold[bin] && b.has_gold(bin);
}

// A violation: the guess is wrong and scores at least as high as gold. Ties count.
inline bool violates(const Bins& b, int bin) {
  return wrong(b, bin) && b.excess(bin) >= 0;
}

inline int standard(const Bins& b) {
  const int last = b.size() - 1;
  return last >= 0 && wrong(b, last) && b.has_both(last) ? last : kNoViolation;
}

inline int skip(const Bins& b) {
  const int last = b.size() - 1;
  return last >= 0 && violates(b, last) ? last : kNoViolation;
}

// Early and latest choose from the violations where gold has fallen out, or the last bin if it never has.
inline bool is_open(const Bins& b, bool any_fallen, int bin) {
  return (any_fallen ? b.fallen[bin] != 0 : bin == b.size() - 1) && violates(b, bin);
}
inline bool any_fallen(const Bins& b) {
  return std::any_of(b.fallen.begin(), b.fallen.end(), [](uint8_t f) { return f != 0; });
}

inline int early(const Bins& b) {
  const bool any = any_fallen(b);
  for (int i = 0; i < b.size(); ++i)
    if (is_open(b, any, i)) return i;
  return kNoViolation;
}

inline int latest(const Bins& b) {
  const bool any = any_fallen(b);
  for (int i = b.size() - 1; i >= 0; --i)
    if (is_open(b, any, i)) return i;
  return kNoViolation;
}

inline int hybrid(const Bins& b) {
  const int last = b.size() - 1;
  return last >= 0 && violates(b, last) ? last : early(b);
}

inline int max_violation(const Bins& b) {
  int at = kNoViolation;
  for (int i = 0; i < b.size(); ++i)
    if (violates(b, i) && (at == kNoViolation || b.excess(i) >= b.excess(at))) at = i;
  return at;
}

inline int choose(Update update, const Bins& b) {
  switch (update) {
    case Update::early:
      return early(b);
    case Update::hybrid:
      return hybrid(b);
    case Update::latest:
      return latest(b);
    case Update::skip:
      return skip(b);
    case Update::max_violation:
    case Update::parallel:  // where bins follow one another all overlap
      return max_violation(b);
    case Update::standard:
    case Update::laso:  // updates while it searches, see training.hpp
    case Update::own:
      break;
  }
  return standard(b);
}

}  // namespace structron
