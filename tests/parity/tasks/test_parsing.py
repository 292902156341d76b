"""The parser's engine equals its definition for every system: traces, weights after training, outputs."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.choices import engine_search
from structron.engine.rows import Rows
from structron.engine.tracing import trace_of
from structron.features.clusters import WordClusters
from structron.fit import Learning, Recipe
from structron.model import Model
from structron.reference import Perceptron, decode, predict, train
from structron.reference.learners.weights import Weights
from structron.search import Beam, Greedy, Search
from structron.tasks.parsing import ParsingTask, lower
from structron.tasks.parsing.transitions.space import ParsingSpace
from structron.updates import UPDATES
from tests.parity.search.test_graphs import assert_same
from tests.trees import SYSTEMS, Tree, labelled, random_heads, random_projective_heads

# Every place, step and look at least once.
EVERYTHING = (
    *("s0.w s0.t q0.w", "s1.w s0.w", "s0.t q0.t q1.t", "s2.t s1.t s0.t", "s3.x", "q2.w q3.w", "bias"),
    *("s0.t s0.lc.t q0.t", "s0.rc.w s0.rc2.t", "s0.lc2.r q0.lc.r", "s0.lc.rc.w", "s0.rc.lc.r s0.rc.vl"),
    *("s0.h.t s0.r", "s0.h.h.w s0.h.r", "s1.lc.r s1.rc2.t", "s1.sr s1.vr", "s0.t s0.vl", "q0.w q0.sl"),
    *("s0.w d(s0,q0)", "d(s1,s0) s1.t", "s0.suffix(2) s1.lower", "s0.shape q0.class", "s0.m s0.l"),
    *("s0.m(F) q0.m(G)", "s1.lc.m(G)", "s0.cluster q0.cluster(1)", "s1.cluster(2) s0.t"),
)
CLUSTERS = WordClusters.of([("the", "00"), ("dog", "011"), ("ünïcode-σασ中1", "1")])
FEW = ("s0.t q0.t", "s1.t s0.t", "s0.r q0.lc.t")
CASES = [(system, dynamic) for system in SYSTEMS for dynamic in (False, True)]
CASES = [
    (system, dynamic) for system, dynamic in CASES if not dynamic or system in ("arc-eager", "arc-hybrid")
]
SEARCHES = [Greedy(), Beam(2), Beam(3, merge=True), Beam(5), Beam(5, within=4)]
WORDS = [("the", "DET"), ("dog", "NOUN"), ("barks", "VERB"), ("Ünïcode-ΣΑΣ中1", "X"), ("x", "PRON")]


def corpus(rng: random.Random, n: int, longest: int, projective: bool) -> tuple[list[Any], list[Tree]]:
    X, Y = [], []
    for _ in range(n):
        length = rng.randint(1, longest)
        words = [rng.choice(WORDS) for _ in range(length)]
        X.append([(w, t, t[0], f"F={t}|G={len(w)}" if len(w) > 1 else "_", w[:2]) for w, t in words])
        Y.append(labelled(rng, (random_projective_heads if projective else random_heads)(rng, length)))
    return X, Y


def made(
    system: str,
    dynamic: bool,
    rng: random.Random,
    templates: tuple[str, ...] = EVERYTHING,
    n: int = 6,
    longest: int = 6,
) -> tuple[ParsingTask, list[Any], list[Tree]]:
    """A task with data: crossing arcs are lifted, or built with swap."""
    X, Y = corpus(rng, n, longest, projective=rng.random() < 0.5)
    shape = {"system": system, "dynamic": dynamic, "swaps": 2, "clusters": CLUSTERS}
    return ParsingTask.of_trees(Y, templates, **shape), X, Y


def live(task: ParsingTask, X: Any, Y: Any, search: Search, update: str, learner: str = "perceptron") -> Any:
    learning = Learning.start(task, Recipe(search=str(search), update=update, learner=learner))
    return learning, learning.learner(learning.pack(X, Y))


def weights_of(weights: _core.Weights) -> dict[tuple[int, int], float]:
    keys, offsets, actions, values, _ = weights.pack(False)
    spread = np.repeat(keys, np.diff(offsets))
    return {(int(k), int(a)): float(v) for k, a, v in zip(spread, actions, values)}


@pytest.mark.parametrize(("system", "dynamic"), CASES)
@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    search=st.sampled_from(SEARCHES),
    update=st.sampled_from(sorted(UPDATES)),
    margin=st.sampled_from([0.0, 0.0, 2.0]),
)
def test_training_gives_the_same_weights(
    system: str, dynamic: bool, seed: int, search: Search, update: str, margin: float
) -> None:
    task, X, Y = made(system, dynamic, random.Random(seed), n=3, longest=4)
    learning, trainer = live(
        task, X, Y, search, update, f"perceptron:margin={margin:g}" if margin else "perceptron"
    )
    examples = [(task.space(x), task.oracle(y)) for x, y in zip(X, Y)]
    weights = Weights()
    passes = train(
        examples, search=search, update=update, learner=Perceptron(margin), epochs=2, weights=weights
    )
    for epoch in passes:
        counts = trainer.run(np.arange(len(X), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert weights_of(learning.weights) == dict(weights.items())


@pytest.mark.parametrize(("system", "dynamic"), CASES)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), search=st.sampled_from(SEARCHES))
def test_traces_and_predictions_are_equal(system: str, dynamic: bool, seed: int, search: Search) -> None:
    rng = random.Random(seed)
    task, X, Y = made(system, dynamic, rng)
    learning, trainer = live(task, X, Y, search, "max_violation")
    trainer.run(np.arange(len(X), dtype=np.uint32))
    weights = Weights(weights_of(learning.weights))
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    guesses = model.predict(X)
    for i in rng.sample(range(len(X)), 2):
        space = task.space(X[i])
        expected = decode(space, weights, search, task.oracle(Y[i]))
        for raw in (trainer.trace(i), task.frozen(model.rows).trace(X[i], Y[i], engine_search(search))):
            assert_same(trace_of(raw), expected)
            for step, path in enumerate(raw["gold_paths"]):
                assert tuple(path) == expected.gold(step).actions
        assert guesses[i] == lower(space.tree(predict(space, weights, search).actions))


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    bits=st.sampled_from([0, 5]),
    search=st.sampled_from([Beam(3), Beam(40, merge=True)]),
)
def test_kbest_is_equal_with_and_without_hashing(system: str, seed: int, bits: int, search: Search) -> None:
    rng = random.Random(seed)
    X, Y = corpus(rng, 3, 5, projective=rng.random() < 0.5)
    task = ParsingTask.of_trees(Y, FEW, system=system, bits=bits)
    learning, trainer = live(task, X, Y, Beam(4), "max_violation")
    trainer.run(np.arange(len(X), dtype=np.uint32))
    weights = Weights(weights_of(learning.weights))
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for x, best in zip(X, model.kbest(X, 4)):
        space = task.space(x)

        def tree(actions: tuple[int, ...], space: ParsingSpace = space) -> tuple[list[int], list[str]]:
            return lower(space.tree(actions))

        trace = decode(space, weights, search)
        expected = trace.outputs(4, tree)
        assert best == [(tree(path.actions), path.score) for path in expected]
        every = [tree(path.actions) for path in trace.kbest(search.width or 1)]
        assert len(best) == min(4, len({repr(each) for each in every}))
        assert all(best[i][0] != best[j][0] for i in range(len(best)) for j in range(i))


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), search=st.sampled_from(SEARCHES))
def test_trees_are_the_same_without_scores_and_from_columns(system: str, seed: int, search: Search) -> None:
    """A single state takes its only action unscored, where nobody asks for scores."""
    rng = random.Random(seed)
    task, X, Y = made(system, False, rng)
    learning, learner = live(task, X, Y, search, "early")
    learner.run(np.arange(len(X), dtype=np.uint32))
    engine = task.predictor(Rows(*learning.weights.pack(False)))
    asked = engine.kbest(X, 1, engine_search(search))
    found = engine.predict(X, engine_search(search))
    assert found == [best[0][0] for best in asked]
    columns = [_core.TokenColumns(tuple(map(list, zip(*x)))) for x in X]
    assert engine.predict(columns, engine_search(search)) == found


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ((), "at least one column"),
        ((["a"], ["b", "c"]), "not equally long"),
        ((("a",),), "must be a list"),
    ],
)
def test_columns_that_are_none_are_refused(columns: Any, why: str) -> None:
    with pytest.raises((ValueError, TypeError), match=why):
        _core.TokenColumns(columns)


def test_features_that_are_cut_are_not_learned() -> None:
    task, X, Y = made("arc-standard", False, random.Random(1), FEW, n=20)
    learning = Learning.start(task, Recipe(search="beam:4", cut=3, epochs=2))
    trainer = learning.learner(learning.pack(X, Y))
    trainer.run(np.arange(len(X), dtype=np.uint32))
    seen: dict[int, int] = {}
    for x, y in zip(X, Y):
        space, oracle = task.space(x), task.oracle(y)
        state = space.initial()
        while not space.is_final(state):
            action = oracle.action(state)
            assert action is not None
            for (key, _), _ in space.features(state, action):
                seen[key] = seen.get(key, 0) + 1
            state = space.advance(state, action)
    learned = {key for key, _ in weights_of(learning.weights)}
    assert learned and all(seen.get(key, 0) >= 3 for key in learned)


def test_work_grows_linearly_with_length_and_width() -> None:
    """States made, counted: every step keeps at most the beam's width of them, and there are 2n steps."""
    task, _, _ = made("arc-standard", False, random.Random(2), FEW)
    engine = task.frozen(Rows(*_core.Weights(task.weight_columns).pack(False)))
    for length in (5, 20, 80):
        for width in (1, 4, 16):
            found = engine.trace([WORDS[i % 5] * 2 for i in range(length)], None, _core.Search(width, False))
            assert len(found["begin"]) == 2 * length
            assert len(found["score"]) <= 1 + 2 * length * width
