"""Whether sources and targets stand the right way round: a file named in place of the other is told of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from structron.errors import DataError

MOST = 1_000  # pairs that are looked at


def refuse_swapped(
    sources: Iterable[Sequence[str]],
    targets: Iterable[Sequence[Sequence[str]]],
    known: tuple[frozenset[str], frozenset[str]],
) -> None:
    """Refuse pairs whose words are those of the other side.

    Parameters
    ----------
    sources, targets
        Words, and of each source the words of its references.
    known
        The words that the training data have on either side.
    """
    left = list(chain.from_iterable(list(sources)[:MOST]))
    right = list(chain.from_iterable(chain.from_iterable(list(targets)[:MOST])))
    straight = _share(left, known[0]), _share(right, known[1])
    swapped = _share(left, known[1]), _share(right, known[0])
    # Names and punctuation are words of both sides: only a clear case is one.
    if min(swapped) > 0.5 and max(straight) < 0.5:
        raise DataError(
            f"sources and targets seem to be swapped, since {swapped[0]:.0%} of the source words are target "
            f"words of the training data and {straight[0]:.0%} source words; give sources first, then targets"
        )


def _share(words: Sequence[str], known: frozenset[str]) -> float:
    return sum(word in known for word in words) / max(len(words), 1)
