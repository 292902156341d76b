"""The picture over all records: what it takes from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.papers.loading import experiment_modules


def entry(update: str, seed: int, dev: float, invalid: int, **run: Any) -> dict[str, Any]:
    return {
        "run": {"corpus": "c", "search": "beam:2", "update": update, "seed": seed, **run},
        "dev": [dev - 10, dev], "updates": [50, 50], "invalid": [invalid, 0],
    }  # fmt: skip


def test_a_point_has_the_seeds_that_both_updates_have(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with experiment_modules("harder") as (harder,):
        entries = [
            entry("standard", 0, 80, 20),
            entry("standard", 1, 70, 40),
        ]
        entries += [entry("max_violation", 0, 90, 0, anew=0)]
        entries += [entry("max_violation", 0, 50, 0, quick=True), {"run": {"what": "reach"}}]
        (point,) = harder.points("huang2012", entries)
        assert (point.invalid, point.removed, point.seeds) == (20.0, 50.0, 1)
        harder.draw([point], tmp_path / "harder")
        assert (tmp_path / "harder.png").is_file()
        assert harder.by_hardness([point])[2].split("|")[1].strip() == "10 to 30 %"
        assert len(harder.of_all()) > 30, "the records that are there"
