"""fit, predict, score, save and load, once for every task."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from numbers import Integral
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeGuard, TypeVar, overload

import numpy as np
import numpy.typing as npt

from structron.errors import DataError, ModelError, SettingError
from structron.estimators.examples import Examples, as_given
from structron.estimators.fitted import FindingsT, Fitted, Plan, RecipeT, SourceT
from structron.estimators.locking import exclusive
from structron.estimators.parameters import Parameters, not_fitted
from structron.estimators.signature import origin_of, signature_of
from structron.learners import parse_learner
from structron.model import Model, TaskT
from structron.reference.training import Example
from structron.search import parse_search
from structron.tasks.task import Task
from structron.training import (
    Checkpoint,
    CheckpointWriter,
    Cluster,
    ClusterBatches,
    ClusterMixing,
    Epoch,
    Learning,
    Mixing,
    Packed,
    Progress,
    Recipe,
    Schedule,
    Serial,
    Stage,
    Watch,
    epochs,
)
from structron.violations import Update

OutputT = TypeVar("OutputT")
Dev = tuple[Iterable[object], Iterable[object]] | Iterable[object]
OnEpoch = Callable[[Epoch], None]
Metric = Callable[[Sequence[Any], Sequence[Any]], float]


class Estimator(Parameters, Generic[TaskT, RecipeT, SourceT, FindingsT, OutputT]):
    """What all estimators share; a task's own says how to read, what the task is and how it is scored.

    Parameters are the constructor's arguments. What was learned ends in an underscore, as scikit-learn has
    it, and is read from one `Fitted` object; no `fit` uses anything of an earlier one.

    It is generic in its task and recipe; in what reading leaves beside the examples (`SourceT`); in what it
    finds out about its data and keeps (`FindingsT`); and in what it predicts for one input (`OutputT`).

    Threads may share an estimator. Calls of `fit` and `partial_fit` wait for each other; what predicts waits
    for nobody: while a `fit` is under way it uses what was learned before, until the first epoch is over.

    Attributes
    ----------
    labels_ : list of str
        All that can be predicted for one part of an input.
    history_ : list of Epoch
        Of a loaded model without the times, which are not in the file.
    model_ : Model
    threads : int
        How many threads learn (minibatches, shards) and predict; what comes out does not depend on it, so it
        is no part of the recipe. It may be set at any time.
    """

    kind: ClassVar[str]
    recipe_type: type[RecipeT]

    threads: int

    _fitted: Fitted[TaskT, FindingsT] | None = None

    # ------------------------------------------------------------------------------ what a task's own says

    @abstractmethod
    def _examples(
        self, X: Iterable[object], y: Iterable[object] | None, findings: FindingsT | None
    ) -> Examples[SourceT]:
        """Inputs with gold outputs; with `y` None they are taken from X itself, or refused.

        With `findings` they are read as those of an earlier fit were.
        """

    @abstractmethod
    def _inputs(self, X: Iterable[object], fitted: Fitted[TaskT, FindingsT]) -> Examples[SourceT]:
        """Inputs alone, checked against the model, as the model sees them."""

    @abstractmethod
    def _plan(
        self,
        recipe: RecipeT,
        given: Examples[SourceT],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
    ) -> Plan[TaskT, RecipeT, SourceT, FindingsT]:
        """What these examples and this recipe ask for.

        `stage` is notified of work that takes time; `classes` are labels that may come later.
        """

    @abstractmethod
    def _next_plan(
        self, recipe: RecipeT, given: Examples[SourceT], fitted: Fitted[TaskT, FindingsT]
    ) -> Plan[TaskT, RecipeT, SourceT, FindingsT]:
        """The same for one more batch; what does not fit the task of the earlier ones is refused."""

    @abstractmethod
    def _metric(self, task: TaskT) -> Metric:
        """How outputs are scored: gold, then guess; higher is better."""

    @abstractmethod
    def _labels(self, task: TaskT) -> list[str]:
        """All that can be predicted for one part of an input."""

    @abstractmethod
    def _output(self, found: Any, findings: FindingsT) -> OutputT:
        """What the engine predicts for one input, as users get it."""

    @abstractmethod
    def _about(self, examples: Examples[SourceT], findings: FindingsT) -> dict[str, object]:
        """What only this task's models say of their making."""

    @classmethod
    @abstractmethod
    def _findings_of(cls, model: Model[TaskT], where: str) -> FindingsT:
        """The findings, from what a model says of its making."""

    def _first_findings(self, given: Examples[SourceT]) -> FindingsT | None:
        """What decides how development data are read, if the training data do."""
        return None

    def _seen(self, examples: Examples[SourceT], findings: FindingsT) -> Examples[SourceT]:
        """Development and test examples as the model sees them."""
        return examples

    def _check(self, task: TaskT, examples: Examples[SourceT]) -> None:
        """Refuse examples that do not fit a task made from others."""

    def _packed(self, findings: FindingsT, packed: Packed) -> FindingsT:
        """The findings, with what became of the examples, such as how many were left out."""
        return findings

    def _parts(self, findings: FindingsT) -> dict[str, Model[Task]]:
        """Models that the new one needs before it, to be kept in the same file."""
        return {}

    @abstractmethod
    def _spaces(self, plan: Plan[TaskT, RecipeT, SourceT, FindingsT]) -> list[Example]:
        """Each example's search space and oracle."""

    def _settings(self) -> dict[str, Any]:
        """The parameters that belong to the recipe."""
        return {each.name: getattr(self, each.name) for each in fields(self.recipe_type)}

    @classmethod
    def _extra_parameters(cls, model: Model[TaskT], where: str) -> dict[str, object]:
        """Parameters of the constructor that are no part of the recipe, from a model's file."""
        return {}

    # ------------------------------------------------------------------------------------- what was learned

    @property
    def model_(self) -> Model[TaskT]:
        """The best model so far."""
        return self._learned().model

    @property
    def history_(self) -> list[Epoch]:
        """The epochs that are over."""
        return self._learned().history

    @property
    def labels_(self) -> list[str]:
        """All that can be predicted for one part of an input."""
        return self._labels(self._learned().model.task)

    @property
    def learning_(self) -> Learning[TaskT]:
        """The weights as training left them."""
        learning = self._learned().learning
        if learning is None:
            raise not_fitted("a loaded model has no weights of a training; call fit or partial_fit first")
        return learning

    def _learned(self) -> Fitted[TaskT, FindingsT]:
        """What was learned; asked for once in every method, since another thread may replace it."""
        fitted = self._fitted
        if fitted is None:
            raise not_fitted(f"this {type(self).__name__} has learned nothing yet; call fit or load first")
        return fitted

    def _ready(self) -> Fitted[TaskT, FindingsT]:
        """The same, to predict with as many threads as are set."""
        fitted = self._learned()
        self._check_threads()
        fitted.model.threads = self.threads
        return fitted

    # -------------------------------------------------------------------------------------------- learning

    @classmethod
    def from_recipe(cls, recipe: Recipe, **extra: object) -> Self:
        """An estimator with the settings of a recipe."""
        return cls(**recipe.as_dict(), **extra)

    @property
    def recipe(self) -> RecipeT:
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
        X: Iterable[object],
        y: Iterable[object] | None = None,
        dev: Dev | None = None,
        *,
        on_epoch: OnEpoch | None = None,
        progress: Progress | None = None,
        checkpoint: Checkpoint | str | Path | None = None,
        resume: bool = False,
        on_workers: Watch | None = None,
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
            Continue from that file if it exists: the model will be the same as without the interruption. More
            epochs than before extend the training; all other settings, and the data, must be the same.
        on_workers
            Called now and then with how far each worker is, where there are several.
        on_stage
            Called now and then before the first epoch with what is being done (such as an alignment), how
            much of it is done, and how much there is.
        cluster
            Machines to train on, see `structron.training.Cluster`; the model will be the same as without.
        """
        recipe = self.recipe
        self._check_threads()
        # All data are read before anything is learned: an error in the last of them should not come late.
        given = self._examples(X, y, None)
        held_out = None if dev is None else self._held_out(dev, self._first_findings(given))
        plan = self._plan(recipe, given, on_stage)
        learning = Learning.start(plan.task, plan.recipe)
        schedule = self._schedule(learning, plan.examples, on_workers, cluster)
        try:
            plan = replace(plan, findings=self._packed(plan.findings, schedule.packed))
            score = None if held_out is None else self._score_on(plan, held_out)
            about = self._made_from(recipe, plan)
            writer = None
            if checkpoint is not None:
                settings = self.get_params() | recipe.as_dict()
                origin = origin_of(settings, about["signature"], held_out)
                writer = CheckpointWriter(checkpoint, learning.weights, origin)
            state = writer.read(schedule.examples) if writer is not None and resume else None
            history = [] if state is None else list(state.history)
            best = None
            if state is not None and state.best is not None:
                best = Model(plan.task, state.best, recipe.search_choice)
                self._publish(best, history, plan, about, learning)
            try:
                for epoch, model in epochs(learning, schedule, score, progress, state, writer):
                    best = model if best is None or epoch.best else best
                    history = [*history, epoch]
                    self._publish(best, history, plan, about, learning)
                    if on_epoch is not None:
                        on_epoch(epoch)
            except KeyboardInterrupt:
                if not history:  # inside the first epoch: what it has learned is the best there is
                    self._publish(learning.model(), history, plan, about, learning)
                raise
        finally:
            schedule.close()
        return self

    def _publish(
        self,
        model: Model[TaskT],
        history: list[Epoch],
        plan: Plan[TaskT, RecipeT, SourceT, FindingsT],
        about: dict[str, Any],
        learning: Learning[TaskT],
    ) -> None:
        """Replace what was learned before."""
        model.about = about | {"epochs": [epoch.record() for epoch in history]}
        model.parts = self._parts(plan.findings)
        self._fitted = Fitted(model, history, plan.findings, learning)

    def _schedule(
        self,
        learning: Learning[TaskT],
        examples: Examples[SourceT],
        on_workers: Watch | None = None,
        cluster: Cluster | None = None,
    ) -> Schedule:
        """Who decodes what, when."""
        if cluster is not None:
            kind = ClusterMixing if learning.recipe.shards > 1 else ClusterBatches
            return kind(learning, cluster, examples.xs, examples.ys, examples.place, on_workers)
        corpus = learning.pack(examples.xs, examples.ys, examples.place)
        if learning.recipe.shards > 1:
            return Mixing(learning, corpus, self.threads, on_workers)
        return Serial(learning, corpus, self.threads)

    def _held_out(self, dev: Dev, findings: FindingsT | None) -> Examples[SourceT]:
        """The examples of a development set."""
        X, y = dev if _is_pair(dev) else (dev, None)
        examples = self._examples(X, y, findings)
        if not any(map(len, examples.xs)):
            raise DataError("the development set is empty; leave dev out or give labelled sentences")
        return examples

    def _score_on(
        self, plan: Plan[TaskT, RecipeT, SourceT, FindingsT], held_out: Examples[SourceT]
    ) -> Callable[[Model[TaskT]], float]:
        """How a model is measured on a development set."""
        examples = self._seen(held_out, plan.findings)
        self._check(plan.task, examples)
        metric = self._metric(plan.task)

        def score(model: Model[TaskT]) -> float:
            model.threads = self.threads
            return metric(examples.ys, model.predict(examples.xs, place=examples.place))

        return score

    def _batch(
        self,
        X: Iterable[object],
        y: Iterable[object] | None,
        first: Callable[[RecipeT, Examples[SourceT]], Plan[TaskT, RecipeT, SourceT, FindingsT]],
    ) -> Self:
        """One pass over one batch, for `partial_fit`; `first` makes the plan if there is no model yet."""
        recipe = self.recipe.but(epochs=1)
        self._check_threads()
        fitted = self._fitted
        given = self._examples(X, y, None if fitted is None else fitted.findings)
        if fitted is None:
            history = []
            plan = first(recipe, given)
            learning = Learning.start(plan.task, plan.recipe)
        else:
            history = fitted.history
            plan = self._next_plan(recipe, given, fitted)
            before = fitted.learning or Learning.from_model(fitted.model, plan.recipe)
            learning = before.continued(plan.task, plan.recipe)
        # Another order for every batch, and the same whenever the same batches come.
        learning.recipe = learning.recipe.but(seed=recipe.seed + len(history))
        schedule = self._schedule(learning, plan.examples)
        plan = replace(plan, findings=self._packed(plan.findings, schedule.packed))
        about = self._made_from(recipe, plan)
        for epoch, model in epochs(learning, schedule):
            self._publish(model, [*history, epoch], plan, about, learning)
        return self

    def _made_from(self, recipe: RecipeT, plan: Plan[TaskT, RecipeT, SourceT, FindingsT]) -> dict[str, Any]:
        """What a model says of its making."""
        return {
            "recipe": recipe.as_dict(),
            "signature": signature_of(recipe, plan.examples),
            "trained_on": plan.examples.size,
            **self._about(plan.examples, plan.findings),
        }

    def spaces(self, X: Iterable[object], y: Iterable[object] | None = None) -> list[Example]:
        """The examples as the definition sees them, each with its oracle: what `structron.theory` takes."""
        return self._spaces(self._plan(self.recipe, self._examples(X, y, None)))

    # ------------------------------------------------------------------------------------------ predicting

    @overload
    def predict(self, X: npt.NDArray[Any]) -> npt.NDArray[np.object_]: ...  # type: ignore[overload-overlap]
    @overload
    def predict(self, X: Iterable[object]) -> list[OutputT]: ...
    def predict(self, X: Iterable[object]) -> list[OutputT] | npt.NDArray[np.object_]:
        """The best output for every input that the search finds: a list, or for an array an array."""
        fitted = self._ready()
        inputs = self._inputs(X, fitted)
        found = fitted.model.predict(inputs.xs, place=inputs.place)
        return as_given(X, [self._output(each, fitted.findings) for each in found])

    def predict_kbest(self, X: Iterable[object], k: int) -> list[list[tuple[OutputT, float]]]:
        """The `k` best different outputs for every input with their scores, best first.

        Of all outputs if the search is exact, otherwise of those in the last beam (so at most its width).
        """
        fitted = self._ready()
        return self._kbest(self._inputs(X, fitted), k, fitted)

    def _kbest(
        self, inputs: Examples[SourceT], k: int, fitted: Fitted[TaskT, FindingsT]
    ) -> list[list[tuple[OutputT, float]]]:
        found = fitted.model.kbest(inputs.xs, k, place=inputs.place)
        return [[(self._output(each, fitted.findings), score) for each, score in best] for best in found]

    def score(self, X: Iterable[object], y: Iterable[object] | None = None) -> float:
        """How good the predictions for X are, by the task's own measure."""
        fitted = self._ready()
        model = fitted.model
        examples = self._seen(self._examples(X, y, fitted.findings), fitted.findings)
        self._check(model.task, examples)
        return self._metric(model.task)(examples.ys, model.predict(examples.xs, place=examples.place))

    # -------------------------------------------------------------------------------------------- one file

    def save(self, path: str | Path) -> None:
        """Write the model to one file."""
        self._learned().model.save(path)

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
    def of_model(cls, model: Model[TaskT], where: str) -> Self:
        """An estimator around a finished model."""
        settings = model.about.get("recipe")
        if not isinstance(settings, dict):
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        extra = cls._extra_parameters(model, where)
        try:
            estimator = cls.from_recipe(cls.recipe_type.from_mapping(settings, where), **extra)
        except SettingError:
            # Made by another version, with settings this one does not know; it can predict all the same.
            estimator = cls(**{"search": model.search} | extra)
        history = [Epoch.from_record(record) for record in model.about.get("epochs", [])]
        estimator._fitted = Fitted(model, history, cls._findings_of(model, where))
        return estimator

    def _check_threads(self) -> None:
        if not isinstance(self.threads, Integral) or isinstance(self.threads, bool) or self.threads < 1:
            raise SettingError(f"threads = {self.threads!r} is not possible; give a whole number from 1")
        self.threads = int(self.threads)


def _is_pair(dev: Dev) -> TypeGuard[tuple[Iterable[object], Iterable[object]]]:
    """Whether these are inputs with their outputs, and not inputs alone."""
    return isinstance(dev, tuple) and len(dev) == 2


# One of any task, where the command line cannot know which.
AnyEstimator = Estimator[Any, Any, Any, Any, Any]
