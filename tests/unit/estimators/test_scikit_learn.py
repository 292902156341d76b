"""scikit-learn's tools work on a Tagger: clone, grid search, cross-validation, pipelines, pickles."""

from __future__ import annotations

import copy
import io
import pickle
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

from structron import Beam, Exact, ModelError, SettingError, Tagger
from structron.learners import Perceptron
from structron.updates import UPDATES
from tests.unit.estimators.corpora import spans, treebank

X, Y = treebank(45)

CHANGED = [
    {},
    {"search": Exact(), "epochs": 3, "templates": ["w[0]", "t[-1]"]},
    {"learner": Perceptron(margin=2), "update": UPDATES["early"], "constraints": None, "target": "xpos"},
]


def array_of(items: list[Any]) -> np.ndarray[Any, Any]:
    array = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        array[i] = item
    return array


@pytest.mark.parametrize("params", CHANGED, ids=str)
def test_clone_repr_and_parameters(params: dict[str, Any]) -> None:
    tagger = Tagger(**params)
    twin = clone(tagger)
    assert twin.get_params() == tagger.get_params()
    assert not hasattr(twin, "model_")
    names = {"Exact": Exact, "Perceptron": Perceptron, "Tagger": Tagger, "Update": type(UPDATES["early"])}
    assert eval(repr(tagger), names).get_params() == tagger.get_params()
    assert Tagger().set_params(**params).get_params() == tagger.get_params()
    assert all(getattr(tagger, name) is value for name, value in params.items())


def test_a_parameter_that_is_not_there() -> None:
    with pytest.raises(SettingError, match="no parameter 'beam'; the parameters are search, update"):
        Tagger().set_params(beam=4)
    with pytest.raises(TypeError):
        Tagger(beam=4)  # type: ignore[call-arg]


def test_whether_it_is_fitted_can_be_asked() -> None:
    with pytest.raises(NotFittedError):
        check_is_fitted(Tagger())
    check_is_fitted(Tagger(epochs=1).fit(X, Y))


def test_grid_search_over_epochs_and_search() -> None:
    grid = {"epochs": np.array([1, 3]), "search": ["greedy", Beam(2)], "seed": [np.int64(1)]}
    found = GridSearchCV(Tagger(order=1), grid, cv=3).fit(X, Y)
    assert len(found.cv_results_["params"]) == 4
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    assert 0 < found.best_score_ <= 1
    assert found.predict(X[:2]) == found.best_estimator_.predict(X[:2])
    assert found.score(X, Y) > 0.9


def test_grid_search_in_other_processes() -> None:
    with joblib.parallel_backend("loky", n_jobs=2):
        found = GridSearchCV(Tagger(order=1), {"epochs": [1, 2]}, cv=2).fit(X, Y)
        kept = cross_validate(Tagger(epochs=1), X, Y, cv=2, return_estimator=True)
    assert found.score(X, Y) > 0.9
    alone = GridSearchCV(Tagger(order=1), {"epochs": [1, 2]}, cv=2).fit(X, Y)
    np.testing.assert_array_equal(found.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])
    assert all(len(tagger.predict(X)) == len(X) for tagger in kept["estimator"])


def test_cross_validation() -> None:
    scores = cross_val_score(Tagger(epochs=2), X, Y, cv=3)
    assert scores.shape == (3,)
    assert (scores > 0.5).all()
    C, Z = spans(30)
    assert (cross_val_score(Tagger(epochs=2), C, Z, cv=3) > 0.5).all()


def test_cross_validated_predictions_come_as_an_array_of_lists() -> None:
    guess = cross_val_predict(Tagger(epochs=2), array_of(X), array_of(Y), cv=3)
    assert guess.shape == (len(X),)
    assert [len(tags) for tags in guess] == list(map(len, X))
    # Sentences of one length must not become a table.
    table = array_of([["a", "b"]] * 6)
    tags = array_of([["A", "B"]] * 6)
    guess = cross_val_predict(Tagger(epochs=2), table, tags, cv=2)
    assert guess.tolist() == [["A", "B"]] * 6
    assert isinstance(Tagger(epochs=2).fit(X, Y).predict(X), list)


def test_a_pipeline_makes_features_first() -> None:
    def features(sentences: list[list[str]]) -> list[list[dict[str, Any]]]:
        return [[{"word": word, "end": word[-2:], "size": len(word) / 10} for word in s] for s in sentences]

    pipe = Pipeline([("features", FunctionTransformer(features)), ("tagger", Tagger(epochs=3))]).fit(X, Y)
    assert pipe.score(X, Y) > 0.9
    assert pipe.predict(X) == pipe["tagger"].predict(features(X))
    assert clone(pipe).set_params(tagger__epochs=1)["tagger"].epochs == 1
    assert "Tagger" in repr(pipe)


@pytest.mark.parametrize("way", ["pickle", "joblib", "deepcopy"])
@pytest.mark.parametrize("data", ["words", "spans", "ready", "dictionary"])
def test_a_fitted_tagger_can_be_copied_and_goes_on_learning_alike(
    way: str, data: str, tmp_path: Path
) -> None:
    make = {
        "words": lambda: (Tagger(epochs=2), X, Y),
        "spans": lambda: (Tagger(epochs=2, search="exact", order=1), *spans(20)),
        "ready": lambda: (Tagger(epochs=2), [[{"w": w, "n": len(w) / 7} for w in s] for s in X], Y),
        "dictionary": lambda: (Tagger(epochs=2, dictionary=2), X, Y),
    }
    tagger, data_x, data_y = make[data]()
    tagger.fit(data_x, data_y)
    tagger.predict(data_x)  # the engine is there, and must not be in the way
    if way == "joblib":
        joblib.dump(tagger, tmp_path / "t.joblib")
        twin = joblib.load(tmp_path / "t.joblib")
    else:
        twin = pickle.loads(pickle.dumps(tagger)) if way == "pickle" else copy.deepcopy(tagger)
    assert twin.predict_kbest(data_x[:5], 2) == tagger.predict_kbest(data_x[:5], 2)
    assert twin.predict(data_x) == tagger.predict(data_x)
    assert twin.history_ == tagger.history_
    for each in (tagger, twin):
        each.partial_fit(data_x, data_y)
        each.save(tmp_path / f"{each is twin}.safetensors")
    assert (tmp_path / "True.safetensors").read_bytes() == (tmp_path / "False.safetensors").read_bytes()


def test_a_loaded_tagger_can_be_pickled_and_outlives_its_file(tmp_path: Path) -> None:
    tagger = Tagger(epochs=2).fit(X, Y)
    tagger.save(tmp_path / "m")
    loaded = Tagger.load(tmp_path / "m")
    data = pickle.dumps(loaded)
    (tmp_path / "m").unlink()
    assert pickle.loads(data).predict(X) == loaded.predict(X) == tagger.predict(X)
    unfitted = pickle.loads(pickle.dumps(Tagger(epochs=7)))
    assert unfitted.get_params() == Tagger(epochs=7).get_params()


class Watched(pickle.Unpickler):
    """Keeps the names of all that a pickle asks for."""

    def find_class(self, module: str, name: str) -> Any:
        asked.append(f"{module}.{name}")
        return super().find_class(module, name)


asked: list[str] = []


def test_a_pickle_is_the_files_bytes_and_names_nothing_but_the_estimator(tmp_path: Path) -> None:
    tagger = Tagger(epochs=2).fit(X, Y)
    tagger.save(tmp_path / "m")
    data = pickle.dumps(tagger)
    assert (tmp_path / "m").read_bytes() == tagger.to_bytes()
    assert tagger.to_bytes() in data
    asked.clear()
    twin = Watched(io.BytesIO(data)).load()
    assert set(asked) <= {
        "structron.tasks.tagging.estimator.Tagger",
        "copyreg._reconstructor",
        "builtins.object",
    }
    assert twin.predict(X) == tagger.predict(X) == Tagger.from_bytes(tagger.to_bytes()).predict(X)
    at = data.index(tagger.to_bytes()) + len(tagger.to_bytes()) - 9
    with pytest.raises(ModelError, match="the pickled Tagger: the model file is damaged"):
        pickle.loads(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
