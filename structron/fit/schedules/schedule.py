"""The epochs of any schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from structron.fit.checkpoints.checkpoints import CheckpointWriter
from structron.fit.checkpoints.state import TrainingState
from structron.fit.epoch import Epoch
from structron.fit.learning import Learning, Packed
from structron.fit.schedules.ordering import order_of
from structron.model import Model, TaskT

Progress = Callable[[int, int, int], None]  # epoch, examples done, examples in all
Stage = Callable[[str, int, int], None]  # a step before the epochs, how much of it is done, of how much
# Turns the learned model into the model of an epoch, with notes on it.
Finish = Callable[[Model[TaskT]], tuple[Model[TaskT], dict[str, float]]]
# Takes True if training could continue from the state; returns True if a checkpoint is due.
Report = Callable[[bool], bool]


class Worker(NamedTuple):
    """The progress of one of several workers in this epoch."""

    name: str
    done: int
    total: int
    note: str = ""


Watch = Callable[[Sequence[Worker]], None]


class Schedule(Protocol):
    """The protocol of a schedule, as `epochs` uses it.

    Attributes
    ----------
    packed
        The size of the training data.
    """

    packed: Packed

    @property
    def examples(self) -> int:
        """Return the number of examples."""
        ...

    def restarted(self) -> None:
        """Note that the weights have changed: copies of them must be made again."""
        ...

    def epoch(self, state: TrainingState, report: Report) -> None:
        """Run the rest of the epoch; call `report` from time to time, with True if `state` is complete.

        `report` returns True if a checkpoint is due. A schedule that must complete the state first does so,
        and reports again.
        """
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


def epochs(
    learning: Learning[TaskT],
    schedule: Schedule,
    score: Callable[[Model[TaskT]], float] | None = None,
    progress: Progress | None = None,
    state: TrainingState | None = None,
    writer: CheckpointWriter | None = None,
    finish: Finish[TaskT] | None = None,
    floor: float = -np.inf,
    unwatched: Model[TaskT] | None = None,
) -> Iterator[tuple[Epoch, Model[TaskT]]]:
    """Train epoch by epoch; yield each with the model at its end.

    Parameters
    ----------
    score
        Scores a model on the development set; without it all epochs are equally good.
    progress
        Called from time to time with the progress of the epoch.
    state
        The state to continue from; otherwise training starts with the first epoch.
    writer
        Writes checkpoints.
    finish
        Turns the learned model into the model of the epoch.
    floor
        The score of the initial model; an epoch must be better to be the best.
    unwatched
        A model to yield instead of those of all epochs but the last, if nobody uses them. They are not built
        then, which would take as long as fast learning itself.
    """
    recipe = learning.recipe
    state = state or TrainingState()
    rng = state.generator(recipe.seed)

    def report(whole: bool) -> bool:
        if progress is not None:
            progress(state.number, state.done, len(state.order))
        if writer is not None and whole:
            writer.write(state, epoch_is_over=False)
        return writer is not None and writer.is_due

    while state.number <= recipe.epochs:
        if not len(state.order):
            if recipe.run_length and state.number > 1 and (state.number - 1) % recipe.run_length == 0:
                learning.restart()
                schedule.restarted()
            state.begin(order_of(recipe, schedule.examples, rng), rng)
        schedule.epoch(state, report)
        passed_over = unwatched if state.number < recipe.epochs else None
        model, notes = learning.model() if passed_over is None else passed_over, dict[str, float]()
        if finish is not None:
            model, notes = finish(model)
        dev = score(model) if score is not None else None
        epoch = _epoch(state, schedule.packed.tokens, dev, max(floor, state.best_dev), notes)
        state.end(epoch, model.rows)
        if writer is not None:
            writer.write(state, epoch_is_over=True)
        yield epoch, model


def one_pass(learning: Learning[TaskT], schedule: Schedule) -> Epoch:
    """Run one epoch without building a model."""
    state = TrainingState()
    rng = state.generator(learning.recipe.seed)
    order = np.arange(schedule.examples, dtype=np.uint32)
    if learning.recipe.shuffle:
        rng.shuffle(order)
    state.begin(order, rng)
    schedule.epoch(state, lambda whole: False)
    return _epoch(state, schedule.packed.tokens, None, -np.inf, {})


def _epoch(
    state: TrainingState, tokens: int, dev: float | None, to_beat: float, notes: Mapping[str, float]
) -> Epoch:
    """Return the figures of the epoch that has just been run."""
    examples, _, errors, updates, invalid, early = (int(c) for c in state.counts)
    return Epoch(
        state.number,
        examples,
        tokens,
        errors,
        updates,
        invalid,
        early,
        dev,
        dev is None or dev > to_beat,
        state.seconds,
        state.cpu_seconds,
        state.waited_seconds,
        notes,
    )
