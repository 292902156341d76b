"""The estimator: fit, predict, score, save and load for a task of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

from structron.errors import DataError
from structron.fit.estimator import Estimator
from structron.fit.parameters import exclusive, parameters
from structron.fit.recipe import Settings
from structron.own.problem import OwnProblem
from structron.own.settings import OwnRecipe
from structron.own.task import OwnTask
from structron.reference.sequence.trace import Trace
from structron.search import Search, parse_search


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

    problem_type = OwnProblem
    task_type: ClassVar[type[OwnTask]]

    # ----------------------------------------------------------------------------- what a task's own may say

    def make_task(self, xs: Sequence[Any], ys: Sequence[Any]) -> OwnTask:
        """Return the task for these examples: what it must know of them, such as its labels, goes into it."""
        return self.task_type(bits=self.bits)

    def read(self, x: object, place: str) -> Any:
        """Return an input as `OwnTask.space` takes it, or refuse it."""
        if not isinstance(x, str):
            raise DataError(
                f"{place}: an input is a text, and this is of type {type(x).__name__}; give a str"
            )
        return x

    def read_output(self, y: object, place: str) -> Any:
        """Return an output as `OwnTask.oracle` takes it, or refuse it."""
        return self.read(y, place)

    def is_right(self, gold: Any, guess: Any) -> bool:
        """Return whether an output is right."""
        return bool(gold == guess)

    # -------------------------------------------------------------------------------------------- learning

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
        """Learn from one batch in one pass; the task is made from the first."""
        return self._batch(X, y, new_labels=new_labels)

    # ------------------------------------------------------------------------------------------ predicting

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """Return the trace of the beam on one input; with gold, an output, where it falls off."""
        fitted = self._ready()
        (own,) = self.problem.inputs([x], fitted).xs
        right = None if gold is None else self.read_output(gold, "gold")
        return fitted.model.trace(own, right, None if search is None else parse_search(search))
