"""Minibatches (Zhao & Huang 2013): a batch of one is serial, threads change nothing, the bound holds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structron import Tagger
from structron.errors import DataError, SettingError
from structron.fit import Learning, Recipe
from structron.reference import Mira, Perceptron, Violation, train
from structron.reference.learners.weights import Weights
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from structron.tasks.transduction import TransductionTask
from tests.graphs import GraphSpace
from tests.laws.learners.test_convergence import bound, datasets
from tests.parity.tasks.test_parsing import made as parsing
from tests.parity.tasks.test_tagging import CASES, weights_of
from tests.transducers import examples, tasks
from tests.unit.estimators.corpora import treebank

LEARNERS = ["perceptron:mean", "perceptron:margin=3", "mira:2", "swvp:single,wm,balanced"]


def run(task: Any, X: Any, Y: Any, recipe: Recipe, threads: int) -> tuple[Learning, Any]:
    learning = Learning.start(task, recipe)
    corpus = learning.pack(X, Y)
    live = learning.learner(corpus)
    counts = np.zeros(6, np.int64)
    size = corpus.sentences
    for order in (np.arange(size), np.arange(size)[::-1]):
        counts += live.run(np.ascontiguousarray(order, np.uint32), recipe.batch, threads)
    return learning, counts.tolist()


def state(learning: Learning) -> list[bytes]:
    return [array.tobytes() for array in learning.weights.state()]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("name", "task", "X", "Y"), CASES[::3], ids=[case[0] for case in CASES[::3]])
def test_the_number_of_threads_changes_no_bit(
    name: str, task: TaggingTask, X: Any, Y: Any, learner: str
) -> None:
    for search, batch in [("beam:3", 7), ("exact", 4)]:
        recipe = TaggingRecipe(search=search, learner=learner, batch=batch)
        first, counts = run(task, X, Y, recipe, 1)
        for threads in (2, 5):
            again, same = run(task, X, Y, recipe, threads)
            assert state(again) == state(first)
            assert same == counts
        assert first.weights.clock == 2 * len(X) + 1, "the clock ticks once for every example"


@pytest.mark.parametrize(("system", "dynamic"), [("arc-standard", False), ("arc-hybrid", True)])
def test_parsing_too(system: str, dynamic: bool) -> None:
    task, X, Y = parsing(system, dynamic, random.Random(5), n=24, longest=9)
    one, two, three = (run(task, X, Y, Recipe(search="beam:3", batch=5), threads) for threads in (1, 2, 3))
    assert state(one[0]) == state(two[0]) == state(three[0])
    assert one[1] == two[1] == three[1]
    assert state(run(task, X, Y, Recipe(search="beam:3"), 2)[0]) != state(one[0])
    model = one[0].model()
    trees = model.predict(X)
    model.threads = 3
    assert model.predict(X) == trees


@given(st.data(), tasks())
@settings(max_examples=25, deadline=None)
def test_transduction_too(data: st.DataObject, task: TransductionTask) -> None:
    pairs = data.draw(st.lists(examples(task), min_size=5, max_size=12))
    X, Y = [x for x, _ in pairs], [y for _, y in pairs]
    one, two = (run(task, X, Y, Recipe(search="beam:3", batch=4), threads) for threads in (1, 2))
    assert state(one[0]) == state(two[0])
    assert one[1] == two[1]
    model = one[0].model()
    found = model.predict(X)
    model.threads = 2
    assert model.predict(X) == found


def test_predictions_keep_their_order_whatever_the_number_of_threads() -> None:
    X, Y = treebank(150)
    tagger = Tagger(epochs=2, batch=8)
    tagger.threads = 2
    tagger.fit(X, Y)
    odd = [X[0][:1], [], *X, X[3] * 40, []]
    found, best = tagger.predict(odd), tagger.predict_kbest(odd[:50], 3)
    for threads in (1, 3, 8):
        tagger.threads = threads
        assert tagger.predict(odd) == found
        assert tagger.predict_kbest(odd[:50], 3) == best
    assert Tagger(epochs=2, batch=8).fit(X, Y).model_.about == tagger.model_.about, "threads leave no trace"


def test_an_error_in_one_sentence_of_many_is_told_and_the_next_call_works() -> None:
    X, Y = treebank(40)
    tagger = Tagger(epochs=1).fit(X, Y)
    tagger.threads = 3
    right = tagger.predict(X)
    with pytest.raises(DataError, match="sentence 22"):
        tagger.predict([*X[:21], ["half", "\ud800"], *X[22:]])
    assert tagger.predict(X) == right


@pytest.mark.parametrize(
    "learner", ["perceptron", "perceptron:mean", "mira:2,C=0.5", "swvp:single,wm,balanced"]
)
@pytest.mark.parametrize("update", ["early", "max_violation"])
def test_the_engine_equals_the_definition_on_batches(learner: str, update: str) -> None:
    # Two at a time: halves are exact in floats, so that ties stay ties. MIRA's weights are not whole numbers
    # after its first batch: of it, one batch is compared.
    _, task, X, Y = CASES[0]
    exact = learner.startswith("perceptron")
    size = 12 if exact else 4
    recipe = TaggingRecipe(search="beam:2", update=update, learner=learner, batch=2 if exact else 4)
    learning = Learning.start(task, recipe)
    live = learning.learner(learning.pack(X[:size], Y[:size]))
    weights = Weights()
    examples = [(task.space(x), task.oracle(y)) for x, y in zip(X[:size], Y[:size])]
    rounds = 3 if exact else 1
    for epoch in train(
        examples,
        search=("beam", 2, False),
        update=update,
        learner=recipe.learner_choice.definition(),
        epochs=rounds,
        weights=weights,
        batch=recipe.batch,
    ):
        counts = live.run(np.arange(size, dtype=np.uint32), recipe.batch, 2)
        assert counts[0] == epoch.examples
        assert counts[2:] == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    found = weights_of(learning)
    for key in {*found, *(key for key, _ in weights.items())}:
        assert found.get(key, 0.0) == pytest.approx(weights[key], rel=1e-5, abs=1e-5)  # type: ignore[arg-type]
    assert learning.weights.clock == weights.counter


@given(data=datasets(many_gold=False, skip=2), update=st.sampled_from(["early", "max_violation"]))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_mean_of_a_batch_keeps_the_bound(data: list[GraphSpace], update: str) -> None:
    """The mean of violations is one, no longer than R and no nearer than δ: at most R²/δ² moves."""
    limit, moves = bound(data, "beam"), 0
    pairs = [(graph, graph) for graph in data]
    choices: dict[str, Any] = {"search": "greedy", "update": update, "learner": Perceptron(mean=True)}
    for epoch in train(pairs, batch=len(data), epochs=int(limit) + 2, **choices):
        moves += epoch.updates > 0
        assert epoch.invalid == 0
        if epoch.updates == 0:
            break
    assert moves <= limit * (1 + 1e-9)
    assert epoch.updates == epoch.errors == 0


@given(st.lists(st.dictionaries(st.integers(0, 9), st.sampled_from([-2.0, -1.0, 1.0, 2.0])), max_size=4))
def test_a_feature_moves_as_far_as_one_of_those_that_have_it_would_move_it(deltas: list[Any]) -> None:
    """What shares no feature is updated for as if it came alone; what comes twice, as if it came once."""
    learner = Perceptron()
    found = [Violation({(i, n): x for n, x in delta.items()}, 0.0, 1.0, i) for i, delta in enumerate(deltas)]
    alone: dict[Any, float] = {}
    for violation in found:
        alone |= learner.change([violation])
    assert learner.change(found) == alone
    assert learner.change([*found, *found, *found]) == alone
    mixed = [Violation(delta, 0.0, 1.0, i) for i, delta in enumerate(deltas)]
    for name, moved in learner.change(mixed).items():
        asked = [delta[name] for delta in deltas if name in delta]
        assert min(asked) <= moved <= max(asked)


@given(data=datasets(many_gold=True, skip=2), learner=st.sampled_from([Perceptron(), Mira(2)]))
@settings(max_examples=12, deadline=None)
def test_a_batch_of_one_is_serial_training(data: list[GraphSpace], learner: Any) -> None:
    examples = [(graph, graph) for graph in data]
    choices: dict[str, Any] = {"search": ("beam", 2, True), "update": "max_violation", "learner": learner}
    (*_, one) = train(examples, epochs=3, batch=1, **choices)
    weights = Weights()
    for _ in range(3):
        for example in examples:
            list(train([example], epochs=1, weights=weights, **choices))
    assert dict(weights.averaged().items()) == dict(one.weights.averaged().items())


def test_laso_cannot_wait_for_a_batch() -> None:
    with pytest.raises(SettingError, match="laso updates while it searches and cannot wait for a batch"):
        Tagger(update="laso", batch=2).fit([["a"]], [["X"]])
    with pytest.raises(SettingError, match="use batch = 1"):
        train([], search="greedy", update="laso", batch=2)
