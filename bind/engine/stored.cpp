#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>

#include "bind.hpp"
#include "weights/unpacking.hpp"

using namespace structron;

namespace {

using Any = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> values_of(const Any& array) {
  return {static_cast<const T*>(array.data()), array.shape(0)};
}

// f(the values) for whole numbers of up to 32 bits.
template <class F>
nb::object with_whole(const Any& array, F&& f) {
  if (array.dtype() == nb::dtype<uint8_t>()) return f(values_of<uint8_t>(array));
  if (array.dtype() == nb::dtype<uint16_t>()) return f(values_of<uint16_t>(array));
  if (array.dtype() == nb::dtype<uint32_t>()) return f(values_of<uint32_t>(array));
  throw nb::type_error("whole numbers of 8, 16 or 32 bits are needed, none below zero");
}

nb::dlpack::dtype half() {
  return {static_cast<uint8_t>(nb::dlpack::dtype_code::Float), 16, 1};
}

// The same for floats, if they are.
template <class F, class Otherwise>
nb::object with_floats(const Any& array, F&& f, Otherwise&& otherwise) {
  if (array.dtype() == half()) return f(values_of<Half>(array));
  if (array.dtype() == nb::dtype<float>()) return f(values_of<float>(array));
  return otherwise();
}

// What files call it: a letter for the kind, and how many bits.
nb::dlpack::dtype kind_of(std::string_view name) {
  using Code = nb::dlpack::dtype_code;
  constexpr struct {
    std::string_view name;
    Code code;
    uint8_t bits;
  } kinds[] = {
      {"BOOL", Code::Bool, 8},  {"I8", Code::Int, 8},     {"U8", Code::UInt, 8},   {"I16", Code::Int, 16},
      {"U16", Code::UInt, 16},  {"F16", Code::Float, 16}, {"I32", Code::Int, 32},  {"U32", Code::UInt, 32},
      {"F32", Code::Float, 32}, {"I64", Code::Int, 64},   {"U64", Code::UInt, 64}, {"F64", Code::Float, 64},
  };
  for (const auto& kind : kinds)
    if (kind.name == name) return {static_cast<uint8_t>(kind.code), kind.bits, 1};
  throw nb::value_error("there is no such kind of array");
}

// Bytes, seen as an array of numbers: nothing is copied. They must be as many as it needs, and aligned.
nb::object seen_as(const Array<uint8_t>& bytes, const std::string& kind, const std::vector<uint64_t>& shape) {
  const nb::dlpack::dtype dtype = kind_of(kind);
  const size_t item = dtype.bits / 8;
  // Where a dimension is 0 the others need no memory, but their product is still computed.
  uint64_t size = item, needed = item;
  std::vector<size_t> sizes;
  for (const uint64_t n : shape) {
    if (n > 0 && size > (uint64_t{1} << 62) / n) throw nb::value_error("an array has too many dimensions");
    size *= std::max<uint64_t>(n, 1);
    needed *= n;
    sizes.push_back(n);
  }
  if (shape.size() > 32) throw nb::value_error("an array has too many dimensions");
  if (needed != bytes.shape(0)) throw nb::value_error("the shape of an array does not fit its bytes");
  if (reinterpret_cast<uintptr_t>(bytes.data()) % item != 0) throw nb::value_error("an array is not aligned");
  // Held as long as the array lives, whatever becomes of the object that they came from.
  auto* held = new Array<uint8_t>(bytes);
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<Array<uint8_t>*>(p); });
  return nb::cast(nb::ndarray<nb::memview, nb::ro>(bytes.data(), sizes.size(), sizes.data(), owner, nullptr,
                                                   dtype, nb::device::cpu::value));
}

}  // namespace

void bind_stored(nb::module_& m) {
  m.def("seen_as", &seen_as, nb::arg("data"), nb::arg("kind"), nb::arg("shape"),
        "Bytes of a file as an array, where they are.");
  m.def(
      "widened",
      [](const Any& values) {
        return with_floats(
            values, [](auto floats) { return memory_of(widened<float>(floats)); },
            [&] { return with_whole(values, [](auto all) { return memory_of(widened<uint32_t>(all)); }); });
      },
      nb::arg("values"), "Whole numbers, or floats, in 32 bits.");
  m.def(
      "offsets_of",
      [](const Any& lengths) {
        return with_whole(lengths, [](auto all) { return memory_of(offsets_of(all)); });
      },
      nb::arg("lengths"), "Where pieces of these lengths begin, and where the last one ends.");
  m.def(
      "largest",
      [](const nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>& values) {
        const Any flat(values.data(), {values.size()}, nb::find(values), {}, values.dtype());
        if (flat.dtype() == nb::dtype<double>()) return nb::cast(largest_of(values_of<double>(flat)));
        return with_floats(
            flat, [](auto floats) { return nb::cast(largest_of(floats)); },
            [&] { return with_whole(flat, [](auto all) { return nb::cast(largest_of(all)); }); });
      },
      nb::arg("values"), "The largest magnitude, infinite if one is not a number; 0 of none.");
  m.def(
      "is_increasing", [](const Array<uint64_t>& keys) { return is_increasing(span_of(keys)); },
      nb::arg("keys"), "Whether each is larger than the one before.");
}
