"""From an idea to real data: the five stops of docs/guides/research.md, each with a file that runs."""

from __future__ import annotations

import gzip
import os
import random
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import Tagger, own, reference
from structron.reference import check_oracle, check_space
from tests.unit.estimators.corpora import treebank

EXAMPLES = Path(__file__).parents[3] / "examples"
EWT = Path(os.environ.get("STRUCTRON_DATA", "../shared/data")) / "ud" / "UD_English-EWT"


def example(name: str) -> dict[str, Any]:
    """The names that a script defines."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A small part of EWT where the data are at hand, otherwise sentences of the generator, as two files."""
    folder = tmp_path_factory.mktemp("road")
    X, y = treebank(120)
    found = []
    for name, rows in (("train", range(100)), ("dev", range(100, 120))):
        found.append(str(folder / f"{name}.conllu"))
        lines = []
        for row in rows:
            lines += [
                f"{i}\t{w}\t_\t{t}\t{t}\t_\t{i - 1}\t{'root' if i == 1 else 'dep'}\t_\t_"
                for i, (w, t) in enumerate(zip(X[row], y[row]), 1)
            ] + [""]
        Path(found[-1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if (EWT / "en_ewt-ud-dev.conllu.gz").exists():
        whole = gzip.decompress((EWT / "en_ewt-ud-dev.conllu.gz").read_bytes()).decode().split("\n\n")
        for file, part in zip(found, (whole[:150], whole[150:200])):
            Path(file).write_text("\n\n".join(part) + "\n\n", encoding="utf-8")
    return found


@pytest.mark.parametrize("name", ["all_violations", "adagrad", "arow"])
def test_updates_and_learners_are_short_and_learn(
    name: str, files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) < 50
    monkeypatch.setattr(sys, "argv", [name, *files])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    ours, theirs = (float(line.split()[-1].rstrip("%")) for line in capsys.readouterr().out.splitlines())
    assert theirs > ours - 10, "an idea that works is not far behind what is there"


def test_adagrad_is_adagrad_in_the_definition_too() -> None:
    pictures = example("own_grid")["pictures"](random.Random(3), 6)
    pairs = [(p, p) for p in pictures]
    adagrad = example("adagrad")["AdaGrad"]
    *_, here = own.train(pairs, search="beam:2", learner=adagrad(), epochs=2)
    *_, there = reference.train(
        pairs, search=("beam", 2, False), update="max_violation", learner=adagrad(), epochs=2
    )
    assert here.updates == there.updates
    for name, value in there.weights.items():
        assert here.weights[name] == pytest.approx(value, abs=1e-4)


def test_a_stochastic_beam_has_a_name_and_draws_without_replacement(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    runpy.run_path(str(EXAMPLES / "own_search.py"), run_name="__main__")
    greedy, drawn = capsys.readouterr().out.splitlines()
    assert greedy.startswith("greedy") and drawn.startswith("gumbel:4") and "100%" not in greedy[:8]
    text = example("own_task")["texts"](random.Random(6), 1)[0]
    trace = reference.decode(text, reference.Weights(), "gumbel:4")
    paths = [trace.path(trace.final, rank).actions for rank in range(len(trace.beams[-1]))]
    assert len(set(paths)) == len(paths)
    with pytest.raises(Exception, match="GumbelBeam: the engine does not run"):
        Tagger(search="gumbel:4").fit(*treebank(3))


def test_the_grid_is_a_lawful_space_and_the_engine_does_what_the_definition_does() -> None:
    pictures = example("own_grid")["pictures"](random.Random(1), 8)
    check_space(pictures[0])
    check_oracle(pictures[0], pictures[0])
    pairs = [(p, p) for p in pictures]
    for search, name in ((("beam", 4, False), "beam:4"), (("beam", 4, True), "beam:4+merge")):
        there = list(reference.train(pairs, search=search, update="max_violation", epochs=3))
        here = list(own.train(pairs, search=name, epochs=3))
        assert [(e.errors, e.updates, e.invalid, e.early_stopped) for e in here] == [
            (e.errors, e.updates, e.invalid, e.early_stopped) for e in there
        ]
        assert all(here[-1].weights[k] == v for k, v in there[-1].weights.items())
        mean = there[-1].weights
        paths = [reference.predict(p, mean, search) for p in pictures]
        assert here[-1].weights.predict(pictures) == [path.actions for path in paths]
        best = here[-1].weights.kbest(pictures[:1], 3)[0]
        assert best[0][0] == paths[0].actions and len(best) == 3


def test_the_grid_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["own_grid", "1"])
    runpy.run_path(str(EXAMPLES / "own_grid.py"), run_name="__main__")
    ours, theirs, _ = capsys.readouterr().out.splitlines()
    assert ours.split(" ", 1)[1] == theirs.split(" ", 1)[1]


def test_a_task_on_real_text_runs_from_a_file(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gaps = example("own_articles")["Gaps"](["the", "man", "saw", "an", "owl", "a", "day"])
    assert gaps.words == ["man", "saw", "owl", "day"] and gaps.gold == [3, 0, 2, 1]
    check_space(gaps)
    check_oracle(gaps, gaps)
    monkeypatch.setattr(sys, "argv", ["own_articles", *files])
    runpy.run_path(str(EXAMPLES / "own_articles.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and all("0% of the last updates invalid" in line for line in lines[1:])


def test_a_table_of_numpy_is_trained_by_the_engine(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["own_table", *files])
    runpy.run_path(str(EXAMPLES / "own_table.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    losses, right = zip(*(map(float, re.findall(r"[\d.]+", line.replace(",", ""))[1:]) for line in lines))
    assert losses[0] > losses[-1] and right[-1] > 50


def test_a_torch_module_is_trained_by_the_engine(files: list[str]) -> None:
    torch = pytest.importorskip("torch")
    names = example("own_scores")
    scores = torch.tensor(np.random.default_rng(0).normal(size=(2, 3, 4)), requires_grad=True)
    gold = [np.array([0, 1, 2]), np.array([3])]
    loss = names["StructuredLoss"].apply(scores, gold, {"search": "exact", "update": "standard"})
    assert loss.item() > 0
    loss.backward()
    assert scores.grad.abs().sum() > 0 and not scores.grad[1, 1:].any()
    assert names["main"](*files, epochs=8) > 0.5
