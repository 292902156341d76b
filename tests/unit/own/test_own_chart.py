"""A user's own chart: the example runs and is short; what is wrong with a forest is told in one sentence."""

from __future__ import annotations

import random
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from structron.errors import TaskError
from structron.reference import METHODS, SWVP, check_forest, train
from structron.reference.forest.forest import forest
from structron.reference.forest.hypergraph import Edge
from structron.reference.learners.weights import Weights
from structron.search import Forest
from tests.forests import RandomForest, make_forest

SCRIPT = Path(__file__).parents[3] / "examples" / "own_chart.py"


def test_the_example_is_short() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) < 60


def test_the_example_learns(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(SCRIPT), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and all(line.endswith("100% right") for line in lines)


@pytest.mark.parametrize("update", [name for name in METHODS if name != "parallel"])
def test_it_trains_with_every_method(update: str) -> None:
    task = runpy.run_path(str(SCRIPT))
    rng = random.Random(3)
    data = [task["Sentence"]([rng.choice(task["WORDS"][tag]) for tag in "DNVDNPDN"]) for _ in range(10)]
    first, *_, last = train(list(zip(data, data)), search=Forest(2), update=update, epochs=5)
    assert last.errors <= first.errors
    with pytest.raises(TaskError, match="has no method mixed"):
        list(train(list(zip(data, data)), search=Forest(2), update=update, learner=SWVP(), epochs=1))


def test_good_forests_pass() -> None:
    for seed in range(30):
        made = make_forest(seed)
        check_forest(made, made)


class Broken:
    """A forest of three nodes in which one thing can be replaced."""

    def __init__(self, **wrong: Any) -> None:
        self._wrong = wrong

    def _get(self, name: str, *arguments: Any) -> Any:
        value = self._wrong.get(name)
        return value(*arguments) if callable(value) else value

    def nodes(self) -> Any:
        return self._get("nodes") if "nodes" in self._wrong else 3

    def group(self, node: int) -> Any:
        return self._get("group", node) if "group" in self._wrong else node

    def edges(self, node: int) -> Any:
        made = [Edge((), 0)] if node < 2 else [Edge((0, 1), 0)]
        return self._get("edges", node, made) if "edges" in self._wrong else made

    def join(self, node: int, edge: Edge, states: tuple[Any, ...]) -> Any:
        return self._get("join", node, edge, states) if "join" in self._wrong else node

    def features(self, node: int, edge: Edge, states: tuple[Any, ...]) -> Any:
        return self._get("features", node) if "features" in self._wrong else {node: 1.0}

    def merge_key(self, state: Any) -> Any:
        return self._get("merge_key", state) if "merge_key" in self._wrong else state

    def allows(self, node: int, edge: Edge, states: tuple[Any, ...]) -> bool:
        return bool(self._get("allows", node)) if "allows" in self._wrong else True


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"nodes": 0}, "it must be a whole number of at least 1"),
        ({"group": lambda node: node % 2}, "was left before; number the nodes"),
        ({"group": lambda node: 0}, "the goal shares its group"),
        ({"edges": lambda node, made: [Edge((2,), 0)] if node == 2 else made}, "has tail 2; tails must be"),
        ({"edges": lambda node, made: made * 2}, "twice; give them different actions"),
        ({"edges": lambda node, made: [] if node == 1 else made}, "no derivation leads to node 2"),
        ({"join": lambda node, edge, states: random.random()}, "leave out chance"),
        ({"join": lambda node, edge, states: [node]}, "which cannot be hashed"),
        ({"merge_key": lambda state: [state]}, "which cannot be hashed"),
        ({"features": lambda node: {"a": float("nan")}}, "has value nan"),
        ({"allows": lambda node: node < 2}, "no gold derivation leads to the goal"),
    ],
)
def test_what_is_wrong_is_told(wrong: dict[str, Any], said: str) -> None:
    broken = Broken(**wrong)
    with pytest.raises(TaskError) as caught:
        check_forest(broken, broken)
    assert said in str(caught.value)


def test_keys_that_hide_a_difference_are_told() -> None:
    class Hiding(RandomForest):
        def merge_key(self, state: Any) -> int:
            return 0

    for seed in range(20):
        made = make_forest(seed, nodes=8)
        hiding = Hiding(made.seed, made.groups, made.made, made.gold)
        try:
            check_forest(hiding)
        except TaskError as error:
            assert "add what distinguishes them to merge_key" in str(error)
            return
    raise AssertionError("no forest shows it")


def test_a_goal_that_cannot_be_built_is_told() -> None:
    made = make_forest(1)
    bare = replace(made, made=(*made.made[:-1], ()))
    with pytest.raises(TaskError, match="the goal cannot be built"):
        forest(bare, Weights())
