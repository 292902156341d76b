"""A user's own task: the example runs, is short, and trains with every search and every update method."""

from __future__ import annotations

import random
import runpy
from pathlib import Path
from typing import Any

import pytest

from structron.explaining import explain_space
from structron.reference import METHODS, check_oracle, check_space, decode, predict, train
from structron.search import Beam, Exact, Greedy

SCRIPT = Path(__file__).parents[3] / "examples" / "own_task.py"
SEARCHES = [Greedy(), Beam(1), Beam(3), Beam(2, merge=True), Exact()]


@pytest.fixture(scope="module")
def task() -> dict[str, Any]:
    """The names that the script defines."""
    return runpy.run_path(str(SCRIPT))


def test_the_example_is_short() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) < 60


def test_the_example_runs_and_prints_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(SCRIPT), run_name="__main__")
    *table, sentence = capsys.readouterr().out.splitlines()
    assert len(table) == 16 and all(line.endswith("% right") for line in table)
    assert all(" 0 invalid" in line for line in table if "standard" not in line)
    assert len(sentence.split()) == 5


def test_it_passes_the_checks(task: dict[str, Any]) -> None:
    for text in task["texts"](random.Random(3), 5):
        check_space(text)
        check_oracle(text, text)


@pytest.mark.parametrize("update", [*METHODS, "laso"])
@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_it_trains_with_every_search_and_every_update(task: dict[str, Any], search: Any, update: str) -> None:
    data = task["texts"](random.Random(4), 8)
    epochs = list(train([(text, text) for text in data], search=search, update=update, epochs=8))
    assert epochs[0].updates > 0 and epochs[0].errors > 0
    assert epochs[-1].errors < epochs[0].errors / 2, "not all of it is separable, but most is learnt"
    assert update == "standard" or sum(epoch.invalid for epoch in epochs) == 0
    assert [epoch.examples for epoch in epochs] == [8] * 8
    path = predict(data[0], epochs[-1].weights, search)
    assert "".join(word for _, word in path.states[1:]) == data[0].letters


def test_a_generator_shuffles_and_the_same_seed_repeats(task: dict[str, Any]) -> None:
    examples = [(text, text) for text in task["texts"](random.Random(5), 8)]

    def run(seed: int | None) -> list[Any]:
        rng = None if seed is None else random.Random(seed)
        epochs = train(examples, search=Greedy(), update="early", epochs=3, rng=rng)
        return [*epochs][-1].weights

    assert run(7) == run(7)
    assert len({str(sorted(run(seed).items(), key=str)) for seed in (None, 1, 2, 3)}) > 1


def test_kbest_gives_different_segmentations_of_the_same_text(task: dict[str, Any]) -> None:
    (text,) = task["texts"](random.Random(6), 1)
    *_, last = train([(text, text)], search=Exact(), update="standard", epochs=3)
    for search, count in ((Exact(), 10), (Beam(4), 4)):
        paths = decode(text, last.weights, search).kbest(10)
        assert len({path.actions for path in paths}) == len(paths) == count
        assert {"".join(word for _, word in path.states[1:]) for path in paths} == {text.letters}


def test_it_is_explained_by_the_names_of_its_own_features(task: dict[str, Any]) -> None:
    (text,) = task["texts"](random.Random(6), 1)
    *_, last = train([(text, text)], search=Beam(4), update="early", epochs=3)
    found = explain_space(text, last.weights, Beam(4))
    path = predict(text, last.weights, Beam(4))
    assert found.sum == pytest.approx(found.score) and found.score == path.score
    assert len(found.decisions) == len(path.actions) and found.output == " ".join(map(str, path.actions))
    names = {each.name for one in found.decisions for each in one.features}
    assert names <= {str(name) if isinstance(name, str) else repr(name) for name, _ in last.weights.items()}
    assert any(one.runner_up not in (None, one.guess) for one in found.decisions)
