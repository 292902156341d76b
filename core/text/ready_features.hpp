// What counts as which feature where a user hands over features that are ready: CRFsuite's rules. A text
// makes "name:value", a number weighs "name", true is 1 and false is 0, each item of a list makes
// "name:item", and what is nested gets the outer name before its own.
#pragma once
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "util/hash.hpp"

namespace structron {

inline constexpr int kDeepestFeature = 500;

inline Key ready_key(std::string_view name) {
  constexpr Key kReadyBase = 0x52454144594B4559ull;
  return combine(kReadyBase, hash_bytes(name));
}

// What a name becomes with a value or an inner name.
inline std::string inner_name(std::string_view name, std::string_view inner) {
  std::string whole;
  whole.reserve(name.size() + 1 + inner.size());
  return whole.append(name).append(":").append(inner);
}

// add(key, value) for a feature that is there; one of value 0 is not.
template <class Add>
void add_named(std::string_view name, Add&& add) {
  add(ready_key(name), 1.0f);
}
template <class Add>
void add_text(std::string_view name, std::string_view text, Add&& add) {
  add_named(inner_name(name, text), add);
}
template <class Add>
void add_flag(std::string_view name, bool is_set, Add&& add) {
  if (is_set) add_named(name, add);
}
template <class Add>
void add_number(std::string_view name, double x, Add&& add) {
  // Weights grow by values, so that scores may reach their square: it must stay within a float.
  if (!(std::fabs(x) <= 1e15))
    throw std::invalid_argument("a feature value is not a finite number, or beyond 1e15");
  if (const float value = static_cast<float>(x); value != 0) add(ready_key(name), value);
}

inline void check_nesting(int depth) {
  if (depth > kDeepestFeature) throw std::invalid_argument("features are nested too deep");
}

}  // namespace structron
