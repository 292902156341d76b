// Which prefix to update on (Huang, Fayong & Guo 2012, Sec. 4-5). Each reads only the trace.
// structron/reference/violations.py is the definition.
#pragma once
#include "trace.hpp"

namespace structron {

enum class Update : int { standard = 0, early = 1, hybrid = 2, latest = 3, max_violation = 4, laso = 5 };

inline constexpr int kNoViolation = -1;

inline bool wrong(const Trace& t, int step) {
  return !t.best_is_gold[step] && !std::isnan(t.gold_score[step]);
}

// A violation: the guess is wrong and scores at least as high as gold. Ties count.
inline bool violates(const Trace& t, int step) {
  return wrong(t, step) && t.excess(step) >= 0;
}

inline int fall_off(const Trace& t) {
  for (int i = 0; i < t.steps(); ++i)
    if (!t.gold_in_beam[i] && wrong(t, i)) return i;
  return kNoViolation;
}

inline int standard(const Trace& t) {
  const int last = t.steps() - 1;
  return last >= 0 && wrong(t, last) ? last : kNoViolation;
}

// Early and latest choose from the violations since gold fell off, or the last row if it never did.
inline int early(const Trace& t) {
  const int f = fall_off(t);
  for (int i = f == kNoViolation ? t.steps() - 1 : f; i >= 0 && i < t.steps(); ++i)
    if (violates(t, i)) return i;
  return kNoViolation;
}

inline int latest(const Trace& t) {
  const int f = fall_off(t), first = f == kNoViolation ? t.steps() - 1 : f;
  for (int i = t.steps() - 1; i >= 0 && i >= first; --i)
    if (violates(t, i)) return i;
  return kNoViolation;
}

inline int hybrid(const Trace& t) {
  const int last = t.steps() - 1;
  return last >= 0 && violates(t, last) ? last : early(t);
}

inline int max_violation(const Trace& t) {
  int at = kNoViolation;
  for (int i = 0; i < t.steps(); ++i)
    if (violates(t, i) && (at == kNoViolation || t.excess(i) >= t.excess(at))) at = i;
  return at;
}

inline int choose(Update update, const Trace& t) {
  switch (update) {
    case Update::early:
      return early(t);
    case Update::hybrid:
      return hybrid(t);
    case Update::latest:
      return latest(t);
    case Update::max_violation:
      return max_violation(t);
    case Update::standard:
    case Update::laso:  // updates while it searches, see training.hpp
      break;
  }
  return standard(t);
}

}  // namespace structron
