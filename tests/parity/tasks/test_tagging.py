"""The engine equals the definition on sentences: traces and weights, with rules, dictionary and columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from structron import _core
from structron.engine.rows import Rows
from structron.engine.tracing import trace_of
from structron.features.clusters import WordClusters
from structron.fit import Learning
from structron.labelling.presets import PRESETS
from structron.model import Model
from structron.reference import Perceptron, beam, decode, predict, train
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.synthetic import generate_treebank
from structron.tasks.tagging import Dictionary, TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from structron.updates import UPDATES
from tests.parity.search.test_graphs import assert_same
from tests.unit.estimators.corpora import runs

SEARCHES = [Greedy(), Beam(2), Beam(3, merge=True), Beam(4, within=2), Exact()]


def corpus(n: int = 20) -> tuple[list[list[str]], list[list[str]]]:
    # Short sentences: the definition takes a while over all pairs of tags.
    trees = [t for t in generate_treebank(6 * n, np.random.default_rng(3)) if len(t) <= 7][:n]
    X = [list(tree.words) for tree in trees]
    X[0][0] = "Ünïcode-ΣΑΣ中1"
    return X, [list(tree.tags) for tree in trees]


def chunks(n: int = 20) -> tuple[list[list[tuple[str, str]]], list[list[str]]]:
    """Words with a second column, and labels that mark runs of nouns and of verbs."""
    X, tags = corpus(n)
    return [list(zip(x, t)) for x, t in zip(X, tags)], runs(tags)


def cases() -> list[tuple[str, TaggingTask, Any, Any]]:
    X, Y = corpus()
    labels = tuple(sorted({t for y in Y for t in y}))
    pos = tuple(PRESETS["pos"])
    dictionary = Dictionary.observed(((w, t) for x, y in zip(X, Y) for w, t in zip(x, y)), labels, 2)
    C, Z = chunks()
    spans = tuple(sorted({t for y in Z for t in y}))
    first_order = tuple(t for t in PRESETS["pos"] if "t[-2]" not in t)
    of_clusters = ("cluster[0]", "cluster(2)[-1] lower[0]", "t[-1] cluster(1)[1]", "cluster(9)[0] shape[0]")
    clusters = WordClusters.of(
        (word.lower(), f"{i % 2:b}{i % 5:b}{i:03b}")
        for i, word in enumerate(sorted({w for x in X for w in x})[::2])
    )
    local = tuple(t for t in PRESETS["pos"] if "t[" not in t)
    return [
        ("second order", TaggingTask(labels, pos), X, Y),
        ("first order", TaggingTask(labels, (*first_order, *of_clusters), clusters=clusters), X, Y),
        ("no history", TaggingTask(labels, local), X, Y),
        ("hashed", TaggingTask(labels, pos, bits=7), X, Y),
        ("dictionary", TaggingTask(labels, pos, dictionary=dictionary), X, Y),
        ("rules and columns", TaggingTask(spans, tuple(PRESETS["chunk"]), scheme="bio"), C, Z),
        ("rules of second order", TaggingTask(spans, ("w[0]", "t[-1]", "t[-2] t[-1]"), scheme="bio"), C, Z),
        ("rules without history", TaggingTask(spans, ("w[0]", "p[0]", "p[-1] w[1]"), scheme="bio"), C, Z),
    ]


CASES = cases()


def live(
    task: TaggingTask, X: Any, Y: Any, search: Search, update: str, learner: str = "perceptron"
) -> tuple[Learning, _core.Trainer]:
    recipe = TaggingRecipe(search=str(search), update=update, learner=learner)
    learning = Learning.start(task, recipe)
    packed = learning.pack(X, Y)
    return learning, learning.learner(packed)


def weights_of(learning: Learning) -> dict[tuple[int, int], float]:
    keys, offsets, actions, values, _ = learning.weights.pack(False)
    spread = np.repeat(keys, np.diff(offsets))
    return {(int(k), int(a)): float(v) for k, a, v in zip(spread, actions, values)}


@pytest.mark.parametrize("search", SEARCHES, ids=str)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_training_gives_the_same_weights(case: tuple[str, TaggingTask, Any, Any], search: Search) -> None:
    _, task, X, Y = case
    few = 10
    if search.width is None and task.order == 2:
        few = 2 if len(task.labels) > 10 else 3
    X, Y = X[:few], Y[:few]
    examples = [(task.space(x), task.oracle(y)) for x, y in zip(X, Y)]
    updates = (
        list(UPDATES) if case[0] in ("second order", "rules and columns") else ["max_violation", "early"]
    )
    for update in updates:
        learning, trainer = live(task, X, Y, search, update)
        weights = Weights()
        for epoch in train(examples, search=search, update=update, epochs=2, weights=weights):
            counts = trainer.run(np.arange(len(X), dtype=np.uint32))
            assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
        assert weights_of(learning) == dict(weights.items())


@pytest.mark.parametrize("search", SEARCHES, ids=str)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_traces_and_predictions_are_equal(case: tuple[str, TaggingTask, Any, Any], search: Search) -> None:
    _, task, X, Y = case
    learning, trainer = live(task, X, Y, search, "max_violation")
    trainer.run(np.arange(len(X), dtype=np.uint32))
    weights = Weights(weights_of(learning))
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    guesses = model.predict(X)
    for i in range(0, len(X), 9 if search.width is None else 4):
        space = task.space(X[i])
        expected = decode(space, weights, search, task.oracle(Y[i]))
        assert_same(trace_of(trainer.trace(i)), expected)
        assert_same(model.trace(X[i], Y[i]), expected)
        best = predict(space, weights, search)
        assert guesses[i] == [task.labels[a] for a in best.actions]


@pytest.mark.parametrize("count", [62, 63])
def test_tags_are_neighbours_up_to_a_number_and_not_beyond(count: int) -> None:
    """Rows that differ in t[-1] alone lie together where six bits tell the tags apart, BOS among them."""
    _, task, X, Y = CASES[0]
    # The last number goes to a label that is there, so that it stands beside BOS.
    last = max(task.labels)
    labels = (*sorted(f"more{i}" for i in range(count - len(task.labels))), *sorted(task.labels))
    assert len(labels) == count and labels[-1] == last
    large = TaggingTask(labels, task.templates)
    search = Beam(4, within=2)
    learning, trainer = live(large, X, Y, search, "max_violation")
    for _ in range(3):
        trainer.run(np.arange(len(X), dtype=np.uint32))
    weights = Weights(weights_of(learning))
    model = Model(large, Rows(*learning.weights.pack(False)), search)
    for x, y in zip(X, Y):
        assert_same(model.trace(x, y), decode(large.space(x), weights, search, large.oracle(y)))


def test_a_margin_gives_the_same_weights() -> None:
    _, task, X, Y = CASES[4]
    learning, trainer = live(task, X, Y, Beam(3), "max_violation", "perceptron:margin=3")
    weights = Weights()
    examples = [(task.space(x), task.oracle(y)) for x, y in zip(X, Y)]
    for _ in train(
        examples, search=Beam(3), update="max_violation", learner=Perceptron(3.0), epochs=2, weights=weights
    ):
        trainer.run(np.arange(len(X), dtype=np.uint32))
    assert weights_of(learning) == dict(weights.items())


@pytest.mark.parametrize("search", [Beam(3), Exact()], ids=str)
def test_kbest_scores_are_equal(search: Search) -> None:
    _, task, X, Y = CASES[0]
    learning, trainer = live(task, X, Y, Beam(4), "max_violation")
    trainer.run(np.arange(len(X), dtype=np.uint32))
    weights = Weights(weights_of(learning))
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    short = [x for x in X if len(x) <= 8][:5]
    for x, best in zip(short, model.kbest(short, 3)):
        expected = decode(task.space(x), weights, search).kbest(3)
        assert [score for _, score in best] == [path.score for path in expected]


def test_where_everything_ties_the_order_is_the_same() -> None:
    _, task, X, Y = CASES[0]
    empty = Rows(
        np.zeros(0, np.uint64), np.zeros(1, np.uint32), np.zeros(0, np.uint32), np.zeros(0, np.float32)
    )
    model = Model(task, empty, Exact())
    assert_same(
        model.trace(X[0][:5], Y[0][:5]),
        beam(task.space(X[0][:5]), Weights(), None, True, task.oracle(Y[0][:5])),
    )
