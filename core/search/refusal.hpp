// Exact search must be able to hold all that it keeps; what it cannot hold is refused before it begins.
#pragma once
#include <stdexcept>
#include <string>

namespace structron {

// One sentence, whatever the task; structron/model.py knows it by its first words.
[[noreturn]] inline void refuse_exact(const std::string& over, const std::string& takes) {
  throw std::invalid_argument("exact search over " + over + " would take " + takes +
                              "; use a beam, such as beam:8");
}

}  // namespace structron
