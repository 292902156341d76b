"""Accuracy: the share of words (or sentences) with the right label, and the confusions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from structron.errors import DataError

Labels = Sequence[Sequence[str]]


def pairs(gold: Labels, guess: Labels) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield gold and guess sentence by sentence, after checking that their lengths are equal."""
    if len(gold) != len(guess):
        raise DataError(f"{len(gold)} gold sentences but {len(guess)} guessed; score the same sentences")
    for number, (right, guessed) in enumerate(zip(gold, guess), 1):
        if len(right) != len(guessed):
            raise DataError(
                f"sentence {number}: {len(right)} gold labels but {len(guessed)} guessed; they must match"
            )
        yield right, guessed


def _share(right: int, all: int) -> float:
    if not all:
        raise DataError("there is nothing to score; check that the file has sentences")
    return right / all


def accuracy(gold: Labels, guess: Labels) -> float:
    """Return the share of words with the right label.

    Examples
    --------
    >>> accuracy([["DT", "NN"], ["VB"]], [["DT", "VB"], ["VB"]])
    0.6666666666666666
    """
    right = words = 0
    for a, b in pairs(gold, guess):
        words += len(a)
        right += sum(x == y for x, y in zip(a, b))
    return _share(right, words)


def sentence_accuracy(gold: Labels, guess: Labels) -> float:
    """Return the share of sentences without a wrong label."""
    return _share(sum(list(a) == list(b) for a, b in pairs(gold, guess)), len(gold))


class KnownAccuracy(NamedTuple):
    """Accuracy on known and unknown words (None if there are none), and the number of each."""

    known: float | None
    unknown: float | None
    known_words: int
    unknown_words: int


def known_accuracy(words: Labels, gold: Labels, guess: Labels, known: Container[str]) -> KnownAccuracy:
    """Compute the accuracy separately for words in `known` (those of the training data) and others."""
    right, count = [0, 0], [0, 0]
    for (forms, a), (_, b) in zip(pairs(words, gold), pairs(words, guess), strict=True):
        for form, x, y in zip(forms, a, b):
            new = form not in known
            count[new] += 1
            right[new] += x == y
    shares = [right[i] / count[i] if count[i] else None for i in (0, 1)]
    return KnownAccuracy(shares[0], shares[1], count[0], count[1])


class Confusion(NamedTuple):
    """A wrong label, the right one, and how often they were confused."""

    gold: str
    guess: str
    times: int


def confusions(gold: Labels, guess: Labels) -> list[Confusion]:
    """Count the wrong labels by gold and guess, most frequent first."""
    counts = Counter((x, y) for a, b in pairs(gold, guess) for x, y in zip(a, b) if x != y)
    return [Confusion(x, y, n) for (x, y), n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
