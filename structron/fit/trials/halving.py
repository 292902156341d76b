"""Search for the best settings: successive halving (Jamieson & Talwalkar 2016), cross-validation, learning
curves.

Many settings are tried on little data; the best third continues with three times as much, until one is
trained on everything. The usual settings continue, too, whatever their score: on little data other settings
may seem better when they are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from structron.errors import DataError, SettingError
from structron.progress import current_listener, has_listener, progress_to

Settings = Mapping[str, Any]
Space = Mapping[str, Sequence[Any]]
SHARES = 1000  # steps of a trial's progress
FEWEST = 30  # training examples of a trial, unless there are fewer


class Trial(NamedTuple):
    """Settings with the number of examples and the score; refused settings have no score, and `said` says
    why.
    """

    settings: dict[str, Any]
    examples: int
    score: float | None
    said: str = ""


@dataclass(frozen=True)
class Data:
    """Examples to learn from and to score on; outputs may be separate from inputs.

    Without development data, a model is trained for each of `folds` parts on the other parts, and scored on
    it.
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
        """Return the score of an estimator trained on a random sample of this size."""
        order = rng.permutation(len(self.X))[:examples]
        if self.dev is not None:
            estimator = make()
            # In their own order: with all of them this is the training that a user would start.
            _fit(estimator, self._some(np.sort(order)), 0, 1, dev=self.dev)
            if _has_stages(estimator):  # its epochs are those of one stage
                return float(estimator.score(*_pair(self.dev)))
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
    """Fit, and report the progress of this fit among the `fits` of a trial."""
    if not has_listener():
        return estimator.fit(*data, **more)
    if _has_stages(estimator):
        with progress_to(None):
            return estimator.fit(*data, **more)
    told, epochs = current_listener(), estimator.recipe.epochs

    def progress(epoch: int, done: int, total: int) -> None:
        share = ((epoch - 1) * total + done) / max(1, epochs * total)
        told("trial", int(SHARES * (before + share)), SHARES * fits)

    with progress_to(None):
        return estimator.fit(*data, progress=progress, **more)


def _has_stages(estimator: Any) -> bool:
    """Return True if an estimator is several, which have no recipe in common."""
    return not hasattr(estimator, "recipe_type")


def _pair(dev: Any) -> tuple[Any, Any]:
    return dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)


def draw_settings(space: Space, budget: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Draw different settings: first the usual ones, the first value of each, then some at random."""
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
    """Return all trials in order; the best one of the last rung is the best.

    Parameters
    ----------
    make
        Takes settings and returns a function that creates such an estimator; raises SettingError if they are
        incompatible.
    space
        The values to try for each setting, the usual one first.
    budget
        The number of settings to try.
    eta
        One in so many continues, with so many times the data.
    known
        Trials of an earlier run, which are not repeated.
    on_trial
        Called after each with its number from 1, and the expected total.
    """
    settings = draw_settings(space, budget, np.random.default_rng(seed))
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
    """Run successive halving on given settings, the usual ones first.

    The usual settings are in the last rung, unless they were refused: beside the winner of the others, or
    instead of the worst if there are several.

    Parameters
    ----------
    rungs_left
        The most rungs before the last one, in which one setting learns from everything; for callers that
        train that one anyway.
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
    """Put the usual settings first, so that they win ties; of several others the last is dropped."""
    others = [each for each in entered if each != usual]
    return [usual, *(others if len(entered) < 2 else others[: len(entered) - 1])]


def _tried(
    make: Callable[[Settings], Callable[[], Any]], data: Data, settings: Settings, examples: int, seed: int
) -> Trial:
    try:
        # The same examples for all settings of a rung, so that they can be compared.
        score = data.score(make(settings), examples, np.random.default_rng([seed, examples]))
    except (SettingError, DataError) as error:  # such as templates that read missing columns
        return Trial(dict(settings), examples, None, str(error))
    return Trial(dict(settings), examples, score)


def best_of(trials: Sequence[Trial]) -> Trial:
    """Return the best trial among those with the most examples."""
    good = [each for each in trials if each.score is not None]
    if not good:
        raise SettingError(f"no setting could be tried: {trials[0].said if trials else 'there is none'}")
    most = max(each.examples for each in good)
    return max((each for each in good if each.examples == most), key=lambda each: each.score or 0.0)


def curve_sizes(examples: int, points: int) -> list[int]:
    """Return the number of examples for each point of a learning curve."""
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
    """Compute the learning curve: scores on a growing share of the data, doubling each time."""
    sizes = curve_sizes(len(data.X), points)
    found: list[Trial] = []
    for size in sizes:
        found.append(Trial({}, size, data.score(make, size, np.random.default_rng(seed))))
        if on_trial is not None:
            on_trial(found[-1], len(found), len(sizes))
    return found


def _key(settings: Settings) -> str:
    return repr(sorted(settings.items()))
