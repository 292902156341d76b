"""Averaging and the margin: the margins agree with each other, and every figure has a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.papers.loading import experiment_modules
from tests.unit.estimators.corpora import treebank


def test_margins_of_every_learner_are_measured_and_averaging_makes_them_larger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    with experiment_modules("margins.plan", "margins.results") as (plan, results):
        X, y = treebank(40)
        short = [i for i, words in enumerate(X) if len(words) <= 7]
        part = [X[i] for i in short[:12]], [y[i] for i in short[:12]]
        monkeypatch.setattr(plan, "load", lambda quick: (part, part))
        learners = ("perceptron:plain", "perceptron", "ssvm")
        entries = [plan.Separated(learner, 5, 0, quick=True).measure() for learner in learners]
        plain, averaged, _ = entries
        assert all(entry["least"] <= entry["median"] for entry in entries)
        assert all((entry["separated"] == 100) == (entry["least"] > 0) for entry in entries)
        assert averaged["median"] > plain["median"]
        results.write(entries, tmp_path)
        text = (tmp_path / "README.md").read_text(encoding="utf-8")
        assert text.count("| perceptron, averaged") == text.count("| SVM") == 4
