"""The problem of a task, and the steps by which data become a plan.

An estimator reads, learns, predicts and saves in the same way whatever its task is. What differs stands in a
`Problem`: how data are read, what is made of them before the first epoch, how outputs are scored, given back
and judged, and what a model's file says of its making.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar, cast

from structron.errors import SettingError
from structron.model import Model, TaskT
from structron.records import dataclass

if TYPE_CHECKING:
    from structron.fit.checkpoints.checkpoints import Preparation
    from structron.fit.data.entries import Entries
    from structron.fit.data.examples import Examples
    from structron.fit.epoch import Epoch
    from structron.fit.learning import Learning, Packed
    from structron.fit.recipe import Recipe
    from structron.fit.schedules.schedule import Finish, Stage
    from structron.fit.streaming.examples import Stream, StreamedExamples
    from structron.io.files.training_files import Files
    from structron.metrics import Judgement
    from structron.reference.sequence.training import Example
    from structron.task import Task

RecipeT = TypeVar("RecipeT", bound="Recipe")
SourceT = TypeVar("SourceT")
FindingsT = TypeVar("FindingsT")
OutputT = TypeVar("OutputT")

Metric = Callable[[Sequence[Any], Sequence[Any]], float]

# What a step needs: one batch is enough; all data; all data, and learning to come right after it.
BATCH, ALL, TRAINING = "batch", "all", "training"


@dataclass(frozen=True)
class Plan(Generic[TaskT, RecipeT, SourceT, FindingsT]):
    """A plan: the recipe with what its `auto` means, the task, and the examples.

    Attributes
    ----------
    recipe
        With what its ``auto`` means for these data.
    task
        What is predicted from what.
    examples
        As they are learned from.
    findings
        What else was found out about the data, such as how they are written.
    """

    recipe: RecipeT
    task: TaskT
    examples: Examples[SourceT]
    findings: FindingsT

    @classmethod
    def of(cls, recipe: RecipeT, given: Examples[SourceT]) -> Self:
        """Return the plan that the first step begins with; its task and findings are yet to be made."""
        return cls(recipe, cast(Any, None), given, cast(Any, None))


@dataclass(frozen=True)
class Fitted(Generic[TaskT, FindingsT]):
    """All that one `fit` has learned.

    An estimator holds one of these and replaces it by a single assignment: a thread that predicts has read it
    once, and never sees a part of one fit and a part of another.

    Attributes
    ----------
    model
        The best so far.
    history
        The epochs that are over.
    findings
        What else was found out about the data.
    learning
        The weights as training left them, for `partial_fit`; None for a loaded model.
    """

    model: Model[TaskT]
    history: list[Epoch]
    findings: FindingsT
    learning: Learning[TaskT] | None = None


def _nothing_kept() -> Preparation:
    from structron.fit.checkpoints.checkpoints import Preparation

    return Preparation()


@dataclass(frozen=True)
class Context(Generic[RecipeT, SourceT]):
    """The context of a step: everything it may use besides the plan.

    Attributes
    ----------
    asked
        The recipe as the user gave it.
    held_out
        The development set, if there is one.
    stage
        Is notified of work that takes time.
    preparation
        Keeps what takes long in the checkpoint, step by step.
    classes
        Labels that may come in later batches.
    whole
        Whether these are all data; false for the first of several batches.
    trials
        Chooses settings that are ``auto`` by trials.
    chosen_by
        What else than the training data has settled the recipe: steps add to it.
    """

    asked: RecipeT
    held_out: Examples[SourceT] | None = None
    stage: Stage | None = None
    preparation: Preparation = field(default_factory=_nothing_kept)
    classes: Sequence[str] | None = None
    whole: bool = True
    trials: Callable[[Any], Any] = lambda plan: plan
    chosen_by: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Step:
    """One of the steps from data to a plan; its text says what it does.

    Attributes
    ----------
    name
        A word for it.
    does
        What it does, in one line.
    run
        From the plan before it to the plan after it.
    needs
        `BATCH`, `ALL` or `TRAINING`: whether one batch is enough, or all data are needed, or the step only
        makes sense where learning follows.
    """

    name: str
    does: str
    run: Callable[[Any, Any], Any]
    needs: str = BATCH

    def __str__(self) -> str:
        return f"{self.name}: {self.does}"


TRIALS = Step(
    "trials", "choose settings that are auto on held-out data", lambda plan, context: context.trials(plan)
)


def run_steps(steps: Iterable[Step], plan: Any, context: Context[Any, Any], *needs: str) -> Any:
    """Return the plan after those of the steps that need no more than is there."""
    for step in steps:
        if step.needs in needs:
            plan = step.run(plan, context)
    return plan


class Ending(NamedTuple):
    """The last step, for tasks whose learned weights are not a model yet.

    Attributes
    ----------
    finish
        Makes the model of an epoch.
    keeps_start
        Whether training starts from a model that an epoch must beat.
    settle
        Makes the plan that is kept where no epoch was better than the start.
    """

    finish: Finish[Any] | None = None
    keeps_start: bool = False
    settle: Callable[[Any], Any] = lambda plan: plan


class Restored(NamedTuple):
    """The parts of a model file besides model and recipe.

    Attributes
    ----------
    findings
        What was found out about the data.
    parameters
        Parameters of the constructor that are not part of the recipe.
    known
        Parameters that are known also where the recipe cannot be read.
    """

    findings: Any
    parameters: Mapping[str, object] = {}
    known: Mapping[str, object] = {}


@dataclass(frozen=True)
class Problem(Generic[TaskT, RecipeT, SourceT, FindingsT, OutputT]):
    """The problem of one task. Its fields are the parameters of the estimator that it needs.

    It is generic in its task and recipe; in what reading leaves besides the examples (`SourceT`); in what it
    finds out about its data and keeps (`FindingsT`); and in what is predicted for one input (`OutputT`).
    A problem has to say `read`, `inputs`, `steps`, `extend`, `score`, `describe`, `restore` and `spaces`;
    the other methods have an answer that suits most tasks.

    Attributes
    ----------
    kind
        The task's word.
    in_trials
        Parameters of the estimator that are others in trials: what takes time and has no say in them.
    """

    kind: ClassVar[str]
    in_trials: ClassVar[Mapping[str, object]] = {"trials": 0, "memory": 0}

    @classmethod
    def of(cls, estimator: Any) -> Self:
        """Return the problem of an estimator."""
        return cls(**{each.name: getattr(estimator, each.name) for each in fields(cls)})

    # ------------------------------------------------------------------------------------------- reading

    def read(
        self, X: Iterable[object], y: Iterable[object] | None, findings: FindingsT | None = None
    ) -> Examples[SourceT]:
        """Return inputs with gold outputs; with `y` None they are taken from X itself, or refused.

        With `findings` they are read as those of an earlier fit were.
        """
        raise NotImplementedError

    def inputs(self, X: Iterable[object], fitted: Fitted[TaskT, FindingsT]) -> Examples[SourceT]:
        """Return inputs alone, checked against the model, as the model sees them."""
        raise NotImplementedError

    def restricted(
        self, inputs: Examples[SourceT], given: Sequence[object], fitted: Fitted[TaskT, FindingsT]
    ) -> Examples[SourceT]:
        """Return inputs with what is given of their outputs, which the search then keeps to."""
        raise SettingError(f"given is not for {self.kind}, whose outputs have no parts to give; leave it out")

    def from_entries(
        self, inputs: Examples[SourceT], entries: Entries, fitted: Fitted[TaskT, FindingsT]
    ) -> Sequence[object]:
        """Return the parts of outputs that the entries of a dictionary decide."""
        raise SettingError(f"a dictionary is not for {self.kind}; leave it out")

    def best_scores(
        self, inputs: Examples[SourceT], numbers: Sequence[int], fitted: Fitted[TaskT, FindingsT]
    ) -> list[float]:
        """Return the scores of the best outputs for those of the given inputs that have these numbers."""
        found = fitted.model.kbest([inputs.xs[i] for i in numbers], 1) if numbers else []
        return [best[0][1] for best in found]

    def read_dev(
        self, X: Iterable[object], y: Iterable[object] | None, given: Examples[SourceT]
    ) -> Examples[SourceT]:
        """Return a development set, read as the training data were."""
        return self.read(X, y, None)

    def streamed(self, files: Files, stream: Stream, stage: Stage | None) -> StreamedExamples[SourceT]:
        """Return examples of files that are packed in a folder and never all in memory."""
        raise SettingError(f"stream: {self.kind} is learned from data in memory; leave stream out")

    def seen(self, examples: Examples[SourceT], findings: FindingsT) -> Examples[SourceT]:
        """Return development and test examples as the model sees them."""
        return examples

    def check(self, task: TaskT, examples: Examples[SourceT]) -> None:
        """Refuse examples that do not fit a task made from others."""

    def is_partial(self, y: Any) -> bool:
        """Return True if not all of an output is known."""
        return False

    def remote(self, task: TaskT, examples: Examples[SourceT]) -> Examples[SourceT]:
        """Return examples as they travel to other machines."""
        return examples

    # ----------------------------------------------------------------------------------------- preparing

    def steps(self, recipe: RecipeT) -> list[Step]:
        """Return the steps before the first epoch; one of them makes the task."""
        raise NotImplementedError

    def extend(
        self, recipe: RecipeT, given: Examples[SourceT], fitted: Fitted[TaskT, FindingsT]
    ) -> Plan[TaskT, RecipeT, SourceT, FindingsT]:
        """Return the plan for one more batch; refuse what does not fit the task of the earlier ones."""
        raise NotImplementedError

    def new_labels(self, task: TaskT, given: Examples[SourceT]) -> list[str]:
        """Return the labels of one more batch that the task does not have, in the order they shall have."""
        raise SettingError(f"new labels are not for {self.kind}; leave new_labels out")

    def alternatives(self, recipe: RecipeT, given: Examples[SourceT]) -> dict[str, list[Any]]:
        """Return by setting that is ``auto`` what trials may choose, what the data say first."""
        return {}

    def packed(self, findings: FindingsT, packed: Packed) -> FindingsT:
        """Return the findings with what became of the examples, such as how many were left out."""
        return findings

    def ending(self, plan: Any, held_out: Examples[SourceT] | None, stage: Stage | None) -> Ending:
        """Return the ending of a training, where the learned weights are not a model yet."""
        return Ending()

    def spaces(self, plan: Plan[TaskT, RecipeT, SourceT, FindingsT]) -> list[Example]:
        """Return each example's search space and oracle."""
        raise NotImplementedError

    # --------------------------------------------------------------------------------- scoring, judging

    def score(self, task: TaskT) -> Metric:
        """Return how outputs are scored: gold, then guess; higher is better."""
        raise NotImplementedError

    def measured(
        self, plan: Plan[TaskT, RecipeT, SourceT, FindingsT], held_out: Examples[SourceT]
    ) -> tuple[TaskT, Examples[SourceT]]:
        """Return the task and the examples by which epochs are compared."""
        return plan.task, held_out

    def judge(
        self, examples: Examples[SourceT], found: Sequence[Any], fitted: Fitted[TaskT, FindingsT]
    ) -> list[Judgement]:
        """Judge the engine's outputs for examples, part by part."""
        raise SettingError(f"judge is not for {self.kind}, whose outputs are not labels; use score")

    def is_right(self, task: TaskT, gold: Any, found: Any) -> bool:
        """Return whether the engine's output is gold."""
        return bool(found == gold)

    def readable(self, task: TaskT, x: Any, found: Any) -> Any:
        """Return the engine's output for an input as a correction tells it."""
        return found

    def remembered(self, x: Any, y: Any) -> Any:
        """Return an example as plain data, for the memory of a model; see `recalled`."""
        return [x if isinstance(x, str) else list(x), y]

    def recalled(self, record: Any) -> tuple[Any, Any]:
        """Return the example of such a record."""
        x, y = record
        return (x if isinstance(x, str) else [tuple(w) if isinstance(w, list) else w for w in x]), y

    def check_correctable(self, model: Model[TaskT]) -> None:
        """Refuse a model whose outputs are not decided by one vector of weights."""

    def decisions(self, found: Any) -> Sequence[Hashable]:
        """Return the parts of the engine's output, each of which is right or wrong."""
        return (str(found),)

    def labels(self, task: TaskT) -> list[str]:
        """Return all that can be predicted for one part of an input."""
        labels: Sequence[str] = getattr(task, "labels", ())
        return list(labels)

    def output(self, found: Any, i: int, inputs: Examples[SourceT], findings: FindingsT) -> OutputT:
        """Return the prediction for input `i` in the users' form."""
        return cast(OutputT, found)

    # ------------------------------------------------------------------------------------- a model's file

    def describe(self, examples: Examples[SourceT], findings: FindingsT) -> dict[str, object]:
        """Return the entries that only this task adds to the record of a training."""
        raise NotImplementedError

    def parts(self, findings: FindingsT) -> dict[str, Model[Task]]:
        """Return models that the new one needs before it, to be kept in the same file."""
        return {}

    @classmethod
    def restore(cls, model: Model[TaskT], where: str) -> Restored:
        """Return what a model's file says of its making; refuse what no `describe` has written."""
        return Restored(None)


def with_packed(problem: Problem[Any, Any, Any, Any, Any], plan: Any, packed: Packed) -> Any:
    """Return a plan whose findings tell what became of the examples."""
    return replace(plan, findings=problem.packed(plan.findings, packed))
