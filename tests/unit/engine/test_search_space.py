"""A space whose hooks are misspelt, forgotten or undeclared does not compile."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CORE = Path(__file__).parents[3] / "core"
COMPILER = next((found for name in ("c++", "g++", "clang++") if (found := shutil.which(name))), None)

SPACE = """
#include "search/beam_search.hpp"
using namespace structron;
struct Space {
  using State = uint32_t;
  using Moves = std::vector<Move<State>>;
  static constexpr Offers kOffers{.unit_steps = true, .numbered_keys = true, .bound = true};
  State initial() const { return 0; }
  uint32_t num_actions() const { return 1; }
  const float* scores(State) { return nullptr; }
  State advance(State s, uint32_t) const { return s + 1; }
  int step(State s) const { return static_cast<int>(s); }
  uint32_t merge_keys() const { return 1; }
  uint32_t merge_key(State) const { return 0; }
  const float* bound(State) const { return nullptr; }
  bool is_final(State s) const { return s > 0; }
  bool allows(State, uint32_t) const { return true; }
  void difference(const Moves&, const Moves&, Difference&) const {}
  void set_margin(float) {}
  void weights_changed() {}
};
BeamSearch<Space>* made = nullptr;
"""


def compiles(source: str, tmp_path: Path) -> bool:
    assert COMPILER is not None
    file = tmp_path / "space.cpp"
    file.write_text(source)
    run = subprocess.run(
        [COMPILER, "-std=c++20", "-fsyntax-only", f"-I{CORE}", str(file)], capture_output=True, text=True
    )
    return run.returncode == 0


@pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler on the path")
def test_only_a_space_that_has_what_it_declares_compiles(tmp_path: Path) -> None:
    assert compiles(SPACE, tmp_path)
    slips = {
        "misspelt": ("float* bound(State)", "float* bounds(State)"),
        "undeclared": (", .bound = true", ""),
        "declared and not there": (", .bound = true", ", .bound = true, .ready = true"),
        "of the wrong type": ("int step(State s)", "double step(State s)"),
        "needed and missing": ("  void weights_changed() {}\n", ""),
        "both kinds of actions": (
            "  State initial()",
            "  Choices choices(State) { return {}; }\n  State initial()",
        ),
    }
    for slip, (right, wrong) in slips.items():
        assert right in SPACE
        assert not compiles(SPACE.replace(right, wrong), tmp_path), slip
