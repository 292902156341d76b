"""What theorems and others say of classifiers: the tutorial's steps, Novikoff's bound, others' weights."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron as TheirPerceptron

from structron import Classifier
from structron.reference import decode, train
from structron.reference.checks.checks import check_oracle, check_space
from structron.reference.learners.voted_perceptron import train_voted
from structron.reference.learners.weights import Weights
from structron.search import Exact, parse_search
from structron.tasks.classification import ClassificationTask
from structron.tasks.classification.features import TextTemplate
from structron.tasks.classification.inputs import column_keys
from structron.tasks.tagging import TaggingTask


def weights_of(classifier: Classifier) -> dict[tuple[int, int], float]:
    rows = classifier.model_.rows
    spread = np.repeat(rows.keys, np.diff(rows.offsets))
    return {(int(k), int(c)): float(v) for k, c, v in zip(spread, rows.columns, rows.weights)}


def test_spaces_keep_their_contract() -> None:
    for labels, many in ((3, False), (2, False), (1, False), (3, True)):
        task = ClassificationTask(tuple("abc"[:labels]), ("word(1)",), many=many)
        space = task.space("the man bit the dog")
        check_space(space)
        check_oracle(space, task.oracle(["a"]))


def test_the_tutorials_example_word_by_word() -> None:
    """ "the man bit the dog", DT NN VBD DT NN, with word/tag pairs alone: each word is an input."""
    words, tags = ["the", "man", "bit", "the", "dog"], ["DT", "NN", "VBD", "DT", "NN"]
    classifier = Classifier(
        templates=["word(1)"], weighting="count", intercept=False, learner="perceptron:plain", epochs=1,
        shuffle=False,
    )  # fmt: skip
    key = {word: next(TextTemplate("word", 1).keys([word])) for word in words}
    DT, NN, VBD = 0, 1, 2
    task = ClassificationTask(("DT", "NN", "VBD"), ("word(1)",), intercept=False)
    weights = Weights()
    seen = []
    for word, tag in zip(words, tags):
        example = (task.space(word), task.oracle([tag]))
        guess = decode(example[0], weights, Exact()).best(0).actions[0]
        (epoch,) = train([example], search="exact", update="standard", epochs=1, weights=weights)
        seen.append((word, task.labels[guess], epoch.updates))
    # All is 0 at first, and of equals the lowest wins: DT. So "man" and "bit" are wrong, and the second
    # "the" is right; "dog" was never seen.
    assert seen == [("the", "DT", 0), ("man", "DT", 1), ("bit", "DT", 1), ("the", "DT", 0), ("dog", "DT", 1)]
    wanted = {
        (key["man"], NN): 1.0, (key["man"], DT): -1.0,
        (key["bit"], VBD): 1.0, (key["bit"], DT): -1.0,
        (key["dog"], NN): 1.0, (key["dog"], DT): -1.0,
    }  # fmt: skip
    assert {at: value for at, value in weights.items() if value} == wanted
    assert weights_of(classifier.fit(words, tags)) == wanted
    # The tutorial's own step: bit is taken for NN, and its gold is VBD.
    weights = Weights({(key["bit"], NN): 1.0})
    list(train([(task.space("bit"), task.oracle(["VBD"]))], search="exact", update="standard", epochs=1,
               weights=weights))  # fmt: skip
    assert {at: value for at, value in weights.items() if value} == {(key["bit"], VBD): 1.0}


NUMBERS = st.lists(st.integers(-4, 4), min_size=3, max_size=3)
# The intercept is the weight of a 1, as in scikit-learn, and not of a number as large as the inputs are long.
LAW: dict[str, Any] = {"shuffle": False, "epochs": 4, "intercept": True}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.booleans()), min_size=2, max_size=12))
def test_two_labels_learn_the_weights_of_scikit_learn(rows: list[tuple[list[int], bool]]) -> None:
    """Of whole numbers a margin of 1/2 makes ties mistakes, as there, and nothing else."""
    X, y = np.array([x for x, _ in rows], float), np.array([y for _, y in rows])
    if len(set(y)) < 2:
        return
    theirs = TheirPerceptron(shuffle=False, max_iter=4, tol=None, penalty=None).fit(X, y)
    ours = Classifier(learner="perceptron:plain,margin=0.5", **LAW).fit(X, y)
    assert np.array_equal(ours.coef_, theirs.coef_)
    assert np.array_equal(ours.intercept_, theirs.intercept_)
    assert np.array_equal(ours.decision_function(X), theirs.decision_function(X))
    assert np.array_equal(ours.predict(X), theirs.predict(X))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.sampled_from([0, 1, 2])), min_size=3, max_size=12))
def test_one_against_the_rest_learns_the_weights_of_scikit_learn(
    rows: list[tuple[list[int], int]],
) -> None:
    X, y = np.array([x for x, _ in rows], float), np.array([y for _, y in rows])
    if set(y) != {0, 1, 2}:
        return
    theirs = TheirPerceptron(shuffle=False, max_iter=4, tol=None, penalty=None).fit(X, y)
    ours = Classifier(learner="perceptron:plain,margin=0.5", multilabel=True, **LAW)
    ours.fit(X, np.eye(3, dtype=int)[y])
    assert np.array_equal(ours.coef_, theirs.coef_)
    assert np.array_equal(ours.intercept_, theirs.intercept_)


@pytest.fixture(scope="module")
def their_passive_aggressive() -> Any:
    """Called with C, loss and fit_intercept; skipped once it is gone from scikit-learn, as announced."""
    found = getattr(sklearn.linear_model, "PassiveAggressiveClassifier", None)
    if found is None:
        pytest.skip("this scikit-learn has no PassiveAggressiveClassifier any more")

    def made(**settings: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            return found(shuffle=False, max_iter=4, tol=None, **settings)

    return made


PA = {"hinge": "pa:C={},augmented,plain", "squared_hinge": "pa:C={},augmented,squared,plain"}


@pytest.mark.parametrize("loss", PA)
@pytest.mark.parametrize("C", [0.02, 1.0])
def test_passive_aggressive_learns_the_weights_of_scikit_learn(
    their_passive_aggressive: Any, loss: str, C: float
) -> None:
    """PA-I and PA-II. Their steps leave the intercept out of the length of x; a column of ones does not."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 3, 60)
    ones = np.c_[X, np.ones(len(X))]
    learner = PA[loss].format(C)

    two = their_passive_aggressive(C=C, loss=loss, fit_intercept=False).fit(ones, y == 1)
    ours = Classifier(learner=learner, **LAW).fit(X, y == 1)
    assert np.allclose(np.append(ours.coef_, ours.intercept_), two.coef_[0], atol=1e-4)
    assert np.array_equal(ours.predict(X), two.predict(ones))

    # One against the rest: each label is a decision, and each decision has a step of its own (LaSO).
    three = their_passive_aggressive(C=C, loss=loss, fit_intercept=False).fit(ones, y)
    rest = {"multilabel": True, "search": "greedy", "update": "laso"}
    ours = Classifier(learner=learner, **rest, **LAW).fit(X, np.eye(3, dtype=int)[y])
    assert np.allclose(np.c_[ours.coef_, ours.intercept_], three.coef_, atol=1e-4)
    assert np.array_equal(ours.decision_function(X).argmax(axis=1), three.predict(ones))


def test_weights_of_labels_are_how_far_mira_puts_them_ahead() -> None:
    X, y = np.array([[2.0, 0, 0], [0, 3, 0], [0, 0, 0.5]]), ["a", "b", "c"]
    weights = {"a": 5.0, "b": 0.5, "c": 0.0}
    for k in (2, 3):
        own = {label: weights[label] for label in y[:k]}
        ours = Classifier(learner="pa:augmented,plain", class_weight=own, **LAW | {"intercept": False})
        sums = ours.fit(X[:k], y[:k]).decision_function(X)
        if k == 2:
            assert np.allclose(sums[:2], [-5, 0.5])
        else:
            ahead = [sums[i, i] - np.delete(sums[i], i).max() for i in range(3)]
            assert np.allclose(ahead, [5, 0.5, 0]) and not sums[2].any()


def test_class_weights_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(-4, 5, (30, 3)).astype(float), rng.integers(0, 2, 30)
    weights = {0: 1.0, 1: 4.0}
    theirs = TheirPerceptron(shuffle=False, max_iter=4, tol=None, class_weight=weights).fit(X, y)
    ours = Classifier(learner="perceptron:plain,margin=0.5", class_weight=weights, **LAW).fit(X, y)
    assert np.array_equal(ours.coef_, theirs.coef_)
    assert np.array_equal(ours.intercept_, theirs.intercept_)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.sampled_from([0, 1, 2])), min_size=3, max_size=12), st.integers(-9, 9))
def test_what_the_numbers_measure_makes_no_difference(rows: list[tuple[list[int], int]], power: int) -> None:
    """Metres or millimetres: the intercept grows with the inputs, and so do the sums, exactly."""
    X, y = np.array([x for x, _ in rows], float), np.array([y for _, y in rows])
    times = 2.0**power if X.any() else 1.0
    one, other = (Classifier(epochs=4).fit(each, y) for each in (X, times * X))
    assert np.array_equal(one.predict(X), other.predict(times * X))
    assert np.allclose(times**2 * one.decision_function(X), other.decision_function(times * X), rtol=1e-5)
    assert np.allclose(X @ one.coef_.T + one.intercept_, one.decision_function(X).reshape(len(X), -1))


@pytest.mark.parametrize("power", [*range(-9, 10), -40, 40])
@pytest.mark.parametrize("square", [1, 2, 3, 8])
def test_the_intercept_grows_with_the_inputs_exactly(square: int, power: int) -> None:
    """Also where their length is half-way between two powers of two: 2, or 8, is the mean square."""
    X = np.array([[1.0] * square, [-1.0] * square])
    one, other = (Classifier(epochs=1).fit(each, ["a", "b"]) for each in (X, 2.0**power * X))
    assert other.model_.task.intercept == 2.0**power * one.model_.task.intercept


def test_sums_are_right_where_their_parts_cancel_out() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    two, three = Classifier(intercept=False).fit(X, y == 1), Classifier(intercept=False).fit(X, y)
    for own in (two, three):
        for w in own.coef_:
            x = np.array([[w[1] / 3, -w[0] / 3, 1e-4]]).astype(np.float32).astype(float)
            wanted = (x @ own.coef_.T)[0]
            assert abs(wanted).min() < 1e-2 < abs(x * w).max()
            assert np.allclose(own.decision_function(x).ravel(), wanted, rtol=1e-6, atol=0)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.sampled_from([0, 1, 2])), min_size=3, max_size=12), st.integers(2, 3))
def test_the_largest_sum_is_what_is_predicted(rows: list[tuple[list[int], int]], labels: int) -> None:
    X, y = np.array([x for x, _ in rows], float), np.array([y % labels for _, y in rows])
    own = Classifier(epochs=3).fit(X, y)
    sums = own.decision_function(X)
    best = (sums > 0).astype(int) if sums.ndim == 1 else sums.argmax(axis=1)
    assert np.array_equal(own.classes_[best], own.predict(X))


@pytest.mark.parametrize("intercept", ["auto", False])
def test_numbers_that_would_vanish_are_refused(intercept: object) -> None:
    """As those that are too large are; how small the others are makes no difference."""
    X, y = np.array([[1.0, 2, 0], [-2, 1, 1], [0, -1, 3]]), ["a", "b", "c"]
    own = Classifier(intercept=intercept, epochs=6).fit(X, y)
    small = Classifier(intercept=intercept, epochs=6).fit(2.0**-49 * X, y)
    assert np.array_equal(own.predict(X), small.predict(2.0**-49 * X))
    message = "X: all numbers are between -1e-15 and 1e-15, too small to learn from; multiply them"
    for tiny in (1e-16, 1e-30, 1e-50):
        with pytest.raises(ValueError, match=message):
            Classifier(intercept=intercept).fit(tiny * X, y)
        with pytest.raises(ValueError, match=message):
            Classifier(intercept=intercept).fit([{"a": tiny}, {"b": -tiny}], y[:2])
        # One that is small beside others, and a small one to predict for, are numbers as any.
        Classifier(intercept=intercept).fit(np.array([[1.0, tiny], [0.0, tiny]]), y[:2])
        own.predict(tiny * X)
    Classifier(intercept=intercept).fit(0 * X, y)


@pytest.mark.parametrize("labels", [2, 3])
def test_no_more_updates_than_novikoff_allows(labels: int) -> None:
    """On data that w* separates by δ there are at most R²/δ² updates (Novikoff 1962; Collins 2002, Th. 1)."""
    rng = np.random.default_rng(labels)
    right = rng.normal(size=(labels, 4))
    X = rng.normal(size=(400, 4))
    sums = X @ right.T
    best = np.sort(sums, axis=1)
    X = X[best[:, -1] - best[:, -2] > 0.3]
    y = np.argmax(X @ right.T, axis=1)
    ours = Classifier(learner="perceptron:plain", intercept=False, epochs=60, seed=1).fit(X, y)
    assert ours.history_[-1].updates == 0, "it has converged"
    updates = sum(epoch.updates for epoch in ours.history_)
    if labels == 2:
        oracle = right[1] - right[0]
        delta = np.min(np.where(y == 1, 1, -1) * (X @ oracle)) / np.linalg.norm(oracle)
        radius = np.max(np.linalg.norm(X, axis=1))
    else:
        sums = X @ right.T
        gold = sums[np.arange(len(y)), y]
        sums[np.arange(len(y)), y] = -np.inf
        delta = np.min(gold - sums.max(axis=1)) / np.linalg.norm(right)
        radius = np.sqrt(2) * np.max(np.linalg.norm(X, axis=1))
    assert 0 < updates <= radius**2 / delta**2


def freund_and_schapire(X: np.ndarray, y: np.ndarray, epochs: int) -> list[tuple[np.ndarray, int]]:
    """Their Figure 1, by the letter, but that a sum of 0 is a no."""
    v, c, found = np.zeros(X.shape[1]), 0, []
    for _ in range(epochs):
        for x, right in zip(X, y):
            if (v @ x > 0) == (right > 0):
                c += 1
            else:
                found.append((v, c))
                v, c = v + right * x, 1
    return [*found, (v, c)]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.booleans()), min_size=1, max_size=8))
def test_votes_are_those_of_freund_and_schapire(rows: list[tuple[list[int], bool]]) -> None:
    X, yes = np.array([x for x, _ in rows]), [yes for _, yes in rows]
    task = ClassificationTask(("no", "yes"), intercept=False)
    keys = column_keys(3)
    spaces = [task.space((keys, x.astype(np.float32))) for x in X]
    examples = [(space, task.oracle(["yes" if each else "no"])) for space, each in zip(spaces, yes)]
    voted = train_voted(examples, search="exact", epochs=2)
    theirs = freund_and_schapire(X, np.where(yes, 1, -1), 2)
    for space, x in zip(spaces, X):
        s = [sum(c for v, c in theirs if (v @ x > 0) == wanted) for wanted in (False, True)]
        votes = voted.votes(space)
        assert [votes.get((0,), 0), votes.get((1,), 0)] == s and sum(s) == 2 * len(rows)
        if s[0] != s[1]:
            assert voted.predict(space) == (int(s[1] > s[0]),)


def test_whole_sequences_are_voted_on() -> None:
    """The structured case: an output wins as a whole, by the votes of vectors that search for it."""
    task = TaggingTask(("N", "V"), ("w[0]", "t[-1]"))
    data = [(["fly", "like"], ["N", "V"]), (["fly", "fly"], ["N", "V"]), (["like"], ["N"]), (["fly"], ["V"])]
    examples = [(task.space(x), task.oracle(y)) for x, y in data]
    for search in ("exact", "greedy"):
        voted = train_voted(examples, search=parse_search(search), update="early", epochs=3)
        assert sum(votes for _, votes in voted.vectors) == 3 * len(data) and len(voted.vectors) > 1
        tallies = []
        for x in [*(x for x, _ in data), ["fly", "like", "fly"]]:
            tally: dict[tuple[int, ...], int] = {}
            for weights, votes in voted.vectors:
                trace = decode(task.space(x), weights, parse_search(search))
                output = tuple(trace.best(trace.final).actions)
                tally[output] = tally.get(output, 0) + votes
            tallies.append(tally)
            assert voted.votes(task.space(x)) == tally
            assert voted.predict(task.space(x)) == max(tally, key=lambda output: tally[output])
        assert max(map(len, tallies)) > 1, "vectors do disagree"
