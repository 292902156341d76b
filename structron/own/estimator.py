"""The estimator: fit, predict, score, save and load for a task of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

from structron.errors import DataError
from structron.fit.estimator import Estimator
from structron.fit.locks import exclusive
from structron.learners import Learner
from structron.own.problem import OwnProblem
from structron.own.settings import OwnRecipe
from structron.own.task import OwnTask
from structron.reference.sequence.trace import Trace
from structron.search import Search, parse_search
from structron.updates import Update


class OwnEstimator(Estimator[OwnTask, OwnRecipe, None, None, Any]):
    """Learns a task of one's own; a subclass says which, and what of its data the task must know.

    Inputs and outputs are texts, unless `read` and `read_output` say otherwise. See `structron.fit.recipe`
    for the
    parameters.

    Attributes
    ----------
    task_type
        The class of the task.
    """

    problem_type = OwnProblem
    task_type: ClassVar[type[OwnTask]]

    def __init__(
        self,
        *,
        search: str | Search = "beam:4",
        update: str | Update = "max_violation",
        learner: str | Learner = "perceptron:margin=20",
        epochs: int = 15,
        seed: int = 0,
        shuffle: bool = True,
        cut: int = 0,
        bits: int = 0,
        negligible: float = 0.0,
        half: bool = False,
        skip_correct: bool = False,
        batch: int = 1,
        shards: int = 1,
        mixing: str = "uniform",
        threads: int = 1,
    ) -> None:
        self.search = search
        self.update = update
        self.learner = learner
        self.epochs = epochs
        self.seed = seed
        self.shuffle = shuffle
        self.cut = cut
        self.bits = bits
        self.negligible = negligible
        self.half = half
        self.skip_correct = skip_correct
        self.batch = batch
        self.shards = shards
        self.mixing = mixing
        self.threads = threads

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
        return self._batch(X, y)

    # ------------------------------------------------------------------------------------------ predicting

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """Return what the beam leaves behind on one input; with gold, an output, where it falls off."""
        fitted = self._ready()
        (own,) = self.problem.inputs([x], fitted).xs
        right = None if gold is None else self.read_output(gold, "gold")
        return fitted.model.trace(own, right, None if search is None else parse_search(search))
