"""fit, predict, score, save and load, once for every task."""

from __future__ import annotations

import hashlib
import platform
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, Self

from structron.errors import DataError, ModelError, SettingError
from structron.estimators.parameters import Parameters
from structron.estimators.turns import in_turn
from structron.learners import parse_learner
from structron.model import Model, Place, numbered
from structron.reference.training import Example
from structron.search import parse_search
from structron.tasks.task import Task
from structron.training import (
    Checkpoint,
    Cluster,
    ClusterBatches,
    ClusterMixing,
    Epoch,
    Learning,
    Mixing,
    Recipe,
    Schedule,
    Serial,
    Worker,
    epochs,
)
from structron.training.checkpoints import Standing
from structron.violations import Update

Progress = Callable[[int, int, int], None]
OnEpoch = Callable[[Epoch], None]
OnWorkers = Callable[[Sequence[Worker]], None]
Metric = Callable[[Sequence[Any], Sequence[Any]], float]


@dataclass(frozen=True)
class Examples:
    """Inputs as the engine takes them, with their outputs where these are known.

    Attributes
    ----------
    xs, ys
        One each; `ys` is empty where only inputs were given.
    place
        Where an example stands, for messages.
    source
        What else the estimator found out about its input.
    """

    xs: Sequence[Any]
    ys: Sequence[Any] = ()
    place: Place = numbered
    source: Any = None

    @property
    def size(self) -> dict[str, int]:
        """How much there is, for the model's file."""
        return {"sentences": len(self.xs), "tokens": sum(map(len, self.xs))}


class Estimator(Parameters):
    """What all estimators share; a task's own says how to read, what the task is and how it is scored.

    Threads may share an estimator. Calls of `fit` and `partial_fit` wait for each other; what predicts waits
    for nobody, and uses the model that stands when it is called.

    Attributes
    ----------
    history_ : list of Epoch
    model_ : Model
    threads : int
        How many threads learn (minibatches, shards) and predict; what comes out does not depend on it, so it
        is no part of the recipe. Set it at any time.
    """

    kind: ClassVar[str]
    recipe_type: ClassVar[type[Recipe]]

    threads: int = 1

    history_: list[Epoch]
    model_: Model

    @abstractmethod
    def _examples(self, X: Iterable[Any], y: Iterable[Any] | None) -> Examples:
        """Inputs with gold outputs; with `y` None they are taken from X itself, or refused."""

    @abstractmethod
    def _inputs(self, X: Iterable[Any]) -> Examples:
        """Inputs alone, checked against the model."""

    @abstractmethod
    def _task(self, recipe: Any, examples: Examples) -> Task:
        """What these examples and this recipe ask for."""

    @abstractmethod
    def _metric(self, task: Any) -> Metric:
        """How outputs are scored: gold, then guess; higher is better."""

    def _for_training(self, examples: Examples) -> Examples:
        """The examples as they are learned from; development and test examples stay as they came."""
        return examples

    def _parts(self) -> dict[str, Model]:
        """Models that the new one needs before it, to be kept in the same file."""
        return {}

    def _check(self, task: Any, examples: Examples) -> None:
        """Refuse examples that do not fit a task made from others."""

    def _goes_on(self, task: Any, examples: Examples) -> Task:
        """The task of an earlier batch as it stands after one more."""
        self._check(task, examples)
        found: Task = task
        return found

    def _adopt(self, task: Any) -> None:
        """Set what the task shows to users as attributes, such as its labels."""

    def _forget(self) -> None:
        """Drop what was found out about earlier data."""

    def _packed(self, corpus: Any) -> None:
        """Note what became of the examples, such as how many were left out."""

    def _extra(self, examples: Examples) -> dict[str, Any]:
        """What else belongs into the model's file."""
        return {}

    def _settings(self) -> dict[str, Any]:
        """The parameters that belong to the recipe."""
        return {each.name: getattr(self, each.name) for each in fields(self.recipe_type)}

    @classmethod
    def from_recipe(cls, recipe: Recipe, **further: Any) -> Self:
        """An estimator with the settings of a recipe."""
        return cls(**recipe.as_dict(), **further)

    @property
    def recipe(self) -> Any:
        """The parameters, checked."""
        settings = self._settings()
        update = settings["update"]
        settings["search"] = str(parse_search(settings["search"]))
        settings["update"] = update.name if isinstance(update, Update) else update
        settings["learner"] = str(parse_learner(settings["learner"]))
        return self.recipe_type(**settings)

    @in_turn
    def fit(
        self,
        X: Iterable[Any],
        y: Iterable[Any] | None = None,
        dev: tuple[Iterable[Any], Iterable[Any]] | Iterable[Any] | None = None,
        *,
        on_epoch: OnEpoch | None = None,
        progress: Progress | None = None,
        checkpoint: Checkpoint | str | Path | None = None,
        resume: bool = False,
        on_workers: OnWorkers | None = None,
        cluster: Cluster | None = None,
    ) -> Self:
        """Learn from examples.

        With `dev` (a pair of X and y, or sentences from a file) the model of the best epoch is kept,
        otherwise that of the last. If training is interrupted the best model so far stays in `model_`.

        Parameters
        ----------
        on_epoch
            Called after every epoch with its figures.
        progress
            Called now and then with the epoch, the examples done and the examples in all.
        checkpoint
            A file that training is written to at every epoch, and every few minutes.
        resume
            Go on from that file if it is there: the model will be the same as if nothing had happened.
        on_workers
            Called now and then with how far each worker is, where there are several.
        cluster
            Machines to train on, see `structron.training.Cluster`; the model will be the same as without.
        """
        recipe = self.recipe
        self._forget()
        examples = self._for_training(self._examples(X, y))
        task = self._task(recipe, examples)
        learning = Learning.start(task, recipe)
        schedule = self._schedule(learning, examples, on_workers, cluster)
        score = None if dev is None else self._score_on(task, dev)
        self._adopt(task)
        self.history_ = []
        self._learning = learning
        about = self._about(recipe, examples)
        kept = None if checkpoint is None else _Kept(checkpoint, learning, about["signature"])
        standing = kept.standing() if kept is not None and resume else None
        if standing is not None and standing.best is not None:
            self.history_ = list(standing.history)
            self.model_ = Model(task, standing.best, recipe.search_choice, about, self._parts())
            self.model_.about["epochs"] = [e.record() for e in self.history_]
        try:
            for epoch, model in epochs(learning, schedule, score, progress, standing, kept):
                if epoch.best:
                    self.model_ = model
                self.history_.append(epoch)
                self.model_.about = about | {"epochs": [e.record() for e in self.history_]}
                self.model_.parts = self._parts()
                if on_epoch is not None:
                    on_epoch(epoch)
        except KeyboardInterrupt:
            if not self.history_:  # inside the first epoch: what it has learned is the best there is
                self.model_ = learning.model(about | {"epochs": []})
                self.model_.parts = self._parts()
            raise
        finally:
            schedule.close()
        return self

    def _schedule(
        self,
        learning: Learning,
        examples: Examples,
        on_workers: OnWorkers | None = None,
        cluster: Cluster | None = None,
    ) -> Schedule:
        """Who decodes what, when."""
        if cluster is not None:
            kind = ClusterMixing if learning.recipe.shards > 1 else ClusterBatches
            far = kind(learning, cluster, examples.xs, examples.ys, examples.place, on_workers)
            self._packed(far.packed)
            return far
        corpus = learning.pack(examples.xs, examples.ys, examples.place)
        self._packed(corpus)
        if learning.recipe.shards > 1:
            return Mixing(learning, corpus, self.threads, on_workers)
        return Serial(learning, corpus, self.threads)

    def _score_on(self, task: Task, dev: Any) -> Callable[[Model], float]:
        """How a model is measured on a development set."""
        examples = self._examples(*(dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)))
        if not any(map(len, examples.xs)):
            raise DataError("the development set is empty; leave dev out or give labelled sentences")
        self._check(task, examples)
        metric = self._metric(task)

        def score(model: Model) -> float:
            model.threads = self.threads
            return metric(examples.ys, model.predict(examples.xs, place=examples.place))

        return score

    def _batch(self, X: Iterable[Any], y: Iterable[Any] | None, first: Callable[[Examples], Task]) -> Self:
        """One pass over one batch, for `partial_fit`; `first` makes the task if there is none yet."""
        recipe = self.recipe.but(epochs=1)
        examples = self._for_training(self._examples(X, y))
        if hasattr(self, "_learning"):
            learning = self._learning
        elif hasattr(self, "model_"):
            learning = Learning.from_model(self.model_, recipe)
        else:
            learning = Learning.start(first(examples), recipe)
        learning.task = self._goes_on(learning.task, examples)
        history = getattr(self, "history_", [])
        # Another order for every batch, and the same whenever the same batches come.
        learning.recipe = recipe.but(seed=recipe.seed + len(history))
        schedule = self._schedule(learning, examples)
        self._learning = learning
        self._adopt(learning.task)
        for epoch, model in epochs(learning, schedule):
            self.history_ = [*history, epoch]
            self.model_ = model
            model.about = self._about(recipe, examples) | {"epochs": [e.record() for e in self.history_]}
            model.parts = self._parts()
        return self

    def spaces(self, X: Iterable[Any], y: Iterable[Any] | None = None) -> list[Example]:
        """The examples as the definition sees them, each with its oracle: what `structron.theory` takes."""
        examples = self._examples(X, y)
        task: Any = self._task(self.recipe, examples)
        return [(task.space(x), task.oracle(y)) for x, y in zip(examples.xs, examples.ys, strict=True)]

    def score(self, X: Iterable[Any], y: Iterable[Any] | None = None) -> float:
        """How good the predictions for X are, by the task's own measure."""
        model = self._fitted()
        examples = self._examples(X, y)
        self._check(model.task, examples)
        return self._metric(model.task)(examples.ys, model.predict(examples.xs, place=examples.place))

    def save(self, path: str | Path) -> None:
        """Write the model to one file."""
        self._fitted().save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model; nothing is left on disk, and nothing in the file is executed."""
        model = Model.load(path)
        if model.task.kind != cls.kind:
            raise ModelError(
                f"{path}: a model for {model.task.kind}, not for {cls.kind}; load it with what made it"
            )
        return cls.of_model(model, str(path))

    @classmethod
    def of_model(cls, model: Model, where: str) -> Self:
        """An estimator around a finished model."""
        settings = model.about.get("recipe")
        if not isinstance(settings, dict):
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        try:
            estimator = cls.from_recipe(
                cls.recipe_type.from_mapping(settings, where), **cls._further(model, where)
            )
        except SettingError:
            # Made by another version, with settings this one does not know; it can predict all the same.
            estimator = cls(**{"search": model.search} | cls._further(model, where))
        estimator.model_ = model
        estimator._adopt(model.task)
        return estimator

    @classmethod
    def _further(cls, model: Model, where: str) -> dict[str, Any]:
        """Parameters of the constructor that are no part of the recipe, from a model's file."""
        return {}

    def _fitted(self) -> Model:
        if not hasattr(self, "model_"):
            raise SettingError(f"this {type(self).__name__} has learned nothing yet; call fit or load first")
        self.model_.threads = self.threads
        return self.model_

    def _about(self, recipe: Recipe, examples: Examples) -> dict[str, Any]:
        return {
            "recipe": recipe.as_dict(),
            "signature": {
                "recipe": recipe.hash(),
                "data": checksum(examples.xs, examples.ys),
                "seed": recipe.seed,
                "version": version("structron"),
                "machine": platform.machine(),
            },
            "trained_on": examples.size,
            **self._extra(examples),
        }


class _Kept:
    """A checkpoint of this training: told where it stands, it writes when that is due."""

    def __init__(
        self, checkpoint: Checkpoint | str | Path, learning: Learning, signature: dict[str, Any]
    ) -> None:
        self.file = checkpoint if isinstance(checkpoint, Checkpoint) else Checkpoint(checkpoint)
        self.weights, self.signature = learning.weights, signature

    def standing(self) -> Standing | None:
        return self.file.read(self.weights, self.signature)

    @property
    def is_due(self) -> bool:
        return self.file.is_due

    def __call__(self, standing: Standing, epoch_is_over: bool, /) -> None:
        if epoch_is_over or self.file.is_due:
            self.file.write(self.weights, standing, self.signature)


def checksum(xs: Iterable[Sequence[Any]], ys: Iterable[Sequence[Any]]) -> str:
    """Twelve hex digits of the data, so that a number can say what it was measured on."""
    digest = hashlib.sha256()
    for x, y in zip(xs, ys):
        digest.update(repr((list(x), list(y))).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
