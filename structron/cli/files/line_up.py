"""The check that two files are about the same words."""

from __future__ import annotations

from collections.abc import Sequence

from structron.errors import DataError
from structron.io import Sentence


def check_lined_up(guess: Sequence[Sentence], gold: Sequence[Sentence]) -> None:
    """Refuse sentences that are not the same words in the same order; name the first difference."""
    for number, (a, b) in enumerate(zip(guess, gold), 1):
        said, right = a.words(), b.words()
        if said == right:
            continue
        at = next((i for i, (x, y) in enumerate(zip(said, right)) if x != y), min(len(said), len(right)))
        place = a.place_of(at) if at < len(said) else a.place
        other = b.place_of(at) if at < len(right) else b.place
        raise DataError(
            f"{place}: word {at + 1} of sentence {number} is {_shown(said, at)} where {other} has "
            f"{_shown(right, at)}; compare files that hold the same sentences"
        )
    if len(guess) != len(gold):
        longer = (guess if len(guess) > len(gold) else gold)[min(len(guess), len(gold))]
        raise DataError(
            f"{longer.place}: sentence {min(len(guess), len(gold)) + 1} is in only one of the files, "
            f"since there are {len(guess):,} predicted and {len(gold):,} gold; "
            "compare files that hold the same sentences"
        )


def _shown(words: Sequence[str], at: int) -> str:
    return repr(words[at]) if at < len(words) else "missing"
