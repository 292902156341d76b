"""DAgger, SEARN and over-generating inference: small laws, and that they are measured."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tests.papers.loading import experiment_modules

WORDS = [("a", "a"), ("b", "b"), ("a", "a")]


def test_dagger_begins_with_gold_histories_and_goes_on_with_its_own() -> None:
    pytest.importorskip("matplotlib")
    with experiment_modules("imitation.policies") as (policies,):
        data = [policies.sentence_of(WORDS, [0, 1, 2])]
        first = policies.visited(data, policies.expert, 3)
        assert [found[-1] for found, _ in first] == [("tt", (3, 3)), ("tt", (3, 0)), ("tt", (0, 1))]
        always_two = lambda sentence, i, history: 2  # noqa: E731
        own = policies.visited(data, always_two, 3)
        assert [found[-1] for found, _ in own] == [("tt", (3, 3)), ("tt", (3, 2)), ("tt", (2, 2))]
        assert [int(costs.argmin()) for _, costs in own] == [0, 1, 2], "gold stays gold in strange histories"
        for train in (policies.local, policies.dagger):
            last = train(data, 3, 25, random.Random(0))[-1]
            assert policies.tags(last, data[0], 3) == [0, 1, 2]


def test_searn_starts_from_the_expert_and_does_without_it_in_the_end() -> None:
    pytest.importorskip("matplotlib")
    with experiment_modules("imitation.policies") as (policies,):
        data = [policies.sentence_of(WORDS, [0, 1, 2])]
        first = policies.searn(data, 3, 1, random.Random(0))[0]
        costs = policies._costs(data, policies.expert, [(1.0, policies.expert)], 3)
        assert [each.tolist() for _, each in costs] == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
        wrong = policies.sentence_of(WORDS, [2, 2, 2])
        assert policies.tags(first, wrong, 3) == policies.tags(first, data[0], 3), "it does not look at gold"


def test_the_classifier_averages_all_weights_so_far() -> None:
    pytest.importorskip("matplotlib")
    with experiment_modules("imitation.policies") as (policies,):
        rng, made, total = random.Random(1), policies.Classifier(3), {}
        examples = 29
        for _ in range(examples):
            found = tuple(rng.sample("abcd", 2))
            made.learn((found, np.array([rng.random() for _ in range(3)])))
            for name, row in made.weights.items():
                total[name] = total.get(name, 0) + row
        for name, row in made.averaged().weights.items():
            assert np.allclose(row, total[name] / (examples + 1))


def test_every_training_is_measured_and_makes_its_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    with experiment_modules(
        "imitation.plan", "imitation.results", "corpora", "learners.comparison"
    ) as modules:
        plan, results, corpora, comparison = modules
        small = corpora.load("synthetic", quick=True)
        monkeypatch.setattr(plan.corpora, "load", lambda name, quick: small)
        monkeypatch.setattr(plan, "checksum", lambda *given: "data")
        monkeypatch.setattr(comparison, "checksum", lambda *given: "data")
        monkeypatch.setattr(plan, "SENTENCES", 40)
        chunks = [[("the", "DT"), ("old", "JJ"), ("dog", "NN"), ("runs", "VB")]] * 12
        tags = [["B-NP", "I-NP", "I-NP", "O"]] * 12
        parts = dict.fromkeys(("train", "dev", "test"), (chunks, tags))
        monkeypatch.setattr(comparison, "load", lambda name, quick: parts)
        entries = [run.measure() for runs in plan.runs(True).values() for run in runs]
        assert all(0 < entry["test"] <= 100 for entry in entries)
        results.write(entries, tmp_path)
        text = (tmp_path / "README.md").read_text(encoding="utf-8")
        assert all(name in text for name in ("DAgger", "SEARN", "max-violation, greedy", "over-generating"))
