"""The engine equals the definition where labels are partly known, in training and at prediction."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.rows import Rows
from structron.engine.tracing import trace_of
from structron.errors import DataError
from structron.fit import Learning
from structron.labelling.restriction import is_partial, open_tags
from structron.labelling.task import NOTHING_FITS
from structron.model import Model
from structron.reference import decode, train
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from structron.updates import UPDATES
from tests.hidden import outputs, paths, sentences, shaken, tasks
from tests.parity.search.test_graphs import assert_same
from tests.parity.tasks.test_tagging import weights_of

SEARCHES = st.sampled_from([Greedy(), Beam(2), Beam(3, merge=True), Beam(8), Beam(4, within=3), Exact()])


@st.composite
def forgotten(draw: st.DrawFn, task: TaggingTask, labels: list[str]) -> list[Any]:
    """Labels of which some are forgotten, or are one of several."""
    more = st.sampled_from(task.labels)
    return [
        draw(st.one_of(st.just(label), st.none(), more.map(lambda other, own=label: _either(own, other))))
        for label in labels
    ]


def _either(*labels: str) -> Any:
    found = tuple(sorted(set(labels)))
    return found if len(found) > 1 else found[0]


@st.composite
def parts(draw: st.DrawFn, task: TaggingTask, length: int) -> list[Any]:
    """Any labels as given, whether or not a sequence agrees."""
    label = st.sampled_from(task.labels)
    one = st.one_of(st.none(), st.none(), label, st.tuples(label, label).map(lambda two: _either(*two)))
    return draw(st.lists(one, min_size=length, max_size=length))


@settings(max_examples=40, deadline=None)
@given(
    st.data(),
    tasks(),
    SEARCHES,
    st.sampled_from(sorted(UPDATES)),
    st.sampled_from(["perceptron", "perceptron:margin=2"]),
    st.booleans(),
)
def test_training_gives_the_same_weights(
    data: st.DataObject, task: TaggingTask, search: Search, update: str, learner: str, skip_correct: bool
) -> None:
    pairs = data.draw(st.lists(sentences(task), min_size=1, max_size=3))
    known = [(x, data.draw(forgotten(task, y))) for x, y in pairs]
    skips = skip_correct and update != "laso"
    recipe = TaggingRecipe(search=str(search), update=update, learner=learner, skip_correct=skips)
    learning = Learning.start(task, recipe)
    weights = Weights(task.start(recipe.seed))
    trainer = learning.learner(learning.pack([x for x, _ in known], [y for _, y in known]))
    examples = [(task.space(x), task.oracle(y)) for x, y in known]
    definition = recipe.learner_choice.definition()
    for epoch in train(
        examples, search=search, update=update, learner=definition, epochs=3, weights=weights,
        skip_correct=recipe.skip_correct,
    ):  # fmt: skip
        counts = trainer.run(np.arange(len(known), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert weights_of(learning) == dict(weights.items())
    margin = 2.0 if "margin" in learner else 0.0
    for i, (space, oracle) in enumerate(examples):
        assert_same(trace_of(trainer.trace(i)), decode(space, weights, search, oracle, margin=margin))


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks(), st.sampled_from(["mira", "mira:2", "swvp"]), st.sampled_from([Beam(3), Exact()]))
def test_other_learners_make_the_same_change(
    data: st.DataObject, task: TaggingTask, learner: str, search: Search
) -> None:
    x, y = data.draw(sentences(task))
    known = data.draw(forgotten(task, y))
    recipe = TaggingRecipe(search=str(search), update="max_violation", learner=learner)
    learning = Learning.start(task, recipe)
    weights = shaken(learning, [x], data.draw(st.integers(0, 99)))
    learning.learner(learning.pack([x], [known])).run(np.zeros(1, np.uint32))
    own = recipe.learner_choice.definition()
    examples = [(task.space(x), task.oracle(known))]
    for _ in train(examples, search=search, update="max_violation", learner=own, epochs=1, weights=weights):
        pass
    found = weights_of(learning)
    for name in {*found, *dict(weights.items())}:
        assert found.get(name, 0.0) == pytest.approx(weights[name], rel=1e-5, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(st.data(), tasks(), SEARCHES, st.integers(1, 4), st.integers(0, 99))
def test_what_is_given_is_in_every_output(
    data: st.DataObject, task: TaggingTask, search: Search, k: int, seed: int
) -> None:
    x, y = data.draw(sentences(task))
    given_labels = data.draw(parts(task, len(x)))
    learning = Learning.start(task, TaggingRecipe())
    weights = shaken(learning, [x], seed)
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    restricted = _core.Restricted(x, given_labels)
    if open_tags(given_labels, task.labels, task.rules, task.hidden) is None:
        with pytest.raises(DataError, match=f"sentence 2: {NOTHING_FITS}; fix it or leave it out"):
            model.predict([x, restricted])
        with pytest.raises(DataError, match=NOTHING_FITS):
            task.space(restricted)
        return
    expected = decode(task.space(restricted), weights, search)
    plain, guess = model.predict([x, restricted])  # the one beside it is as free as ever
    assert plain == model.predict([x])[0]
    assert guess == task.labels_of(expected.best(expected.final).actions)
    found = model.kbest([restricted], k)[0]
    assert found == [
        (task.labels_of(path.actions), path.score) for path in expected.outputs(k, task.labels_of)
    ]
    for labels, _ in found:
        assert all(_agrees(label, known) for label, known in zip(labels, given_labels))
    if all(map(_agrees, y, given_labels)):
        gold = decode(task.space(restricted), weights, search, task.oracle(y))
        assert_same(model.trace(restricted, y), gold)


@settings(max_examples=30, deadline=None)
@given(st.data(), tasks(), st.integers(0, 99))
def test_exact_search_finds_the_best_output_that_agrees(
    data: st.DataObject, task: TaggingTask, seed: int
) -> None:
    x, _ = data.draw(sentences(task))
    given_labels = data.draw(parts(task, len(x)))
    assume(open_tags(given_labels, task.labels, task.rules, task.hidden) is not None)
    learning = Learning.start(task, TaggingRecipe())
    weights = shaken(learning, [x], seed)
    model = Model(task, Rows(*learning.weights.pack(False)), Exact())
    every = {
        labels: score
        for labels, score in outputs(task, _core.Restricted(x, given_labels), weights).items()
        if all(map(_agrees, labels, given_labels))
    }
    ((best, score),) = model.kbest([_core.Restricted(x, given_labels)], 1)[0]
    assert score == max(every.values()) == every[tuple(best)]


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks())
def test_open_tags_are_those_of_the_sequences_that_agree(data: st.DataObject, task: TaggingTask) -> None:
    """By enumeration: a tag is open where a sequence that the rules allow has it and agrees."""
    x, _ = data.draw(sentences(task))
    known = data.draw(parts(task, len(x)))
    free = TaggingTask(task.labels, task.templates, scheme=task.scheme, hidden=task.hidden)
    agreeing = [tags for tags in paths(free, x) if all(map(_agrees, free.labels_of(tags), known))]
    rows = open_tags(known, task.labels, task.rules, task.hidden)
    assert (rows is None) == (not agreeing)
    if rows is None or not task.scheme:
        return
    # From the left a search reaches fewer: what the rules forbid after a tag, search forbids itself.
    reached = [{tags[i] for tags in agreeing} for i in range(len(x))]
    for row, tags in zip(rows, reached):
        assert all(row[tag] for tag in tags)
    state_ways = {row.count(1) for row in rows}
    assert 0 not in state_ways
    space = task.space(_core.Restricted(x, known))
    _no_dead_ends(space, space.initial())


def _no_dead_ends(space: Any, state: Any) -> None:
    assert space.is_final(state) or space.actions(state)
    for action in space.actions(state):
        _no_dead_ends(space, space.advance(state, action))


def _agrees(label: str, known: Any) -> bool:
    return known is None or label == known or (isinstance(known, tuple) and label in known)


def test_whole_labels_learn_what_they_always_did() -> None:
    """Beside a sentence of which something is not known, gold is a search; the weights are the same."""
    task = TaggingTask(("X", "Y"), ("w[0]", "t[-1] w[0]"))
    whole = [(["a", "b"], ["X", "Y"]), (["b", "a", "a"], ["Y", "Y", "X"])]
    found = []
    for more in ([], [(["b", "b"], [None, "X"])]):
        for search, update in itertools.product(["beam:2", "exact"], sorted(UPDATES)):
            learning = Learning.start(task, TaggingRecipe(search=search, update=update))
            pairs = [*whole, *more]
            trainer = learning.learner(learning.pack([x for x, _ in pairs], [y for _, y in pairs]))
            for _ in range(4):
                trainer.run(np.arange(len(whole), dtype=np.uint32))
            found.append(weights_of(learning))
    half = len(found) // 2
    assert found[:half] == found[half:] and all(found)
    assert is_partial([None]) and not is_partial(["X"])
