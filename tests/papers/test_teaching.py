"""How much an update teaches: the watching changes nothing, and finds what it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.papers.loading import experiment_modules


def test_updates_are_watched_and_max_violation_corrects_more_than_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    with experiment_modules("huang2012.teaching.plan", "huang2012.teaching.results") as (plan, results):
        monkeypatch.setattr(plan, "SENTENCES", 60)
        monkeypatch.setattr(plan, "DEV_SENTENCES", 20)
        for corpus, search in (("synthetic", "greedy"), ("synthetic-trees", "beam:4")):
            runs = {m: plan.Watching(corpus, search, m, 0, 2, quick=True) for m in plan.METHODS_TRIED}
            entries = {method: run.measure() for method, run in runs.items()}
            assert entries["max_violation"]["wrong"] > entries["early"]["wrong"] >= 1
            assert entries["max_violation"]["seen"] > entries["early"]["seen"]
            assert sum(entries["early"]["invalid"]) == 0 and entries["standard"]["seen"] == 100
            results.write([*entries.values()], tmp_path, [corpus])
            assert "max-violation" in (tmp_path / "README.md").read_text(encoding="utf-8")
        watched = runs["early"]
        plain = watched.estimator("early", "perceptron")  # type: ignore[arg-type]
        xs, ys = (part[:60] for part in plan.load(corpus, True).train)
        plain.fit(xs, ys)
        assert [e.updates for e in plain.history_] == entries["early"]["updates"]
