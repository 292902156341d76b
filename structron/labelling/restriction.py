"""Known labels: one label for some tokens, several for others, and none for the rest.

Where gold labels are not all known, gold is every sequence that agrees with what is known, as with latent
variables; where labels are given at prediction, the search itself keeps to those sequences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

Known = str | tuple[str, ...] | None  # a label, one of several, or nothing known
Rules = tuple[bytes | None, bytes | None]


class Forbidden(NamedTuple):
    """Labels that a token must not get, for `given`.

    Examples
    --------
    >>> Forbidden(["NN", "NNS"]).left(["NN", "NNS", "VB"])
    ('VB',)
    """

    labels: Sequence[str]

    def left(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Return the other labels."""
        return tuple(label for label in labels if label not in self.labels)


def is_partial(known: Iterable[Known]) -> bool:
    """Return True if some label is not known."""
    return not all(isinstance(each, str) for each in known)


def names_in(known: Iterable[Known]) -> Iterator[str]:
    """Yield the labels that are named."""
    for each in known:
        if isinstance(each, str):
            yield each
        elif each is not None:
            yield from each


def open_tags(
    known: Sequence[Known], labels: Sequence[str], rules: Rules, hidden: int = 1
) -> list[bytes] | None:
    """Return the tags of each token from which the rules allow a way to the end; None if there is none.

    A search that keeps to these tags meets no dead end. A label owns `hidden` tags.
    """
    after, end = rules
    count = len(labels) * hidden
    rows: list[bytes] = []
    for i in range(len(known) - 1, -1, -1):
        row = [_agrees(labels[tag // hidden], known[i]) for tag in range(count)]
        for tag in range(count):
            if after is None or end is None or not row[tag]:
                continue
            if i + 1 == len(known):
                row[tag] = bool(end[tag])
            else:
                row[tag] = any(after[tag * count + b] and rows[-1][b] for b in range(count))
            if i == 0:
                row[tag] = row[tag] and bool(after[count * count + tag])
        if not any(row):
            return None
        rows.append(bytes(row))
    return rows[::-1]


def _agrees(label: str, known: Known) -> bool:
    return known is None or (label == known if isinstance(known, str) else label in known)
