"""The estimator: fit, predict, score, save and load for a task of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

from structron.errors import DataError
from structron.fit import Stage
from structron.fit.estimator import Estimator
from structron.fit.examples import Examples
from structron.fit.fitted import Fitted, Plan
from structron.fit.inputs import listed
from structron.fit.locks import exclusive
from structron.fit.parameters import parameters
from structron.fit.predictor import Metric
from structron.fit.recipe import Settings
from structron.model import Model
from structron.own.settings import OwnRecipe
from structron.own.task import OwnTask
from structron.reference.sequence.trace import Trace
from structron.reference.sequence.training import Example
from structron.search import Search, parse_search

OwnPlan = Plan[OwnTask, OwnRecipe, None, None]


@parameters
class OwnEstimator(Estimator[OwnTask, OwnRecipe, None, None, Any], Settings):
    """Learns a task of one's own; a subclass says which, and what of its data the task must know.

    Inputs and outputs are texts, unless `read` and `read_output` say otherwise.

    With settings of its own a task has a class of these, which its recipe and its estimator inherit::

        @settings
        class HyphenSettings(Settings):
            longest: int = setting(default=8, help="Longest piece", metavar="N", low=1)

        @settings
        class HyphenRecipe(HyphenSettings, OwnRecipe): ...

        @parameters
        class Hyphenator(HyphenSettings, OwnEstimator): ...

    Attributes
    ----------
    task_type
        The class of the task.
    """

    task_type: ClassVar[type[OwnTask]]

    # ----------------------------------------------------------------------------- what a task's own may say

    def make_task(self, xs: Sequence[Any], ys: Sequence[Any]) -> OwnTask:
        """Return the task for these examples: what it must know of them, such as its labels, goes into it."""
        return self.task_type(bits=self.bits)

    def read(self, x: object, place: str) -> Any:
        """Return an input as `OwnTask.space` takes it; refuse what is none."""
        if not isinstance(x, str):
            raise DataError(
                f"{place}: an input is a text, and this is of type {type(x).__name__}; give a str"
            )
        return x

    def read_output(self, y: object, place: str) -> Any:
        """Return an output as `OwnTask.oracle` takes it; refuse what is none."""
        return self.read(y, place)

    def is_right(self, gold: Any, guess: Any) -> bool:
        """Return whether an output is right."""
        return bool(gold == guess)

    # -------------------------------------------------------------------------------------------- learning

    @exclusive
    def partial_fit(
        self, X: Iterable[object], y: Iterable[object] | None = None, classes: Sequence[str] | None = None
    ) -> Self:
        """Learn from one batch in one pass; the task is made from the first."""
        return self._batch(X, y, lambda recipe, given: self._plan(recipe, given, classes=classes))

    def _examples(self, X: Iterable[object], y: Iterable[object] | None, findings: None) -> Examples[None]:
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
        xs = [self.read(x, f"input {i}") for i, x in enumerate(items, 1)]
        return Examples(
            xs, [self.read_output(each, f"output {i}") for i, each in enumerate(outputs, 1)], None
        )

    def _inputs(self, X: Iterable[object], fitted: Fitted[OwnTask, None]) -> Examples[None]:
        items = listed(X, "X", "give a list of inputs")
        items = [item[0] if isinstance(item, tuple) and len(item) == 2 else item for item in items]
        return Examples([self.read(x, f"input {i}") for i, x in enumerate(items, 1)], (), None)

    def _plan(
        self,
        recipe: OwnRecipe,
        given: Examples[None],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
    ) -> OwnPlan:
        if not given.xs:
            raise DataError("there is nothing to learn from; give at least one example")
        return Plan(recipe, self.make_task(given.xs, given.ys), given, None)

    def _next_plan(self, recipe: OwnRecipe, given: Examples[None], fitted: Fitted[OwnTask, None]) -> OwnPlan:
        return Plan(recipe, fitted.model.task, given, None)

    def _spaces(self, plan: OwnPlan) -> list[Example]:
        task = plan.task
        return [(task.space(x), task.oracle(x, y)) for x, y in zip(plan.examples.xs, plan.examples.ys)]

    def _metric(self, task: OwnTask) -> Metric:
        def share_right(gold: Sequence[Any], guess: Sequence[Any]) -> float:
            return sum(map(self.is_right, gold, guess)) / max(1, len(gold))

        return share_right

    def _labels(self, task: OwnTask) -> list[str]:
        return []

    def _about(self, examples: Examples[None], findings: None) -> dict[str, object]:
        return {}

    @classmethod
    def _findings_of(cls, model: Model[OwnTask], where: str) -> None:
        return None

    # ------------------------------------------------------------------------------------------ predicting

    def _output(self, found: Any, findings: None) -> Any:
        return found

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """Return what the beam leaves behind on one input; with gold, an output, where it falls off."""
        fitted = self._ready()
        (own,) = self._inputs([x], fitted).xs
        right = None if gold is None else self.read_output(gold, "gold")
        return fitted.model.trace(own, right, None if search is None else parse_search(search))
