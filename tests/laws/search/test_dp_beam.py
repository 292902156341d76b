"""Laws of the beam with dynamic programming: exact without bound, honest scores, greedy at width 1."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.reference import METHODS, DPItem, Perceptron, greedy, is_violation, train
from structron.reference.learners.weights import Features, Weights, pairs
from structron.reference.sequence.dp_beam import dp_beam
from structron.search import DPBeam
from structron.tasks.parsing import ParsingSpace, ParsingTask, State
from structron.tasks.parsing.features.presets import HUANG_SAGAE
from tests.graphs import GraphSpace
from tests.trees import full_task, labelled, random_projective_heads

# Few atoms merge often; the others look at children, labels, counts, sets, deep into the stack, at distances.
EDGE = ("s0.t s1.t", "s0.t q0.t")
DEEP = ("s0.t s1.t", "s1.lc.t s1.rc2.r", "s0.rc.lc.t", "s0.vl s1.sr", "s3.t", "d(s1,s0) s0.t", "q0.w")
SETS = [EDGE, tuple(HUANG_SAGAE), DEEP, ("bias",)]
TAGS = ("N", "V")


class Drawn(Weights):
    """A weight for every feature, drawn when it is first seen."""

    def __init__(self, rng: random.Random, whole: bool) -> None:
        super().__init__()
        self.rng, self.whole = rng, whole

    def score(self, features: Features) -> float:
        listed = list(pairs(features))
        for name, _ in listed:
            if name not in self._now:
                self._now[name] = float(self.rng.randint(-2, 2)) if self.whole else self.rng.gauss(0, 1)
        return super().score(listed)


def sentence(rng: random.Random, length: int) -> list[tuple[str, str]]:
    return [(rng.choice("xy"), rng.choice(TAGS)) for _ in range(length)]


def prefixes(space: ParsingSpace, weights: Weights, rows: list[list[float]]) -> None:
    """The scores of all derivations and their prefixes, row by row, without any merging."""
    todo: list[tuple[State, float]] = [(space.initial(), 0.0)]
    while todo:
        state, score = todo.pop()
        for action in space.actions(state):
            found = score + weights.score(space.features(state, action))
            after = space.advance(state, action)
            rows[after.step - 1].append(found)
            todo.append((after, found))


def task_of(templates: tuple[str, ...], single_root: bool = True) -> ParsingTask:
    return full_task("arc-standard", templates, single_root=single_root)


def assert_exact(task: ParsingTask, rng: random.Random, length: int) -> None:
    space, weights = task.space(sentence(rng, length)), Drawn(rng, whole=True)
    rows: list[list[float]] = [[] for _ in range(2 * length)]
    prefixes(space, weights, rows)
    trace = dp_beam(space, weights, None)
    np.testing.assert_array_equal(trace.best_score, [max(scores) for scores in rows])
    assert trace.derivations == len(rows[-1]) and len(trace.beams[-1]) == 1


@pytest.mark.parametrize("templates", SETS, ids=["edge", "huang_sagae", "deep", "bias"])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), length=st.integers(1, 3), single_root=st.booleans())
def test_without_bound_it_finds_the_best_of_all_derivations_on_every_row(
    templates: tuple[str, ...], seed: int, length: int, single_root: bool
) -> None:
    assert_exact(task_of(templates, single_root), random.Random(seed), length)


@pytest.mark.parametrize(
    "view", ["s1.rc2.t", "s0.lc.rc.w", "s1.lc2.r", "s1.rc.sl", "s0.lc2.vr", "d(s2.rc,s0)", "s2.w"]
)
def test_kernels_and_an_action_tell_the_kernel_after_it(view: str) -> None:
    """A push needs that of the state, a reduction also that of the state which was pushed upon."""
    labels = "ab" if view.endswith((".r", ".sl")) else "a"
    trees = [([2, 0, 2], [label, "root", label]) for label in labels]
    space = ParsingTask.of_trees(trees, [view], system="arc-standard").space([*zip("xyxyx", "NVNNV")])
    after: dict[Any, Any] = {}
    todo: list[tuple[State, ...]] = [(space.initial(),)]  # a state, and those that its stack was pushed upon
    while todo:
        state, *below = todo.pop()
        for action in space.actions(state):
            made = space.advance(state, action)
            read = (state,) if space.pushes(action) else (state, below[0])
            key = (action, *[(each.step, space.kernel(each)) for each in read])
            assert after.setdefault(key, space.kernel(made)) == space.kernel(made)
            todo.append((made, state, *below) if space.pushes(action) else (made, *below[1:]))


def longer(seed: int, templates: tuple[str, ...]) -> tuple[random.Random, ParsingTask, ParsingSpace]:
    rng = random.Random(seed)
    task = task_of(templates)
    return rng, task, task.space(sentence(rng, rng.randint(1, 6)))


@pytest.mark.parametrize("templates", SETS, ids=["edge", "huang_sagae", "deep", "bias"])
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), width=st.integers(1, 6))
def test_every_path_taken_action_by_action_scores_its_prefix_score_and_leads_to_its_state(
    templates: tuple[str, ...], seed: int, width: int
) -> None:
    rng, _, space = longer(seed, templates)
    weights = Drawn(rng, whole=True)
    trace = dp_beam(space, weights, width)
    for step, row in enumerate(trace.beams):
        assert len(row) <= width
        for rank, item in enumerate(row):
            path = trace.path(step, rank)
            scores = [weights.score(space.features(s, a)) for s, a in zip(path.states, path.actions)]
            assert sum(scores) == item.score == path.score
            assert path.states[-1] == item.state


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), templates=st.sampled_from(SETS))
def test_states_in_one_place_have_the_same_scores_whatever_stands_below(
    seed: int, templates: tuple[str, ...]
) -> None:
    rng, _, space = longer(seed, templates)
    weights = Drawn(rng, whole=False)
    trace = dp_beam(space, weights, 5)
    for row in trace.beams:
        for item in cast(list[DPItem], row):
            for other in alternatives(space, item):
                assert space.actions(other) == space.actions(item.state)
                for action in space.actions(other):
                    features = [list(space.features(state, action)) for state in (other, item.state)]
                    assert features[0] == features[1]


def alternatives(space: ParsingSpace, item: DPItem) -> Iterator[Any]:
    """The state on each of its predictors."""
    if item.state.stack is not None:
        for below in item.origin.predictors:
            yield space.on_top_of(below.state, item.state)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), templates=st.sampled_from(SETS))
def test_at_width_1_it_is_greedy_but_for_ties(seed: int, templates: tuple[str, ...]) -> None:
    rng, _, space = longer(seed, templates)
    weights = Drawn(rng, whole=False)
    found, expected = dp_beam(space, weights, 1), greedy(space, weights)
    assert found.best(found.final).actions == expected.best(expected.final).actions
    np.testing.assert_allclose(found.best_score, expected.best_score)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    templates=st.sampled_from(SETS),
    width=st.integers(1, 5),
    margin=st.sampled_from([0.0, 2.0]),
)
def test_gold_marks_are_true_and_all_methods_but_standard_find_only_violations(
    seed: int, templates: tuple[str, ...], width: int, margin: float
) -> None:
    rng, task, space = longer(seed, templates)
    tree = labelled(rng, random_projective_heads(rng, len(space.tokens)))
    oracle, weights = task.oracle(tree), Drawn(rng, whole=True)
    trace = dp_beam(space, weights, width, oracle, margin=margin)
    gold = trace.gold(trace.final)
    assert space.tree(gold.actions) == (tree[0], tree[1])
    in_beam = np.zeros(len(trace.beams), dtype=bool)
    for step, row in enumerate(trace.beams):
        for rank, item in enumerate(row):
            is_gold = trace.path(step, rank).actions == gold.actions[: step + 1]
            assert item.good == is_gold
            in_beam[step] |= is_gold
    np.testing.assert_array_equal(trace.gold_in_beam, in_beam)
    # Where gold has just fallen off, what has taken its place scores at least as much.
    fallen = np.flatnonzero(~in_beam)
    assert not len(fallen) or is_violation(trace)[fallen[0]]
    for name, method in METHODS.items():
        if name != "standard" and (row_chosen := method(trace)) is not None:
            assert is_violation(trace)[row_chosen]


@pytest.mark.parametrize("update", [*METHODS, "laso"])
def test_it_learns_separable_trees_with_every_update(update: str) -> None:
    rng = random.Random(3)
    task = task_of(("s0.w s1.w", "s0.w q0.w"))
    examples = []
    for number in range(3):
        words = [(f"{number}.{i}", "N") for i in range(4)]  # words of its own: separable
        tree = labelled(rng, random_projective_heads(rng, len(words)))
        examples.append((task.space(words), task.oracle(tree)))
    *_, last = train(examples, search=DPBeam(3), update=update, learner=Perceptron(), epochs=12)
    assert last.updates == last.errors == 0


def test_other_systems_and_spaces_without_a_stack_are_refused_in_one_sentence() -> None:
    space = full_task("arc-eager", EDGE).space([("x", "N"), ("y", "V")])
    with pytest.raises(
        SettingError, match="search dp shares the stacks of arc-standard, not of arc-eager; use"
    ):
        dp_beam(space, Weights(), 4)
    with pytest.raises(SettingError, match="search dp needs a task whose states have a stack; use a beam"):
        dp_beam(GraphSpace((0,), (0,), ((),)), Weights(), 4)
