"""Word links as text, in the Pharaoh format: ``0-0 1-2``, source and target from 0, a pair a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from structron.errors import DataError
from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.streams import Place

Link = tuple[int, int]

_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def write_links(pairs: Iterable[Iterable[Link]], place: Place, encoding: str | Encoding = "utf-8") -> None:
    """Write the links of each pair on a line; a path gets its new content only when all went well."""
    with streams.writing(place, encoding) as put:
        for links in pairs:
            put(pharaoh(links) + "\n")


def pharaoh(links: Iterable[Link]) -> str:
    """Write links as a line of text.

    Examples
    --------
    >>> pharaoh([(0, 0), (1, 2)])
    '0-0 1-2'
    """
    return " ".join([f"{i}-{j}" for i, j in links])


def read_links(
    place: Place, lengths: Sequence[tuple[int, int]] | None = None, encoding: str | Encoding = "utf-8"
) -> list[list[Link]]:
    """Read the links of each line, sorted and without repetition.

    Parameters
    ----------
    lengths
        How many words the pairs of sentences have. With it, there must be as many lines, and no link may be
        outside of its pair.
    """
    pairs: list[list[Link]] = []
    with streams.reading(place, encoding) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{lines.file}:{number}"
            if number in lines.broken:
                raise DataError(f"{where}: {lines.broken[number].removesuffix(', or pass --skip-bad')}")
            pairs.append(_parsed(line, where))
            if lengths is not None and number <= len(lengths):
                _check(pairs[-1], lengths[number - 1], where)
    if lengths is not None and len(pairs) != len(lengths):
        raise DataError(
            f"{streams.name_of(place)}: it has {len(pairs):,} lines for {len(lengths):,} pairs of sentences; "
            "give a line of links for each pair, an empty one where there are none"
        )
    return pairs


def _parsed(line: str, where: str) -> list[Link]:
    links = set()
    for text in line.split():
        found = _LINK.fullmatch(text)
        if found is None:
            raise DataError(f"{where}: {text!r} is not a link; write links like 0-0 1-2")
        links.add((int(found[1]), int(found[2])))
    return sorted(links)


def _check(links: list[Link], lengths: tuple[int, int], where: str) -> None:
    for i, j in links:
        if i >= lengths[0] or j >= lengths[1]:
            raise DataError(
                f"{where}: the link {i}-{j} is outside of a pair of {lengths[0]} and {lengths[1]} words; "
                "positions are counted from 0, the source's first"
            )
