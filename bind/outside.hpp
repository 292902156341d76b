// An update method that is written in Python.
#pragma once
#include "bind.hpp"
#include "learn/choosing.hpp"

class __attribute__((visibility("hidden"))) PythonChooser final : public structron::Chooser {
 public:
  explicit PythonChooser(nb::object ask);
  PythonChooser(const PythonChooser&) = delete;
  PythonChooser& operator=(const PythonChooser&) = delete;
  ~PythonChooser() override;

  // Asks once for all searches; the caller does not hold the interpreter's lock.
  void choose(std::span<const structron::Bins* const> searches,
              std::vector<std::vector<int>>& chosen) override;

 private:
  static void check(const structron::Bins& bins, const std::vector<int>& chosen);

  nb::object ask_;
};
