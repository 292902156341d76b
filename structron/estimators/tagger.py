"""Tagger: sequence labelling in the manner of scikit-learn."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from structron.errors import DataError, ModelError, SettingError
from structron.estimators.inputs import Inputs, checksum, read_inputs, read_labels
from structron.estimators.parameters import Parameters
from structron.estimators.problem import goes_on, make_task, metric_of
from structron.learners import Perceptron, parse_learner
from structron.model import Model
from structron.reference.trace import Trace
from structron.search import Search, parse_search
from structron.training import Epoch, Learning, Recipe, epochs
from structron.violations import Update

Progress = Callable[[int, int, int], None]


class Tagger(Parameters):
    """Labels every token of a sentence: parts of speech, chunks, names.

    ``Tagger().fit(X, y)`` is the good choice; every parameter is explained in `structron.training.Recipe`.

    Parameters
    ----------
    templates, order, search, update, learner, epochs, seed, shuffle
        How it learns.
    constraints, dictionary
        Which tags may follow each other, and which a known word may take; None for none.
    cut, bits, negligible, skip_correct
        What is left out, or shares a row.
    target
        For sentences from files, the column to predict; by default ``upos`` or the last one.

    Attributes
    ----------
    labels_ : list of str
    history_ : list of Epoch
    model_ : Model

    Examples
    --------
    >>> X = [["the", "dog", "barks"], ["the", "cats", "bark"]]
    >>> y = [["DT", "NN", "VBZ"], ["DT", "NNS", "VBP"]]
    >>> Tagger(epochs=3).fit(X, y).predict([["the", "dog", "barks"]])
    [['DT', 'NN', 'VBZ']]
    """

    def __init__(
        self,
        *,
        templates: str | Sequence[str] = "auto",
        order: int = 2,
        search: str | Search = "beam:4",
        update: str | Update = "max_violation",
        learner: str | Perceptron = "perceptron:margin=20",
        epochs: int = 15,
        seed: int = 0,
        shuffle: bool = True,
        constraints: str | None = "auto",
        dictionary: int | None = 0,
        cut: int = 0,
        bits: int = 0,
        negligible: float = 0.0,
        skip_correct: bool = False,
        target: str | int | None = None,
    ) -> None:
        self.templates = templates
        self.order = order
        self.search = search
        self.update = update
        self.learner = learner
        self.epochs = epochs
        self.seed = seed
        self.shuffle = shuffle
        self.constraints = constraints
        self.dictionary = dictionary
        self.cut = cut
        self.bits = bits
        self.negligible = negligible
        self.skip_correct = skip_correct
        self.target = target

    @classmethod
    def from_recipe(cls, recipe: Recipe, target: str | int | None = None) -> Self:
        """A tagger with the settings of a recipe."""
        return cls(**recipe.as_dict(), target=target)

    @property
    def recipe(self) -> Recipe:
        """The parameters, checked."""
        settings = self.get_params()
        settings.pop("target")
        settings["search"] = str(parse_search(self.search))
        settings["update"] = self.update.name if isinstance(self.update, Update) else self.update
        settings["learner"] = str(parse_learner(self.learner))
        settings["constraints"] = self.constraints or "none"
        settings["dictionary"] = self.dictionary or 0
        return Recipe(**settings)

    def fit(
        self,
        X: Iterable[Any],
        y: Iterable[Sequence[str]] | None = None,
        dev: tuple[Iterable[Any], Iterable[Sequence[str]]] | Iterable[Any] | None = None,
        *,
        on_epoch: Callable[[Epoch], None] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Learn from labelled sentences.

        With `dev` (a pair of X and y, or sentences from a file) the model of the best epoch is kept,
        otherwise that of the last. If training is interrupted the best model so far stays in `model_`.

        Parameters
        ----------
        on_epoch
            Called after every epoch with its figures.
        progress
            Called now and then with the epoch, the examples done and the examples in all.
        """
        recipe = self.recipe
        inputs, labels = self._pair(X, y)
        task = make_task(recipe, inputs, labels)
        learning = Learning.start(task, recipe)
        corpus = learning.pack(inputs.tokens, labels, inputs.place)
        score = None
        if dev is not None:
            dev_inputs, dev_labels = self._pair(
                *(dev if isinstance(dev, tuple) and len(dev) == 2 else (dev,))
            )
            if not any(dev_labels):
                raise DataError("the development set is empty; leave dev out or give labelled sentences")
            dev_inputs.check(ready=task.ready, columns=task.columns)
            metric = metric_of(task)

            def score(model: Model) -> float:
                return metric(dev_labels, model.predict(dev_inputs.tokens, place=dev_inputs.place))

        self.labels_ = list(task.labels)
        self.history_: list[Epoch] = []
        self._learning = learning
        about = self._about(recipe, inputs, labels)
        try:
            for epoch, model in epochs(learning, corpus, score, progress):
                if epoch.best:
                    self.model_ = model
                self.history_.append(epoch)
                self.model_.about = about | {"epochs": [e.record() for e in self.history_]}
                if on_epoch is not None:
                    on_epoch(epoch)
        except KeyboardInterrupt:
            if not self.history_:  # inside the first epoch: what it has learned is the best there is
                self.model_ = learning.model(about | {"epochs": []})
            raise
        return self

    def partial_fit(
        self,
        X: Iterable[Any],
        y: Iterable[Sequence[str]] | None = None,
        *,
        labels: Sequence[str] | None = None,
    ) -> Self:
        """One pass over one batch; call it again with the next, from a generator or a file beyond memory.

        Parameters
        ----------
        labels
            All labels that will ever come, needed on the first call unless the first batch has them all.
        """
        recipe = self.recipe.but(epochs=1)
        inputs, tags = self._pair(X, y)
        if hasattr(self, "_learning"):
            learning = self._learning
        elif hasattr(self, "model_"):
            learning = Learning.from_model(self.model_, recipe)
        else:
            learning = Learning.start(make_task(recipe, inputs, tags, labels), recipe)
        learning.task = goes_on(learning.task, inputs, tags)
        history = getattr(self, "history_", [])
        # Another order for every batch, and the same whenever the same batches come.
        learning.recipe = recipe.but(seed=recipe.seed + len(history))
        corpus = learning.pack(inputs.tokens, tags, inputs.place)
        self._learning = learning
        self.labels_ = list(learning.task.labels)
        for epoch, model in epochs(learning, corpus):
            self.history_ = [*history, epoch]
            self.model_ = model
            model.about = self._about(recipe, inputs, tags) | {"epochs": [e.record() for e in self.history_]}
        return self

    @overload
    def predict(self, X: npt.NDArray[Any]) -> npt.NDArray[np.object_]: ...  # type: ignore[overload-overlap]
    @overload
    def predict(self, X: Iterable[Any]) -> list[list[str]]: ...
    def predict(self, X: Iterable[Any]) -> list[list[str]] | npt.NDArray[np.object_]:
        """The tags of every sentence: a list of lists, or for an array an array of lists."""
        inputs = self._inputs(X)
        found = self._fitted().predict(inputs.tokens, place=inputs.place)
        if not hasattr(X, "__array__"):
            return found
        # One by one: lists of one length would become a table.
        array = np.empty(len(found), dtype=np.object_)
        for i, tags in enumerate(found):
            array[i] = tags
        return array

    def predict_kbest(self, X: Iterable[Any], k: int) -> list[list[tuple[list[str], float]]]:
        """The `k` best tag sequences of every sentence with their scores, best first.

        Of all sequences if the search is exact, otherwise of those in the last beam (so at most its width).
        """
        inputs = self._inputs(X)
        return self._fitted().kbest(inputs.tokens, k, place=inputs.place)

    def score(self, X: Iterable[Any], y: Iterable[Sequence[str]] | None = None) -> float:
        """Span F1 if the labels mark spans, otherwise the share of right tags."""
        inputs = self._inputs(X)
        gold = read_labels(inputs, y, self.target)
        model = self._fitted()
        return metric_of(model.task)(gold, model.predict(inputs.tokens, place=inputs.place))

    def trace(
        self, sentence: Any, gold: Sequence[str] | None = None, search: str | Search | None = None
    ) -> Trace:
        """What the search leaves behind on one sentence; with gold, where it falls off."""
        tokens = self._inputs([sentence]).tokens[0]
        return self._fitted().trace(tokens, gold, None if search is None else parse_search(search))

    def save(self, path: str | Path) -> None:
        """Write the model to one file."""
        self._fitted().save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model; nothing is left on disk, and nothing in the file is executed."""
        model = Model.load(path)
        recipe, target = model.about.get("recipe"), model.about.get("target")
        if not isinstance(recipe, dict) or not isinstance(target, str | int | None):
            raise ModelError(f"{path}: the model does not say how it was made; train it again")
        try:
            tagger = cls.from_recipe(Recipe.from_mapping(recipe, str(path)), target)
        except SettingError:
            # Made by another version, with settings this one does not know; it can predict all the same.
            tagger = cls(templates=list(model.task.templates), search=model.search, target=target)
        tagger.model_ = model
        tagger.labels_ = list(model.task.labels)
        return tagger

    def _fitted(self) -> Model:
        if not hasattr(self, "model_"):
            raise SettingError("this Tagger has learned nothing yet; call fit or load first")
        return self.model_

    def _inputs(self, X: Iterable[Any]) -> Inputs:
        task = self._fitted().task
        inputs = read_inputs(X, self.target)
        inputs.check(ready=task.ready, columns=task.columns)
        return inputs

    def _pair(
        self, X: Iterable[Any], y: Iterable[Sequence[str]] | None = None
    ) -> tuple[Inputs, list[list[str]]]:
        inputs = read_inputs(X, self.target)
        return inputs.in_order(), read_labels(inputs, y, self.target)

    def _about(self, recipe: Recipe, inputs: Inputs, labels: Sequence[Sequence[str]]) -> dict[str, Any]:
        about: dict[str, Any] = {
            "recipe": recipe.as_dict(),
            "target": self.target,
            "signature": {
                "recipe": recipe.hash(),
                "data": checksum(inputs.tokens, labels),
                "seed": recipe.seed,
                "version": version("structron"),
                "machine": platform.machine(),
            },
            "trained_on": {"sentences": len(labels), "tokens": sum(map(len, labels))},
        }
        if inputs.sources:
            format = inputs.sources[0].format
            about["format"] = {
                "name": format.name,
                "separator": format.separator,
                "columns": list(format.columns),
            }
        return about
