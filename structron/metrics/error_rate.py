"""Error rates of transduction: a guess is right if it equals any reference; otherwise its edits count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from structron.errors import DataError
from structron.metrics.accuracy import Confusion

Symbols = Sequence[str]


@dataclass(frozen=True)
class ErrorRate:
    """Counts, and the rates made from them.

    `edits` are those to the nearest reference of each word, `symbols` the length of these references.
    """

    words: int
    wrong: int
    symbols: int
    edits: int

    @property
    def word_error_rate(self) -> float:
        """Return the share of words that match no reference (WER)."""
        return self.wrong / self.words

    @property
    def word_accuracy(self) -> float:
        """Return the share of words that match a reference."""
        return 1 - self.word_error_rate

    @property
    def symbol_error_rate(self) -> float:
        """Return edits per symbol of the references: the phoneme error rate (PER) of pronunciations."""
        return self.edits / self.symbols if self.symbols else float(self.edits > 0)


def error_rate(gold: Sequence[Sequence[Symbols]], guess: Sequence[Symbols]) -> ErrorRate:
    """Compute word and symbol error rates; `gold` has the references of each word, any of which counts.

    Examples
    --------
    >>> found = error_rate([["R IY D".split(), "R EH D".split()]], ["R AE D".split()])
    >>> found.word_error_rate, found.symbol_error_rate
    (1.0, 0.3333333333333333)
    """
    return oracle_error_rate(gold, [[output] for output in guess])


def oracle_error_rate(gold: Sequence[Sequence[Symbols]], kbest: Sequence[Sequence[Symbols]]) -> ErrorRate:
    """Compute the rates of the best of the k guesses for each word; no guess counts as an empty one."""
    if len(gold) != len(kbest):
        raise DataError(f"{len(gold)} gold words but {len(kbest)} guessed; score the same words")
    if not gold:
        raise DataError("there is nothing to score; check that the file has words")
    wrong = symbols = edits = 0
    for number, (references, guesses) in enumerate(zip(gold, kbest), 1):
        if not references:
            raise DataError(f"word {number} has no reference; give at least one")
        distance, length = nearest(references, guesses or [()])
        wrong += distance > 0
        edits += distance
        symbols += length
    return ErrorRate(len(gold), wrong, symbols, edits)


def nearest(references: Sequence[Symbols], guesses: Sequence[Symbols]) -> tuple[int, int]:
    """Return the edits between the nearest two, and the length of that reference (the first of several)."""
    lists = [list(reference) for reference in references]
    made = [list(guess) for guess in guesses]
    equal = [reference for reference in lists if reference in made]
    if equal:
        return 0, len(equal[0])
    return min(
        ((min(edit_distance(reference, guess) for guess in made), len(reference)) for reference in lists),
        key=lambda found: found[0],
    )


def edit_distance(a: Symbols, b: Symbols) -> int:
    """Return the fewest insertions, deletions and replacements that turn `a` into `b` (Levenshtein).

    Examples
    --------
    >>> edit_distance("kitten", "sitting")
    3
    """
    numbers: dict[str, int] = {}
    x = [numbers.setdefault(symbol, len(numbers)) for symbol in a]
    y = np.array([numbers.setdefault(symbol, len(numbers)) for symbol in b], dtype=np.int64)
    steps = np.arange(len(y) + 1)
    row = steps
    for count, symbol in enumerate(x, 1):
        # Without insertions each cell depends on the row before alone; those are then a running minimum.
        best = np.minimum(row[1:] + 1, row[:-1] + (y != symbol))
        row = np.minimum.accumulate(np.concatenate(([count], best)) - steps) + steps
    return int(row[-1])


def symbol_confusions(gold: Sequence[Sequence[Symbols]], guess: Sequence[Symbols]) -> list[Confusion]:
    """Count the confused symbols against the nearest reference, most frequent first.

    The empty text stands for a symbol that was put in (gold) or left out (guess).
    """
    counts: Counter[tuple[str, str]] = Counter()
    for references, output in zip(gold, guess, strict=True):
        nearest_one = min(references, key=lambda reference: edit_distance(reference, output))
        counts.update((x, y) for x, y in edits(nearest_one, output) if x != y)
    return [Confusion(x, y, n) for (x, y), n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def edits(a: Symbols, b: Symbols) -> list[tuple[str, str]]:
    """Return the pairs of symbols in the cheapest edit from `a` to `b`; the empty text stands for no symbol.

    Examples
    --------
    >>> edits("cat", "at")
    [('c', ''), ('a', 'a'), ('t', 't')]
    """
    rows = [list(range(len(b) + 1))]
    for x in a:
        row = [rows[-1][0] + 1]
        for j, y in enumerate(b):
            row.append(min(rows[-1][j] + (x != y), rows[-1][j + 1] + 1, row[j] + 1))
        rows.append(row)
    found: list[tuple[str, str]] = []
    i, j = len(a), len(b)
    while i or j:
        if i and j and rows[i][j] == rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]):
            i, j = i - 1, j - 1
            found.append((a[i], b[j]))
        elif i and rows[i][j] == rows[i - 1][j] + 1:
            i -= 1
            found.append((a[i], ""))
        else:
            j -= 1
            found.append(("", b[j]))
    return found[::-1]
