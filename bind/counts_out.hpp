#pragma once
#include "bind.hpp"
#include "util/counting.hpp"

inline nb::tuple counts_out(structron::Sightings counts) {
  return nb::make_tuple(numpy_of(std::move(counts.key)), numpy_of(std::move(counts.times)));
}
