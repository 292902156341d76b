"""Latent derivations: forced decoding finds what enumeration finds; one derivation is the observed case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structron.engine.rows import Rows
from structron.fit import Learning
from structron.fit.recipe import Recipe
from structron.model import Model
from structron.reference import Perceptron, beam, train
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.tasks.transduction import Pair, TransductionSpace, TransductionState, TransductionTask
from structron.tasks.transduction.forced_decoding import ForcedDecoding, edit_distance, nearest_output
from structron.updates import UPDATES
from tests.transducers import examples, references, sources, tasks


def derivations(space: TransductionSpace) -> list[tuple[int, ...]]:
    """All of them, one after the other."""
    found: list[tuple[int, ...]] = []
    todo: list[tuple[TransductionState, tuple[int, ...]]] = [(space.initial(), ())]
    while todo:
        state, taken = todo.pop()
        if space.is_final(state):
            found.append(taken)
        todo += [(space.advance(state, a), (*taken, a)) for a in space.actions(state)]
    return found


def score(space: TransductionSpace, weights: Weights, actions: tuple[int, ...]) -> float:
    state, total = space.initial(), 0.0
    for action in actions:
        total += weights.score(space.features(state, action))
        state = space.advance(state, action)
    return total


class Observed:
    """One derivation, annotated."""

    def __init__(self, space: TransductionSpace, actions: tuple[int, ...]) -> None:
        self.steps: dict[int, int] = {}
        position = 0
        for action in actions:
            self.steps[position] = action
            position += len(space.piece(position, action).source)

    def allows(self, state: TransductionState, action: int) -> bool:
        return self.steps.get(state.position) == action


@settings(max_examples=60, deadline=None)
@given(st.data(), tasks(bits=False))
def test_exact_forced_decoding_equals_enumeration(data: st.DataObject, task: TransductionTask) -> None:
    source, wanted = data.draw(examples(task))
    space = task.space(source)
    paths = derivations(space)
    assume(len(paths) <= 300)
    features = sorted({name for p in paths[:50] for name in phi(space, p)})
    values = data.draw(st.lists(st.integers(-3, 3), min_size=len(features), max_size=len(features)))
    weights = Weights(list(zip(features, map(float, values))))
    gold = [p for p in paths if task.emitted(p) in [list(w) for w in wanted]]
    oracle = ForcedDecoding(space, wanted)
    assert oracle.reachable == bool(gold)
    if not gold or not source:
        return
    trace = beam(space, weights, None, True, oracle)
    assert trace.gold_score[-1] == max(score(space, weights, p) for p in gold)
    assert trace.best_score[-1] == max(score(space, weights, p) for p in paths)
    assert trace.gold(trace.final).actions in gold
    rows = rows_of(weights)
    found = Model(task, rows, Exact()).trace(source, wanted)
    assert found.gold_score[-1] == trace.gold_score[-1]


def phi(space: TransductionSpace, actions: tuple[int, ...]) -> list[Any]:
    state, names = space.initial(), []
    for action in actions:
        names += [name for name, _ in space.features(state, action)]
        state = space.advance(state, action)
    return names


def rows_of(weights: Weights) -> Rows:
    cells: dict[int, list[tuple[int, float]]] = {}
    for (key, action), value in sorted(weights.items()):  # type: ignore[misc]
        cells.setdefault(key, []).append((action, value))
    flat = [cell for row in cells.values() for cell in row]
    return Rows(
        np.array(list(cells), np.uint64),
        np.cumsum([0, *map(len, cells.values())]).astype(np.uint32),
        np.array([a for a, _ in flat], np.uint32),
        np.array([v for _, v in flat], np.float32),
    )


@settings(max_examples=60, deadline=None)
@given(
    st.data(),
    tasks(bits=False),
    st.sampled_from([Greedy(), Beam(2), Beam(3, merge=True), Exact()]),
    st.sampled_from(sorted(UPDATES)),
)
def test_one_derivation_equals_the_observed_case(
    data: st.DataObject, task: TransductionTask, search: Search, update: str
) -> None:
    source, wanted = data.draw(examples(task))
    space = task.space(source)
    paths = derivations(space)
    gold = [p for p in paths if task.emitted(p) in [list(w) for w in wanted]]
    assume(len(gold) == 1)
    learned = []
    for oracle in (ForcedDecoding(space, wanted), Observed(space, gold[0])):
        weights = Weights()
        settled = list(
            train(
                [(space, oracle)],
                search=search,
                update=update,
                learner=Perceptron(),
                epochs=3,
                weights=weights,
            )
        )
        learned.append((dict(weights.items()), [(e.errors, e.updates, e.invalid) for e in settled]))
    assert learned[0] == learned[1]


@settings(max_examples=60, deadline=None)
@given(tasks(), sources, references)
def test_nothing_that_can_be_reached_is_nearer(
    task: TransductionTask, source: str, wanted: list[str]
) -> None:
    outputs = [task.emitted(p) for p in derivations(task.space(source))]
    for reference in wanted:
        output, distance = nearest_output(task.space(source), reference)
        assert output in outputs
        assert distance == edit_distance(output, reference)
        assert distance == min(edit_distance(other, reference) for other in outputs)


TASK = TransductionTask.of(
    [("a", "x"), ("a", "xy"), ("b", ""), ("ab", "y")], ["s[0]", "s[0] s[1]", "emit t[-1]", "s[0] a[-1]"]
)


def learned(pairs: list[tuple[str, list[str]]], task: TransductionTask = TASK) -> tuple[Model, Any]:
    learning = Learning.start(task, Recipe(search="beam:4", learner="perceptron"))
    corpus: Any = learning.pack([x for x, _ in pairs], [y for _, y in pairs])
    learning.learner(corpus).run(np.arange(corpus.sentences, dtype=np.uint32))
    return learning.model(), corpus


def test_empty_sources_and_targets() -> None:
    model, corpus = learned([("", [""]), ("b", [""]), ("a", ["x"])])
    assert corpus.unreachable == 0
    assert model.predict(["", "b"]) == [[], []]
    assert model.kbest([""], 3) == [[([], 0.0)]]
    _, corpus = learned([("", ["x"]), ("a", [""])])
    assert (corpus.sentences, corpus.unreachable) == (0, 2)


def test_symbols_never_seen_are_skipped() -> None:
    model, corpus = learned([("aza", ["xx"]), ("a", ["x"]), ("a", ["q"])])
    assert (corpus.sentences, corpus.unreachable) == (2, 1)
    assert model.predict(["z", "Ωz"]) == [[], []]
    assert set(model.predict(["zaz"])[0]) <= {"x", "y"}


def test_ten_thousand_symbols() -> None:
    model, corpus = learned([("ab" * 200, ["x" * 200]), ("ab" * 5000, ["x" * 5000]), ("ab", ["y", "x"])])
    assert corpus.unreachable == 0
    assert len(model.predict(["ab" * 5000])[0]) >= 5000
    assert len(model.predict(["z" * 10000])[0]) == 0


@pytest.mark.parametrize("unreachable", ["skip", "nearest"])
def test_pairs_that_cannot_be_reached_are_counted(unreachable: str) -> None:
    task = TransductionTask(TASK.pairs, TASK.templates, 0, unreachable)
    _, corpus = learned([("a", ["xyz"]), ("a", ["x"])], task)
    assert corpus.unreachable == 1
    assert corpus.sentences == (1 if unreachable == "skip" else 2)


def test_pairs_print_as_rewritings() -> None:
    assert str(Pair(("p", "h"), ("F",))) == "p h → F"
    assert str(Pair(("e",), ())) == "e → ε"
