"""Which settings are best? Successive halving (Jamieson & Talwalkar 2016), cross-validation, learning curves.

Many settings are tried on little data; the best third goes on with three times as much, until one is trained
on everything. So are the usual settings, whatever they scored before: little data may say that others are
better when they are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from structron.errors import DataError, SettingError
from structron.progress import heard_by, is_heard, listener

Settings = Mapping[str, Any]
Space = Mapping[str, Sequence[Any]]
SHARES = 1000  # parts of a trial in which it is told how far it is
FEWEST = 30  # examples that a trial learns from, unless there are fewer


class Trial(NamedTuple):
    """Settings that were tried on so many examples; `score` is None if they were refused, and `said` why."""

    settings: dict[str, Any]
    examples: int
    score: float | None
    said: str = ""


@dataclass(frozen=True)
class Data:
    """Examples to learn from and to score on; outputs may come apart from inputs.

    Without development data, each of `folds` parts is scored on by what the others have taught.
    """

    X: Sequence[Any]
    y: Sequence[Any] | None = None
    dev: Any = None
    folds: int = 0

    def __post_init__(self) -> None:
        if (self.dev is None) == (self.folds < 2):
            raise SettingError("score on development data, or on at least 2 folds; give one of them")
        if len(self.X) < max(2, self.folds):
            raise DataError(f"{len(self.X)} examples are too few; give at least {max(2, self.folds)}")

    def score(self, make: Callable[[], Any], examples: int, rng: np.random.Generator) -> float:
        """The score of an estimator that learns from so many examples, drawn at random."""
        order = rng.permutation(len(self.X))[:examples]
        if self.dev is not None:
            estimator = make()
            # In their own order: with all of them it is the training that a user would start.
            _fit(estimator, self._some(np.sort(order)), 0, 1, dev=self.dev)
            scores = [epoch.dev_score for epoch in estimator.history_ if epoch.dev_score is not None]
            return float(max(scores)) if scores else float(estimator.score(*_pair(self.dev)))
        parts = np.array_split(order, self.folds)
        scores = []
        for number, own in enumerate(parts):
            rest = np.concatenate([part for part in parts if part is not own])
            learned = _fit(make(), self._some(rest), number, len(parts))
            scores.append(learned.score(*self._some(own)))
        return float(np.mean(scores))

    def _some(self, order: Any) -> tuple[list[Any], list[Any] | None]:
        X = [self.X[i] for i in order]
        return X, None if self.y is None else [self.y[i] for i in order]


def _fit(
    estimator: Any, data: tuple[list[Any], list[Any] | None], before: int, fits: int, **more: Any
) -> Any:
    """Fit, and tell how much of this and of the other `fits` of a trial is done."""
    if not is_heard():
        return estimator.fit(*data, **more)
    told, epochs = listener(), estimator.recipe.epochs

    def progress(epoch: int, done: int, total: int) -> None:
        share = ((epoch - 1) * total + done) / max(1, epochs * total)
        told("trial", int(SHARES * (before + share)), SHARES * fits)

    with heard_by(None):
        return estimator.fit(*data, progress=progress, **more)


def _pair(dev: Any) -> tuple[Any, Any]:
    return dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)


def drawn(space: Space, budget: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Draw so many different settings: the usual one, which is the first of each, then some at random."""
    if budget < 1:
        raise SettingError(f"budget = {budget} is not possible; try at least 1 setting")
    for name, values in space.items():
        if not values:
            raise SettingError(f"there are no values to try for {name}; give at least one")
    names, sizes = list(space), [len(values) for values in space.values()]
    every = math.prod(sizes)
    found: dict[int, None] = {0: None}
    if every <= 4 * budget:
        found |= dict.fromkeys([i for i in rng.permutation(every).tolist() if i][: budget - 1])
    while len(found) < min(budget, every):
        found.setdefault(int(rng.integers(every)))
    return [
        {name: space[name][int(at)] for name, at in zip(names, np.unravel_index(i, sizes))} if names else {}
        for i in found
    ]


def rungs(settings: int, examples: int, eta: int = 3) -> list[tuple[int, int]]:
    """Return how many settings are trained on how many examples, from little to all."""
    if eta < 2:
        raise SettingError(f"eta = {eta} is not possible; of at least 2 settings one goes on")
    counts = [settings]
    while counts[-1] > 1:
        counts.append(math.ceil(counts[-1] / eta))
    sizes = [examples]
    while len(sizes) < len(counts):
        sizes.append(max(min(FEWEST, examples), sizes[-1] // eta))
    return list(zip(counts, reversed(sizes)))


def halve(
    make: Callable[[Settings], Callable[[], Any]],
    data: Data,
    space: Space,
    budget: int = 20,
    *,
    eta: int = 3,
    seed: int = 0,
    known: Sequence[Trial] = (),
    on_trial: Callable[[Trial, int, int], None] | None = None,
) -> list[Trial]:
    """All trials, in the order in which they were made; the last rung's best is the best.

    Parameters
    ----------
    make
        From settings to what makes a new estimator with them; SettingError if they cannot go together.
    space
        By setting the values to try, the usual one first.
    budget
        How many settings are tried.
    eta
        One in so many goes on, to so many times the data.
    known
        Trials of an earlier run, which are not made again.
    on_trial
        Called after each with its number from 1, and how many there will be.
    """
    settings = drawn(space, budget, np.random.default_rng(seed))
    return race(make, data, settings, eta=eta, seed=seed, known=known, on_trial=on_trial)


def race(
    make: Callable[[Settings], Callable[[], Any]],
    data: Data,
    settings: Sequence[dict[str, Any]],
    *,
    eta: int = 3,
    seed: int = 0,
    known: Sequence[Trial] = (),
    on_trial: Callable[[Trial, int, int], None] | None = None,
    rungs_left: int | None = None,
) -> list[Trial]:
    """Race settings that are given, the usual ones first.

    The usual settings are in the last rung, unless they were refused: beside the winner of the others, or in
    the place of the worst where several have one.

    Parameters
    ----------
    rungs_left
        So many rungs at most, of those before the last, in which one setting learns from all: where the
        caller trains that one anyway.
    """
    before = {(_key(each.settings), each.examples): each for each in known}
    left = list(settings)
    steps = rungs(len(left), len(data.X), eta)
    if rungs_left is not None:
        steps = steps[:-1][:rungs_left]
    total, trials = sum(count for count, _ in steps), list[Trial]()
    for number, (count, examples) in enumerate(steps, 1):
        entered = left[:count]
        if number == len(steps) and all(each.score is not None for each in trials[:1]):
            entered = _with_usual(entered, settings[0])
            total = len(trials) + len(entered)
        here = []
        for each in entered:
            trial = before.get((_key(each), examples))
            if trial is None:
                trial = _tried(make, data, each, examples, seed)
            here.append(trial)
            trials.append(trial)
            if on_trial is not None:
                on_trial(trial, len(trials), total)
        good = [trial for trial in here if trial.score is not None]
        left = [trial.settings for trial in sorted(good, key=lambda trial: -(trial.score or 0.0))]
    return trials


def _with_usual(entered: list[dict[str, Any]], usual: dict[str, Any]) -> list[dict[str, Any]]:
    """Put the usual settings first: they win where scores are equal. Among several the last gives way."""
    others = [each for each in entered if each != usual]
    return [usual, *(others if len(entered) < 2 else others[: len(entered) - 1])]


def _tried(
    make: Callable[[Settings], Callable[[], Any]], data: Data, settings: Settings, examples: int, seed: int
) -> Trial:
    try:
        # The same examples for all settings of a rung: they are compared.
        score = data.score(make(settings), examples, np.random.default_rng([seed, examples]))
    except (SettingError, DataError) as error:  # such as templates that read columns which are not there
        return Trial(dict(settings), examples, None, str(error))
    return Trial(dict(settings), examples, score)


def best_of(trials: Sequence[Trial]) -> Trial:
    """The best of those that learned from the most examples."""
    good = [each for each in trials if each.score is not None]
    if not good:
        raise SettingError(f"no setting could be tried: {trials[0].said if trials else 'there is none'}")
    most = max(each.examples for each in good)
    return max((each for each in good if each.examples == most), key=lambda each: each.score or 0.0)


def curve_sizes(examples: int, points: int) -> list[int]:
    """Return how many examples each point of a learning curve is learned from."""
    if points < 2:
        raise SettingError(f"points = {points} is not possible; a curve has at least 2")
    return sorted({max(2, examples >> i) for i in range(points)})


def curve(
    make: Callable[[], Any],
    data: Data,
    points: int = 6,
    *,
    seed: int = 0,
    on_trial: Callable[[Trial, int, int], None] | None = None,
) -> list[Trial]:
    """The learning curve: scores on a growing share of the data, each twice as much as the one before."""
    sizes = curve_sizes(len(data.X), points)
    found: list[Trial] = []
    for size in sizes:
        found.append(Trial({}, size, data.score(make, size, np.random.default_rng(seed))))
        if on_trial is not None:
            on_trial(found[-1], len(found), len(sizes))
    return found


def _key(settings: Settings) -> str:
    return repr(sorted(settings.items()))
