"""The smallest change of a model after which examples are right and others stay right.

`structron.reference.sequence.correction` is the definition; this is the same in the engine, for any task.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from structron.engine.changes import Change
from structron.errors import DataError, SettingError
from structron.fit.correcting.constraints import NO_COSTS, NOTHING, Costs, Programme
from structron.fit.correcting.correction import Correction, Outcome
from structron.fit.correcting.decoding import LiveWeights, Watched
from structron.fit.correcting.kept import Kept
from structron.fit.recipe import Recipe
from structron.model import Model
from structron.progress import report_progress
from structron.reference.sequence.correction import (
    ALIKE,
    CONTRADICTION,
    ILLEGAL,
    SEARCH,
    SLACK,
    UNSETTLED,
)

ROUNDS = 300
SHARE = 0.05  # of the margin that training asked for
MOST_DOUBLINGS = 8
SEEN = 2_000  # examples in which features are counted
FAR = 1e4  # a margin that lets the wrongest output win
COST = 0.5  # the power of how often a feature is seen


@dataclass
class Wanted:
    """Examples that are to be right, as the engine takes them.

    Attributes
    ----------
    xs, ys
        Those that it takes.
    numbers
        Which of the given examples they are.
    places
        Where each of the given examples stands.
    refused
        By number, what is said of those that it does not take.
    """

    xs: list[Any] = field(default_factory=list)
    ys: list[Any] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)


def wanted(own: Any, X: Iterable[object], y: Iterable[object] | None) -> Wanted:
    """Read examples; those that the model cannot yield are told apart from the others."""
    xs = X if isinstance(X, Sequence) else list(X)
    ys = None if y is None else y if isinstance(y, Sequence) else list(y)
    found = Wanted()
    try:
        examples = learned(own, xs, ys)
    except DataError:
        if len(xs) < 2 or (ys is not None and len(ys) != len(xs)):
            raise
        return _one_by_one(own, xs, ys)
    found.xs, found.ys = list(examples.xs), list(examples.ys)
    for i, output in enumerate(found.ys):
        if own.problem.is_partial(output):
            raise DataError(f"{examples.place(i)}: not all of the right output is known; give all of it")
    found.numbers = list(range(len(found.xs)))
    found.places = [examples.place(i) for i in found.numbers]
    return found


def _one_by_one(own: Any, xs: Sequence[Any], ys: Sequence[Any] | None) -> Wanted:
    found, last = Wanted(), None
    for i, x in enumerate(xs):
        try:
            examples = learned(own, [x], None if ys is None else [ys[i]])
        except DataError as error:
            place = _place_of(x, i)
            # The place is told beside it.
            found.refused[len(found.places)] = str(error).removeprefix(f"{place}: ")
            found.places.append(place)
            last = error
            continue
        for j in range(len(examples.xs)):
            found.numbers.append(len(found.places))
            found.places.append(_place_of(x, i))
            found.xs.append(examples.xs[j])
            found.ys.append(examples.ys[j])
    if not found.xs and last is not None:
        raise last
    return found


def _place_of(x: Any, i: int) -> str:
    """Return where an example stands in its file, or which one it is."""
    place = getattr(x, "place", None)
    return place if isinstance(place, str) else f"example {i + 1}"


def learned(own: Any, X: Iterable[object], y: Iterable[object] | None) -> Any:
    """Return examples as one more batch would be learned from."""
    fitted, problem = own._learned(), own.problem
    return problem.extend(own.recipe, problem.read(X, y, fitted.findings), fitted).examples


def default_margin(recipe: Recipe) -> float:
    """Return a share of the margin that training asked for, which tells how large scores are."""
    return SHARE * (recipe.learner_choice.engine().margin or 1.0)


class Correcting:
    """One search for a change.

    Parameters
    ----------
    own
        The estimator, whose model is to change.
    wanted
        What is to be right.
    kept
        What must stay right, decoded with the model as it is.
    margin
        How far what is right must be ahead, for each wrong decision.
    """

    def __init__(self, own: Any, wanted: Wanted, kept: Kept, margin: float, threads: int) -> None:
        model: Model[Any] = own._learned().model
        self.model, self.wanted, self.kept, self.margin, self.threads = model, wanted, kept, margin, threads
        self.is_right = partial(own.problem.is_right, model.task)
        self.readable = partial(own.problem.readable, model.task)
        recipe = own.recipe.but(
            search=str(model.search), learner=f"perceptron:margin={margin:.9g}", update="hybrid",
            skip_correct=True, batch=1, shards=1, cut=0,
        )  # fmt: skip
        plain = recipe.but(learner="perceptron")
        if kept.live is not None and kept.live.model is model:
            weights = kept.live
        else:
            weights = LiveWeights(model, recipe)
        weights.take(NOTHING)
        self.weights = weights
        self.first = Watched(weights, recipe)
        self.first.add(wanted.xs, wanted.ys, range(len(wanted.xs)))
        self.others = Watched(weights, plain)
        if kept.costs is None:
            kept.costs = costs_of(kept, weights, recipe, threads)
        self.programme = Programme(len(wanted.xs), kept.costs)
        self.reasons: dict[int, tuple[str, str]] = {
            number: (ILLEGAL, said) for number, said in self.first.refused.items()
        }
        self.extra: dict[int, float] = {}
        self.rounds = self.reached = 0
        model.threads = threads
        self.before = model.predict(wanted.xs) if wanted.xs else []

    # ---------------------------------------------------------------------------------------- the rounds

    def run(self) -> tuple[Correction, Model[Any]]:
        """Decode and solve in turns until nothing is wrong; return what was done, and the new model."""
        most = ROUNDS
        while True:
            self._settle(most)
            model = self._model()
            found = model.predict(self.wanted.xs) if self.wanted.xs else []
            broken, kept = self.kept.broken_by(model, self.is_right, self._is_watched)
            if self.rounds >= most:
                again = self._cut_short(found, broken)
                most += ROUNDS
            else:
                stubborn = [i for i in broken if self._is_watched(i)]
                again = self._watch(broken) | self._insist(found, stubborn)
            if not again:
                return self._told(model, found, kept), model

    def _settle(self, most: int) -> None:
        """Solve the programme until no example that is watched is wrong, or the rounds run out."""
        while self.rounds < most:
            self.rounds += 1
            new, asked = False, self.first.wrong(self.threads, frozenset(self.reasons))
            self.reached = max(self.reached, len(self.wanted.xs) - len(asked))
            report_progress("correcting", self.reached, len(self.wanted.xs) + 1)  # and all that is kept
            for wrong in asked:
                if not math.isfinite(wrong.excess) or not wrong.delta:
                    self._give_up(wrong.example, ALIKE if math.isfinite(wrong.excess) else ILLEGAL)
                    continue
                slack = SLACK * self.margin + self.extra.get(wrong.example, 0.0)
                self.programme.add(wrong.example, wrong.delta, wrong.excess + slack)
                new = True
            for wrong in self.others.wrong(self.threads):
                if wrong.delta and math.isfinite(wrong.excess):
                    self.programme.add(wrong.example, wrong.delta, wrong.excess + SLACK * self.margin)
                    new = True
            if not new:
                return
            self._solve()

    def _solve(self) -> None:
        for example, against in self.programme.solve(SLACK * self.margin / 2):
            self._give_up(example, CONTRADICTION, self._name(against))
        self.weights.take(self.programme.cells)

    def _name(self, example: int) -> str:
        if example < 0:
            return ""
        if example < self.programme.corrected:
            return f"it contradicts {self.wanted.places[self.wanted.numbers[example]]}"
        return f"it contradicts kept {self.kept.places[example - self.programme.corrected]}"

    def _give_up(self, example: int, reason: str, detail: str = "") -> None:
        self.reasons[example] = reason, detail
        self.programme.drop(example)

    def _is_watched(self, number: int) -> bool:
        return self.programme.corrected + number in self.others

    def _watch(self, broken: Sequence[int]) -> bool:
        """Watch what is wrong now and was right; False if all of it is watched already, or cannot be."""
        first, kept = self.programme.corrected, self.kept
        new = [i for i in broken if not self._is_watched(i)]
        self.others.add([kept.xs[i] for i in new], [kept.ys[i] for i in new], [first + i for i in new])
        return any(map(self._is_watched, new))

    def _insist(self, found: Sequence[Any], broken: Sequence[int]) -> bool:
        """Ask for more where the engine sees what is right ahead, and yet the model predicts otherwise.

        Models that are asked for their scores, too, may outvote this one.
        """
        again = False
        for example, (y, each) in enumerate(zip(self.wanted.ys, found)):
            if example in self.reasons or self.is_right(y, each):
                continue
            if not self.first.has_gold(example):
                self._give_up(example, ILLEGAL)
            elif self._ask_for_more(example):
                again = True
            else:
                self._give_up(example, SEARCH)
                again = True
        for number in broken:
            if not self._ask_for_more(self.programme.corrected + number):
                self._give_up_for(number)
            again = True
        if again:
            self._solve()
        return again

    def _ask_for_more(self, example: int) -> bool:
        """Let the constraints of an example ask for more; False if it has none, or they ask for enough."""
        more = 2 * self.extra.get(example, self.margin / 2)
        if more > self.margin * 2**MOST_DOUBLINGS or not self.programme.ask(
            example, more - self.extra.get(example, 0.0)
        ):
            return False
        self.extra[example] = more
        return True

    def _give_up_for(self, number: int) -> None:
        """Give up the correction along which the change went farthest, for the sake of what is kept."""
        culprit = self.programme.culprit()
        for example in self.programme.asking() if culprit is None else [culprit]:
            self._give_up(example, CONTRADICTION, f"it contradicts kept {self.kept.places[number]}")

    def _cut_short(self, found: Sequence[Any], broken: Sequence[int]) -> bool:
        """Give up what is still wrong after all rounds, so that what is kept stays right; False if all is.

        Where all corrections are right and something that is kept is not, that is the correction along which
        the change went farthest.
        """
        unsettled = [
            example
            for example, (y, each) in enumerate(zip(self.wanted.ys, found))
            if example not in self.reasons and not self.is_right(y, each)
        ]
        for example in unsettled:
            self._give_up(example, UNSETTLED)
        if broken and not unsettled and not self._watch(broken):
            self._give_up_for(broken[0])
        if unsettled or broken:
            self._solve()
        return bool(unsettled or broken)

    # ----------------------------------------------------------------------------------------- the result

    def _model(self) -> Model[Any]:
        if not len(self.programme.cells.keys):
            return self.model
        model = self.model.with_changes([*self.model.changes, self._change({})])
        model.threads = self.threads
        return model

    def _change(self, about: dict[str, Any]) -> Change:
        keys, columns, values = self.programme.cells
        rounded = values.astype(np.float32)
        left = rounded != 0
        return Change(keys[left], columns[left], rounded[left], about)

    def _told(self, model: Model[Any], found: Sequence[Any], kept: Kept) -> Correction:
        outcomes = [
            Outcome(number, place, ILLEGAL, self.wanted.refused.get(number, ""))
            for number, place in enumerate(self.wanted.places)
        ]
        for example, number in enumerate(self.wanted.numbers):
            y, before, after = self.wanted.ys[example], self.before[example], found[example]
            is_right = self.is_right(y, after)
            reason, detail = self.reasons.get(example, (UNSETTLED, ""))
            if is_right:
                reason = detail = ""
            was_right = self.is_right(y, before)
            place = self.wanted.places[number]
            said = [self.readable(self.wanted.xs[example], each) for each in (before, after)]
            outcomes[number] = Outcome(number, place, reason, detail, was_right, *said)
        values = self._change({}).weights
        correction = Correction(
            tuple(outcomes), self._change({}), len(self.kept), sum(self.kept.right),
            tuple(self.kept.moved(kept, self.readable)), self.margin,
            float(np.sqrt(np.sum(values.astype(np.float64) ** 2))),
            float(np.abs(values).max(initial=0.0)), self.rounds, len(self.programme.constraints),
        )  # fmt: skip
        self.kept_after = kept
        return correction


def costs_of(kept: Kept, weights: LiveWeights, recipe: Recipe, threads: int) -> Costs:
    """Return what changes cost: one and more for a feature that is seen often where all is to stay.

    The score of what is kept then moves as little as it can. Features are counted in what tells gold from an
    output that is wrong wherever it can be; of many examples some are looked at.
    """
    step = 1 + len(kept) // SEEN
    numbers = range(0, len(kept), step)
    if not numbers:
        return NO_COSTS
    watched = Watched(weights, recipe.but(learner=f"perceptron:margin={FAR:.9g}"))
    watched.add([kept.xs[i] for i in numbers], [kept.ys[i] for i in numbers], numbers)
    seen = [each.delta.keys[each.delta.values > 0] for each in watched.wrong(threads)]
    keys, times = np.unique(np.concatenate([np.empty(0, np.uint64), *seen]), return_counts=True)
    return Costs(keys, np.power(1.0 + step * times.astype(np.float64), -COST / 2))


def check_margin(margin: float | None, recipe: Recipe) -> float:
    """Return the margin that is asked for, or the usual one; refuse what is none."""
    if margin is None:
        return default_margin(recipe)
    if isinstance(margin, bool) or not isinstance(margin, int | float) or not 0 < margin < 1e6:
        raise SettingError(f"margin = {margin!r} is not possible; give a number above 0 and below a million")
    return float(margin)
