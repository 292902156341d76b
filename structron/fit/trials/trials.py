"""Trials: settings left open are tried on held-out data before one training on all data.

This is the successive halving of `structron tune` (`structron.fit.trials.halving`) without its last rung,
which is the training itself. With three settings each learns from a third of the data; with nine each from a
ninth, and the best three from a third. The settings of a rung together learn from as many examples as one
training, so that N rungs cost N trainings. Only ``auto`` settings are tried. The values that they have
without trials come first, and stay until the last rung, whatever their score.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from structron.errors import DataError, StructronWarning
from structron.fit import Stage
from structron.fit.trials.halving import Data, Trial, best_of, race

ETA = 3
FEWEST = 60  # examples; with fewer, a part would show nothing
_TENTH = 10

Space = Mapping[str, Sequence[Any]]


class Chosen(NamedTuple):
    """The best settings, and all trials."""

    settings: Mapping[str, Any]
    trials: list[Trial]

    def record(self) -> list[dict[str, Any]]:
        """Return the trials as plain data, for a model's file."""
        return [
            {"settings": each.settings, "examples": each.examples, "score": each.score}
            for each in self.trials
        ]


def one_at_a_time(space: Space, most: int) -> list[dict[str, Any]]:
    """Return the usual settings, then each other value alone, those of the first setting first."""
    usual = {name: values[0] for name, values in space.items()}
    others = [usual | {name: value} for name, values in space.items() for value in values[1:]]
    return [usual, *others][:most]


def choose(
    make: Callable[[Mapping[str, Any]], Any],
    space: Space,
    X: Sequence[Any],
    y: Sequence[Any] | None,
    dev: Any,
    trainings: int,
    seed: int,
    stage: Stage | None = None,
) -> Chosen | None:
    """Choose the best settings of a space on development data, or else on a tenth of the examples.

    Parameters
    ----------
    make
        Creates an estimator from settings.
    trainings
        The cost of the trials, in trainings.

    Returns
    -------
    Chosen
        None if there is nothing to choose, or too little data.
    """
    settings = one_at_a_time(space, ETA**trainings)
    if len(settings) < 2 or len(X) < FEWEST:
        return None
    if dev is None:
        order = np.random.default_rng(seed).permutation(len(X))
        cut = len(X) // _TENTH
        held, kept = np.sort(order[:cut]), np.sort(order[cut:])
        dev = ([X[i] for i in held], None if y is None else [y[i] for i in held])
        X, y = [X[i] for i in kept], None if y is None else [y[i] for i in kept]
    if isinstance(dev, tuple) and len(dev) == 2 and dev[1] is None:
        dev = dev[0]

    def told(trial: Trial, number: int, total: int) -> None:
        if stage is not None:
            stage("trials", number, total)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StructronWarning)  # the training itself warns about the same
        trials = race(
            lambda each: lambda: make(each), Data(X, y, dev), settings,
            eta=ETA, seed=seed, rungs_left=trainings, on_trial=told,
        )  # fmt: skip
    if all(each.score is None for each in trials):
        raise DataError(f"no setting could be tried: {trials[0].said}")
    return Chosen(best_of(trials).settings, trials)
