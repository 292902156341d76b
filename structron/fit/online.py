"""Batch after batch: what `partial_fit` does, with a model only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from structron.engine.rows import NO_ROWS
from structron.errors import SettingError
from structron.fit import Epoch, Learning, one_pass
from structron.fit.data.signature import made_from, signature_of
from structron.fit.problem import BATCH, Context, Fitted, Plan, run_steps, with_packed
from structron.learners import CRF, SSVM
from structron.model import Model


class Online:
    """Learns in batches. The estimator knows of them after `publish`, which packs all weights.

    Parameters
    ----------
    estimator
        An `Estimator`, which cannot be named here since it is made of this; it goes on from where it is.
    classes
        All labels that will ever come.
    problem
        Another than the estimator's own.
    new_labels
        Learn labels that a batch is the first to have.
    """

    def __init__(
        self,
        estimator: Any,
        classes: Sequence[str] | None = None,
        problem: Any = None,
        new_labels: bool = False,
    ) -> None:
        self._estimator, self._classes, self._other = estimator, classes, problem
        self._new_labels = new_labels
        self._fitted: Fitted[Any, Any] | None = estimator._fitted
        self._learning = None if self._fitted is None else self._fitted.learning
        self._batches = 0 if self._fitted is None else len(self._fitted.history)
        self._plan: Plan[Any, Any, Any, Any] | None = None
        self._new: list[Epoch] = []
        self._recipe: Any = None

    def learn(self, X: Iterable[object], y: Iterable[object] | None) -> Epoch:
        """One pass over one batch."""
        own, problem = self._estimator, self._other or self._estimator.problem
        recipe = own.recipe.but(epochs=1)
        own._check_threads()
        learner = recipe.learner_choice
        if isinstance(learner, SSVM | CRF) and learner.c2 > 0:
            raise SettingError(
                f"learner {learner}: partial_fit does not know how many examples there will be for c2 to "
                "count against; use c2=0, or fit"
            )
        fitted = self._fitted
        given = problem.read(X, y, None if fitted is None else fitted.findings)
        if fitted is None:
            context: Context[Any, Any] = Context(recipe, classes=self._classes, whole=False)
            plan = run_steps(problem.steps(recipe), Plan.of(recipe, given), context, BATCH)
            learning = Learning.start(plan.task, plan.recipe)
        else:
            if self._new_labels and (labels := problem.new_labels(fitted.model.task, given)):
                before = self._learning or Learning.from_model(fitted.model, recipe)
                self._learning = before.with_labels(labels)
                model = Model(self._learning.task, NO_ROWS, fitted.model.search)
                fitted = replace(fitted, model=model)
            plan = problem.extend(recipe, given, fitted)
            before = self._learning or Learning.from_model(fitted.model, plan.recipe)
            learning = before.continued(plan.task, plan.recipe)
        # Each batch has an order of its own, which depends only on the batches so far.
        learning.recipe = learning.recipe.but(seed=recipe.seed + self._batches)
        schedule = own._schedule(learning, plan.examples)
        plan = with_packed(problem, plan, schedule.packed)
        epoch = one_pass(learning, schedule)
        self._plan, self._learning, self._recipe = plan, learning, recipe
        self._batches += 1
        self._new.append(epoch)
        # Planning the next batch reads only the task.
        hollow = Model(plan.task, NO_ROWS, learning.recipe.search_to_predict)
        self._fitted = Fitted(hollow, [], plan.findings, learning)
        return epoch

    def publish(self) -> None:
        """Make the model; in the estimator's history, the batches since the last one are one epoch."""
        if self._plan is None or self._learning is None or not self._new:
            return
        own, plan = self._estimator, self._plan
        history = [] if own._fitted is None else own._fitted.history
        signature = signature_of(self._recipe, plan.examples, plan.task)
        about = made_from(own.problem, self._recipe, plan, signature)
        if own._fitted is not None and "entries" in own._fitted.model.about:
            about["entries"] = own._fitted.model.about["entries"]
        own._publish(self._learning.model(), [*history, _together(self._new)], plan, about, self._learning)
        self._new = []


def _together(epochs: Sequence[Epoch]) -> Epoch:
    if len(epochs) == 1:
        return epochs[0]
    whole = ("examples", "tokens", "errors", "updates", "invalid", "early_stopped")
    times = ("seconds", "cpu_seconds", "waited_seconds")
    return replace(
        epochs[-1], **{name: sum(getattr(each, name) for each in epochs) for name in (*whole, *times)}
    )
