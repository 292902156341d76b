#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <vector>

namespace nb = nanobind;

void bind_features(nb::module_& m);
void bind_weights(nb::module_& m);
void bind_search(nb::module_& m);
void bind_learners(nb::module_& m);
void bind_change(nb::module_& m);
void bind_tagging(nb::module_& m);
void bind_parsing(nb::module_& m);
void bind_parsing_dp(nb::module_& m);
void bind_explicit(nb::module_& m);
void bind_explicit_forest(nb::module_& m);
void bind_alignment(nb::module_& m);
void bind_transduction(nb::module_& m);

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), array.shape(0)};
}

// A numpy array that owns the vector's memory.
template <class T>
nb::object numpy_of(std::vector<T> values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}
