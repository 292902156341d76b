// An update method, and a choice of who stays in a row of a beam, that are written in Python.
#pragma once
#include "bind.hpp"
#include "learn/choosing.hpp"
#include "search/row_keeper.hpp"

class __attribute__((visibility("hidden"))) PythonChooser final : public structron::Chooser {
 public:
  explicit PythonChooser(nb::object ask);
  PythonChooser(const PythonChooser&) = delete;
  PythonChooser& operator=(const PythonChooser&) = delete;
  ~PythonChooser() override;

  // Asks once for all searches; the caller does not hold the interpreter's lock.
  void choose(std::span<const structron::Bins* const> searches,
              std::vector<std::vector<structron::Share>>& chosen) override;

 private:
  static void check(const structron::Bins& bins, const std::vector<structron::Share>& chosen);

  nb::object ask_;
};

class __attribute__((visibility("hidden"))) PythonKeeper final : public structron::RowKeeper {
 public:
  // keep(memory, row, score, parent, action) gives places; each search has a dict of its own as its memory.
  explicit PythonKeeper(nb::object ask);
  PythonKeeper(const PythonKeeper&) = delete;
  PythonKeeper& operator=(const PythonKeeper&) = delete;
  ~PythonKeeper() override;

  std::shared_ptr<Memory> begin() const override;

 private:
  nb::object ask_;
};
