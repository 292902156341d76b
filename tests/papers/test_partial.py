"""A share of the labels: every training has its share, and makes its table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from structron.synthetic import generate_treebank
from tests.papers.loading import experiment_modules

TREES = generate_treebank(60, np.random.default_rng(5))
PART = [list(t.words) for t in TREES], [list(t.tags) for t in TREES]


def test_every_training_has_its_share_and_makes_its_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    with experiment_modules("partial.plan", "partial.results") as (plan, results):
        monkeypatch.setattr(plan, "load", lambda name, quick: (PART, PART))
        monkeypatch.setattr(plan, "EPOCHS", 2)
        monkeypatch.setattr(plan, "SHARES", (2, 10))
        monkeypatch.setattr(results, "SHARES", (2, 10))
        runs = [run for all_of in plan.runs(True).values() for run in all_of]
        entries = [run.measure() for run in runs if run.corpus == "ewt"]
        assert len(entries) == 1 + 2 * len(plan.WAYS)
        for entry in entries:
            share = entry["of"] / entry["run"]["one_in"]
            assert 0 < entry["test"] <= 100 and 0.7 * share < entry["known"] < 1.3 * share + 10
        results.write(entries, tmp_path)
        text = (tmp_path / "README.md").read_text(encoding="utf-8")
        assert "a half" in text and "words, least sure" in text and "labels wnut" in text
