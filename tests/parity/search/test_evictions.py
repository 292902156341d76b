"""Predictors that keep next to nothing, and forget it again and again, equal the definition all the same.

What they keep of words and contexts has so much room by default that no small test would ever fill it.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from structron import _core
from structron.engine.choices import engine_search
from structron.engine.rows import Rows
from structron.engine.tracing import trace_of
from structron.fit import Learning, Recipe
from structron.reference import Trace, decode
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Search
from structron.tasks.parsing import ParsingTask, lower
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from structron.tasks.transduction import TransductionTask
from tests.parity.tasks.test_parsing import CLUSTERS, EVERYTHING, corpus, live
from tests.parity.tasks.test_parsing import weights_of as cells_of

ROUNDS = 3  # what was forgotten comes again
LETTERS = "abcdefgh"
TEMPLATES = [
    *("bias", "s[0]", "s[-1] s[0]", "s[0] s[1]", "s[-2] s[-1] s[0]", "emit s[1]", "size s[0]"),
    *("t[-1]", "emit t[-1]", "s[0] t[-1]", "s[1] t[-1]", "t[-2] t[-1]", "s[0] t[-2] t[-1]", "a[-1] s[0]"),
]


def trained(task: Any, recipe: Recipe, X: list[Any], Y: list[Any]) -> tuple[Rows, Weights]:
    """Whole weights, in the engine's form and in the definition's."""
    learning = Learning.start(task, recipe)
    trainer = learning.learner(learning.pack(X, Y))
    for _ in range(2):
        trainer.run(np.arange(len(X), dtype=np.uint32))
    return Rows(*learning.weights.pack(False)), Weights(cells_of(learning.weights))


def beams(trace: Trace) -> list[list[tuple[float, int, int, int]]]:
    return [[(i.score, i.action, i.parent, i.parent_step) for i in row] for row in trace.beams]


def decoded(task: Any, X: list[Any], weights: Weights, search: Search) -> list[Trace]:
    return [decode(task.space(x), weights, search) for x in X]


def assert_equal(task: Any, engine: Any, X: list[Any], weights: Weights, search: Search, output: Any) -> None:
    how = engine_search(search)
    traces = decoded(task, X, weights, search)
    best = [output(x, trace.best(trace.final).actions) for x, trace in zip(X, traces)]
    for _ in range(ROUNDS):
        assert engine.predict(X, how) == best
        assert engine.predict(X, how, 2) == best
        for x, trace in zip(X[:5], traces):
            assert beams(trace_of(engine.trace(x, None, how))) == beams(trace)


@pytest.mark.parametrize("room", [0, 8, 200, 1000])
@pytest.mark.parametrize("search", [Beam(4), Beam(8, merge=True), Exact()], ids=str)
def test_transducers(room: int, search: Search) -> None:
    rng = random.Random(room)
    pairs = {(letter, letter.upper()) for letter in LETTERS}
    while len(pairs) < 60:
        pairs.add(
            (
                "".join(rng.choices(LETTERS, k=rng.randint(1, 2))),
                "".join(rng.choices("ABCD", k=rng.randint(0, 2))),
            )
        )
    words = ["".join(rng.choices(LETTERS, k=rng.randint(1, 7))) for _ in range(40)]
    task = TransductionTask.of(sorted(pairs), TEMPLATES)
    targets: list[Any] = [[word.upper()] for word in words]
    rows, weights = trained(task, Recipe(search="beam:4"), words, targets)
    narrow = _core.TransductionPredictor(task.inventory, rows, task.bits, room)
    roomy = _core.TransductionPredictor(task.inventory, rows, task.bits)
    assert_equal(task, narrow, words, weights, search, lambda _, actions: task.emitted(actions))
    how = engine_search(search)
    assert narrow.kbest(words, 3, how) == roomy.kbest(words, 3, how)
    assert narrow.evictions > ROUNDS
    assert roomy.evictions == 0


def tagging_engine(task: TaggingTask, rows: Rows, *room: int) -> Any:
    keys, offsets, tags = task.dictionary.spread(task.hidden)
    hidden = None if task.hidden == 1 else task.hidden
    return _core.tagging_predictor(
        task.program,
        list(task.labels),
        False,
        rows,
        *task.rules,
        keys,
        offsets,
        tags,
        0,
        *room,
        hidden=hidden,
    )


@pytest.mark.parametrize("room", [0, 10_000, 25_000])
@pytest.mark.parametrize("hidden", [1, 2])
@pytest.mark.parametrize("search", [Beam(4), Exact()], ids=str)
def test_taggers(room: int, hidden: int, search: Search) -> None:
    rng = random.Random(room)
    templates = ("w[0]", "suffix(1)[0]", "w[-1] w[0]", "t[-1]", "t[-2] t[-1]", "t[-1] w[0]")
    task = TaggingTask(("X", "Y", "Z"), templates, hidden=hidden)
    X = [[f"{rng.choice(LETTERS)}{rng.randrange(50)}" for _ in range(rng.randint(1, 6))] for _ in range(150)]
    Y = [[rng.choice("XYZ") for _ in x] for x in X]
    rows, weights = trained(task, TaggingRecipe(search="beam:4"), X, Y)
    narrow, roomy = tagging_engine(task, rows, room), tagging_engine(task, rows)
    assert_equal(task, narrow, X, weights, search, lambda _, actions: task.labels_of(actions))
    how = engine_search(search)
    assert narrow.kbest(X, 3, how) == roomy.kbest(X, 3, how)
    assert narrow.evictions > ROUNDS
    assert roomy.evictions == 0


@pytest.mark.parametrize("room", [0, 10_000])
@pytest.mark.parametrize("many", [100, 150, 200])  # of 150, a beam looks at blocks; of 200, pairs are rows
def test_taggers_with_so_many_labels_that_rows_are_kept_and_not_their_sums(room: int, many: int) -> None:
    rng = random.Random(room)
    templates = (
        *("bias", "w[0]", "suffix(1)[0]", "w[-1]", "w[1]", "w[-1] w[0]", "p[0]"),
        *("t[-1]", "t[-2] t[-1]", "t[-1] w[1]", "t[-2] p[0]"),
    )
    labels = tuple(f"L{i}" for i in range(many))
    task = TaggingTask(labels, templates)
    X = [
        [(f"{rng.choice(LETTERS)}{rng.randrange(9)}", rng.choice("pq")) for _ in range(rng.randint(1, 6))]
        for _ in range(60)
    ]
    Y = [[rng.choice(labels) for _ in x] for x in X]
    rows, weights = trained(task, TaggingRecipe(search="beam:4"), X, Y)
    assert max(np.diff(rows.offsets)) > many / 4, "there is a row that is kept whole"
    narrow, roomy = tagging_engine(task, rows, room), tagging_engine(task, rows)
    for engine in (narrow, roomy):
        for search in (Beam(3), Beam(8), Beam(8, within=1.5)):
            assert_equal(task, engine, X[::3], weights, search, lambda _, actions: task.labels_of(actions))
    assert narrow.evictions > ROUNDS
    assert roomy.evictions == 0
    # Words that were met before come again among new ones.
    how, fresh = engine_search(Beam(3)), tagging_engine(task, rows)
    best = [task.labels_of(trace.best(trace.final).actions) for trace in decoded(task, X, weights, Beam(3))]
    assert fresh.predict(X[20:30], how) == best[20:30]
    assert fresh.predict([X[25], *X], how) == [best[25], *best]
    # Gold is looked at between the items of a beam, and changes nothing.
    for x, y, trace in zip(X[:5], Y, decoded(task, X[:5], weights, Beam(3))):
        assert beams(trace_of(fresh.trace(x, y, how))) == beams(trace)


@pytest.mark.parametrize("system", ["arc-standard", "arc-eager", "swap"])
def test_parsers(system: str) -> None:
    X, Y = corpus(random.Random(3), 12, 7, projective=False)
    task = ParsingTask.of_trees(Y, EVERYTHING, system=system, clusters=CLUSTERS)
    learning, trainer = live(task, X, Y, Beam(4), "max_violation")
    trainer.run(np.arange(len(X), dtype=np.uint32))
    rows, weights = Rows(*learning.weights.pack(False)), Weights(cells_of(learning.weights))
    engine = _core.parsing_predictor(*task._engine(), False, rows, 0, 2)
    assert_equal(task, engine, X, weights, Beam(4), lambda x, actions: task.space(x).tree(actions))
    assert engine.evictions > ROUNDS


def test_a_parser_on_a_sentence_that_fills_its_sums_many_times_over() -> None:
    """Sums are kept for 1,024 contexts of a sentence; here there are more, seen from the states alone."""
    X, Y = corpus(random.Random(4), 25, 7, projective=True)
    task = ParsingTask.of_trees(Y, EVERYTHING, clusters=CLUSTERS)
    learning, trainer = live(task, X, Y, Beam(4), "max_violation")
    trainer.run(np.arange(len(X), dtype=np.uint32))
    rows, weights = Rows(*learning.weights.pack(False)), Weights(cells_of(learning.weights))
    long = [token for x in X for token in x][:70]
    space = task.space(long)
    expected = decode(space, weights, Beam(8))
    contexts = {
        tuple(
            (place, space._spot(item.state, place).token)
            for place in sorted({a.place for a in template.atoms})
        )
        for row in expected.beams
        for item in row
        for template in task.parsed
        if template.atoms
    }
    assert len(contexts) > 1024
    engine = task.frozen(rows)
    how = engine_search(Beam(8))
    assert beams(trace_of(engine.trace(long, None, how))) == beams(expected)
    assert engine.predict([long], how) == [lower(space.tree(expected.best(expected.final).actions))]
