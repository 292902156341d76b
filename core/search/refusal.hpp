// What the engine refuses in ways that callers tell apart. Whatever else it refuses is an invalid_argument.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace structron {

// Exact search would take more memory or time than there is.
struct SearchTooLarge : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// So would the chart of one input, whatever the search; `input`: its number among those of a call, or -1.
struct ChartTooLarge : std::invalid_argument {
  explicit ChartTooLarge(const std::string& what, int64_t number = -1)
      : std::invalid_argument(what), input(number) {}
  int64_t input;
};

// An update or a learner does not go with the task, the search or the data. The text begins with its name.
struct ChoiceRefused : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Exact search must be able to hold all that it keeps; what it cannot hold is refused before it begins.
[[noreturn]] inline void refuse_exact(const std::string& over, const std::string& takes) {
  throw SearchTooLarge("exact search over " + over + " would take " + takes + "; use a beam, such as beam:8");
}

}  // namespace structron
