"""Words that are given: each of their characters begins a word or continues one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from structron import _core
from structron.errors import DataError
from structron.tasks.segmentation.words.clauses import Text, clauses


def duties_of(cutter: _core.UnitCutter, text: str, spans: Iterable[tuple[int, int]], spaces: bool) -> bytes:
    """Return the duties of characters where these spans are words; `spaces` may be inside of words."""
    from structron.tasks.segmentation.words.space import MUST_BEGIN_WORD, MUST_CONTINUE_WORD

    begins, ends, whites = (each.tolist() for each in cutter.places(text))
    first = {begin: i for i, begin in enumerate(begins)}
    last = {end: i for i, end in enumerate(ends)}
    duties = bytearray(len(begins))
    for begin, end in spans:
        if begin not in first or end not in last:
            raise DataError(
                f"given token {text[begin:end]!r} does not begin and end where characters do; leave it out"
            )
        inside = range(first[begin] + 1, last[end] + 1)
        if not spaces and any(whites[i] for i in inside):
            raise DataError(
                f"given token {text[begin:end]!r} contains white space, which no word of this model does; "
                "leave it out"
            )
        for i in inside:
            duties[i] = MUST_CONTINUE_WORD
        for i in (first[begin], last[end] + 1):
            duties[i : i + 1] = bytes([MUST_BEGIN_WORD] * len(duties[i : i + 1]))
    return bytes(duties)


def cut_between_words(x: _core.Restricted, begins: list[int]) -> list[Text]:
    """Return the clauses of a text with the duties of each; there is no cut inside a word that is given.

    Parameters
    ----------
    begins
        Where the characters of the text begin.
    """
    from structron.tasks.segmentation.words.space import MUST_CONTINUE_WORD

    text, duties = x.input, x.parts
    places = ((begin, bisect_left(begins, begin)) for begin, _ in clauses(text))
    cuts = [(at, i) for at, i in places if i < len(duties) and duties[i] != MUST_CONTINUE_WORD]
    if not cuts:  # no characters but white space
        return [x]
    ends = [*cuts[1:], (len(text), len(duties))]
    return [_core.Restricted(text[a:b], duties[i:j]) for (a, i), (b, j) in zip(cuts, ends)]
