"""All that there is to say of an output beyond one score: labels, confusions, known words, lengths, heads."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from structron.errors import DataError
from structron.metrics.judged import Judged, score_of

LENGTHS = (1, 10, 20, 30, 40)  # where a group of lengths begins
DISTANCES = (1, 2, 3, 7)


class LabelScore(NamedTuple):
    """The scores of one label; `support` is its frequency in gold, `guessed` in the guess."""

    precision: float
    recall: float
    f1: float
    support: int
    guessed: int

    @classmethod
    def of(cls, right: int, gold: int, guess: int) -> LabelScore:
        """Compute the scores from counts; 0 if there is nothing to divide by."""
        both = gold + guess
        return cls(
            right / guess if guess else 0.0,
            right / gold if gold else 0.0,
            2 * right / both if both else 0.0,
            gold,
            guess,
        )


class Slice(NamedTuple):
    """The score of a subset of the examples or words: their number, and the share that is right."""

    name: str
    items: int
    score: float


@dataclass(frozen=True)
class Report:
    """The result of `report`.

    Attributes
    ----------
    measure, score
        What is measured, and of all together.
    labels
        By label, in the order of the alphabet.
    cells
        The confusion matrix: by gold and guessed label how often; the empty text is nothing.
    lengths
        By how long the examples are, in words (letters, where words are the examples).
    known
        Words that are known and those that are not, or nothing.
    distances
        Of trees, by how far off the head is: how many of the gold ones were found, and how many of the
        guessed ones are right.
    """

    measure: str
    score: float
    labels: dict[str, LabelScore]
    cells: dict[tuple[str, str], int]
    lengths: list[Slice]
    known: list[Slice]
    distances: dict[str, LabelScore]

    @property
    def macro_f1(self) -> float:
        """Return the mean F1 of the labels in gold."""
        found = [each.f1 for each in self.labels.values() if each.support]
        return sum(found) / len(found) if found else 0.0

    def confused(self) -> list[str]:
        """Return all labels, those with most mistakes first."""
        wrong: Counter[str] = Counter()
        for (gold, guess), count in self.cells.items():
            for label in {gold, guess} - {""}:
                wrong[label] += count * (gold != guess)
        return sorted(self.labels, key=lambda label: (-wrong[label], label))

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "measure": self.measure,
            "score": self.score,
            "macro_f1": self.macro_f1,
            "labels": {label: each._asdict() for label, each in self.labels.items()},
            "matrix": [[*pair, count] for pair, count in sorted(self.cells.items())],
            "lengths": [each._asdict() for each in self.lengths],
            "known": [each._asdict() for each in self.known],
            "distances": {name: each._asdict() for name, each in self.distances.items()},
        }

    def csv(self) -> str:
        """Return the table of labels as comma-separated values with a heading."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["label", *LabelScore._fields])
        for label, each in self.labels.items():
            shares = [f"{share:.6f}" for share in each[:3]]
            writer.writerow([label, *shares, each.support, each.guessed])
        return out.getvalue()


def report(judged: Sequence[Judged], known: Container[str] | None = None) -> Report:
    """Compute all figures of some examples.

    Parameters
    ----------
    judged
        Examples with gold and guess, as `judge` of an estimator gives them.
    known
        The words that count as known, such as those of the training data.

    Examples
    --------
    >>> from structron.metrics import judged_tags
    >>> found = report([judged_tags("here", ["a", "fly"], ["DT", "NN"], ["DT", "VB"])], known={"a"})
    >>> found.labels["DT"].f1, found.cells["NN", "VB"], found.known[1].score
    (1.0, 1, 0.0)
    """
    if not any(each.gold for each in judged):
        raise DataError("there is nothing to report; give at least one example with gold")
    cells = Counter(pair for each in judged for pair in zip(each.gold, each.guess))
    return Report(
        judged[0].measure,
        score_of(judged),
        _scores((a, b, right) for each in judged for a, b, right in zip(each.gold, each.guess, each.right)),
        dict(cells),
        _lengths(judged),
        [] if known is None else _known(judged, known),
        _distances(judged),
    )


def _scores(decisions: Iterable[tuple[str, str, bool]]) -> dict[str, LabelScore]:
    right: Counter[str] = Counter()
    gold: Counter[str] = Counter()
    guess: Counter[str] = Counter()
    for a, b, good in decisions:
        gold[a] += 1
        guess[b] += 1
        right[a] += good
    return {
        label: LabelScore.of(right[label], gold[label], guess[label])
        for label in sorted(gold | guess)
        if label
    }


def _lengths(judged: Sequence[Judged]) -> list[Slice]:
    groups: dict[str, list[Judged]] = {}
    for each in sorted(judged, key=lambda each: each.size):
        if each.size:
            groups.setdefault(_group(each.size, LENGTHS), []).append(each)
    return [Slice(name, len(own), score_of(own)) for name, own in groups.items()]


def _known(judged: Sequence[Judged], known: Container[str]) -> list[Slice]:
    right, count = [0, 0], [0, 0]
    for each in judged:
        if len(each.words) == len(each.right):
            for word, good in zip(each.words, each.right):
                new = word not in known
                right[new] += good
                count[new] += 1
    return [Slice(name, n, r / n if n else 0.0) for name, n, r in zip(("known", "unknown"), count, right)]


def _distances(judged: Sequence[Judged]) -> dict[str, LabelScore]:
    def name(word: int, head: int) -> str:
        return "root" if not head else _group(abs(head - word), DISTANCES)

    found = _scores(
        (name(i, a), name(i, b), a == b) for each in judged for i, (a, b) in enumerate(each.heads, 1)
    )
    first = {"root": 0} | {_group(begin, DISTANCES): begin for begin in DISTANCES}
    return {each: found[each] for each in sorted(found, key=lambda each: first[each])}


def _group(size: int, begins: Sequence[int]) -> str:
    at = max(i for i, begin in enumerate(begins) if begin <= size)
    if at + 1 == len(begins):
        return f"{begins[at]}+"
    last = begins[at + 1] - 1
    return f"{begins[at]}" if last == begins[at] else f"{begins[at]}-{last}"
