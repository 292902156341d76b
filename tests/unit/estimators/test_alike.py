"""All estimators are alike: the same names for the same things, and the same kinds of answers.

So is a parser by a graph, which is another task behind the same estimator. `WORLD` has for each task some
data; a new task that is in the table of tasks and not here fails.
"""

from __future__ import annotations

import inspect
import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from structron import DataError, SettingError
from structron.fit import Epoch, Learning
from structron.fit.estimator import AnyEstimator, Estimator
from structron.model import Model
from structron.reference.forest.forest import ForestTrace
from structron.reference.sequence.trace import Trace
from structron.registry import estimator_of, learned

KINDS = learned()


class Data(NamedTuple):
    """Inputs, outputs, and all labels of these."""

    X: list[Any]
    y: list[Any]
    labels: list[str]


WORLD = {
    "tagging": Data([["dogs", "bark"], ["cats", "sleep"]] * 3, [["N", "V"], ["N", "V"]] * 3, ["N", "V"]),
    "parsing": Data(
        [(["dogs", "bark"], ["N", "V"]), (["cats", "sleep"], ["N", "V"])] * 3,
        [([2, 0], ["nsubj", "root"])] * 6,
        ["nsubj", "root"],
    ),
    "transduction": Data(["ab", "ba", "aab"] * 2, ["x y", "y x", "x x y"] * 2, ["x", "y"]),
    "translation": Data(["a b", "b a", "a a b"] * 2, ["x y", "y x", "x x y"] * 2, ["x", "y"]),
    "segmentation": Data(
        ["Go on. Stop!", "Stop! Go."] * 3,
        [[["Go", "on", "."], ["Stop", "!"]], [["Stop", "!"], ["Go", "."]]] * 3,
        ["S", "T"],
    ),
    "semantics": Data(
        ["show s", "count t", "show big s"] * 2,
        ["show(s)", "count(t)", "show(big(s))"] * 2,
        ["show({})", "count({})", "big({})", "s", "t"],
    ),
    "classification": Data(["a b", "b a", "c"] * 2, ["x", "x", "y"] * 2, ["x", "y"]),
}

OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "graph": ("parsing", {"system": "graph", "search": "forest:2"}),
    "joint": ("segmentation", {"system": "joint", "search": "beam:2"}),
}
WORLD |= {name: WORLD[kind] for name, (kind, _) in OTHERS.items()}
WORLD["joint"] = Data(
    WORLD["segmentation"].X,
    [[[(form, form[0]) for form in one] for one in text] for text in WORLD["segmentation"].y],
    ["!", ".", "G", "S", "o"],
)

# What every estimator has, with its parameters; more of its own are welcome after them.
METHODS = {
    "fit": [
        "X", "y", "dev", "on_epoch", "progress", "checkpoint", "resume", "on_workers", "on_stage", "cluster"
    ],
    "partial_fit": ["X", "y", "classes"],
    "predict": ["X"],
    "predict_kbest": ["X", "k"],
    "score": ["X", "y"],
    "judge": ["X", "y"],
    "explain": ["x"],
    "strongest": ["X", "top", "label"],
    "margins": ["X"],
    "predict_confidence": ["X"],
    "calibrate": ["X", "y"],
    "plan": ["X", "y"],
    "spaces": ["X", "y"],
    "trace": ["x", "gold", "search"],
    "save": ["path"],
    "load": ["path"],
    "of_model": ["model", "where"],
    "from_recipe": ["recipe", "extra"],
    "get_params": ["deep"],
    "set_params": ["params"],
}  # fmt: skip
LEARNED = ("labels_", "history_", "model_", "learning_")

ALL = pytest.mark.parametrize("kind", [*KINDS, *OTHERS])
# A translator counts phrases in all data together.
NOT_IN_BATCHES = {"translation"}
CHARTS = {"graph", "semantics"}


def class_of(kind: str) -> type[AnyEstimator]:
    return estimator_of(OTHERS[kind][0] if kind in OTHERS else kind)


def made(kind: str, **settings: Any) -> AnyEstimator:
    own = OTHERS[kind][1] if kind in OTHERS else {"search": "forest:2" if kind in CHARTS else "beam:2"}
    if kind == "translation":  # which by itself has no epochs, only tuning
        own |= {"templates": "rules"}
    if kind == "semantics":
        own |= {"grammar": "Q -> show(T)\nQ -> count(T)\nT -> big(T)\nT -> s\nT -> t"}
    return class_of(kind)(**{"epochs": 2} | own | settings)


def fitted(kind: str) -> AnyEstimator:
    return made(kind).fit(WORLD[kind].X, WORLD[kind].y)


def test_every_task_has_data_here() -> None:
    assert set(WORLD) == {*KINDS, *OTHERS}


@ALL
def test_methods_have_the_same_names_and_parameters(kind: str) -> None:
    own = class_of(kind)
    assert issubclass(own, Estimator) and own.kind == OTHERS.get(kind, (kind,))[0]
    for name, wanted in METHODS.items():
        names = [each for each in inspect.signature(getattr(own, name)).parameters if each != "self"]
        assert names[: len(wanted)] == wanted, name
    for name in LEARNED:
        assert isinstance(inspect.getattr_static(own, name), property), name


@ALL
def test_settings_that_all_share_have_the_same_names_and_come_by_name(kind: str) -> None:
    shared = {
        "templates", "search", "update", "learner", "epochs", "seed", "shuffle", "cut", "bits", "min_weight",
        "half", "skip_correct", "batch", "shards", "mixing", "threads",
    }  # fmt: skip
    parameters = inspect.signature(class_of(kind).__init__).parameters
    assert shared <= set(parameters)
    by_place = {"self", "grammar"}  # a language of meaning is what a semantic parser is for
    assert all(each.kind is each.KEYWORD_ONLY for name, each in parameters.items() if name not in by_place)


@ALL
def test_answers_are_of_the_same_kinds(kind: str) -> None:
    X, y, labels = WORLD[kind]
    estimator = made(kind)
    assert estimator.fit(X, y) is estimator
    assert estimator.labels_ == labels and isinstance(estimator.labels_, list)
    assert [type(epoch) for epoch in estimator.history_] == [Epoch, Epoch]
    assert isinstance(estimator.model_, Model) and isinstance(estimator.learning_, Learning)
    found = estimator.predict(X)
    assert isinstance(found, list) and len(found) == len(X)
    array = np.empty(len(X), dtype=object)
    for i, x in enumerate(X):
        array[i] = x
    as_array = estimator.predict(array)
    assert isinstance(as_array, np.ndarray) and as_array.shape == (len(X),) and list(as_array) == found
    best = estimator.predict_kbest(X, 2)
    assert [pairs[0][0] for pairs in best] == found
    assert all(isinstance(score, float) for pairs in best for _, score in pairs)
    assert isinstance(estimator.score(X, y), float) and 0 <= estimator.score(X, y) <= 1
    assert isinstance(estimator.trace(X[0], y[0]), ForestTrace if kind in CHARTS else Trace)
    assert len(estimator.spaces(X, y)) <= len(X)


@ALL
def test_before_fit_all_are_refused_alike(kind: str) -> None:
    X, y, _ = WORLD[kind]
    estimator = made(kind)
    asked = [
        lambda: estimator.predict(X),
        lambda: estimator.predict_kbest(X, 2),
        lambda: estimator.score(X, y),
        lambda: estimator.trace(X[0]),
        lambda: estimator.save("nowhere"),
        *(lambda name=name: getattr(estimator, name) for name in LEARNED),
    ]
    for ask in asked:
        with pytest.raises(NotFittedError, match="has learned nothing yet; call fit or load first") as error:
            ask()
        assert isinstance(error.value, SettingError)
    assert not any(hasattr(estimator, name) for name in LEARNED)
    with pytest.raises(NotFittedError):
        check_is_fitted(estimator)
    check_is_fitted(fitted(kind))


@pytest.mark.parametrize("kind", [kind for kind in (*KINDS, *OTHERS) if kind not in NOT_IN_BATCHES])
def test_classes_are_announced_as_in_scikit_learn(kind: str) -> None:
    X, y, labels = WORLD[kind]
    first = made(kind).partial_fit(X, y, labels)
    assert first.labels_ == labels
    assert made(kind).partial_fit(X, y, classes=labels).predict(X) == first.predict(X)
    assert len(first.partial_fit(X, y).history_) == 2
    if kind == "segmentation":
        assert made(kind).partial_fit(X, y, labels=[*labels, "J"]).labels_ == ["J", *labels]
        with pytest.raises(SettingError, match="label 'zz' marks no boundary; write it like J, T, S, TM"):
            made(kind).partial_fit(X, y, classes=["zz"])
    elif kind == "semantics":
        with pytest.raises(DataError, match=r"the grammar has no production 'zz'; pass grammar="):
            made(kind).partial_fit(X, y, classes=[*labels, "zz"])
    elif kind == "transduction":
        with pytest.raises(DataError, match="target symbol 'zz' is in no piece; pass pairs="):
            made(kind).partial_fit(X, y, classes=[*labels, "zz"])
    else:
        assert made(kind).partial_fit(X, y, labels=[*labels, "zz"]).labels_ == [*labels, "zz"]
    with pytest.raises(SettingError, match="two names for one thing; give one of them"):
        made(kind).partial_fit(X, y, classes=labels, labels=labels)


@pytest.mark.parametrize("kind", sorted(NOT_IN_BATCHES))
def test_those_that_cannot_learn_batch_by_batch_say_so(kind: str) -> None:
    with pytest.raises(SettingError, match="cannot learn batch by batch; call fit"):
        made(kind).partial_fit(WORLD[kind].X, WORLD[kind].y)


@ALL
def test_what_was_learned_is_one_object_that_a_fit_replaces(kind: str) -> None:
    X, y, _ = WORLD[kind]
    estimator = fitted(kind)
    assert set(vars(estimator)) == {*estimator.get_params(), "_fitted"}
    before, found = estimator._fitted, estimator.predict(X)
    during: list[Any] = []

    def look(epoch: int, done: int, total: int) -> None:
        during.append((estimator._fitted is before, estimator.predict(X) == found))

    estimator.fit(X, y, progress=look)
    assert during[0] == (True, True), "until the first epoch is over there is what was learned before"
    assert estimator._fitted is not before and estimator.model_ is not before.model
    assert len(before.history) == 2, "and the old object is as it was"


@ALL
def test_a_fit_that_is_refused_changes_nothing(kind: str) -> None:
    X, y, _ = WORLD[kind]
    estimator = fitted(kind)
    before = estimator._fitted
    for wrong, refused in (
        (DataError, lambda: estimator.fit(X, y[:1])),
        (DataError, lambda: estimator.fit(X, y, dev=([], []))),
        (SettingError if kind in NOT_IN_BATCHES else DataError, lambda: estimator.partial_fit(X, y[:1])),
    ):
        with pytest.raises(wrong):
            refused()
        assert estimator._fitted is before


@ALL
def test_clones_know_nothing_and_pickles_all(kind: str) -> None:
    X = WORLD[kind].X
    estimator = fitted(kind)
    assert not hasattr(clone(estimator), "model_")
    again = pickle.loads(pickle.dumps(estimator))
    assert again.predict(X) == estimator.predict(X) and again.labels_ == estimator.labels_
    assert again.history_ == estimator.history_


@ALL
def test_a_loaded_one_has_the_same_but_for_the_weights_of_its_training(kind: str, tmp_path: Any) -> None:
    estimator = fitted(kind)
    estimator.save(tmp_path / "m")
    loaded = class_of(kind).load(tmp_path / "m")
    assert loaded.labels_ == estimator.labels_ and len(loaded.history_) == 2
    assert not hasattr(loaded, "learning_")
    with pytest.raises(NotFittedError, match="a loaded model has no weights of a training"):
        loaded.learning_  # noqa: B018
    if kind not in NOT_IN_BATCHES:
        assert hasattr(loaded.partial_fit(WORLD[kind].X, WORLD[kind].y), "learning_")
