"""Iterative parameter mixing (McDonald, Hall & Mann 2010): theorem, counter-example, and one shard."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structron import Tagger, _core
from structron.fit import Checkpoint, Learning, Mixing, Serial, epochs
from structron.fit.schedules import mixing as mixing_module
from structron.fit.schedules.shards import Shard
from structron.reference import train, train_mixed
from structron.reference.learners.weights import Weights
from structron.tasks.tagging.settings import TaggingRecipe
from tests.graphs import Arc, GraphSpace
from tests.laws.learners.test_convergence import bound, datasets
from tests.parity.tasks.test_tagging import CASES, weights_of
from tests.unit.estimators.corpora import treebank

X, Y = treebank(90)


@pytest.mark.parametrize("mixing", ["uniform", "errors"])
@given(data=datasets(many_gold=False, skip=2), update=st.sampled_from(["early", "max_violation"]))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_weighted_updates_of_all_rounds_are_bounded(mixing: str, data: list[GraphSpace], update: str) -> None:
    """Theorem 3: Σ_n Σ_i µ_{i,n} k_{i,n} ≤ R²/γ², however many rounds there are."""
    limit = bound(data, "beam")
    total = 0.0
    shards = [[(graph, graph)] for graph in data]
    for round in train_mixed(shards, rounds=60, mixing=mixing, search="greedy", update=update):
        assert sum(round.shares) == pytest.approx(1.0)
        total += sum(share * epoch.updates for share, epoch in zip(round.shares, round.epochs))
        assert total <= limit * (1 + 1e-9)
        if not any(epoch.updates for epoch in round.epochs):
            break


def one_of_two(y: int, *features: int) -> tuple[GraphSpace, GraphSpace]:
    """A binary example as the smallest structured one: feature f with label y is coordinate 2f + y."""
    arcs = tuple(Arc(label, 1, tuple((2 * f + label, 1.0) for f in features), label == y) for label in (0, 1))
    graph = GraphSpace((0, 1), (0, 0), (arcs, ()))
    return graph, graph


# Section 3 of the paper: four separable examples in two shards. In each, the second is right by a tie, which
# goes to label 0 here and to label 1 there.
SHARDS = [
    [one_of_two(1, 1, 2), one_of_two(0, 3)],
    [one_of_two(1, 2, 3), one_of_two(0, 1)],
]


def wrong(weights: Weights) -> int:
    (epoch,) = train(
        [example for shard in SHARDS for example in shard],
        search="exact", update="standard", epochs=1, weights=weights.copy(), skip_correct=True,
    )  # fmt: skip
    return epoch.errors


def converged(shard: list[Any], weights: Weights) -> Weights:
    (*_, last) = train(shard, search="exact", update="standard", epochs=None, weights=weights)
    return last.weights


def test_one_shot_mixing_need_not_separate_what_is_separable() -> None:
    """Their counter-example: each shard is learned perfectly, and no mixture of the two is right."""
    parts = [converged(shard, Weights()) for shard in SHARDS]
    assert all(
        next(train(shard, search="exact", update="standard", epochs=1, weights=part.copy())).errors == 0
        for shard, part in zip(SHARDS, parts)
    )
    serial = converged([example for shard in SHARDS for example in shard], Weights())
    assert wrong(serial) == 0
    for share in (0.1, 0.5, 0.9):
        assert wrong(Weights.mix(parts, [share, 1 - share])) == 2
    *_, last = train_mixed(SHARDS, rounds=20, search="exact", update="standard")
    assert wrong(last.weights) == 0, "mixing in every epoch does separate it"


def trained(recipe: TaggingRecipe, threads: int = 1, mixing: bool = True) -> Learning:
    task = CASES[0][1]
    learning = Learning.start(task, recipe)
    corpus = learning.pack(CASES[0][2], CASES[0][3])
    schedule = Mixing(learning, corpus, threads) if mixing else Serial(learning, corpus)
    list(epochs(learning, schedule))
    return learning


@pytest.mark.parametrize("learner", ["perceptron:margin=3", "mira:2"])
@pytest.mark.parametrize("batch", [1, 4])
def test_one_shard_is_serial_training(learner: str, batch: int) -> None:
    recipe = TaggingRecipe(learner=learner, epochs=3, batch=batch)
    mixed, serial = trained(recipe), trained(recipe, mixing=False)
    for ours, theirs in zip(mixed.weights.state(), serial.weights.state()):
        np.testing.assert_array_equal(ours, theirs)
    assert mixed.weights.clock == serial.weights.clock


@pytest.mark.parametrize("mixing", ["uniform", "errors"])
def test_the_number_of_threads_changes_no_bit(mixing: str) -> None:
    recipe = TaggingRecipe(epochs=3, shards=3, mixing=mixing)
    one, two = trained(recipe), trained(recipe, threads=2)
    for ours, theirs in zip(one.weights.state(), two.weights.state()):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("mixing", ["uniform", "errors"])
def test_the_engine_mixes_as_the_definition_says(mixing: str) -> None:
    """Shards of different sizes, so that clocks differ; one epoch from zero and one from the mixture.

    Two shards: halves are exact in floats, so that ties stay ties; shares of errors are not, so one round.
    """
    rounds = 2 if mixing == "uniform" else 1
    _, task, sentences, tags = CASES[0]
    sentences, tags = sentences[:7], tags[:7]
    recipe = TaggingRecipe(
        search="beam:2", learner="perceptron", epochs=rounds, shards=2, mixing=mixing, shuffle=False
    )
    learning = Learning.start(task, recipe)
    list(epochs(learning, Mixing(learning, learning.pack(sentences, tags))))
    pairs = [(task.space(x), task.oracle(y)) for x, y in zip(sentences, tags)]
    *_, last = train_mixed(
        [pairs[shard::2] for shard in range(2)],
        rounds=rounds, mixing=mixing, search=("beam", 2, False), update="max_violation",
    )  # fmt: skip
    for averaged in (False, True):
        keys, offsets, actions, values, _ = learning.weights.pack(averaged)
        spread = np.repeat(keys, np.diff(offsets))
        found = {(int(k), int(a)): float(v) for k, a, v in zip(spread, actions, values)}
        expected = last.weights.averaged() if averaged else last.weights
        for key in {*found, *(key for key, _ in expected.items())}:
            assert found.get(key, 0.0) == pytest.approx(expected[key], rel=1e-4, abs=1e-5)  # type: ignore[arg-type]
    assert learning.weights.clock == last.weights.counter
    assert weights_of(learning)


SCHEDULES = [{"shards": 3, "mixing": "errors"}, {"batch": 8}, {"batch": 8, "shards": 2}]


@pytest.mark.parametrize("settings", SCHEDULES, ids=str)
def test_training_that_was_killed_goes_on_and_ends_with_the_same_bytes(
    settings: dict[str, Any], tmp_path: Any
) -> None:
    class Killed(Exception):
        pass

    whole = Tagger(epochs=4, **settings).fit(X, Y)
    whole.save(tmp_path / "whole")
    file = Checkpoint(tmp_path / "checkpoint", 1e-9)
    seen = 0

    def die(epoch: int, done: int, total: int) -> None:
        nonlocal seen
        seen += 1
        if epoch == 3 and done > total // 2:
            raise Killed

    with pytest.raises(Killed):
        Tagger(epochs=4, **settings).fit(X, Y, checkpoint=file, progress=die)
    resumed = Tagger(epochs=4, **settings).fit(X, Y, checkpoint=file, resume=True)
    resumed.save(tmp_path / "resumed")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "resumed").read_bytes()


@pytest.mark.parametrize("settings", [{"shards": 3, "mixing": "errors"}, {"batch": 8, "shards": 2}], ids=str)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_round_that_was_killed_goes_on_in_its_middle(
    settings: dict[str, Any], threads: int, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(Exception):
        pass

    monkeypatch.setattr(mixing_module, "CHUNK", 8)
    monkeypatch.setattr(mixing_module, "_is_over", lambda future: future.done())  # look again and again
    whole = Tagger(epochs=3, **settings).fit(X, Y)
    file = Checkpoint(tmp_path / "checkpoint", 1e-9)
    written, run = [(0, 0)], Shard.run

    def write(weights: Any, standing: Any, *about: Any) -> None:
        Checkpoint.write(file, weights, standing, *about)
        written.append((standing.number, sum(given.done for given in standing.round.values())))

    def die(epoch: int, done: int, total: int) -> None:
        if written[-1][0] == 2 and len(X) // 3 < written[-1][1] < len(X):
            raise Killed

    def slowly(shard: Shard, examples: Any) -> None:
        time.sleep(0.02)
        run(shard, examples)

    monkeypatch.setattr(Shard, "run", slowly)
    monkeypatch.setattr(file, "write", write)
    tagger = Tagger(epochs=3, **settings)
    tagger.threads = threads
    with pytest.raises(Killed):
        tagger.fit(X, Y, checkpoint=file, progress=die)
    seen: list[int] = []

    def counted(shard: Shard, examples: Any) -> None:
        seen.append(len(examples))
        run(shard, examples)

    monkeypatch.setattr(Shard, "run", counted)
    resumed = Tagger(epochs=3, **settings).fit(X, Y, checkpoint=file, resume=True)
    assert len(X) < sum(seen) < 2 * len(X), "the second epoch began again, or was taken as over"
    for ours, theirs in zip(resumed.model_.rows, whole.model_.rows):
        np.testing.assert_array_equal(ours, theirs)
    assert resumed.model_.about == whole.model_.about


def test_only_cells_that_changed_are_told() -> None:
    weights = _core.Weights(4)
    weights.restore(*cells((1, 0, 2.0), (1, 3, 5.0), (2, 1, 7.0), (3, 2, 1.0)), 2)
    weights.mark()
    weights.add_all(*changed((1, 3, 1.0), (2, 1, 1.0), (2, 1, -1.0), (3, 2, -1.0), (4, 0, 3.0)))
    key, action, weight, _ = weights.changes()
    assert list(zip(key.tolist(), action.tolist(), weight.tolist())) == [
        (1, 3, 6.0),
        (3, 2, 0.0),
        (4, 0, 3.0),
    ]


def cells(*given: tuple[int, int, float]) -> Any:
    key, action, weight = zip(*given)
    past = np.zeros(len(given))
    return np.array(key, np.uint64), np.array(action, np.uint32), np.array(weight, np.float32), past


def changed(*given: tuple[int, int, float]) -> Any:
    key, action, weight = zip(*given)
    return np.array(key, np.uint64), np.array(action, np.uint32), np.array(weight, np.float32)
