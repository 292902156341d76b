"""Update methods and learners in Python: engine and definition run the same ones, to the same weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import Parser, SettingError, Tagger, own
from structron.reference import METHODS, Differences, excess, is_violation, train
from structron.updates import parse_update
from tests.graphs import GraphSpace, graphs
from tests.unit.estimators.corpora import treebank


def worst(trace: Any) -> int | None:
    """Choose as max-violation does, written down once more."""
    violated = np.flatnonzero(is_violation(trace))
    if not violated.size:
        return None
    amounts = excess(trace)[violated]
    return int(violated[np.flatnonzero(amounts == amounts.max())[-1]])


def all_of_them(trace: Any) -> tuple[int, ...]:
    """Choose every violation."""
    return tuple(np.flatnonzero(is_violation(trace)).tolist())


class Plain:
    """The perceptron, once more."""

    def __init__(self, margin: float = 0.0) -> None:
        self.margin = margin

    def move(self, found: Differences) -> Any:
        return found.summed()


class Counting:
    """Moves each coordinate by its difference times how often it has come up: whole numbers, and a memory."""

    averaged = False

    def __init__(self) -> None:
        self.seen = np.zeros(0, np.int64)

    def move(self, found: Differences) -> Any:
        at, value = found.summed()
        self.seen = found.room(self.seen)
        self.seen[at] += 1
        return at, value * self.seen[at]


def cells(tagger: Any) -> list[bytes]:
    return [np.asarray(each).tobytes() for each in tagger.model_.rows]


@pytest.mark.parametrize("batch", [1, 5])
@pytest.mark.parametrize("update", ["max_violation", "standard", "skip", "latest", "hybrid"])
def test_an_own_copy_of_an_update_gives_the_same_bytes(update: str, batch: int) -> None:
    X, y = treebank(40)
    method = worst if update == "max_violation" else METHODS[update]
    ours, copy = (
        Tagger(search="beam:2", update=each, epochs=2, batch=batch, threads=2).fit(X, y)
        for each in (update, method)
    )
    assert cells(ours) == cells(copy)
    assert [e.updates for e in ours.history_] == [e.updates for e in copy.history_]


def test_an_own_update_does_not_depend_on_threads() -> None:
    X, y = treebank(100)
    one, two = (
        Tagger(search="beam:2", update=all_of_them, epochs=2, batch=80, threads=n).fit(X, y) for n in (1, 2)
    )
    assert cells(one) == cells(two)


@pytest.mark.parametrize("system", ["arcs", "graph"])
def test_parsers_take_an_own_update(system: str) -> None:
    X = [(["dogs", "bark"], ["N", "V"]), (["cats", "sleep", "now"], ["N", "V", "R"])] * 3
    y = [([2, 0], ["nsubj", "root"]), ([2, 0, 2], ["nsubj", "root", "adv"])] * 3
    kind = {"system": "graph", "search": "forest:2"} if system == "graph" else {"search": "beam:2"}
    ours, copy = (Parser(update=each, epochs=3, **kind).fit(X, y) for each in ("max_violation", worst))
    assert cells(ours) == cells(copy)


def halves(trace: Any) -> dict[int, float] | None:
    """Half of the update for the first violation, half for the last: sums stay exact."""
    violated = np.flatnonzero(is_violation(trace)).tolist()
    if len(violated) < 2:
        return dict.fromkeys(violated, 1.0) or None
    return {violated[0]: 0.5, violated[-1]: 0.5}


@settings(max_examples=40)
@given(st.lists(graphs(), min_size=1, max_size=3), st.integers(1, 2))
def test_shares_of_bins_are_equal(examples: list[GraphSpace], batch: int) -> None:
    kinds: dict[str, Any] = {"update": halves, "epochs": 2, "batch": batch, "learner": Plain()}
    *_, there = train([(each, each) for each in examples], search=("beam", 2, False), **kinds)
    *_, here = own.train([(each, each) for each in examples], search="beam:2", **kinds)
    assert (here.errors, here.updates, here.invalid) == (there.errors, there.updates, there.invalid)
    assert all(here.weights[name] == value for name, value in there.weights.items())


def test_shares_that_are_no_combination_are_refused() -> None:
    X, y = treebank(6)
    with pytest.raises(SettingError, match="no convex combination; give numbers above 0 of sum 1"):
        Tagger(search="beam:2", update=lambda trace: {0: 0.5, 1: 0.2}).fit(X, y)


@settings(max_examples=40)
@given(st.lists(graphs(), min_size=1, max_size=3), st.sampled_from([all_of_them, worst]), st.integers(1, 2))
def test_engine_and_definition_run_the_same_update(
    examples: list[GraphSpace], update: Any, batch: int
) -> None:
    pairs = [(each, each) for each in examples]
    kinds = {"update": update, "epochs": 3, "batch": batch}
    if batch > 1:
        kinds["update"] = worst
    *_, there = train(pairs, search=("beam", 2, False), **kinds)
    *_, here = own.train(pairs, search="beam:2", **kinds)
    assert (here.errors, here.updates, here.invalid, here.early_stopped) == (
        there.errors, there.updates, there.invalid, there.early_stopped,
    )  # fmt: skip
    for name, value in there.weights.items():
        assert here.weights[name] == pytest.approx(value, rel=1e-5)


@settings(max_examples=40)
@given(st.lists(graphs(), min_size=1, max_size=3), st.integers(1, 3))
def test_engine_and_definition_run_the_same_learner(examples: list[GraphSpace], batch: int) -> None:
    pairs = [(each, each) for each in examples]
    *_, there = train(
        pairs, search=("beam", 2, False), update="max_violation", learner=Counting(), epochs=3, batch=batch
    )
    *_, here = own.train(pairs, search="beam:2", learner=Counting(), epochs=3, batch=batch)
    assert (here.errors, here.updates) == (there.errors, there.updates)
    assert {n: v for n, v in there.weights.items() if v} == {
        n: here.weights[n] for n, v in there.weights.items() if v
    }


@pytest.mark.parametrize("margin", [0.0, 2.0])
def test_an_own_copy_of_the_perceptron_gives_the_same_bytes(margin: float) -> None:
    X, y = treebank(40)
    name = f"perceptron:margin={margin}" if margin else "perceptron"
    ours, copy = (Tagger(search="beam:2", learner=each, epochs=2).fit(X, y) for each in (name, Plain(margin)))
    assert cells(ours) == cells(copy)


def test_every_training_begins_with_a_fresh_copy_of_the_learner() -> None:
    X, y = treebank(30)
    tagger = Tagger(learner=Counting(), epochs=2)
    first = cells(tagger.fit(X, y))
    assert cells(tagger.fit(X, y)) == first
    assert not tagger.learner.seen.size


def test_a_model_names_its_pieces_and_predicts_without_them(tmp_path: Any) -> None:
    X, y = treebank(30)
    tagger = Tagger(update=worst, learner=Counting(), epochs=1).fit(X, y)
    tagger.save(tmp_path / "m")
    loaded = Tagger.load(tmp_path / "m")
    assert loaded.predict(X) == tagger.predict(X)
    assert loaded.update == f"own:{__name__}.worst" and loaded.learner == f"own:{__name__}.Counting"
    with pytest.raises(SettingError, match=r"own:.*names it and does not hold it; give"):
        loaded.fit(X, y)
    loaded.set_params(update=worst, learner=Counting())
    assert cells(loaded.fit(X, y)) == cells(tagger)


def wrong(trace: Any) -> int:
    return 99


def word(trace: Any) -> str:
    return "here"


def fails(trace: Any) -> int:
    raise ValueError("of the user's own")


@pytest.mark.parametrize(
    ("update", "says"),
    [
        (wrong, "there is no bin 99; they are"),
        (word, "is no bin; return a whole number"),
        (fails, "user's own"),
    ],
)
def test_what_an_update_does_wrong_is_one_sentence(update: Any, says: str) -> None:
    with pytest.raises(SettingError, match=says):
        Tagger(update=update, epochs=1).fit(*treebank(5))


class Astray(Plain):
    def move(self, found: Differences) -> Any:
        return np.array([2**31]), np.array([1.0])


class Silent(Plain):
    def move(self, found: Differences) -> Any:
        return None


class Nameless:
    def change(self, violations: Any) -> Any: ...


def test_what_a_learner_does_wrong_is_one_sentence() -> None:
    data = treebank(5)
    with pytest.raises(SettingError, match="a coordinate that has not come up"):
        Tagger(learner=Astray(), epochs=1).fit(*data)
    with pytest.raises(SettingError, match="there is no 'move'; it needs one"):
        Tagger(learner=Nameless(), epochs=1).fit(*data)
    assert not len(Tagger(learner=Silent(), epochs=1).fit(*data).model_.rows.keys)


def test_shards_refuse_a_learner_with_a_memory() -> None:
    with pytest.raises(SettingError, match="shards"):
        Tagger(learner=Counting(), shards=2).fit(*treebank(5))


def test_an_update_is_named_by_its_function() -> None:
    assert parse_update(worst).method is worst and parse_update(worst).name.endswith(".worst")
