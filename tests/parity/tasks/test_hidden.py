"""The engine equals the definition where labels own hidden sub-labels: traces, weights, the k best."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.engine.rows import Rows
from structron.engine.tracing import trace_of
from structron.fit import Learning
from structron.learners import parse_learner
from structron.model import Model
from structron.reference import beam, decode, train
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from structron.updates import UPDATES
from tests.hidden import outputs, sentences, shaken, tasks
from tests.parity.search.test_graphs import assert_same
from tests.parity.tasks.test_tagging import weights_of

SEARCHES = st.sampled_from([Greedy(), Beam(2), Beam(3, merge=True), Beam(8), Beam(4, within=3), Exact()])


@settings(max_examples=60, deadline=None)
@given(
    st.data(),
    tasks(least=2),
    SEARCHES,
    st.sampled_from(sorted(UPDATES)),
    st.sampled_from([0, 0, 2]),
    st.booleans(),
)
def test_training_gives_the_same_weights(
    data: st.DataObject, task: TaggingTask, search: Search, update: str, margin: int, skip_correct: bool
) -> None:
    pairs = data.draw(st.lists(sentences(task), min_size=1, max_size=3))
    recipe = TaggingRecipe(
        search=str(search),
        update=update,
        learner=f"perceptron:margin={margin}",
        skip_correct=skip_correct and update != "laso",
        seed=data.draw(st.integers(0, 2)),
    )
    learning = Learning.start(task, recipe)
    weights = Weights(task.start(recipe.seed))
    assert weights_of(learning) == dict(weights.items())
    trainer = learning.learner(learning.pack([x for x, _ in pairs], [y for _, y in pairs]))
    examples = [(task.space(x), task.oracle(y)) for x, y in pairs]
    for epoch in train(
        examples,
        search=search,
        update=update,
        learner=recipe.learner_choice.definition(),
        epochs=3,
        weights=weights,
        skip_correct=recipe.skip_correct,
    ):
        counts = trainer.run(np.arange(len(pairs), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert weights_of(learning) == dict(weights.items())
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for i, (x, y) in enumerate(pairs):
        space, oracle = examples[i]
        expected = decode(space, weights, search, oracle, margin=float(margin))
        assert_same(trace_of(trainer.trace(i)), expected)
        expected = decode(space, weights, search, oracle)
        found = model.trace(x, y)
        assert_same(found, expected)
        for step in range(len(x)):
            if expected.gold_beams[step]:
                assert found.gold(step).actions == expected.gold(step).actions
        assert model.predict([x]) == [task.labels_of(expected.best(expected.final).actions)]


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks(least=2), st.sampled_from([Beam(3), Exact()]), st.integers(0, 99))
def test_mira_makes_the_same_change(
    data: st.DataObject, task: TaggingTask, search: Search, seed: int
) -> None:
    """Its step depends on the loss, which counts labels and not sub-labels."""
    x, y = data.draw(sentences(task))
    learner = data.draw(st.sampled_from(["mira", "mira:3", "mira:C=0.1"]))
    assert_mira_makes_the_same_change(task, x, y, search, learner, seed)


def test_of_equal_guesses_mira_takes_the_same_three() -> None:
    """Nine outputs have the best score here: which of them are the constraints is a matter of order."""
    task = TaggingTask(("X", "Y", "Z"), ("t[-2] w[1]",), hidden=2)
    assert_mira_makes_the_same_change(task, ["a"] * 3, ["X"] * 3, Exact(), "mira:3", seed=2)


def assert_mira_makes_the_same_change(
    task: TaggingTask, x: list[str], y: list[str], search: Search, named: str, seed: int
) -> None:
    learner = parse_learner(named)
    recipe = TaggingRecipe(search=str(search), update="max_violation", learner=named)
    learning = Learning.start(task, recipe)
    weights = shaken(learning, [x], seed)
    trainer = learning.learner(learning.pack([x], [y]))
    trainer.run(np.zeros(1, np.uint32))
    examples = [(task.space(x), task.oracle(y))]
    for _ in train(
        examples,
        search=search,
        update="max_violation",
        learner=learner.definition(),
        epochs=1,
        weights=weights,
    ):
        pass
    found = weights_of(learning)
    for name in {*found, *dict(weights.items())}:
        assert found.get(name, 0.0) == pytest.approx(weights[name], rel=1e-5, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(st.data(), tasks(), SEARCHES, st.integers(1, 5), st.integers(0, 99))
def test_the_k_best_are_different_labels_by_their_best_tags(
    data: st.DataObject, task: TaggingTask, search: Search, k: int, seed: int
) -> None:
    x, _ = data.draw(sentences(task))
    learning = Learning.start(task, TaggingRecipe())
    weights = shaken(learning, [x], seed)
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    found = model.kbest([x], k)[0]
    paths = decode(task.space(x), weights, search).outputs(k, task.labels_of)
    assert found == [(task.labels_of(path.actions), path.score) for path in paths]
    assert len({tuple(labels) for labels, _ in found}) == len(found) <= k
    if search.is_exact:
        every = outputs(task, x, weights)
        assert [score for _, score in found] == sorted(every.values(), reverse=True)[:k]
        assert all(every[tuple(labels)] == score for labels, score in found)


@settings(max_examples=60, deadline=None)
@given(st.data(), tasks(), st.integers(0, 99))
def test_exact_forced_decoding_agrees_with_enumeration(
    data: st.DataObject, task: TaggingTask, seed: int
) -> None:
    x, y = data.draw(sentences(task))
    learning = Learning.start(task, TaggingRecipe(search="exact", learner="perceptron"))
    weights = shaken(learning, [x], seed)
    every = outputs(task, x, weights)
    live = learning.learner(learning.pack([x], [y]))
    frozen = Model(task, Rows(*learning.weights.pack(False)), Exact())
    defined = beam(task.space(x), weights, None, True, task.oracle(y))
    for trace in (trace_of(live.trace(0)), frozen.trace(x, y), defined):
        assert trace.gold_score[-1] == every[tuple(y)]
        assert task.labels_of(trace.gold(trace.final).actions) == y
        assert trace.best_score[-1] == max(every.values())
