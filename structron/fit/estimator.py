"""fit and partial_fit, once for every task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from structron.fit.data.examples import either
from structron.fit.parameters import exclusive
from structron.fit.predictor import Predictor
from structron.fit.problem import (
    ALL,
    BATCH,
    Context,
    FindingsT,
    Fitted,
    OutputT,
    Plan,
    Problem,
    RecipeT,
    SourceT,
    Step,
    run_steps,
    with_packed,
)
from structron.model import Model, TaskT

if TYPE_CHECKING:
    from structron.fit.checkpoints.checkpoints import Checkpoint
    from structron.fit.cluster.cluster import Cluster
    from structron.fit.correcting.correction import Correction
    from structron.fit.correcting.kept import Kept
    from structron.fit.data.examples import Examples
    from structron.fit.epoch import Epoch
    from structron.fit.learning import Learning, Packed
    from structron.fit.online import Online
    from structron.fit.preparation import Dev
    from structron.fit.schedules.schedule import Progress, Schedule, Stage, Watch
    from structron.fit.streaming.examples import Stream
    from structron.fit.training import OnEpoch
    from structron.reference.sequence.training import Example


class Estimator(Predictor[TaskT, RecipeT, SourceT, FindingsT, OutputT]):
    """The base of all estimators; its `Problem` holds what differs from task to task.

    Parameters are the constructor's arguments. What was learned ends in an underscore, as scikit-learn has
    it, and is read from one `Fitted` object; no `fit` uses anything of an earlier one.

    Threads may share an estimator. Calls of `fit` and `partial_fit` wait for each other; what predicts
    does not wait: while a `fit` is under way it uses what was learned before, until the first epoch is over.
    """

    def _settings(self) -> dict[str, Any]:
        """The parameters that belong to the recipe."""
        return {each.name: getattr(self, each.name) for each in fields(self.recipe_type)}

    # -------------------------------------------------------------------------------------------- learning

    @property
    def recipe(self) -> RecipeT:
        """The parameters, checked."""
        return self.recipe_type(**self._settings())

    def steps(self) -> list[Step]:
        """Return the steps of `fit` before the first epoch, in order."""
        return self.problem.steps(self.recipe)

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
        calibrate: bool = False,
        stream: Stream | str | Path | None = None,
    ) -> Self:
        """Learn from examples.

        With `dev` (a pair of X and y, or sentences from a file) the model of the best epoch is kept,
        otherwise that of the last. If training is interrupted the best model so far stays in `model_`.

        Parameters
        ----------
        on_epoch
            Called after every epoch with its figures.
        progress
            Called from time to time with the epoch, the examples done and the examples in all.
        checkpoint
            A file that training is written to at every epoch, and every few minutes.
        resume
            Continue from that file if it exists: the model will be the same as without the interruption. More
            epochs than before extend the training; all other settings, and the data, must be the same.
        on_workers
            Called from time to time with how far each worker is, where there are several.
        on_stage
            Called from time to time before the first epoch with the work under way (such as an
            alignment), how much of it is done, and how much there is.
        cluster
            Machines to train on, see `structron.fit.Cluster`; the model will be the same as without.
        calibrate
            Learn from `dev` also what margins mean, so that `predict_confidence` can tell.
        stream
            A folder to pack the data into, once, which are then `structron.io.Files`, or names of files: of
            these no more than a part is in memory at any time. The model is the one that the same data in
            memory give with the same `block`, which is 16,384 if nothing else is said. On a cluster every
            worker reads files of its own and holds what they say; shards are of whole files then, as they are
            of `Files` in memory.
        """
        from structron.fit.preparation import Data, prepare
        from structron.fit.training import train

        data = Data.of(X, y, dev, twice=calibrate, stream=stream)
        prepared = prepare(self, data, checkpoint, resume, on_stage, cluster)
        train(self, prepared, on_epoch, progress, on_workers, cluster)
        if calibrate:
            self.calibrate(*data.dev_pair())
        return self

    def _publish(
        self,
        model: Model[TaskT],
        history: list[Epoch],
        plan: Plan[TaskT, RecipeT, SourceT, FindingsT],
        about: dict[str, Any],
        learning: Learning[TaskT] | None,
    ) -> None:
        """Replace what was learned before, by one assignment."""
        model.about = about | {"epochs": [epoch.record() for epoch in history]}
        if getattr(plan.recipe, "dictionary_file", "none") != "none" and "entries" not in about:
            from structron.fit.data.dictionary_file import entries_of_recipe

            model.about["entries"] = entries_of_recipe(plan.recipe).record()
        model.parts = self.problem.parts(plan.findings)
        self._fitted = Fitted(model, history, plan.findings, learning)

    def _schedule(
        self,
        learning: Learning[TaskT],
        examples: Examples[SourceT],
        on_workers: Watch | None = None,
        cluster: Cluster | None = None,
    ) -> Schedule:
        """Return the schedule: who decodes what, and when."""
        from structron.fit.schedules.choice import schedule_of

        if cluster is not None:
            examples = self.problem.remote(learning.task, examples)
        return schedule_of(learning, examples, self.threads, on_workers, cluster)

    # ----------------------------------------------------------------------------------------- batch by batch

    @exclusive
    def partial_fit(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        classes: Sequence[str] | None = None,
        *,
        labels: Sequence[str] | None = None,
        new_labels: bool = False,
    ) -> Self:
        """Learn from one batch in one pass; call it again with the next, from a generator or a long file.

        Parameters
        ----------
        classes, labels
            All labels that will ever come, needed on the first call unless the first batch has them all; the
            first name is scikit-learn's.
        new_labels
            Learn labels and relations that this batch is the first to have; otherwise they are refused.
        """
        self._refuse_batches()
        return self._batch(X, y, either(classes, labels), new_labels=new_labels)

    def _refuse_batches(self) -> None:
        """Refuse a first batch where all data are needed before learning begins."""

    def _batch(
        self,
        X: Iterable[object],
        y: Iterable[object] | None,
        classes: Sequence[str] | None = None,
        problem: Problem[TaskT, RecipeT, SourceT, FindingsT, OutputT] | None = None,
        new_labels: bool = False,
    ) -> Self:
        """One pass over one batch, for `partial_fit`.

        `classes` are the labels that were announced with it, `problem` is another than the usual one.
        """
        from structron.fit.data.inputs import check_classes
        from structron.fit.online import Online

        if classes is not None:
            check_classes(classes, None if self._fitted is None else self.labels_)
        online = Online(self, classes, problem, new_labels)
        online.learn(X, y)
        online.publish()
        return self

    def online(self, labels: Sequence[str]) -> Online:
        """Learning in small batches, with a model only where it is asked for, see `Online.publish`.

        Parameters
        ----------
        labels
            All that will ever come, as for `partial_fit`.
        """
        from structron.fit.online import Online

        self._refuse_batches()
        return Online(self, labels)

    # ------------------------------------------------------------------------------------------ corrections

    @exclusive
    def correct(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        keep: Kept | Dev | None = None,
        *,
        margin: float | None = None,
        dry_run: bool = False,
        new_labels: bool = False,
    ) -> Correction:
        """Make the smallest change of the weights after which these examples are predicted right.

        Returns
        -------
        What became of each example (`Correction.outcomes`), what else changed among those that were kept
        (`Correction.moved`), and the change itself. The estimator predicts with it from now on; `undo` takes
        it back.

        Parameters
        ----------
        X, y
            The examples as they should be, as `fit` takes them; one is enough.
        keep
            What was right among these must stay right: data as `fit` takes them for `dev`, or what `keeping`
            has made of them, which saves time where corrections follow one another. None keeps what the
            model remembers, if it was trained with ``memory``.
        margin
            How far what is right must be ahead of all else, for each wrong decision; by default a twentieth
            of the margin that training asked for.
        dry_run
            Only tell what would happen.
        new_labels
            Learn labels and relations of these examples that the model does not have; otherwise such an
            example cannot hold.
        """
        from structron.fit.correcting.estimating import correct

        return correct(self, X, y, keep, margin, dry_run, new_labels)

    def keeping(self, X: Iterable[object], y: Iterable[object] | None = None) -> Kept:
        """Return labelled data ready to be kept by `correct`: read and decoded once."""
        from structron.fit.correcting.estimating import keeping

        return keeping(self, X, y)

    @exclusive
    def undo(self) -> dict[str, Any]:
        """Take the last correction back; the model's bytes are those of before. Return what it was."""
        from structron.fit.correcting.estimating import undo

        return undo(self)

    # ------------------------------------------------------------------------------------------ step by step

    def spaces(self, X: Iterable[object], y: Iterable[object] | None = None) -> list[Example]:
        """The examples as the definition sees them, each with its oracle: what `structron.theory` takes."""
        return self.problem.spaces(self.plan(X, y))

    def plan(
        self, X: Iterable[object], y: Iterable[object] | None = None
    ) -> Plan[TaskT, RecipeT, SourceT, FindingsT]:
        """Return what `fit` would learn, for those who train step by step themselves."""
        recipe, problem = self.recipe, self.problem
        start: Plan[TaskT, RecipeT, SourceT, FindingsT] = Plan.of(recipe, problem.read(X, y))
        plan: Plan[TaskT, RecipeT, SourceT, FindingsT] = run_steps(
            problem.steps(recipe), start, Context(recipe), BATCH, ALL
        )
        return plan

    def finished(
        self, plan: Plan[TaskT, RecipeT, SourceT, FindingsT], learning: Learning[TaskT], packed: Packed
    ) -> Self:
        """Return an estimator with what such a training has learned; `plan` is where it began."""
        from structron.fit.data.signature import made_from, signature_of

        plan = with_packed(self.problem, plan, packed)
        signature = signature_of(plan.recipe, plan.examples, plan.task)
        own = type(self)(**self.get_params())
        own._publish(learning.model(), [], plan, made_from(self.problem, self.recipe, plan, signature), None)
        return own


# One of any task, where the command line cannot know which.
AnyEstimator = Estimator[Any, Any, Any, Any, Any]
