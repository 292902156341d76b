"""fit, predict, score, save and load, once for every task."""

from __future__ import annotations

import hashlib
import json
import platform
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from importlib.metadata import version
from numbers import Integral
from pathlib import Path
from typing import Any, ClassVar, Self

from structron.errors import DataError, ModelError, SettingError
from structron.estimators.examples import Examples
from structron.estimators.locking import exclusive
from structron.estimators.parameters import Parameters, not_fitted
from structron.learners import parse_learner
from structron.model import Model
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
    Stage,
    Worker,
    epochs,
)
from structron.training.checkpoints import Standing
from structron.violations import Update

Progress = Callable[[int, int, int], None]
OnEpoch = Callable[[Epoch], None]
OnWorkers = Callable[[Sequence[Worker]], None]
Metric = Callable[[Sequence[Any], Sequence[Any]], float]


class Estimator(Parameters):
    """What all estimators share; a task's own says how to read, what the task is and how it is scored.

    Parameters are the constructor's arguments. What was learned ends in an underscore, as scikit-learn has
    it, and no `fit` finds anything of an earlier one.

    Threads may share an estimator. Calls of `fit` and `partial_fit` wait for each other; what predicts waits
    for nobody: while a `fit` is under way it is refused until the first epoch is over.

    Attributes
    ----------
    history_ : list of Epoch
        Of a loaded model without the times, which are not in the file.
    model_ : Model
    threads : int
        How many threads learn (minibatches, shards) and predict; what comes out does not depend on it, so it
        is no part of the recipe. It may be set at any time.
    """

    kind: ClassVar[str]
    recipe_type: ClassVar[type[Recipe]]

    threads: int

    history_: list[Epoch]
    learning_: Learning
    model_: Model

    @abstractmethod
    def _examples(self, X: Iterable[Any], y: Iterable[Any] | None) -> Examples:
        """Inputs with gold outputs; with `y` None they are taken from X itself, or refused."""

    @abstractmethod
    def _inputs(self, X: Iterable[Any]) -> Examples:
        """Inputs alone, checked against the model."""

    @abstractmethod
    def _task(self, recipe: Any, examples: Examples, stage: Stage | None = None) -> Task:
        """What these examples and this recipe ask for; `stage` is told of work that takes time."""

    @abstractmethod
    def _metric(self, task: Any) -> Metric:
        """How outputs are scored: gold, then guess; higher is better."""

    def _resolved(self, recipe: Any, examples: Examples) -> Recipe:
        """The recipe with what its ``auto`` means for these examples."""
        resolved: Recipe = recipe
        return resolved

    def _for_training(self, recipe: Any, examples: Examples, stage: Stage | None = None) -> Examples:
        """The examples as they are learned from."""
        return examples

    def _seen(self, examples: Examples) -> Examples:
        """Development and test examples as the model sees them."""
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
        """Drop all that was learned."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

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

    @exclusive
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
        on_stage: Stage | None = None,
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
            Go on from that file if it is there: the model will be the same as if nothing had happened. More
            epochs than before are a continuation; all other settings, and the data, must be the same.
        on_workers
            Called now and then with how far each worker is, where there are several.
        on_stage
            Called now and then before the first epoch with what is being done (taggers of a parser, alignment
            of a transducer), how much of it is done, and how much there is.
        cluster
            Machines to train on, see `structron.training.Cluster`; the model will be the same as without.
        """
        recipe = self.recipe
        self._check_threads()
        self._forget()
        # All data are read before anything is learned: a fault in the last of them should not come late.
        given = self._examples(X, y)
        held_out = None if dev is None else self._held_out(dev)
        resolved = self._resolved(recipe, given)
        examples = self._for_training(resolved, given, on_stage)
        task = self._task(resolved, examples, on_stage)
        learning = Learning.start(task, resolved)
        schedule = self._schedule(learning, examples, on_workers, cluster)
        score = None if held_out is None else self._score_on(task, held_out)
        self._adopt(task)
        self.history_ = []
        self.learning_ = learning
        about = self._about(recipe, examples)
        kept = None
        if checkpoint is not None:
            kept = _Kept(checkpoint, learning, self._origin(recipe, about["signature"], held_out))
        standing = kept.standing(schedule.examples) if kept is not None and resume else None
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

    def _held_out(self, dev: Any) -> Examples:
        """The examples of a development set."""
        examples = self._examples(*(dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)))
        if not any(map(len, examples.xs)):
            raise DataError("the development set is empty; leave dev out or give labelled sentences")
        return examples

    def _score_on(self, task: Task, held_out: Examples) -> Callable[[Model], float]:
        """How a model is measured on a development set."""
        examples = self._seen(held_out)
        self._check(task, examples)
        metric = self._metric(task)

        def score(model: Model) -> float:
            model.threads = self.threads
            return metric(examples.ys, model.predict(examples.xs, place=examples.place))

        return score

    def _batch(
        self, X: Iterable[Any], y: Iterable[Any] | None, first: Callable[[Any, Examples], Task]
    ) -> Self:
        """One pass over one batch, for `partial_fit`; `first` makes the task if there is none yet."""
        recipe = self.recipe.but(epochs=1)
        self._check_threads()
        given = self._examples(X, y)
        resolved = self._resolved(recipe, given)
        examples = self._for_training(resolved, given)
        if hasattr(self, "learning_"):
            learning = self.learning_
        elif hasattr(self, "model_"):
            learning = Learning.from_model(self.model_, resolved)
        else:
            learning = Learning.start(first(resolved, examples), resolved)
        learning.task = self._goes_on(learning.task, examples)
        history = getattr(self, "history_", [])
        # Another order for every batch, and the same whenever the same batches come.
        learning.recipe = resolved.but(seed=recipe.seed + len(history))
        schedule = self._schedule(learning, examples)
        self.learning_ = learning
        self._adopt(learning.task)
        for epoch, model in epochs(learning, schedule):
            self.history_ = [*history, epoch]
            self.model_ = model
            model.about = self._about(recipe, examples) | {"epochs": [e.record() for e in self.history_]}
            model.parts = self._parts()
        return self

    def spaces(self, X: Iterable[Any], y: Iterable[Any] | None = None) -> list[Example]:
        """The examples as the definition sees them, each with its oracle: what `structron.theory` takes."""
        # Asking changes nothing: another estimator with these parameters looks at the data.
        fresh = type(self)(**self.get_params())
        given = fresh._examples(X, y)
        recipe = fresh._resolved(self.recipe, given)
        examples = fresh._for_training(recipe, given)
        return fresh._spaces(recipe, fresh._task(recipe, examples), examples)

    def _spaces(self, recipe: Any, task: Any, examples: Examples) -> list[Example]:
        """Each example's space and oracle."""
        return [(task.space(x), task.oracle(y)) for x, y in zip(examples.xs, examples.ys, strict=True)]

    def score(self, X: Iterable[Any], y: Iterable[Any] | None = None) -> float:
        """How good the predictions for X are, by the task's own measure."""
        model = self._fitted()
        examples = self._seen(self._examples(X, y))
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
        estimator.history_ = history(model)
        estimator._adopt(model.task)
        return estimator

    @classmethod
    def _further(cls, model: Model, where: str) -> dict[str, Any]:
        """Parameters of the constructor that are no part of the recipe, from a model's file."""
        return {}

    def _fitted(self) -> Model:
        model: Model = self._learned("model_")
        self._check_threads()
        model.threads = self.threads
        return model

    def _learned(self, name: str) -> Any:
        """Something that was learned; asked for once, since another thread may begin to fit."""
        learned = vars(self).get(name)
        if learned is None:
            raise not_fitted(f"this {type(self).__name__} has learned nothing yet; call fit or load first")
        return learned

    def _check_threads(self) -> None:
        if not isinstance(self.threads, Integral) or isinstance(self.threads, bool) or self.threads < 1:
            raise SettingError(f"threads = {self.threads!r} is not possible; give a whole number from 1")
        self.threads = int(self.threads)

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

    def _origin(self, recipe: Recipe, signature: dict[str, Any], held_out: Examples | None) -> dict[str, Any]:
        """All that a training is made of: what must be the same for another to go on from its checkpoint."""
        settings = self.get_params() | recipe.as_dict()
        settings.pop("threads", None)  # no byte depends on it
        return {
            "settings": json.loads(json.dumps(settings, default=str)),
            "training data": signature["data"],
            "development data": None if held_out is None else checksum(held_out.xs, held_out.ys),
            "version of structron": signature["version"],
            "processors": signature["machine"],
        }


class _Kept:
    """A checkpoint of this training: told where it stands, it writes when that is due."""

    def __init__(
        self, checkpoint: Checkpoint | str | Path, learning: Learning, origin: dict[str, Any]
    ) -> None:
        self.file = checkpoint if isinstance(checkpoint, Checkpoint) else Checkpoint(checkpoint)
        self.weights, self.origin = learning.weights, origin

    def standing(self, examples: int) -> Standing | None:
        return self.file.read(self.weights, self.origin, examples)

    @property
    def is_due(self) -> bool:
        return self.file.is_due

    def __call__(self, standing: Standing, epoch_is_over: bool, /) -> None:
        if epoch_is_over or self.file.is_due:
            self.file.write(self.weights, standing, self.origin)


def history(model: Model) -> list[Epoch]:
    """The epochs that a model's file tells of."""
    return [Epoch.from_record(record) for record in model.about.get("epochs", [])]


def checksum(xs: Iterable[Sequence[Any]], ys: Iterable[Sequence[Any]]) -> str:
    """Twelve hex digits of the data, so that a number can say what it was measured on."""
    digest = hashlib.sha256()
    for x, y in zip(xs, ys):
        digest.update(repr((list(x), list(y))).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
