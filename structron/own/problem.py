"""The problem of a task of your own, made from the methods that its estimator overrides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from structron.errors import DataError
from structron.fit.data.examples import Examples
from structron.fit.data.inputs import listed
from structron.fit.problem import Context, Fitted, Metric, Plan, Problem, Step
from structron.own.settings import OwnRecipe
from structron.own.task import OwnTask
from structron.reference.sequence.training import Example

OwnPlan = Plan[OwnTask, OwnRecipe, None, None]


@dataclass(frozen=True)
class OwnProblem(Problem[OwnTask, OwnRecipe, None, None, Any]):
    """Inputs and outputs as the estimator reads them, and the task that it makes.

    Attributes
    ----------
    estimator
        It says what an input and an output are, what task they make, and whether an output is right.
    """

    estimator: Any

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The task's word."""
        kind: str = self.estimator.kind
        return kind

    @classmethod
    def of(cls, estimator: Any) -> OwnProblem:
        return cls(estimator)

    def read(self, X: Iterable[object], y: Iterable[object] | None, findings: None = None) -> Examples[None]:
        own = self.estimator
        items: list[Any] = listed(X, "X", "give a list of inputs")
        outputs: list[Any]
        if y is None:
            if not all(isinstance(item, tuple) and len(item) == 2 for item in items):
                raise DataError("there are no outputs to learn from or to score against; give y")
            items, outputs = [x for x, _ in items], [each for _, each in items]
        else:
            outputs = listed(y, "y", "give an output for each input")
        if len(items) != len(outputs):
            raise DataError(f"there are {len(items)} inputs and {len(outputs)} outputs; give one for each")
        xs = [own.read(x, f"input {i}") for i, x in enumerate(items, 1)]
        return Examples(xs, [own.read_output(each, f"output {i}") for i, each in enumerate(outputs, 1)], None)

    def inputs(self, X: Iterable[object], fitted: Fitted[OwnTask, None]) -> Examples[None]:
        own = self.estimator
        items = listed(X, "X", "give a list of inputs")
        items = [item[0] if isinstance(item, tuple) and len(item) == 2 else item for item in items]
        return Examples([own.read(x, f"input {i}") for i, x in enumerate(items, 1)], (), None)

    def steps(self, recipe: OwnRecipe) -> list[Step]:
        return [Step("task", "make the task of the examples", self._task)]

    def _task(self, plan: OwnPlan, context: Context[OwnRecipe, None]) -> OwnPlan:
        given = plan.examples
        if not given.xs:
            raise DataError("there is nothing to learn from; give at least one example")
        return Plan(plan.recipe, self.estimator.make_task(given.xs, given.ys), given, None)

    def extend(self, recipe: OwnRecipe, given: Examples[None], fitted: Fitted[OwnTask, None]) -> OwnPlan:
        return Plan(recipe, fitted.model.task, given, None)

    def spaces(self, plan: OwnPlan) -> list[Example]:
        task = plan.task
        return [(task.space(x), task.oracle(x, y)) for x, y in zip(plan.examples.xs, plan.examples.ys)]

    def score(self, task: OwnTask) -> Metric:
        def share_right(gold: Sequence[Any], guess: Sequence[Any]) -> float:
            right: int = sum(map(self.estimator.is_right, gold, guess))
            return right / max(1, len(gold))

        return share_right

    def labels(self, task: OwnTask) -> list[str]:
        return []

    def describe(self, examples: Examples[None], findings: None) -> dict[str, object]:
        return {}
