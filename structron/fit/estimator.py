"""fit and partial_fit, once for every task."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeGuard

from structron import fit as training
from structron.errors import DataError, SettingError
from structron.fit.fitted import FindingsT, Fitted, Plan, RecipeT, SourceT
from structron.fit.locks import exclusive
from structron.fit.predictor import OutputT, Predictor
from structron.model import Model, TaskT
from structron.settings import by_first_names

if TYPE_CHECKING:
    from structron.fit import (
        Checkpoint,
        Cluster,
        Epoch,
        Finish,
        Learning,
        Packed,
        Preparation,
        Progress,
        Recipe,
        Schedule,
        Stage,
        Watch,
    )
    from structron.fit.examples import Examples
    from structron.fit.online import Online
    from structron.fit.streaming.examples import Stream, StreamedExamples
    from structron.fit.trials.trials import Chosen
    from structron.io.files.training_files import Files
    from structron.reference.sequence.training import Example
    from structron.task import Task

Dev = tuple[Iterable[object], Iterable[object]] | Iterable[object]
OnEpoch = Callable[["Epoch"], None]


class Estimator(Predictor[TaskT, RecipeT, SourceT, FindingsT, OutputT]):
    """What all estimators share; a task's own says how to read, what the task is and how it is scored.

    Parameters are the constructor's arguments. What was learned ends in an underscore, as scikit-learn has
    it, and is read from one `Fitted` object; no `fit` uses anything of an earlier one.

    Threads may share an estimator. Calls of `fit` and `partial_fit` wait for each other; what predicts
    does not wait: while a `fit` is under way it uses what was learned before, until the first epoch is over.
    """

    # ------------------------------------------------------------------------------ what a task's own says

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
    def _about(self, examples: Examples[SourceT], findings: FindingsT) -> dict[str, object]:
        """What only this task's models say of their making."""

    def _streamed(self, files: Files, stream: Stream, stage: Stage | None) -> StreamedExamples[SourceT]:
        """The examples of files that are packed in a folder and never all in memory, for a task that can."""
        raise SettingError(f"stream: {self.kind} is learned from data in memory; leave stream out")

    def _first_findings(self, given: Examples[SourceT]) -> FindingsT | None:
        """What decides how development data are read, if the training data do."""
        return None

    def _shared(
        self, recipe: RecipeT, given: Examples[SourceT], held_out: Examples[SourceT]
    ) -> Examples[SourceT]:
        """The training data without what the development set shows to be of no use."""
        return given

    def _tuned(
        self,
        plan: Plan[TaskT, RecipeT, SourceT, FindingsT],
        held_out: Examples[SourceT] | None,
        stage: Stage | None,
        preparation: Preparation,
    ) -> Plan[TaskT, RecipeT, SourceT, FindingsT]:
        """The plan, with what development data settle before the first epoch.

        What takes long is kept in `preparation` step by step, and taken from there if it is known.
        """
        return plan

    def _finish(
        self, plan: Plan[TaskT, RecipeT, SourceT, FindingsT], held_out: Examples[SourceT] | None
    ) -> Finish[TaskT] | None:
        """What makes the model of an epoch of what was learned so far, if that is not a model yet."""
        return None

    def _keeps_start(self, plan: Plan[TaskT, RecipeT, SourceT, FindingsT]) -> bool:
        """Whether what training starts from is a model that no epoch needs to beat."""
        return False

    def _settled(
        self,
        plan: Plan[TaskT, RecipeT, SourceT, FindingsT],
        held_out: Examples[SourceT] | None,
        stage: Stage | None,
    ) -> Plan[TaskT, RecipeT, SourceT, FindingsT]:
        """What is kept where no epoch was better than the start."""
        return plan

    def _packed(self, findings: FindingsT, packed: Packed) -> FindingsT:
        """The findings, with what became of the examples, such as how many were left out."""
        return findings

    def _parts(self, findings: FindingsT) -> dict[str, Model[Task]]:
        """Models that the new one needs before it, to be kept in the same file."""
        return {}

    @abstractmethod
    def _spaces(self, plan: Plan[TaskT, RecipeT, SourceT, FindingsT]) -> list[Example]:
        """Each example's search space and oracle."""

    def _space(self, recipe: RecipeT, given: Examples[SourceT]) -> dict[str, list[Any]]:
        """By setting that is ``auto``, what else it might be than what the data say, which comes first."""
        return {}

    def _in_trials(self) -> dict[str, Any]:
        """Parameters that are others in trials: what takes time and has no say in them."""
        return {"trials": 0}

    def _settings(self) -> dict[str, Any]:
        """The parameters that belong to the recipe."""
        return {each.name: getattr(self, each.name) for each in fields(self.recipe_type)}

    # -------------------------------------------------------------------------------------------- learning

    @property
    def recipe(self) -> RecipeT:
        """The parameters, checked."""
        return self.recipe_type(**self._settings())

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
        from structron.fit.inputs import check_ordered
        from structron.fit.preference import trials_meant
        from structron.fit.signature import origin_of, signature_of
        from structron.fit.streaming.examples import Stream, check_streams, files_of, in_blocks
        from structron.io.files.step_cache import kept_in

        for values, name in ((X, "X"), (y, "y")):
            check_ordered(values, name)
        if calibrate:
            if dev is None:
                raise SettingError("margins are calibrated on held-out data; give dev")
            dev = tuple(map(list, dev)) if _is_pair(dev) else list(dev)  # it is read twice
        recipe = self.recipe
        self._check_threads()
        trainings = trials_meant(recipe, held_out=dev is not None)
        if stream is not None or cluster is not None:
            trainings = _no_trials(recipe)
        if trainings:  # what an iterator has is read more than once
            X, y = list(X), None if y is None else list(y)
            dev = None if dev is None else tuple(map(list, dev)) if _is_pair(dev) else list(dev)
        # All data are read before anything is learned: an error in the last of them should not come late.
        if stream is None:
            given = self._examples(X, y, None)
        else:
            recipe = in_blocks(recipe, cluster)
            check_streams(recipe, cluster)
            given = self._streamed(files_of(X, y), Stream.of(stream), on_stage)
        held_out, whole = None, given
        if dev is not None:
            held_out = self._held_out(dev, self._first_findings(given))
            given = self._shared(recipe, given, held_out)
        if isinstance(checkpoint, str | Path):
            checkpoint = training.Checkpoint(checkpoint)
        chosen = None
        with kept_in(None if checkpoint is None else checkpoint.drafts(resume)):
            if trainings and isinstance(X, list) and isinstance(y, list | None):
                chosen = self._chosen(recipe, given, X, y, dev, trainings, on_stage)
            plan = self._plan(recipe if chosen is None else recipe.but(**chosen.settings), given, on_stage)
        signature = signature_of(recipe, plan.examples, plan.task)
        if given is not whole:
            signature["dev"] = plan.recipe.hash()
        tried: dict[str, Any] = {}
        if chosen is not None:
            signature["trials"] = plan.recipe.hash()
            tried["trials"] = chosen.record()
        origin = None
        if checkpoint is not None:
            origin = origin_of(self.get_params() | recipe.as_dict(), signature, held_out)
        preparation = training.Preparation(checkpoint, origin, resume)
        plan = self._tuned(plan, held_out, on_stage, preparation)
        learning = training.Learning.start(plan.task, plan.recipe)
        start = learning.model()
        if not plan.recipe.epochs:  # what learning starts from is all there is to it
            self._publish(start, [], plan, self._made_from(recipe, plan, signature) | tried, learning)
            return self
        schedule = self._schedule(learning, plan.examples, on_workers, cluster)
        try:
            plan = replace(plan, findings=self._packed(plan.findings, schedule.packed))
            score = None if held_out is None else self._score_on(plan, held_out)
            about = self._made_from(recipe, plan, signature) | tried
            writer = None
            if preparation.file is not None:
                writer = training.CheckpointWriter(
                    preparation.file, learning.weights, preparation.origin, preparation.known
                )
            state = writer.read(schedule.examples) if writer is not None and resume else None
            history = [] if state is None else list(state.history)
            best, floor = None, -math.inf
            if score is not None and self._keeps_start(plan):
                best, floor = start, score(start)
            if state is not None and state.best is not None:
                best = Model(plan.task, state.best, recipe.search_to_predict)
            if state is not None and best is not None:
                self._publish(best, history, plan, about, learning)
            finish = self._finish(plan, held_out)
            is_watched = any(each is not None for each in (score, finish, writer, on_epoch))
            unwatched = None if is_watched else start
            try:
                for epoch, model in training.epochs(
                    learning, schedule, score, progress, state, writer, finish, floor, unwatched
                ):
                    best = model if best is None or epoch.best else best
                    history = [*history, epoch]
                    self._publish(best, history, plan, about, learning)
                    if on_epoch is not None:
                        on_epoch(epoch)
            except KeyboardInterrupt:
                # Inside the first epoch, or where no other model was made: what it has learned is the best.
                if not history or not is_watched:
                    self._publish(learning.model(), history, plan, about, learning)
                raise
            if best is not None and floor > -math.inf and not any(epoch.best for epoch in history):
                plan = self._settled(plan, held_out, on_stage)
                model = training.Learning.start(plan.task, plan.recipe).model()
                self._publish(model, history, plan, self._made_from(recipe, plan, signature), learning)
        finally:
            schedule.close()
        if calibrate and dev is not None:
            self.calibrate(*(dev if _is_pair(dev) else (dev, None)))
        return self

    def _chosen(
        self,
        recipe: RecipeT,
        given: Examples[SourceT],
        X: Sequence[Any],
        y: Sequence[Any] | None,
        dev: Any,
        trainings: int,
        stage: Stage | None,
    ) -> Chosen | None:
        """What trials say of the settings that are ``auto``."""
        from structron.fit.trials.trials import choose

        own = self.get_params() | self._in_trials()
        return choose(
            lambda settings: type(self)(**own | dict(settings)),
            self._space(recipe, given), X, y, dev, trainings, recipe.seed, stage,
        )  # fmt: skip

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
        from structron.fit.streaming.examples import StreamedExamples

        if cluster is not None:
            kind = training.ClusterMixing if learning.recipe.shards > 1 else training.ClusterBatches
            own = (
                training.OwnFiles(examples.files, examples.read)
                if isinstance(examples, StreamedExamples)
                else None
            )
            return kind(learning, cluster, examples.xs, examples.ys, examples.place, on_workers, own)
        if isinstance(examples, StreamedExamples):
            return training.Streamed(learning, examples.store(learning), self.threads)
        corpus = learning.pack(examples.xs, examples.ys, examples.place)
        if learning.recipe.shards > 1:
            return training.Mixing(learning, corpus, self.threads, on_workers, examples.file_of)
        return training.Serial(learning, corpus, self.threads)

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
            found = metric(examples.ys, model.predict(examples.xs, place=examples.place))
            model.release()  # else the tables of the best model stay while the next is measured
            return found

        return score

    def _batch(
        self,
        X: Iterable[object],
        y: Iterable[object] | None,
        first: Callable[[RecipeT, Examples[SourceT]], Plan[TaskT, RecipeT, SourceT, FindingsT]],
        classes: Iterable[object] | None = None,
    ) -> Self:
        """One pass over one batch, for `partial_fit`; `first` makes the plan if there is no model yet.

        `classes` are the labels that were announced with it.
        """
        from structron.fit.inputs import check_classes
        from structron.fit.online import Online

        if classes is not None:
            check_classes(classes, None if self._fitted is None else self.labels_)
        online = Online(self, first)
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

        return Online(self, lambda recipe, given: self._plan(recipe, given, classes=labels))

    def _made_from(
        self,
        recipe: RecipeT,
        plan: Plan[TaskT, RecipeT, SourceT, FindingsT],
        signature: Mapping[str, object],
    ) -> dict[str, Any]:
        """What a model says of its making."""
        settled = settled_of(recipe, plan.recipe)
        return {
            "recipe": recipe.record(),
            "signature": dict(signature),
            **({"settled": by_first_names(type(recipe), settled)} if settled else {}),
            "trained_on": plan.examples.size,
            **self._about(plan.examples, plan.findings),
        }

    def spaces(self, X: Iterable[object], y: Iterable[object] | None = None) -> list[Example]:
        """The examples as the definition sees them, each with its oracle: what `structron.theory` takes."""
        return self._spaces(self.plan(X, y))

    def plan(
        self, X: Iterable[object], y: Iterable[object] | None = None
    ) -> Plan[TaskT, RecipeT, SourceT, FindingsT]:
        """What `fit` would learn: task, recipe and examples, for those who train step by step themselves."""
        return self._plan(self.recipe, self._examples(X, y, None))

    def finished(
        self, plan: Plan[TaskT, RecipeT, SourceT, FindingsT], learning: Learning[TaskT], packed: Packed
    ) -> Self:
        """What such a training has learned so far, as something that predicts; `plan` is where it began."""
        from structron.fit.signature import signature_of

        findings, model = self._packed(plan.findings, packed), learning.model()
        signature = signature_of(plan.recipe, plan.examples, plan.task)
        made = self._made_from(self.recipe, replace(plan, findings=findings), signature)
        model.about = made | {"epochs": []}
        model.parts = self._parts(findings)
        own = type(self)(**self.get_params())
        own._fitted = Fitted(model, [], findings)
        return own


def _no_trials(recipe: Recipe) -> int:
    """Refuse trials where the data are not all here."""
    if getattr(recipe, "trials", 0) not in ("auto", 0):
        raise SettingError("trials need all data in memory, here; set trials to 0 for a stream or a cluster")
    return 0


def settled_of(recipe: Recipe, suited: Recipe) -> dict[str, object]:
    """What ``auto`` meant: the settings that the data have settled."""
    return {
        name: getattr(suited, name)
        for name in recipe.suits
        if getattr(recipe, name) == "auto" != getattr(suited, name)
    }


def _is_pair(dev: Dev) -> TypeGuard[tuple[Iterable[object], Iterable[object]]]:
    """Whether these are inputs with their outputs, and not inputs alone."""
    return isinstance(dev, tuple) and len(dev) == 2


# One of any task, where the command line cannot know which.
AnyEstimator = Estimator[Any, Any, Any, Any, Any]
