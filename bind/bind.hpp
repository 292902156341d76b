#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <vector>

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), array.shape(0)};
}

// An array that owns the vector's memory.
template <class Framework, class T>
nb::object owned_array(std::vector<T> values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<Framework, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}
template <class T>
nb::object numpy_of(std::vector<T> values) {
  return owned_array<nb::numpy>(std::move(values));
}
// A memoryview, for what predicting needs: it must not wait for numpy.
template <class T>
nb::object memory_of(std::vector<T> values) {
  return owned_array<nb::memview>(std::move(values));
}
