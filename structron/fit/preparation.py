"""The first third of `fit`: data are read, and the plan is made step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeGuard

from structron.errors import DataError, SettingError
from structron.fit.checkpoints.checkpoints import Checkpoint, Preparation
from structron.fit.cluster.cluster import Cluster
from structron.fit.data.examples import Examples
from structron.fit.data.inputs import check_ordered
from structron.fit.data.signature import origin_of, signature_of
from structron.fit.preference import trials_meant
from structron.fit.problem import ALL, BATCH, TRAINING, Context, FindingsT, Plan, RecipeT, SourceT, run_steps
from structron.fit.raw_text.clusters import reading_text
from structron.fit.schedules.schedule import Stage
from structron.fit.streaming.examples import Stream, check_streams, files_of, in_blocks
from structron.fit.trials.trials import choose
from structron.io.files.step_cache import caching_in
from structron.learners import CRF
from structron.model import TaskT
from structron.settings import is_piece

Dev = tuple[Iterable[object], Iterable[object]] | Iterable[object]


@dataclass
class Data:
    """The data that `fit` was given, as they came.

    Attributes
    ----------
    X, y, dev
        Training data and development data; `dev` is None where there are none.
    stream
        Where the data are packed, if they stay in their files.
    """

    X: Iterable[object]
    y: Iterable[object] | None
    dev: Dev | None
    stream: Stream | str | Path | None = None

    @classmethod
    def of(
        cls,
        X: Iterable[object],
        y: Iterable[object] | None,
        dev: Dev | None,
        *,
        twice: bool,
        stream: Stream | str | Path | None,
    ) -> Data:
        """Check data; with `twice`, development data are read once more after the training."""
        for values, name in ((X, "X"), (y, "y")):
            check_ordered(values, name)
        if twice and dev is None:
            raise SettingError("margins are calibrated on held-out data; give dev")
        data = cls(X, y, dev, stream)
        if twice:
            data.list_dev()
        return data

    def list_dev(self) -> None:
        """Make lists of development data, which are read more than once."""
        if self.dev is not None:
            self.dev = tuple(map(list, self.dev)) if is_pair(self.dev) else list(self.dev)

    def list_all(self) -> None:
        """Make lists of all data: what an iterator has is read more than once."""
        self.X, self.y = list(self.X), None if self.y is None else list(self.y)
        self.list_dev()

    def dev_pair(self) -> tuple[Iterable[object], Iterable[object] | None]:
        """Return inputs and outputs of the development data."""
        if self.dev is None:
            return (), None
        return self.dev if is_pair(self.dev) else (self.dev, None)


@dataclass(frozen=True)
class Prepared(Generic[TaskT, RecipeT, SourceT, FindingsT]):
    """All that training begins with.

    Attributes
    ----------
    recipe
        As the user gave it.
    plan
        What it and the data ask for.
    held_out
        The development set, if there is one.
    signature, record
        What a model's file says of recipe and data, and of trials.
    preparation
        What took long, and the checkpoint that keeps it.
    resume
        Whether the checkpoint is continued.
    stage
        Is notified of work that takes time.
    """

    recipe: RecipeT
    plan: Plan[TaskT, RecipeT, SourceT, FindingsT]
    held_out: Examples[SourceT] | None
    signature: dict[str, object]
    record: dict[str, Any]
    preparation: Preparation
    resume: bool
    stage: Stage | None


def prepare(
    own: Any,
    data: Data,
    checkpoint: Checkpoint | str | Path | None = None,
    resume: bool = False,
    stage: Stage | None = None,
    cluster: Cluster | None = None,
) -> Prepared[Any, Any, Any, Any]:
    """Return the plan of an estimator for these data: read them, then run its problem's steps.

    All data are read before anything is learned: an error in the last of them should not come late.
    """
    recipe, problem = own.recipe, own.problem
    own._check_threads()
    check_memory(recipe, checkpoint is not None, data.stream is not None, cluster is not None)
    trainings = trials_meant(recipe, held_out=data.dev is not None)
    if data.stream is not None or cluster is not None:
        trainings = _no_trials(recipe)
    if trainings:
        data.list_all()
    if data.stream is None:
        given = problem.read(data.X, data.y, None)
    else:
        recipe = in_blocks(recipe, cluster)
        check_streams(recipe, cluster)
        given = problem.streamed(files_of(data.X, data.y), Stream.of(data.stream), stage)
    held_out = None if data.dev is None else _held_out(problem, data, given)
    if isinstance(checkpoint, str | Path):
        checkpoint = Checkpoint(checkpoint)
    record: dict[str, Any] = {}
    tried = partial(_tried, own=own, data=data, trainings=trainings, stage=stage, record=record)
    context: Context[Any, Any] = Context(recipe, held_out, stage)
    context = replace(context, trials=partial(tried, context=context))
    steps = problem.steps(recipe)
    drafts = None if checkpoint is None else checkpoint.drafts(resume)
    with caching_in(drafts), reading_text(own.threads):
        plan = run_steps(steps, Plan.of(recipe, given), context, BATCH, ALL)
    signature = signature_of(recipe, plan.examples, plan.task)
    signature |= dict.fromkeys(context.chosen_by, plan.recipe.hash())
    origin = None
    if checkpoint is not None:
        origin = origin_of(own.get_params() | recipe.as_dict(), signature, held_out)
    preparation = Preparation(checkpoint, origin, resume)
    with reading_text(own.threads):
        plan = run_steps(steps, plan, replace(context, preparation=preparation), TRAINING)
    return Prepared(recipe, plan, held_out, signature, record, preparation, resume, stage)


def check_memory(recipe: Any, checkpoint: bool, stream: bool, cluster: bool) -> None:
    """Refuse what would lose the memory of a learner of one's own, or have many of it."""
    learner = recipe.learner_choice
    if stream and isinstance(learner, CRF) and not learner.all:
        raise SettingError(
            f"learner {learner}: a stream does not say at once which labels each feature has; leave stream "
            "out, or use crf:all"
        )
    for name, given in {"checkpoint": checkpoint, "stream": stream, "cluster": cluster}.items():
        if given and is_piece(recipe.learner):
            raise SettingError(
                f"learner {recipe.learner}: its memory stays in this process; leave {name} out, or take a "
                "learner by name"
            )


def _held_out(problem: Any, data: Data, given: Examples[Any]) -> Examples[Any]:
    """The examples of a development set."""
    examples: Examples[Any] = problem.read_dev(*data.dev_pair(), given)
    if not any(map(len, examples.xs)):
        raise DataError("the development set is empty; leave dev out or give labelled sentences")
    return examples


def _tried(
    plan: Plan[Any, Any, Any, Any],
    *,
    own: Any,
    data: Data,
    trainings: int,
    stage: Stage | None,
    record: dict[str, Any],
    context: Context[Any, Any],
) -> Plan[Any, Any, Any, Any]:
    """The plan with what trials say of the settings that are ``auto``; `record` tells of them."""
    if not trainings or not isinstance(data.X, list) or not isinstance(data.y, list | None):
        return plan
    parameters = own.get_params() | dict(own.problem.in_trials)
    chosen = choose(
        lambda settings: type(own)(**parameters | dict(settings)),
        own.problem.alternatives(plan.recipe, plan.examples),
        data.X,
        data.y,
        data.dev,
        trainings,
        plan.recipe.seed,
        stage,
    )
    if chosen is None:
        return plan
    context.chosen_by.append("trials")
    record["trials"] = chosen.record()
    return replace(plan, recipe=plan.recipe.but(**chosen.settings))


def _no_trials(recipe: Any) -> int:
    """Refuse trials where the data are not all here."""
    if getattr(recipe, "trials", 0) not in ("auto", 0):
        raise SettingError("trials need all data in memory, here; set trials to 0 for a stream or a cluster")
    return 0


def is_pair(dev: Dev) -> TypeGuard[tuple[Iterable[object], Iterable[object]]]:
    """Return whether these are inputs with their outputs, and not inputs alone."""
    return isinstance(dev, tuple) and len(dev) == 2
