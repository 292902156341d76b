"""Entries of a dictionary: words, phrases or tokens that prediction must treat as the dictionary says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, Self

from structron.errors import DataError

Labels = tuple[str, ...]


class Entries:
    """The entries of a dictionary; pass them to `predict` as `given`.

    Parameters
    ----------
    entries
        By word, or by words with single blanks between them, a label or several that it may have; for the
        tokens of a text no labels are needed, and a list of them is enough.
    weight
        Entries win always. With a weight an entry wins unless the best output without it is ahead by more, in
        scores as `predict_kbest` has them; a dict gives weights to some entries.

    Examples
    --------
    >>> entries = Entries({"New York": "LOC", "york": "LOC"}, weight={"york": 5})
    >>> list(entries.found(["in", "New", "York"]))
    [(1, 3, ('LOC',))]
    """

    def __init__(
        self,
        entries: Mapping[str, str | Iterable[str]] | Iterable[str],
        weight: float | Mapping[str, float] | None = None,
    ) -> None:
        if isinstance(entries, str | bytes):
            raise DataError("a dictionary is not one text; give a dict, or a list of tokens")
        pairs = entries.items() if isinstance(entries, Mapping) else ((each, ()) for each in entries)
        self.labels: dict[tuple[str, ...], Labels] = {}
        for phrase, labels in pairs:
            words = tuple(phrase.split()) if isinstance(phrase, str) else ()
            if not words:
                raise DataError(f"dictionary entry {phrase!r} has no word; give a text")
            self.labels[words] = (labels,) if isinstance(labels, str) else tuple(labels)
        if not self.labels:
            raise DataError("there are no entries in the dictionary; give at least one")
        self.longest = max(map(len, self.labels))
        self.weights = self._weights(weight)

    def _weights(self, weight: float | Mapping[str, float] | None) -> dict[tuple[str, ...], float]:
        """Return the weights of entries that do not win always; refuse what is none."""
        if not isinstance(weight, Mapping):
            return {} if weight is None else dict.fromkeys(self.labels, _checked(weight))
        found = {tuple(phrase.split()): _checked(own) for phrase, own in weight.items()}
        for words in found:
            if words not in self.labels:
                raise DataError(
                    f"weight of {' '.join(words)!r}: the dictionary has no such entry; leave it out"
                )
        return found

    @classmethod
    def read(cls, path: str | Path, encoding: str = "utf-8") -> Self:
        """Read a file: an entry a line, after tabs its labels, and last ``weight=2.5`` if it has a weight."""
        from structron.io.formats.clusters import read_entries

        labels, weights = read_entries(path, encoding)
        return cls(labels, weights)

    @classmethod
    def of_record(cls, record: Any) -> Self:
        """Return the entries of plain data, as `record` gives them."""
        pairs = {str(phrase): [str(label) for label in labels] for phrase, labels, _ in record}
        return cls(pairs, {str(phrase): weight for phrase, _, weight in record if weight is not None})

    def record(self) -> list[tuple[str, list[str], float | None]]:
        """Return the entries as plain data, for the file of a model."""
        return [
            (" ".join(words), [*labels], self.weights.get(words)) for words, labels in self.labels.items()
        ]

    def with_labels(self, labels: Mapping[tuple[str, ...], Iterable[str]]) -> Entries | None:
        """Return those of the entries that these are, with other labels and their own weights."""
        if not labels:
            return None
        weights = {" ".join(words): self.weights[words] for words in labels if words in self.weights}
        return Entries({" ".join(words): own for words, own in labels.items()}, weights)

    def wins(self, input: int, begin: int, words: tuple[str, ...]) -> bool:
        """Return whether an entry that begins there in an input must be kept to."""
        return True

    def found(self, words: Sequence[str]) -> Iterator[tuple[int, int, Labels]]:
        """Yield begin, end and labels of entries in a sentence: the leftmost, and of those the longest."""
        at = 0
        while at < len(words):
            for end in range(min(at + self.longest, len(words)), at, -1):
                labels = self.labels.get(tuple(words[at:end]))
                if labels is not None:
                    yield at, end, labels
                    at = end - 1
                    break
            at += 1


def _checked(weight: object) -> float:
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < inf:
        raise DataError(f"weight {weight!r} of an entry is not possible; give a number from 0")
    return float(weight)


class Chosen(Entries):
    """Entries of which those with a weight win only where they were accepted.

    Attributes
    ----------
    asked
        By input, where entries with a weight begin, with their weights.
    """

    def __init__(self, entries: Entries) -> None:
        self.labels, self.longest, self.weights = entries.labels, entries.longest, entries.weights
        self.asked: dict[int, dict[int, float]] = {}
        self.accepted: set[tuple[int, int]] = set()

    def wins(self, input: int, begin: int, words: tuple[str, ...]) -> bool:
        """Return whether an entry wins there."""
        if words not in self.weights:
            return True
        self.asked.setdefault(input, {})[begin] = self.weights[words]
        return (input, begin) in self.accepted


def settled(
    entries: Entries,
    parts_of: Callable[[Entries], Sequence[Any]],
    scores_of: Callable[[Sequence[Any], Sequence[int]], Sequence[float]],
) -> Sequence[Any]:
    """Return the parts of outputs that entries decide; weighted entries are tried from left to right.

    An entry is accepted if the best output that has it is behind by no more than its weight. For one entry in
    an input that is the search for the best sum of score and weight.

    Parameters
    ----------
    parts_of
        What some entries give, for each input.
    scores_of
        The scores of the best outputs that agree with such parts, for the inputs with these numbers.
    """
    if not entries.weights:
        return parts_of(entries)
    chosen = Chosen(entries)
    parts = parts_of(chosen)
    best = dict(zip(chosen.asked, scores_of(parts, [*chosen.asked])))
    for turn in range(max(map(len, chosen.asked.values()), default=0)):
        tried = {i: [*own.items()][turn] for i, own in chosen.asked.items() if turn < len(own)}
        chosen.accepted |= {(i, begin) for i, (begin, _) in tried.items()}
        parts = parts_of(chosen)
        for (i, (begin, weight)), score in zip(tried.items(), scores_of(parts, [*tried])):
            if score + weight >= best[i]:
                best[i] = score
            else:
                chosen.accepted.discard((i, begin))
    return parts_of(chosen)
