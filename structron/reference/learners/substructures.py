"""Sets of sub-structures JJ (Dror & Reichart 2016, Section 3.1).

They say which positions a mixed assignment takes from the guess. Each is a function from the actions of gold
and guess, of one length, to sets of positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

Sets = Iterable[Iterable[int]]
Substructures = Callable[[Sequence[int], Sequence[int]], Sets]


def single(gold: Sequence[int], guess: Sequence[int]) -> Sets:
    """Return each position alone: the paper's choice."""
    return [[k] for k in range(len(gold))]


def full(gold: Sequence[int], guess: Sequence[int]) -> Sets:
    """Return the whole guess: the structured perceptron."""
    return [range(len(gold))]


def prefixes(gold: Sequence[int], guess: Sequence[int]) -> Sets:
    """Return the guess up to each position, gold after it."""
    return [range(k + 1) for k in range(len(gold))]


def error_spans(gold: Sequence[int], guess: Sequence[int]) -> Sets:
    """Return each maximal run of wrong positions."""
    spans: list[list[int]] = []
    for k, (a, b) in enumerate(zip(gold, guess)):
        if a == b:
            continue
        if spans and spans[-1][-1] == k - 1:
            spans[-1].append(k)
        else:
            spans.append([k])
    return spans


def windows(n: int) -> Substructures:
    """Return a function that gives each run of `n` positions, or the whole guess if it is shorter."""

    def sets(gold: Sequence[int], guess: Sequence[int]) -> Sets:
        return [range(k, min(k + n, len(gold))) for k in range(max(len(gold) - n, 0) + 1)]

    return sets


def all_subsets(gold: Sequence[int], guess: Sequence[int]) -> Sets:
    """Return every set of positions but the empty one: for short outputs."""
    n = len(gold)
    return [[k for k in range(n) if number >> k & 1] for number in range(1, 2**n)]


SUBSTRUCTURES: Mapping[str, Substructures] = {
    "single": single,
    "full": full,
    "prefixes": prefixes,
    "error_spans": error_spans,
    "all_subsets": all_subsets,
}
