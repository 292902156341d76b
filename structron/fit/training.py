"""The second third of `fit`: epochs, each of which publishes the best model so far."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from structron.fit.checkpoints.checkpoints import CheckpointWriter
from structron.fit.cluster.cluster import Cluster
from structron.fit.data.examples import Examples
from structron.fit.data.signature import made_from
from structron.fit.epoch import Epoch
from structron.fit.learning import Learning
from structron.fit.preparation import Prepared
from structron.fit.problem import Plan, with_packed
from structron.fit.schedules.schedule import Progress, Schedule, Watch, epochs
from structron.model import Model
from structron.progress import has_listener, report_progress

OnEpoch = Callable[[Epoch], None]
Score = Callable[[Model[Any]], float]


def train(
    own: Any,
    prepared: Prepared[Any, Any, Any, Any],
    on_epoch: OnEpoch | None = None,
    progress: Progress | None = None,
    on_workers: Watch | None = None,
    cluster: Cluster | None = None,
) -> None:
    """Learn what was prepared; the estimator publishes after every epoch."""
    plan = prepared.plan
    if progress is None and has_listener():
        progress = _reporting(plan.recipe.epochs)
    if plan.recipe.memory:
        from structron.fit.correcting.memory import check_memory

        check_memory(own.problem, plan.examples, plan.task)
    learning = Learning.start(plan.task, plan.recipe)
    if not plan.recipe.epochs:  # without epochs the start is the model
        own._publish(learning.model(), [], plan, _about(own, prepared, plan), learning)
        return
    start = learning.model()
    schedule = own._schedule(learning, plan.examples, on_workers, cluster)
    try:
        plan = with_packed(own.problem, plan, schedule.packed)
        prepared = replace(prepared, plan=plan)
        _Training(own, prepared, learning, schedule, start).run(on_epoch, progress)
    finally:
        schedule.close()
    if plan.recipe.memory:
        from structron.fit.correcting.memory import remember

        remember(own.problem, plan.examples, own.model_, plan.recipe.memory)


def _reporting(epochs: int) -> Progress:
    """Return the function that reports the progress of a training."""
    return lambda epoch, done, total: report_progress("training", (epoch - 1) * total + done, epochs * total)


class _Training:
    """One training under way.

    Parameters
    ----------
    own
        The estimator, which publishes.
    start
        The model that training starts from.
    """

    def __init__(
        self,
        own: Any,
        prepared: Prepared[Any, Any, Any, Any],
        learning: Learning[Any],
        schedule: Schedule,
        start: Model[Any],
    ) -> None:
        plan, held_out = prepared.plan, prepared.held_out
        self.own, self.prepared, self.learning, self.schedule = own, prepared, learning, schedule
        self.start = start
        self.score = None if held_out is None else _score_on(own, plan, held_out)
        self.about = _about(own, prepared, plan)
        self.ending = own.problem.ending(plan, held_out, prepared.stage)
        self.history: list[Epoch] = []
        self.best: Model[Any] | None = None
        self.floor = -math.inf
        keep = prepared.preparation
        self.writer = None
        if keep.file is not None:
            self.writer = CheckpointWriter(keep.file, learning.weights, keep.origin, keep.known)

    def run(self, on_epoch: OnEpoch | None, progress: Progress | None) -> None:
        """Run the epochs that are left; an interruption leaves the best model so far."""
        schedule, score, writer = self.schedule, self.score, self.writer
        state = writer.read(schedule.examples) if writer is not None and self.prepared.resume else None
        self.history = [] if state is None else list(state.history)
        if score is not None and self.ending.keeps_start:
            self.best, self.floor = self.start, score(self.start)
        if state is not None and state.best is not None:
            search = self.prepared.recipe.search_to_predict
            self.best = Model(self.prepared.plan.task, state.best, search)
        if state is not None and self.best is not None:
            self._publish(self.best)
        finish = self.ending.finish
        is_watched = any(each is not None for each in (score, finish, writer, on_epoch))
        unwatched = None if is_watched else self.start
        try:
            for epoch, model in epochs(
                self.learning, schedule, score, progress, state, writer, finish, self.floor, unwatched
            ):
                self.best = model if self.best is None or epoch.best else self.best
                self.history = [*self.history, epoch]
                self._publish(self.best)
                if on_epoch is not None:
                    on_epoch(epoch)
        except KeyboardInterrupt:
            # Inside the first epoch, or if there is no other model, what was learned so far is the best.
            if not self.history or not is_watched:
                self._publish(self.learning.model())
            raise
        if self.best is not None and self.floor > -math.inf and not any(each.best for each in self.history):
            self._settle()

    def _publish(self, model: Model[Any]) -> None:
        self.own._publish(model, self.history, self.prepared.plan, self.about, self.learning)

    def _settle(self) -> None:
        """Publish the start, as no epoch was better."""
        plan = self.ending.settle(self.prepared.plan)
        model = Learning.start(plan.task, plan.recipe).model()
        about = _about(self.own, self.prepared, plan)
        self.own._publish(model, self.history, plan, about, self.learning)


def _about(
    own: Any, prepared: Prepared[Any, Any, Any, Any], plan: Plan[Any, Any, Any, Any]
) -> dict[str, Any]:
    """Return the record of a training for the model file."""
    return made_from(own.problem, prepared.recipe, plan, prepared.signature) | prepared.record


def _score_on(own: Any, plan: Plan[Any, Any, Any, Any], held_out: Examples[Any]) -> Score:
    """Return how a model is measured on a development set."""
    problem = own.problem
    task, held_out = problem.measured(plan, held_out)
    examples = problem.seen(held_out, plan.findings)
    problem.check(task, examples)
    metric = problem.score(task)

    def score(model: Model[Any]) -> float:
        if task is not plan.task:
            model = Model(task, model.rows, model.search)
        model.threads = own.threads
        found: float = metric(examples.ys, model.predict(examples.xs, place=examples.place))
        model.release()  # else the tables of the best model stay while the next is measured
        return found

    return score
