"""A check that sources and targets have not been swapped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from structron.errors import DataError

MOST = 1_000  # pairs to check


def refuse_swapped(
    sources: Iterable[Sequence[str]],
    targets: Iterable[Sequence[Sequence[str]]],
    known: tuple[frozenset[str], frozenset[str]],
) -> None:
    """Refuse pairs whose words belong to the other side.

    Parameters
    ----------
    sources, targets
        The words of each source, and of its references.
    known
        The words of each side in the training data.
    """
    left = list(chain.from_iterable(list(sources)[:MOST]))
    right = list(chain.from_iterable(chain.from_iterable(list(targets)[:MOST])))
    straight = _share(left, known[0]), _share(right, known[1])
    swapped = _share(left, known[1]), _share(right, known[0])
    # Names and punctuation are words of both sides, so only clear cases count.
    if min(swapped) > 0.5 and max(straight) < 0.5:
        raise DataError(
            f"sources and targets seem to be swapped, since {swapped[0]:.0%} of the source words are target "
            f"words of the training data and {straight[0]:.0%} source words; give sources first, then targets"
        )


def _share(words: Sequence[str], known: frozenset[str]) -> float:
    return sum(word in known for word in words) / max(len(words), 1)
