"""Tuning of dense weights on lists of the k best outputs: batch MIRA (Cherry & Foster 2012).

Lists are made with the weights at hand and added to those made before. On them MIRA runs for some epochs: it
moves from the *fear*, which scores well and has a low BLEU, towards the *hope*, which scores well and has a
high one (Chiang, Marton & Resnik 2008). The BLEU of a sentence is BLEU + 1. Of the averages after each epoch
the one whose first candidates have the best BLEU together makes the next lists. When there is no better one,
the next lists would be the same: MIRA goes through those it has in another order. When `PATIENCE` rounds in a
row have found nothing better, tuning is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from structron.errors import SettingError
from structron.metrics.bleu import SIZE, References, Words, bleu, smoothed

Vector = npt.NDArray[np.float64]
# The candidates of a sentence and their features, one row each.
KBest = tuple[Sequence[Words], npt.NDArray[np.float64]]
Decode = Callable[[Vector], Sequence[KBest]]
# With one, tuning often ends in the third round, from Japanese to English 0.5 BLEU too early.
PATIENCE = 2


@dataclass(frozen=True)
class Tuner:
    """The settings of tuning.

    Parameters
    ----------
    rounds
        The most rounds, each of which makes new lists.
    epochs
        The number of MIRA's passes over the lists in each round.
    step
        The largest step for one sentence; MIRA's C.
    seed
        For the order of the sentences.
    """

    rounds: int = 10
    epochs: int = 30
    step: float = 0.01
    seed: int = 0

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.epochs < 1 or not self.step > 0:
            raise SettingError(
                f"tuning with {self.rounds} rounds, {self.epochs} epochs and step {self.step} is not "
                "possible; give at least one round, one epoch, and a step above 0"
            )


class Round(NamedTuple):
    """The result of one round.

    Attributes
    ----------
    bleu
        The score of the outputs at the beginning of the round, with the weights of the round before.
    length_ratio
        Their length by that of the references.
    before
        The weights that made them.
    weights
        The weights for the next round.
    candidates
        The number of different candidates so far.
    """

    bleu: float
    length_ratio: float
    before: Vector
    weights: Vector
    candidates: int


class _Lists:
    """All candidates of one sentence so far."""

    def __init__(self, references: Sequence[Words]) -> None:
        self.references = References(references)
        self._known: set[tuple[tuple[str, ...], bytes]] = set()
        self.features: Vector = np.zeros((0, 0))
        self.counts: Vector = np.zeros((0, SIZE))
        self.gains: Vector = np.zeros(0)

    def add(self, found: KBest) -> None:
        """Take in what is new."""
        outputs, features = found
        new = []
        for row, output in enumerate(outputs):
            name = (tuple(output), np.round(features[row], 4).tobytes())
            if name not in self._known:
                self._known.add(name)
                new.append(row)
        if not new:
            return
        counts = np.array([self.references.counts(outputs[row]) for row in new])
        self.counts = np.concatenate([self.counts, counts])
        self.features = (
            np.concatenate([self.features, features[new]]) if self.features.size else features[new]
        )
        # By the length of the reference, so that a word is worth about as much in every sentence.
        self.gains = smoothed(self.counts) * self.counts[:, -1]

    def first(self, weights: Vector) -> int:
        """The candidate that scores best."""
        return int(np.argmax(self.features @ weights))


def tune(
    decode: Decode,
    references: Sequence[Sequence[Words]],
    start: Vector,
    tuner: Tuner | None = None,
    done: Sequence[Sequence[float]] = (),
) -> Iterator[Round]:
    """Tune weights, and yield after every round what came of it.

    Parameters
    ----------
    decode
        Makes lists of the k best outputs for all sentences with the weights it is given.
    references
        The references of each sentence.
    start
        The weights to begin with.
    done
        The weights that the first rounds of an interrupted tuning ended with: these are not made again.
    """
    tuner = Tuner() if tuner is None else tuner
    rng = np.random.default_rng(tuner.seed)
    lists = [_Lists(each) for each in references]
    weights = before = np.array(start, np.float64)
    total, ends = np.zeros(SIZE), [tuple(weights.tolist())]
    for number in range(tuner.rounds):
        if number == 0 or not np.array_equal(before, weights):
            total = np.zeros(SIZE)
            for each, found in zip(lists, decode(weights), strict=True):
                each.add(found)
                total += each.references.counts(found[0][0])
        before = weights
        if number < len(done):
            weights = np.array(done[number], np.float64)
            for _ in range(tuner.epochs):  # it has taken as much from the generator
                rng.permutation(len(lists))
        else:
            weights = _improve(lists, weights, tuner, rng)
        ratio = float(total[-2] / max(total[-1], 1.0))
        yield Round(bleu(total), ratio, before, weights, sum(len(each.gains) for each in lists))
        ends.append(tuple(weights.tolist()))
        if has_ended(ends):
            return


def has_ended(ends: Sequence[tuple[float, ...]]) -> bool:
    """Return whether the last rounds found nothing better; `ends` are the start and the end of each round."""
    return len(ends) > PATIENCE and len(set(ends[-PATIENCE - 1 :])) == 1


def _improve(lists: Sequence[_Lists], weights: Vector, tuner: Tuner, rng: np.random.Generator) -> Vector:
    """The best of the averages after each epoch of MIRA on the lists."""
    best, best_bleu = weights, _bleu(lists, weights)
    now, summed, steps = weights.copy(), np.zeros_like(weights), 0
    for _ in range(tuner.epochs):
        for i in rng.permutation(len(lists)):
            each = lists[i]
            scores = each.features @ now
            hope = int(np.argmax(scores + each.gains))
            fear = int(np.argmax(scores - each.gains))
            ahead = each.features[hope] - each.features[fear]
            lacking = each.gains[hope] - each.gains[fear] - float(ahead @ now)
            if lacking > 0 and (size := float(ahead @ ahead)) > 0:
                now = now + min(tuner.step, lacking / size) * ahead
            summed += now
            steps += 1
        average = summed / steps
        if (found := _bleu(lists, average)) > best_bleu:
            best, best_bleu = average, found
    return best


def _bleu(lists: Sequence[_Lists], weights: Vector) -> float:
    return bleu(sum((each.counts[each.first(weights)] for each in lists), np.zeros(SIZE)))
