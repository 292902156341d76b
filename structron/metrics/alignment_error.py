"""The error rate of word links (Och & Ney 2003, section 6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from structron.errors import DataError

Link = tuple[int, int]


@dataclass(frozen=True)
class AlignmentError:
    """Counts of links, and the rates made from them.

    `guessed` links were found, `sure` ones should have been; `right` are those guessed that are at least
    possible, `recalled` those guessed that are sure.
    """

    guessed: int
    sure: int
    right: int
    recalled: int

    @property
    def precision(self) -> float:
        """Return the share of guessed links that are possible."""
        return self.right / self.guessed if self.guessed else 1.0

    @property
    def recall(self) -> float:
        """Return the share of sure links that were guessed."""
        return self.recalled / self.sure if self.sure else 1.0

    @property
    def error_rate(self) -> float:
        """Return one minus twice the agreement over all links (AER)."""
        total = self.guessed + self.sure
        return 1 - (self.right + self.recalled) / total if total else 0.0


def alignment_error(
    guess: Iterable[Collection[Link]],
    sure: Iterable[Collection[Link]],
    possible: Iterable[Collection[Link]] | None = None,
) -> AlignmentError:
    """Compute the error rate of guessed links, pair by pair; sure links are possible too.

    Examples
    --------
    >>> alignment_error([{(0, 0), (1, 1)}], [{(0, 0), (1, 0)}], [{(1, 1)}]).error_rate
    0.25
    """
    guesses, sures = [set(links) for links in guess], [set(links) for links in sure]
    possibles = [set(links) for links in possible] if possible is not None else [set() for _ in sures]
    if not len(guesses) == len(sures) == len(possibles):
        raise DataError(
            f"(memory): links of {len(guesses):,} pairs beside gold links of {len(sures):,}; "
            "give links for the same pairs"
        )
    return AlignmentError(
        sum(map(len, guesses)),
        sum(map(len, sures)),
        sum(len(a & (s | p)) for a, s, p in zip(guesses, sures, possibles)),
        sum(len(a & s) for a, s in zip(guesses, sures)),
    )
