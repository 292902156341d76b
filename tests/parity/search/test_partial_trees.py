"""The engine equals the definition where trees are partly known, in training and at prediction."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.rows import Rows
from structron.errors import DataError, TaskError
from structron.fit import Learning
from structron.model import Model
from structron.reference import Perceptron, decode, predict, train
from structron.reference.forest.forest import forest
from structron.reference.learners.weights import Weights
from structron.search import Beam, Forest, Greedy, Search
from structron.tasks.parsing.graph.task import GraphParsingTask
from structron.tasks.parsing.settings import ParsingRecipe
from structron.tasks.parsing.trees.partial import is_partial
from structron.updates import UPDATES
from tests.laws.tasks.test_graph_parsing import FIRST, HIGHER
from tests.parity.search.test_graphs import assert_same
from tests.parity.tasks.test_parsing import CASES, FEW, live, made, weights_of

SEARCHES = [Greedy(), Beam(2), Beam(3, merge=True), Beam(6)]


def forgotten(rng: random.Random, tree: Any, share: float = 0.5) -> Any:
    """The tree without some heads and some relations."""
    heads, labels = tree
    return (
        [None if rng.random() < share else head for head in heads],
        [None if rng.random() < share else label for label in labels],
    )


def agrees(tree: Any, known: Any) -> bool:
    return all(
        right is None or right == said for each in (0, 1) for said, right in zip(tree[each], known[each])
    )


@pytest.mark.parametrize(("system", "dynamic"), CASES)
@settings(max_examples=6, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    search=st.sampled_from(SEARCHES),
    update=st.sampled_from(sorted(UPDATES)),
    margin=st.sampled_from([0.0, 0.0, 2.0]),
)
def test_training_gives_the_same_weights(
    system: str, dynamic: bool, seed: int, search: Search, update: str, margin: float
) -> None:
    rng = random.Random(seed)
    task, X, Y = made(system, dynamic, rng, FEW, n=3, longest=4)
    Y = [task.projected(y) for y in Y]
    Y = [y if rng.random() < 0.3 else forgotten(rng, y) for y in Y]
    named = f"perceptron:margin={margin:g}" if margin else "perceptron"
    learning, trainer = live(task, X, Y, search, update, named)
    examples = [(task.space(x), task.oracle(y)) for x, y in zip(X, Y)]
    weights = Weights()
    passes = train(
        examples, search=search, update=update, learner=Perceptron(margin), epochs=2, weights=weights
    )
    for epoch in passes:
        counts = trainer.run(np.arange(len(X), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert weights_of(learning.weights) == dict(weights.items())


@pytest.mark.parametrize("system", ["arc-standard", "arc-eager", "arc-hybrid", "swap"])
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), search=st.sampled_from(SEARCHES))
def test_what_is_given_is_in_every_tree(system: str, seed: int, search: Search) -> None:
    rng = random.Random(seed)
    task, X, Y = made(system, False, rng, FEW, n=2, longest=4)
    learning, trainer = live(task, X, Y, search, "max_violation")
    trainer.run(np.arange(len(X), dtype=np.uint32))
    weights = Weights(weights_of(learning.weights))
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for x, y in zip(X, Y):
        tree = task.projected(y)
        parts = forgotten(rng, tree, 0.6)
        restricted = _core.Restricted(x, parts)
        space = task.space(restricted)
        try:
            best = predict(space, weights, search)
        except TaskError:  # swap does not look ahead
            assert system == "swap"
            with pytest.raises(DataError, match="found no tree with all arcs given; use a wider beam"):
                model.predict([restricted])
            continue
        assert agrees(space.tree(best.actions), parts)
        found = model.engine._engine.predict([restricted], _core.Search(search.width, search.merge), 1)[0]
        assert (found[0], found[1]) == space.tree(best.actions)
        for (heads, _), _ in model.kbest([restricted], 3)[0]:
            assert all(right in (None, head) for head, right in zip(heads, parts[0]))
        assert_same(
            model.trace(restricted, tree), decode(task.space(restricted), weights, search, task.oracle(tree))
        )


@pytest.mark.parametrize("texts", [FIRST, HIGHER], ids=["first", "higher"])
@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    width=st.sampled_from([None, 1, 4]),
    update=st.sampled_from(sorted(set(UPDATES) - {"laso"})),
    learner=st.sampled_from(["perceptron", "perceptron:margin=2"]),
)
def test_charts_learn_the_same_and_keep_what_is_given(
    texts: tuple[str, ...], seed: int, width: int | None, update: str, learner: str
) -> None:
    rng = random.Random(seed)
    _, X, Y = made("arc-standard", False, rng, FEW, n=3, longest=4)
    task = GraphParsingTask.of_trees(Y, texts, crossing="lift")
    Y = [forgotten(rng, task.projected(y)) for y in Y]
    search = Forest(width)
    recipe = ParsingRecipe(system="graph", search=str(search), update=update, learner=learner)
    learning = Learning.start(task, recipe)
    trainer = learning.learner(learning.pack(X, Y))
    weights = Weights()
    spaces = [task.space(x) for x in X]
    examples = [(space, task.oracle(y, space)) for space, y in zip(spaces, Y)]
    margin = Perceptron(2.0 if "margin" in learner else 0.0)
    for epoch in train(examples, search=search, update=update, learner=margin, epochs=2, weights=weights):
        counts = trainer.run(np.arange(len(X), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert weights_of(learning.weights) == dict(weights.items())
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for x, parts in zip(X, Y):
        restricted = _core.Restricted(x, parts)
        space = task.space(restricted)
        trace = forest(space, weights, width)
        ((tree, score),) = model.kbest([restricted], 1)[0]
        heads, labels = space.tree(trace.best(trace.final))
        assert (tree[0], tree[1]) == (heads, [task.labels[label] for label in labels])
        assert agrees(tree, parts) and score == trace.best_score[-1]
        assert all(agrees(other, parts) for other, _ in model.kbest([restricted], 3)[0])


def test_nothing_fits_is_one_sentence() -> None:
    task, X, Y = made("arc-eager", False, random.Random(1), FEW, n=4, longest=4)
    learning, _ = live(task, X, Y, Greedy(), "early")
    model = Model(task, Rows(*learning.weights.pack(False)), Greedy())
    x = [*X[0], *X[0], *X[0], *X[0]][:4]
    crossing = ([3, 4, None, None], [None] * 4)
    with pytest.raises(DataError, match="sentence 1: no tree that this system builds has all arcs given"):
        model.predict([_core.Restricted(x, crossing)])
    with pytest.raises(DataError, match="its own ancestor"):
        model.predict([_core.Restricted(x, ([2, 1, None, None], [None] * 4))])
    with pytest.raises(DataError, match="4 tokens but 1 heads"):
        model.predict([_core.Restricted(x, ([2], [None] * 4))])
    assert is_partial(crossing)
