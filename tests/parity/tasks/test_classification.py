"""The engine equals the definition on classifiers: features and their values, traces, weights, k best."""

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
from structron.reference import Perceptron, decode, train
from structron.reference.learners.voted_perceptron import train_voted
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.tasks.classification import ClassificationTask, Frequencies
from structron.tasks.classification.features import column_key, counted
from structron.tasks.classification.inputs import column_keys
from structron.tasks.classification.settings import ClassificationRecipe
from structron.tasks.classification.voting.model import voting_model
from structron.updates import UPDATES
from tests.parity.search.test_graphs import assert_same

TEXTS = st.text(st.sampled_from("abAB ß_9.,Éé中\t\u0301İ"), max_size=12)
WORDS = st.lists(st.sampled_from(["a", "b", "A.", "", "é é"]), max_size=5)
TEMPLATES = st.lists(
    st.sampled_from(["word(1)", "word(2)", "word(3)", "char(1)", "char(3)"]), unique=True, min_size=1
)
WEIGHTINGS = st.sampled_from(["count", "binary", "log", "log+l2", "count+idf", "log+idf+l2"])
INTERCEPTS = st.sampled_from([0.0, 1.0, 0.25, 8.0])


def observed(task: ClassificationTask, xs: list[object]) -> ClassificationTask:
    """The task with the frequencies of these inputs."""
    bags, (keys, times) = task.vectorizer.bags(xs)
    seen = Frequencies.observed(keys, times, len(bags), 1)
    return ClassificationTask(
        task.labels, task.templates, task.weighting, task.lowered, task.intercept, bits=task.bits,
        frequencies=seen,
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(TEXTS | WORDS, min_size=1, max_size=4),
    TEXTS | WORDS,
    TEMPLATES,
    WEIGHTINGS,
    st.booleans(),
    INTERCEPTS,
    st.sampled_from([0, 0, 3]),
)
def test_features_and_their_values_are_the_same(
    known: list[object],
    x: object,
    templates: list[str],
    weighting: str,
    lowered: bool,
    intercept: float,
    bits: int,
) -> None:
    task = ClassificationTask(("n", "y"), tuple(templates), weighting, lowered, intercept, bits=bits)
    if task.parsed_weighting.idf:
        task = observed(task, known)
    for each in [x, *known]:
        keys, values = task.vectorizer.vector(each)
        wanted = task.values(each)
        found = counted(zip(keys.tolist(), values.tolist()))
        assert list(found) == list(wanted) and found == pytest.approx(wanted, rel=1e-12)
        (bag,), (seen, times) = task.vectorizer.bags([each])
        assert task.values(bag) == wanted, "a bag holds all that is needed"
        assert times.tolist() == [1] * len(seen)


def test_columns_of_arrays_have_the_keys_of_the_definition() -> None:
    assert column_keys(5).tolist() == [column_key(column) for column in range(5)]


def bag(values: list[int]) -> tuple[np.ndarray, np.ndarray]:
    at = [i for i, value in enumerate(values) if value]
    return column_keys(len(values))[at], np.array([values[i] for i in at], np.float32)


ROWS = st.lists(st.integers(-3, 3), min_size=3, max_size=3)


@settings(max_examples=150, deadline=None)
@given(
    st.data(),
    st.sampled_from([(1, False), (2, False), (3, False), (4, False), (1, True), (2, True), (3, True)]),
    st.sampled_from([Greedy(), Beam(2), Beam(3, merge=True), Exact()]),
    st.sampled_from(sorted(UPDATES)),
    st.sampled_from([0, 0, 2]),
    st.sampled_from([1, 1, 2]),
)
def test_training_gives_the_same_weights(
    data: st.DataObject, shape: tuple[int, bool], search: Search, update: str, margin: int, scale: int
) -> None:
    number, many = shape
    task = ClassificationTask(tuple("abcd"[:number]), intercept=data.draw(INTERCEPTS), many=many)
    size = {"unique": True} if many else {"min_size": 1, "max_size": 1}
    pairs = data.draw(
        st.lists(st.tuples(ROWS, st.lists(st.sampled_from(task.labels), **size)), min_size=1, max_size=4)
    )
    recipe = ClassificationRecipe(search=str(search), update=update, learner=f"perceptron:margin={margin}")
    learning = Learning.start(task, recipe)
    corpus = task.corpus(learning.weights)
    for x, y in pairs:
        corpus.add(bag(x), y, float(scale))
    examples = [(task.space(bag(x), float(scale)), task.oracle(y)) for x, y in pairs]
    trainer = learning.learner(corpus)
    weights = Weights()
    for epoch in train(
        examples, search=search, update=update, learner=Perceptron(float(margin)), epochs=3, weights=weights
    ):
        counts = trainer.run(np.arange(len(pairs), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    keys, offsets, columns, values, _ = learning.weights.pack(False)
    spread = np.repeat(keys, np.diff(offsets))
    found = {(int(k), int(c)): float(v) for k, c, v in zip(spread, columns, values)}
    assert found == {at: value for at, value in weights.items() if value}
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for i, (x, y) in enumerate(pairs):
        space, oracle = examples[i]
        expected = decode(space, weights, search, oracle, margin=float(margin))
        assert_same(trace_of(trainer.trace(i)), expected)
        plain = decode(task.space(bag(x)), weights, search, oracle)
        assert_same(model.trace(bag(x), y), plain)
        best = plain.best(plain.final).actions
        if many:
            assert model.predict([bag(x)]) == [[each for each, yes in zip(task.labels, best) if yes]]
        else:
            assert model.predict([bag(x)]) == [task.labels[best[0]]]
        if search.is_exact:
            scores = [score for _, score in model.kbest([bag(x)], 3)[0]]
            assert scores == [path.score for path in plain.outputs(3, tuple)]


@settings(max_examples=80, deadline=None)
@given(
    st.data(),
    st.sampled_from([(2, False), (3, False), (2, True), (3, True)]),
    st.sampled_from(["standard", "max_violation"]),
    st.sampled_from([0, 2]),
)
def test_votes_are_the_same(data: st.DataObject, shape: tuple[int, bool], update: str, margin: int) -> None:
    number, many = shape
    task = ClassificationTask(tuple("abc"[:number]), many=many, voted=True)
    size = {"unique": True} if many else {"min_size": 1, "max_size": 1}
    pairs = data.draw(
        st.lists(st.tuples(ROWS, st.lists(st.sampled_from(task.labels), **size)), min_size=1, max_size=5)
    )
    recipe = ClassificationRecipe(update=update, learner=f"perceptron:margin={margin}", voted=True)
    learning = Learning.start(task, recipe)
    trainer = learning.learner(learning.pack([bag(x) for x, _ in pairs], [y for _, y in pairs]))
    for _ in range(3):
        trainer.run(np.arange(len(pairs), dtype=np.uint32))
    model, notes = voting_model(learning.model(), recipe)
    examples = [(task.space(bag(x)), task.oracle(y)) for x, y in pairs]
    voted = train_voted(examples, search=Exact(), update=update, learner=Perceptron(float(margin)), epochs=3)
    assert notes == {"vectors": len(voted.vectors)}
    for x in [[0, 0, 0], *(x for x, _ in pairs), data.draw(ROWS)]:
        space = task.space(bag(x))
        wanted = sorted(voted.votes(space).items(), key=lambda pair: -pair[1])  # of equals, the first found

        def said(actions: tuple[int, ...]) -> object:
            if many:
                return [label for label, yes in zip(task.labels, actions) if yes]
            return task.labels[actions[0]]

        assert model.kbest([bag(x)], 99) == [[(said(actions), votes) for actions, votes in wanted]]
        assert model.predict([bag(x)]) == [said(voted.predict(space))]


@pytest.mark.parametrize("name", ["mira:2,C=0.5", "mira:C=0.5,augmented", "mira"])
def test_mira_gives_the_same_weights(name: str) -> None:
    """On numbers without ties: those of floats and those of doubles would be broken in different ways."""
    rng = np.random.default_rng(0)
    rows, gold = rng.normal(size=(12, 3)).astype(np.float32), rng.choice(list("abc"), 12)
    xs = [(column_keys(3), row) for row in rows]
    task = ClassificationTask(("a", "b", "c"))
    learning = Learning.start(task, ClassificationRecipe(learner=name))
    trainer = learning.learner(learning.pack(xs, [[str(y)] for y in gold]))
    weights = Weights()
    examples = [(task.space(x), task.oracle([str(y)])) for x, y in zip(xs, gold)]
    learner = parse_learner(name).definition()
    for _ in train(
        examples, search=Exact(), update="max_violation", learner=learner, epochs=2, weights=weights
    ):
        trainer.run(np.arange(len(xs), dtype=np.uint32))
    keys, offsets, columns, values, _ = learning.weights.pack(False)
    spread = np.repeat(keys, np.diff(offsets))
    found = {(int(k), int(c)): float(v) for k, c, v in zip(spread, columns, values)}
    assert found and all(abs(found.get(at, 0.0) - value) < 1e-4 for at, value in weights.items())
