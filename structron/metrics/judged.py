"""Gold beside guess, decision by decision: what reports, comparisons and pages of errors are made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from structron.errors import DataError
from structron.metrics.attachment import universal
from structron.metrics.bootstrap import Counts, Difference, paired_bootstrap
from structron.metrics.error_rate import edit_distance, edits
from structron.metrics.spans import spans

Words = Sequence[str]
SEED = 12345


@dataclass(frozen=True)
class Judged:
    """A predicted example with its right and wrong parts.

    Attributes
    ----------
    place
        Where it stands, for messages.
    words
        What each decision is about: words; the whole text where the text as such was judged.
    gold, guess
        Labels, one each for every decision; the empty text is nothing, as where a symbol was left out.
    right
        Whether a decision is right; a relation is only if its head is.
    tally
        How many things are right, were to be found, and were guessed; 2 right / (gold + guess) is the score.
    measure
        What that score is called.
    size
        How long the input is.
    heads
        Of trees, gold and guessed head of each word.
    """

    place: str
    words: tuple[str, ...]
    gold: tuple[str, ...]
    guess: tuple[str, ...]
    right: tuple[bool, ...]
    tally: tuple[int, int, int]
    measure: str
    size: int
    heads: tuple[tuple[int, int], ...] = ()

    @property
    def text(self) -> str:
        """Return the input as text for people."""
        return " ".join(self.words)

    @property
    def is_right(self) -> bool:
        """Return True if nothing is wrong."""
        return all(self.right)


def judged_tags(place: str, words: Words, gold: Words, guess: Words, *, by_span: bool = False) -> Judged:
    """Judge a tagged sentence; `by_span` scores the spans that labels mark instead of words."""
    _check(place, words, gold, guess)
    right = tuple(a == b for a, b in zip(gold, guess))
    tally = (sum(right), len(right), len(right))
    if by_span:
        marked, found = set(spans(gold)), set(spans(guess))
        tally = (len(marked & found), len(marked), len(found))
    measure = "span F1" if by_span else "accuracy"
    return Judged(place, tuple(words), tuple(gold), tuple(guess), right, tally, measure, len(words))


def judged_tree(
    place: str, words: Words, gold: tuple[Sequence[int], Words], guess: tuple[Sequence[int], Words]
) -> Judged:
    """Judge a parsed sentence: labels are relations without their subtypes, as in the shared tasks."""
    _check(place, words, gold[0], guess[0])
    labels, guessed = (tuple(map(universal, each[1])) for each in (gold, guess))
    heads = tuple(zip(gold[0], guess[0]))
    right = tuple(a == b and x == y for (a, b), x, y in zip(heads, labels, guessed))
    tally = (sum(right), len(right), len(right))
    return Judged(place, tuple(words), labels, guessed, right, tally, "LAS", len(words), heads)


def judged_symbols(place: str, source: str, references: Sequence[Words], guess: Words) -> Judged:
    """Judge an output against its nearest reference, symbol by symbol."""
    nearest = min(references, key=lambda each: edit_distance(each, guess))
    pairs = edits(nearest, guess)
    gold, guessed = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    right = tuple(a == b for a, b in pairs)
    tally = (int(all(right)), 1, 1)
    return Judged(place, (source,), gold, guessed, right, tally, "word accuracy", len(source))


def judged_labels(place: str, text: str, gold: Words, guess: Words) -> Judged:
    """Judge the labels of a text: one against one, or label by label if there may be several."""
    if len(gold) == len(guess) == 1:
        pairs = [(gold[0], guess[0])]
    else:
        pairs = [
            (label if label in gold else "", label if label in guess else "")
            for label in sorted({*gold, *guess})
        ]
    right = tuple(a == b for a, b in pairs)
    several = len(pairs) > 1 or len(gold) != 1
    tally = (sum(right), len(set(gold)), len(set(guess))) if several else (int(right[0]), 1, 1)
    gold, guess = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    return Judged(place, (text,), gold, guess, right, tally, "accuracy", len(text.split()))


def score_of(judged: Iterable[Judged]) -> float:
    """Return the score of all examples together."""
    return float(_f1(np.array([each.tally for each in judged], dtype=np.float64).sum(axis=0)))


def difference(first: Sequence[Judged], second: Sequence[Judged], samples: int = 1000) -> Difference:
    """Test if two outputs for the same examples differ by more than chance (paired bootstrap)."""
    check_same(first, second)
    counts = [np.array([each.tally for each in one], dtype=np.float64) for one in (first, second)]
    return paired_bootstrap(counts[0], counts[1], _f1, np.random.default_rng(SEED), samples)


def check_same(first: Sequence[Judged], second: Sequence[Judged]) -> None:
    """Refuse two outputs that are not for the same examples, or not scored alike."""
    if len(first) != len(second):
        raise DataError(
            f"{len(first):,} examples of one output and {len(second):,} of the other; compare outputs for "
            "the same ones"
        )
    for a, b in zip(first, second):
        if a.words != b.words:
            raise DataError(f"{a.place}: {b.place} holds other words; compare outputs for the same ones")
        if a.measure != b.measure:
            raise DataError(
                f"{a.place}: one output is scored by {a.measure} and the other by {b.measure}; "
                "compare outputs of one task"
            )


def _f1(counts: Counts) -> Counts:
    right, both = counts[..., 0], counts[..., 1] + counts[..., 2]
    return np.divide(2 * right, both, out=np.ones_like(both), where=both > 0)


def _check(place: str, words: Sequence[object], gold: Sequence[object], guess: Sequence[object]) -> None:
    if not len(words) == len(gold) == len(guess):
        raise DataError(
            f"{place}: {len(words)} words, {len(gold)} gold labels and {len(guess)} guessed; they must match"
        )
