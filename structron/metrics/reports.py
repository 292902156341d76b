"""Reports: gold beside guess, decision by decision, and all figures that follow from it."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from structron.errors import DataError
from structron.metrics.attachment import universal
from structron.metrics.bootstrap import Counts, Difference, paired_bootstrap
from structron.metrics.error_rate import edit_distance, edits
from structron.metrics.spans import spans

Words = Sequence[str]
SEED = 12345
LENGTHS = (1, 10, 20, 30, 40)  # where a group of lengths begins
DISTANCES = (1, 2, 3, 7)


@dataclass(frozen=True)
class Judgement:
    """A predicted example with its right and wrong parts.

    Attributes
    ----------
    place
        Where it stands, for messages.
    words
        The subject of each decision: a word, or the whole text if the text as such is judged.
    gold, guess
        Labels, one each for every decision; the empty text is nothing, as where a symbol was left out.
    right
        Whether a decision is right; a relation is only if its head is.
    tally
        How many things are right, were to be found, and were guessed; 2 right / (gold + guess) is the score.
    measure
        The name of that score.
    size
        How long the input is.
    heads
        The gold and guessed head of each word in a tree; -1 for one outside the sentence.
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


def judge_tags(place: str, words: Words, gold: Words, guess: Words, *, by_span: bool = False) -> Judgement:
    """Judge a tagged sentence; `by_span` scores the spans that labels mark instead of words."""
    _check(place, words, gold, guess)
    right = tuple(a == b for a, b in zip(gold, guess))
    tally = (sum(right), len(right), len(right))
    if by_span:
        marked, found = set(spans(gold)), set(spans(guess))
        tally = (len(marked & found), len(marked), len(found))
    measure = "span F1" if by_span else "accuracy"
    return Judgement(place, tuple(words), tuple(gold), tuple(guess), right, tally, measure, len(words))


def judge_tree(
    place: str, words: Words, gold: tuple[Sequence[int], Words], guess: tuple[Sequence[int], Words]
) -> Judgement:
    """Judge a parsed sentence: labels are relations without their subtypes, as in the shared tasks."""
    _check(place, words, gold[0], guess[0])
    labels, guessed = (tuple(map(universal, each[1])) for each in (gold, guess))
    heads = tuple(zip(gold[0], guess[0]))
    right = tuple(a == b and x == y for (a, b), x, y in zip(heads, labels, guessed))
    tally = (sum(right), len(right), len(right))
    return Judgement(place, tuple(words), labels, guessed, right, tally, "LAS", len(words), heads)


def judge_symbols(
    place: str, source: str, references: Sequence[Words], guess: Words, measure: str = "word accuracy"
) -> Judgement:
    """Judge an output against its nearest reference, symbol by symbol; all of it counts as one."""
    nearest = min(references, key=lambda each: edit_distance(each, guess))
    pairs = edits(nearest, guess)
    gold, guessed = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
    right = tuple(a == b for a, b in pairs)
    tally = (int(all(right)), 1, 1)
    return Judgement(place, (source,), gold, guessed, right, tally, measure, len(source))


def judge_labels(place: str, text: str, gold: Words, guess: Words) -> Judgement:
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
    return Judgement(place, (text,), gold, guess, right, tally, "accuracy", len(text.split()))


def score_of(judged: Iterable[Judgement]) -> float:
    """Return the score of all examples together."""
    return float(_f1(np.array([each.tally for each in judged], dtype=np.float64).sum(axis=0)))


def difference(first: Sequence[Judgement], second: Sequence[Judgement], samples: int = 1000) -> Difference:
    """Test if two outputs for the same examples differ by more than chance (paired bootstrap)."""
    check_same(first, second)
    counts = [np.array([each.tally for each in one], dtype=np.float64) for one in (first, second)]
    return paired_bootstrap(counts[0], counts[1], _f1, np.random.default_rng(SEED), samples)


def check_same(first: Sequence[Judgement], second: Sequence[Judgement]) -> None:
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
        The name of the measure, and its value for all examples.
    labels
        By label, in the order of the alphabet.
    cells
        The confusion matrix: by gold and guessed label how often; the empty text is nothing.
    lengths
        By how long the examples are, in words (letters, where words are the examples).
    known
        Words that are known and those that are not, or nothing.
    distances
        Scores of heads in trees by their distance: the share of gold ones found, and of the
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


def report(judged: Sequence[Judgement], known: Container[str] | None = None) -> Report:
    """Compute all figures of some examples.

    Parameters
    ----------
    judged
        Examples with gold and guess, as `judge` of an estimator gives them.
    known
        The words that count as known, such as those of the training data.

    Examples
    --------
    >>> from structron.metrics import judge_tags
    >>> found = report([judge_tags("here", ["a", "fly"], ["DT", "NN"], ["DT", "VB"])], known={"a"})
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


def _lengths(judged: Sequence[Judgement]) -> list[Slice]:
    groups: dict[str, list[Judgement]] = {}
    for each in sorted(judged, key=lambda each: each.size):
        if each.size:
            groups.setdefault(group(each.size, LENGTHS), []).append(each)
    return [Slice(name, len(own), score_of(own)) for name, own in groups.items()]


def _known(judged: Sequence[Judgement], known: Container[str]) -> list[Slice]:
    right, count = [0, 0], [0, 0]
    for each in judged:
        if len(each.words) == len(each.right):
            for word, good in zip(each.words, each.right):
                new = word not in known
                right[new] += good
                count[new] += 1
    return [Slice(name, n, r / n if n else 0.0) for name, n, r in zip(("known", "unknown"), count, right)]


def _distances(judged: Sequence[Judgement]) -> dict[str, LabelScore]:
    def name(word: int, head: int) -> str:
        return "" if head < 0 else "root" if not head else group(abs(head - word), DISTANCES)

    found = _scores(
        (name(i, a), name(i, b), a == b) for each in judged for i, (a, b) in enumerate(each.heads, 1)
    )
    first = {"root": 0} | {group(begin, DISTANCES): begin for begin in DISTANCES}
    return {each: found[each] for each in sorted(found, key=lambda each: first[each])}


def group(size: int, begins: Sequence[int]) -> str:
    """Return the name of the group of sizes that this one is in."""
    at = max(i for i, begin in enumerate(begins) if begin <= size)
    if at + 1 == len(begins):
        return f"{begins[at]}+"
    last = begins[at + 1] - 1
    return f"{begins[at]}" if last == begins[at] else f"{begins[at]}-{last}"


@dataclass(frozen=True)
class Grade:
    """An output with its score, from 0 to 1.

    Attributes
    ----------
    place
        Where its input stands, for messages.
    source
        The input; empty if only outputs are known.
    gold
        The references.
    """

    place: str
    source: str
    gold: tuple[str, ...]
    guess: str
    score: float
    measure: str

    @property
    def size(self) -> int:
        """Return how many words there are in the input, or else in the first reference."""
        return len((self.source or self.gold[0]).split())


def worst(grades: Sequence[Grade]) -> list[Grade]:
    """Return the outputs, the worst first."""
    return sorted(grades, key=lambda each: each.score)


def graded_table(grades: Sequence[Grade]) -> str:
    """Return all outputs as comma-separated values with a heading, in their order."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["place", grades[0].measure, "source", "output", "gold"])
    for each in grades:
        writer.writerow([each.place, f"{each.score:.6f}", each.source, each.guess, *each.gold])
    return out.getvalue()
