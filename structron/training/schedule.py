"""Who decodes what, when: the epochs of any schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from structron.model import Model
from structron.training.checkpoints import Standing
from structron.training.epoch import Epoch
from structron.training.learning import Learning

# So many examples between two looks at the progress bar, and at Ctrl-C.
CHUNK = 256

Progress = Callable[[int, int, int], None]  # epoch, examples done, examples in all
Stage = Callable[[str, int, int], None]  # what comes before the epochs, how much of it is done, of how much
Score = Callable[[Model], float]
Tell = Callable[[bool], bool]


class Worker(NamedTuple):
    """How far one of several workers is in this epoch."""

    name: str
    done: int
    total: int
    note: str = ""


Watch = Callable[[Sequence[Worker]], None]


class Keep(Protocol):
    """Writes down where training stands, when that is due."""

    @property
    def is_due(self) -> bool: ...
    def __call__(self, standing: Standing, epoch_is_over: bool, /) -> None: ...


class Schedule(Protocol):
    """What `epochs` asks of a schedule.

    Attributes
    ----------
    examples, tokens
        How much there is to learn from.
    """

    @property
    def examples(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    def epoch(self, standing: Standing, tell: Tell) -> None:
        """Run what is left of the epoch; call `tell` now and then, with whether training could go on here.

        It answers whether that should be written down: a schedule for which it is some work to say where it
        stands does it then.
        """
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...


def epochs(
    learning: Learning,
    schedule: Schedule,
    score: Score | None = None,
    progress: Progress | None = None,
    standing: Standing | None = None,
    keep: Keep | None = None,
) -> Iterator[tuple[Epoch, Model]]:
    """Train epoch by epoch; each comes with the model of that moment.

    Parameters
    ----------
    score
        Measures a model on the development set; without it no epoch is better than another.
    progress
        Told now and then how far the epoch is.
    standing
        Where to go on; otherwise training starts with the first epoch.
    keep
        Told where training stands, and whether an epoch has just ended.
    """
    recipe = learning.recipe
    standing = standing or Standing()
    rng = standing.generator(recipe.seed)

    def tell(can_go_on: bool) -> bool:
        if progress is not None:
            progress(standing.number, standing.done, len(standing.order))
        if keep is not None and can_go_on:
            keep(standing, False)
        return keep is not None and keep.is_due

    while standing.number <= recipe.epochs:
        if not len(standing.order):
            order = np.arange(schedule.examples, dtype=np.uint32)
            if recipe.shuffle:
                rng.shuffle(order)
            standing.begin(order, rng)
        schedule.epoch(standing, tell)
        model = learning.model()
        epoch = _epoch(standing, schedule.tokens, score(model) if score is not None else None)
        standing.end(epoch, model.rows)
        if keep is not None:
            keep(standing, True)
        yield epoch, model


def _epoch(standing: Standing, tokens: int, dev: float | None) -> Epoch:
    """What the epoch that has just been run did."""
    examples, _, errors, updates, invalid, early = (int(c) for c in standing.counts)
    return Epoch(
        standing.number,
        examples,
        tokens,
        errors,
        updates,
        invalid,
        early,
        dev,
        dev is None or dev > standing.best_dev,
        standing.seconds,
        standing.cpu_seconds,
        standing.waited_seconds,
    )
