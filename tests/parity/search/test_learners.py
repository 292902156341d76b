"""The engine's learners equal the definition: on violations as they come, on graphs, and on sentences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structron import _core
from structron.fit import Learning
from structron.learners import SWVP, Learner, Mira, Perceptron
from structron.reference import Violation, train
from structron.reference.learners.learners import excess_of
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from structron.updates import UPDATES
from tests.graphs import GraphSpace, graphs, searches, whole_weights
from tests.parity.search.test_graphs import engine_graph, engine_weights
from tests.parity.tasks.test_tagging import CASES, weights_of

# The engine's weights are floats and its learners compute in doubles; the definition has doubles throughout.
CLOSE = 1e-5

JJ = ["single", "full", "prefixes", "error_spans", "windows=2", "windows=3", "all_subsets"]


def miras() -> st.SearchStrategy[Mira]:
    soft = st.sampled_from([(math.inf, False), (0.1, False), (1.0, False), (0.5, True)])
    return st.builds(
        lambda k, C, augmented: Mira(k, C[0], augmented, squared=C[1]), st.integers(1, 4), soft, st.booleans()
    )


@st.composite
def swvps(draw: st.DrawFn, guesses: int = 1) -> SWVP:
    gamma = draw(st.sampled_from(["wm", "wmr", "uniform", "best", "optimal"]))
    kind = draw(st.sampled_from(["aggressive", "balanced", "enforced"]))
    return SWVP(
        draw(st.sampled_from(JJ)),
        gamma,
        kind == "aggressive",
        draw(st.sampled_from([0.5, 1.0, 3.0])) if gamma in ("wm", "wmr") else 1.0,
        kind == "enforced",
        gamma == "wmr" and draw(st.booleans()),
        draw(st.sampled_from([0.0, 0.0, 2.0])),
        guesses=guesses,
    )


def learners() -> st.SearchStrategy[Learner]:
    perceptrons = st.builds(
        Perceptron, step=st.sampled_from([1.0, 0.25]), mean=st.booleans(), guesses=st.sampled_from([1, 1, 3])
    )
    return st.one_of(perceptrons, miras(), swvps())


@st.composite
def batches(draw: st.DrawFn) -> list[Violation]:
    """Violations of one to three examples, with a coordinate each that keeps them apart."""
    found = []
    for example in range(draw(st.integers(1, 3))):
        for _ in range(draw(st.integers(1, 4))):
            delta = {n: float(x) for n in range(5) if (x := draw(st.integers(-3, 3)))}
            delta[10 + len(found)] = 1.0
            excess, loss = float(draw(st.integers(-9, 9))), float(draw(st.integers(0, 4)))
            found.append(Violation(delta, excess, loss, example, 5))
    return found


@given(learner=learners(), found=batches())
@settings(max_examples=150, deadline=None)
def test_changes_are_equal_for_any_violations(learner: Learner, found: list[Violation]) -> None:
    definition = learner.definition()
    engine = learner.engine()
    parts, updates, invalid = engine.change(
        [([(n, 0, x) for n, x in v.delta.items()], v.excess, v.loss, v.example, v.among) for v in found]  # type: ignore[misc]
    )
    total: dict[int, float] = {}
    for feature, _, value in parts:
        total[feature] = total.get(feature, 0.0) + value
    expected = definition.change(found)
    for name in {*expected, *total}:
        assert total.get(name, 0.0) == pytest.approx(expected.get(name, 0.0), rel=CLOSE, abs=CLOSE)
    if len({v.example for v in found}) == 1:
        excess = excess_of(definition, found)
        one = isinstance(learner, Perceptron)
        several = one and learner.guesses == 1
        assert updates == (len(found) if several else excess is not None)
        if not one and excess is not None and abs(excess) > 1e-9:
            assert invalid == (excess < 0)


def has_ties(graph: GraphSpace, weights: Weights) -> bool:
    """Whether two paths to one step are equally good: then the two may list them differently."""
    scores: dict[int, list[float]] = {}
    for actions in graph.derivations():
        end = graph.walk(actions)[-1]
        scores.setdefault(graph.steps[end], []).append(weights.score(graph.vector(actions)))
    return any(len(set(row)) < len(row) for row in scores.values())


@given(
    graph=graphs(features=8, values=4),
    weights=whole_weights(features=8, size=9),
    search=searches(),
    update=st.sampled_from(sorted(UPDATES)),
    learner=miras(),
    skip_correct=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_mira_is_equal_on_graphs(
    graph: GraphSpace,
    weights: Weights,
    search: tuple[int | None, bool],
    update: str,
    learner: Mira,
    skip_correct: bool,
) -> None:
    # One example from whole weights: after a step of MIRA they are no longer whole, and ties no longer ties.
    width, merge = search
    if width is None and learner.k > 1:
        assume(update != "laso" and not learner.augmented and not has_ties(graph, weights))
    skip_correct = skip_correct and update != "laso"
    twin = engine_weights(weights)
    choice = "exact" if width is None else ("beam", width, merge)
    (epoch,) = train(
        [(graph, graph)],
        search=choice,
        update=update,
        learner=learner.definition(),
        epochs=1,
        weights=weights,
        skip_correct=skip_correct,
    )
    if update == "laso":
        assume(epoch.updates <= 1)
    counts = engine_graph(graph, twin).train(
        _core.Search(width or 0, merge), UPDATES[update].code, learner.engine(), skip_correct
    )
    assert counts[2:] == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    for feature in range(8):
        assert twin.get(feature + 1, 0) == pytest.approx(weights[feature], rel=CLOSE, abs=CLOSE)


def assert_close(learning: Learning, weights: Weights) -> None:
    found = weights_of(learning)
    for name in {*found, *(name for name, _ in weights.items())}:
        assert found.get(name, 0.0) == pytest.approx(weights[name], rel=CLOSE, abs=CLOSE)


TASK = TaggingTask(("A", "B", "C"), ("w[0]", "w[-1]", "t[-1]", "t[-1] w[0]", "t[-2] t[-1]", "t[-2]"))
FIRST = TaggingTask(("A", "B", "C"), ("w[0]", "t[-1]", "t[-1] w[1]"))
NONE = TaggingTask(("A", "B", "C"), ("w[0]", "w[-1]"))
RULED = TaggingTask(("B-X", "I-X", "O"), ("w[0]", "t[-1]", "t[-2] t[-1]"), scheme="bio")


@st.composite
def labelled(draw: st.DrawFn, task: TaggingTask) -> tuple[list[str], list[str]]:
    n = draw(st.integers(1, 7))
    words = draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    if task.scheme is None:
        return words, draw(st.lists(st.sampled_from(task.labels), min_size=n, max_size=n))
    tags: list[str] = []
    for _ in range(n):
        legal = [t for t in task.labels if t != "I-X" or (tags and tags[-1] != "O")]
        tags.append(draw(st.sampled_from(legal)))
    return words, tags


def names(task: TaggingTask, x: list[str]) -> set[Any]:
    space = task.space(x)
    found: set[Any] = set()
    states = {space.initial()}
    while states:
        state = states.pop()
        if space.is_final(state):
            continue
        for action in range(len(task.labels)):
            found.update(name for name, _ in space.features(state, action))
            states.add(space.advance(state, action))
    return found


@pytest.mark.parametrize("task", [TASK, FIRST, NONE, RULED], ids=["second", "first", "none", "ruled"])
@given(
    data=st.data(),
    learner=swvps(),
    search=st.sampled_from([Greedy(), Beam(2), Beam(3, merge=True), Beam(4, within=1), Exact()]),
    update=st.sampled_from(sorted(UPDATES)),
)
@settings(max_examples=40, deadline=None)
def test_swvp_is_equal_on_sentences_from_any_weights(
    task: TaggingTask, data: st.DataObject, learner: SWVP, search: Search, update: str
) -> None:
    assert_equal_from_any_weights(task, data, learner, search, update)


@pytest.mark.parametrize("task", [TASK, FIRST], ids=["second", "first"])
@given(data=st.data(), learner=swvps(3), update=st.sampled_from(["early", "max_violation", "standard"]))
@settings(max_examples=20, deadline=None)
def test_swvp_with_several_guesses_is_equal_on_sentences(
    task: TaggingTask, data: st.DataObject, learner: SWVP, update: str
) -> None:
    assert_equal_from_any_weights(task, data, learner, Beam(4), update)


def test_gold_among_the_guesses_is_not_mixed() -> None:
    learner = SWVP(jj="single", gamma="wmr", beta=0.5, guesses=3)
    assert_equal_from(FIRST, ["x"], ["B"], 0, learner, Beam(4), "early")


@pytest.mark.parametrize("task", [TASK, FIRST, RULED], ids=["second", "first", "ruled"])
@given(
    data=st.data(),
    learner=st.builds(Perceptron, guesses=st.integers(2, 4), step=st.sampled_from([1.0, 0.5])),
    search=st.sampled_from([Beam(2), Beam(3, merge=True), Beam(4)]),
    update=st.sampled_from(["early", "max_violation", "standard", "laso"]),
)
@settings(max_examples=20, deadline=None)
def test_the_mean_of_several_guesses_is_equal_on_sentences(
    task: TaggingTask, data: st.DataObject, learner: Perceptron, search: Search, update: str
) -> None:
    assert_equal_from_any_weights(task, data, learner, search, update)


def assert_equal_from_any_weights(
    task: TaggingTask, data: st.DataObject, learner: Learner, search: Search, update: str
) -> None:
    x, y = data.draw(labelled(task))
    assert_equal_from(task, x, y, data.draw(st.integers(0, 2**32 - 1)), learner, search, update)


def assert_equal_from(
    task: TaggingTask,
    x: list[str],
    y: list[str],
    seed: int,
    learner: Learner,
    search: Search,
    update: str,
) -> None:
    rng = np.random.default_rng(seed)
    # LaSO searches on with the changed weights, which the engine rounds: whole numbers would tie there.
    draw = rng.normal if update == "laso" else lambda: rng.integers(-3, 4)
    start = {name: float(np.float32(draw())) for name in sorted(names(task, x))}
    weights = Weights(start)
    recipe = TaggingRecipe(search=str(search), update=update, learner=str(learner))
    learning = Learning.start(task, recipe)
    learning.weights.restore(
        np.array([key for key, _ in start], np.uint64),
        np.array([action for _, action in start], np.uint32),
        np.array([*start.values()], np.float32),
        np.zeros(len(start)),
        learning.weights.clock,
    )
    packed = learning.pack([x], [y])
    (epoch,) = train(
        [(task.space(x), task.oracle(y))],
        search=search,
        update=update,
        learner=learner.definition(),
        epochs=1,
        weights=weights,
    )
    if update == "laso":
        assume(epoch.updates <= 1)
    counts = learning.learner(packed).run(np.arange(1, dtype=np.uint32))
    assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert_close(learning, weights)


@pytest.mark.parametrize("jj", JJ)
@pytest.mark.parametrize("task", [TASK, FIRST, NONE, RULED], ids=["second", "first", "none", "ruled"])
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_local_differences_of_mixed_assignments_are_the_whole_ones_exactly(
    task: TaggingTask, jj: str, data: st.DataObject
) -> None:
    # At zero all ranks are 0, and WMR as printed gives each mixed assignment weight 1: whole numbers.
    learner = SWVP(jj, "wmr", printed=True)
    x, y = data.draw(labelled(task))
    learning = Learning.start(task, TaggingRecipe(search="beam:2", update="standard", learner=str(learner)))
    learning.learner(learning.pack([x], [y])).run(np.arange(1, dtype=np.uint32))
    weights = Weights()
    example = (task.space(x), task.oracle(y))
    definition = learner.definition()
    list(train([example], search=Beam(2), update="standard", learner=definition, epochs=1, weights=weights))
    assert weights_of(learning) == dict(weights.items())


# From zero, with fractions for steps, rounding decides what would be ties; so these are cases without any.
MANY = [
    *[("mira", 0), ("mira:3,C=0.125", 0), ("mira:2,augmented", 0)],
    *[(name, case) for name in ("swvp:full", "swvp:single,wm,balanced,beta=1") for case in (0, 3, 5)],
    *[("swvp:single,wmr,aggressive,beta=2", 5), ("swvp:error_spans,optimal,enforced", 5)],
]


@pytest.mark.parametrize(("learner", "case"), MANY)
def test_training_stays_equal_over_many_updates(learner: str, case: int) -> None:
    _, task, X, Y = CASES[case]
    X, Y = X[:8], Y[:8]
    recipe = TaggingRecipe(search="beam:3", update="max_violation", learner=learner)
    learning = Learning.start(task, recipe)
    trainer = learning.learner(learning.pack(X, Y))
    weights = Weights()
    for epoch in train(
        [(task.space(x), task.oracle(y)) for x, y in zip(X, Y)],
        search=Beam(3),
        update="max_violation",
        learner=recipe.learner_choice.definition(),
        epochs=2,
        weights=weights,
    ):
        counts = trainer.run(np.arange(len(X), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert_close(learning, weights)
