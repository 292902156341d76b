"""Tagger: the sequence labeller, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from structron.errors import ModelError
from structron.estimators.estimator import Estimator, Metric
from structron.estimators.examples import Examples, as_given
from structron.estimators.locking import exclusive
from structron.estimators.tagging.inputs import read_inputs, read_labels
from structron.estimators.tagging.problem import goes_on, make_task, metric_of
from structron.estimators.unknown import warn_of_unknown
from structron.learners import Learner
from structron.model import Model
from structron.reference.trace import Trace
from structron.search import Search, parse_search
from structron.tasks.tagging import TaggingTask
from structron.training import Stage, TaggingRecipe
from structron.violations import Update


class Tagger(Estimator):
    """Labels every token of a sentence: parts of speech, chunks, names.

    ``Tagger().fit(X, y)`` is the good choice; parameters are explained in `structron.training.TaggingRecipe`.

    Parameters
    ----------
    templates, order, search, update, learner, epochs, seed, shuffle
        How it learns.
    constraints, dictionary
        Which tags may follow each other, and which a known word may take; None for none.
    hidden
        How many hidden sub-labels each label owns; what they stand for is learned.
    cut, bits, negligible, half, skip_correct
        What is left out, or shares a row.
    batch, shards, mixing
        How many examples are decoded before an update, and into how many shards the data are split.
    threads
        How many threads work; what comes out does not depend on it.
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

    kind = "tagging"
    recipe_type = TaggingRecipe

    def __init__(
        self,
        *,
        templates: str | Sequence[str] = "auto",
        order: int = 2,
        search: str | Search = "beam:4",
        update: str | Update = "max_violation",
        learner: str | Learner = "perceptron:margin=20",
        epochs: int = 15,
        seed: int = 0,
        shuffle: bool = True,
        constraints: str | None = "auto",
        dictionary: int | None = 0,
        hidden: int = 1,
        cut: int = 0,
        bits: int = 0,
        negligible: float = 0.0,
        half: bool = False,
        skip_correct: bool = False,
        batch: int = 1,
        shards: int = 1,
        mixing: str = "uniform",
        threads: int = 1,
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
        self.hidden = hidden
        self.cut = cut
        self.bits = bits
        self.negligible = negligible
        self.half = half
        self.skip_correct = skip_correct
        self.batch = batch
        self.shards = shards
        self.mixing = mixing
        self.threads = threads
        self.target = target

    def _settings(self) -> dict[str, Any]:
        none = {"constraints": self.constraints or "none", "dictionary": self.dictionary or 0}
        return super()._settings() | none

    @exclusive
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
        return self._batch(X, y, lambda recipe, first: make_task(recipe, first.source, first.ys, labels))

    @overload
    def predict(self, X: npt.NDArray[Any]) -> npt.NDArray[np.object_]: ...  # type: ignore[overload-overlap]
    @overload
    def predict(self, X: Iterable[Any]) -> list[list[str]]: ...
    def predict(self, X: Iterable[Any]) -> list[list[str]] | npt.NDArray[np.object_]:
        """The tags of every sentence: a list of lists, or for an array an array of lists."""
        inputs = self._inputs(X)
        found: list[list[str]] | npt.NDArray[np.object_] = as_given(
            X, self._fitted().predict(inputs.xs, place=inputs.place)
        )
        return found

    def predict_kbest(self, X: Iterable[Any], k: int) -> list[list[tuple[list[str], float]]]:
        """The `k` best tag sequences of every sentence with their scores, best first.

        Of all sequences if the search is exact, otherwise of those in the last beam (so at most its width).
        """
        inputs = self._inputs(X)
        return self._fitted().kbest(inputs.xs, k, place=inputs.place)

    def trace(
        self, sentence: Any, gold: Sequence[str] | None = None, search: str | Search | None = None
    ) -> Trace:
        """What the search leaves behind on one sentence; with gold, where it falls off."""
        tokens = list(self._inputs([sentence]).xs[0])
        tags = None if gold is None else list(gold)
        return self._fitted().trace(tokens, tags, None if search is None else parse_search(search))

    def _inputs(self, X: Iterable[Any]) -> Examples:
        task = self._fitted().task
        inputs = read_inputs(X, self.target)
        inputs.check(ready=task.ready, columns=task.columns)
        return Examples(inputs.tokens, (), inputs.place, inputs)

    def _examples(self, X: Iterable[Any], y: Iterable[Any] | None = None) -> Examples:
        read = read_inputs(X, self.target)
        labels = read_labels(read, y, self.target)
        inputs = read.in_order()
        return Examples(inputs.tokens, labels, inputs.place, inputs)

    def _task(self, recipe: TaggingRecipe, examples: Examples, stage: Stage | None = None) -> TaggingTask:
        return make_task(recipe, examples.source, examples.ys)

    def _metric(self, task: TaggingTask) -> Metric:
        return metric_of(task)

    def _check(self, task: TaggingTask, examples: Examples) -> None:
        examples.source.check(ready=task.ready, columns=task.columns)
        warn_of_unknown(examples.ys, frozenset(task.labels))

    def _goes_on(self, task: TaggingTask, examples: Examples) -> TaggingTask:
        return goes_on(task, examples.source, examples.ys)

    def _adopt(self, task: TaggingTask) -> None:
        self.labels_ = list(task.labels)

    def _extra(self, examples: Examples) -> dict[str, Any]:
        extra: dict[str, Any] = {"target": self.target}
        if examples.source.sources:
            format = examples.source.sources[0].format
            extra["format"] = {
                "name": format.name,
                "separator": format.separator,
                "columns": list(format.columns),
            }
        return extra

    @classmethod
    def _further(cls, model: Model, where: str) -> dict[str, Any]:
        target = model.about.get("target")
        if not isinstance(target, str | int | None):
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        return {"target": target}
