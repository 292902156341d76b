"""The engine's beam with dynamic programming equals its definition: traces, learned weights, outputs."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.rows import Rows
from structron.engine.tracing import trace_of
from structron.fit import Learning
from structron.model import Model
from structron.reference import METHODS, Mira, Perceptron, choose, find, train
from structron.reference.learners.weights import Weights
from structron.reference.sequence.dp_beam import dp_beam
from structron.search import Beam, DPBeam
from structron.tasks.parsing import ParsingTask, lower
from structron.tasks.parsing.features.presets import HUANG_SAGAE
from structron.tasks.parsing.settings import ParsingRecipe
from structron.updates import UPDATES
from tests.parity.search.test_graphs import assert_same
from tests.parity.tasks.test_parsing import CLUSTERS, EVERYTHING, corpus, weights_of

TEMPLATES = [
    EVERYTHING,
    tuple(HUANG_SAGAE),
    ("s0.t s1.t", "s0.t q0.t"),
    ("s1.rc2.t q0.w", "s0.lc.rc.t", "s1.t"),
]


def made(seed: int, templates: tuple[str, ...], n: int, longest: int) -> tuple[ParsingTask, Any, Any]:
    rng = random.Random(seed)
    X, Y = corpus(rng, n, longest, projective=rng.random() < 0.5)
    return ParsingTask.of_trees(Y, templates, single_root=rng.random() < 0.7, clusters=CLUSTERS), X, Y


def live(task: ParsingTask, X: Any, Y: Any, search: str, update: str, learner: str = "perceptron") -> Any:
    learning = Learning.start(task, ParsingRecipe(search=search, update=update, learner=learner))
    return learning, learning.learner(learning.pack(X, Y))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    templates=st.sampled_from(TEMPLATES),
    width=st.integers(1, 5),
    update=st.sampled_from(sorted(UPDATES)),
    margin=st.sampled_from([0.0, 2.0]),
)
def test_training_gives_the_same_weights(
    seed: int, templates: tuple[str, ...], width: int, update: str, margin: float
) -> None:
    task, X, Y = made(seed, templates, n=3, longest=5)
    learner = f"perceptron:margin={margin:g}" if margin else "perceptron"
    learning, trainer = live(task, X, Y, f"dp:{width}", update, learner)
    examples = [(task.space(x), task.oracle(y)) for x, y in zip(X, Y)]
    weights = Weights()
    passes = train(
        examples, search=DPBeam(width), update=update, learner=Perceptron(margin), epochs=2, weights=weights
    )
    for epoch in passes:
        counts = trainer.run(np.arange(len(X), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert weights_of(learning.weights) == dict(weights.items())


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), templates=st.sampled_from(TEMPLATES), width=st.integers(1, 6))
def test_traces_and_predictions_are_equal(seed: int, templates: tuple[str, ...], width: int) -> None:
    task, X, Y = made(seed, templates, n=3, longest=7)
    learning, trainer = live(task, X, Y, f"dp:{width}", "max_violation")
    trainer.run(np.arange(len(X), dtype=np.uint32))
    weights = Weights(weights_of(learning.weights))
    model = Model(task, Rows(*learning.weights.pack(False)), DPBeam(width))
    guesses = model.predict(X)
    for i, x in enumerate(X):
        space = task.space(x)
        expected = dp_beam(space, weights, width, task.oracle(Y[i]))
        frozen = task.frozen(model.rows, "dp")
        for raw in (trainer.trace(i), frozen.trace(x, Y[i], _core.Search(width, True))):
            found = trace_of(raw)
            assert_same(found, expected)
            for step, row in enumerate(expected.beams):
                assert tuple(raw["gold_paths"][step]) == expected.gold(step).actions
                for rank in range(len(row)):
                    assert found.path(step, rank).actions == expected.path(step, rank).actions
        assert frozen.derivations(x, _core.Search(width, True)) == expected.derivations
        best = expected.best(expected.final)
        assert guesses[i] == lower(space.tree(best.actions))
        assert model.kbest([x], 1)[0][0][1] == best.score


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), update=st.sampled_from(sorted(METHODS)))
def test_the_k_best_of_a_row_that_learners_see_are_equal(seed: int, update: str) -> None:
    task, X, Y = made(seed, TEMPLATES[2], n=3, longest=5)
    learning, trainer = live(task, X, Y, "dp:4", update)
    every = np.arange(len(X), dtype=np.uint32)
    trainer.run(every)  # whole numbers, so that sums are exact
    weights = Weights(weights_of(learning.weights))
    recipe = ParsingRecipe(search="dp:4", update=update, learner="mira:3")
    twin = Learning(task, recipe, learning.weights)
    _, arrays = twin.learner(twin.pack(X, Y)).find(every, every)
    expected = []
    for i, (x, y) in enumerate(zip(X, Y)):
        trace = dp_beam(task.space(x), weights, 4, task.oracle(y))
        step = choose(trace, METHODS[update], Mira(3))
        expected += [(i, v.excess, v.loss) for v in find(trace, step, task.oracle(y), weights, Mira(3))]
    assert [*zip(arrays[0], arrays[3], arrays[4])] == expected


@pytest.mark.parametrize("templates", TEMPLATES[:2], ids=["labels are seen", "labels are not seen"])
def test_a_treebank_may_have_no_arcs_to_the_left(templates: tuple[str, ...]) -> None:
    x = [(w, "N", "N", "_", w) for w in "abcd"]
    tree = ([0, 1, 2, 1], ["root", "a", "b", "a"])
    task = ParsingTask.of_trees([tree], templates, clusters=CLUSTERS)
    assert not any(name.startswith("left") for name in task.transitions)
    learning, trainer = live(task, [x], [tree], "dp:3", "max_violation")
    for _ in range(3):
        trainer.run(np.zeros(1, dtype=np.uint32))
        weights = Weights(weights_of(learning.weights))
        assert_same(trace_of(trainer.trace(0)), dp_beam(task.space(x), weights, 3, task.oracle(tree)))


def test_threads_and_batches_do_not_change_a_bit() -> None:
    task, X, Y = made(5, tuple(HUANG_SAGAE), n=24, longest=8)
    packed = []
    for threads in (1, 3):
        learning, trainer = live(task, X, Y, "dp:4", "max_violation")
        trainer.run(np.arange(len(X), dtype=np.uint32), 6, threads)
        packed.append(weights_of(learning.weights))
        model = learning.model()
        model.threads = threads
        packed.append(dict(enumerate(model.predict(X))))
    assert packed[0] == packed[2] and packed[1] == packed[3]


def test_models_of_either_beam_are_decoded_with_the_other() -> None:
    task, X, Y = made(6, tuple(HUANG_SAGAE), n=12, longest=8)
    for search in ("beam:4", "dp:4"):
        learning, trainer = live(task, X, Y, search, "max_violation")
        for _ in range(6):
            trainer.run(np.arange(len(X), dtype=np.uint32))
        model = learning.model()
        plain, merged = model.predict(X, Beam(1)), model.predict(X, DPBeam(1))
        assert plain == merged
        scores = [[best[0][1] for best in model.kbest(X, 1, each)] for each in (Beam(4), DPBeam(64))]
        assert np.mean(scores[1]) >= np.mean(scores[0])
