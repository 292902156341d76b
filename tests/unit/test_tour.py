"""The table of rooms in `docs/tour.md`: every folder of the package and of the engine, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOUR = ROOT / "docs" / "tour.md"
ROW = re.compile(r"^\| ((?:`[\w/]+/`(?:, )?)+) \| (.+) \|$", re.MULTILINE)
CACHES = {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"}


def rooms() -> list[str]:
    return [
        room for cell, _ in ROW.findall(TOUR.read_text(encoding="utf-8")) for room in cell.split("`")[1::2]
    ]


def folders(top: str) -> set[str]:
    """Return a folder and all folders below it that hold files, each with a slash at its end."""
    found = {ROOT / top, *(each.parent for each in (ROOT / top).rglob("*") if each.is_file())}
    found |= {parent for each in found for parent in each.parents if parent.is_relative_to(ROOT / top)}
    return {f"{each.relative_to(ROOT).as_posix()}/" for each in found if not CACHES & set(each.parts)}


@pytest.mark.parametrize("top", ["structron", "core"])
def test_the_table_has_every_folder_and_nothing_else(top: str) -> None:
    assert {room for room in rooms() if room.startswith(f"{top}/")} == folders(top)


def test_no_folder_is_in_the_table_twice() -> None:
    assert len(rooms()) == len(set(rooms()))


@pytest.mark.parametrize("top", ["bind/", "tests/", "benchmarks/", "experiments/", "examples/"])
def test_the_other_parts_of_the_project_are_in_the_table(top: str) -> None:
    assert any(room.startswith(top) for room in rooms())
