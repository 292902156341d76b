// What the standard library of Debian's emscripten (3.1.6) does not have yet.
#pragma once
#include <array>
#include <bit>
#include <compare>
#include <vector>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
template <class T>
constexpr auto operator<=>(const vector<T>& a, const vector<T>& b) -> decltype(a[0] <=> b[0]) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (const auto order = a[i] <=> b[i]; order != 0) return order;
  return a.size() <=> b.size();
}
template <class T, size_t n>
constexpr auto operator<=>(const array<T, n>& a, const array<T, n>& b) -> decltype(a[0] <=> b[0]) {
  for (size_t i = 0; i < n; ++i)
    if (const auto order = a[i] <=> b[i]; order != 0) return order;
  return decltype(a[0] <=> b[0])::equal;
}

}  // namespace std
