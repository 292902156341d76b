"""Who decodes what, when: the epochs of any schedule."""

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
Stage = Callable[[str, int, int], None]  # what comes before the epochs, how much of it is done, of how much
# Makes the model of an epoch of what was learned, with notes on it.
Finish = Callable[[Model[TaskT]], tuple[Model[TaskT], dict[str, float]]]
# Whether the state is whole, so that training could continue from here; returns whether a checkpoint is due.
Report = Callable[[bool], bool]


class Worker(NamedTuple):
    """How far one of several workers is in this epoch."""

    name: str
    done: int
    total: int
    note: str = ""


Watch = Callable[[Sequence[Worker]], None]


class Schedule(Protocol):
    """What `epochs` asks of a schedule.

    Attributes
    ----------
    packed
        How much there is to learn from.
    """

    packed: Packed

    @property
    def examples(self) -> int:
        """Return how many examples there are."""
        ...

    def restarted(self) -> None:
        """The weights are others than this schedule left them: copies of them are to be made again."""
        ...

    def epoch(self, state: TrainingState, report: Report) -> None:
        """Run what is left of the epoch; call `report` from time to time, with whether `state` is whole.

        It returns whether a checkpoint is due: a schedule that has some work to complete the state does it
        then, and reports again.
        """
        ...

    def close(self) -> None:
        """Release what it holds."""
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
    """Train epoch by epoch; each comes with the model of that moment.

    Parameters
    ----------
    score
        Measures a model on the development set; without it no epoch is better than another.
    progress
        Called from time to time with how far the epoch is.
    state
        Where to continue; otherwise training starts with the first epoch.
    writer
        Writes checkpoints.
    finish
        Makes of what was learned so far the model of the epoch.
    floor
        What the model scores that training starts from; an epoch must be better to be the best.
    unwatched
        What comes in place of the models of all epochs but the last where nobody looks at them. They are not
        made then, which would take as long as learning itself where that is quick.
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
    """One epoch, of which no model is made; what else `epochs` does is left out."""
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
    """Return what the epoch that has just been run did."""
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
