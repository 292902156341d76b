r"""Aligned pairs as text: ``p|h}F o}OW n}N e}_``, one pair a line, the form that joint n-gram tools read.

Symbols of a piece stand between ``|``, source and target between ``}``, and ``_`` is no symbol at all. Where
a symbol holds one of these, a blank or a backslash, it has a backslash before it (a blank is ``\s``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from structron.errors import DataError
from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.streams import Place

Piece = tuple[tuple[str, ...], tuple[str, ...]]

_ESCAPE = {"\\": "\\\\", " ": "\\s", "\t": "\\t", "|": "\\|", "}": "\\}", "_": "\\_"}
_UNESCAPE = {escaped: plain for plain, escaped in _ESCAPE.items()}
_SPECIAL = re.compile(r"[\\ \t|}_]")
_PART = re.compile(r"\\.|[|}]|_|[^\\|}_]+")


def write_aligned(pairs: Iterable[Iterable[Piece]], place: Place, encoding: str | Encoding = "utf-8") -> None:
    """Write one pair a line; a path gets its new content only when all went well."""
    with streams.writing(place, encoding) as put:
        for pieces in pairs:
            put(" ".join(map(render_piece, pieces)) + "\n")


def read_aligned(place: Place) -> Iterator[list[Piece]]:
    """Read the pairs of a file, line by line."""
    with streams.reading(place) as lines:
        for number, line in enumerate(lines, 1):
            if number in lines.broken:
                raise DataError(f"{lines.file}:{number}: {lines.broken[number]}")
            yield [parse_piece(piece, f"{lines.file}:{number}") for piece in line.split(" ") if piece]


def render_piece(piece: Piece) -> str:
    """Write a piece as text.

    Examples
    --------
    >>> render_piece((("p", "h"), ("F",))), render_piece((("e",), ()))
    ('p|h}F', 'e}_')
    """
    return "}".join("|".join(map(_escaped, side)) or "_" for side in piece)


def _escaped(symbol: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPE[found[0]], symbol)


def parse_piece(text: str, where: str = "(memory)") -> Piece:
    """Parse a piece."""
    sides: list[list[str]] = [[""]]
    for part in _PART.findall(text):
        if part == "}":
            sides.append([""])
        elif part == "|":
            sides[-1].append("")
        elif part == "_" and sides[-1] == [""]:
            sides[-1] = []
        elif part != "_" and sides[-1]:
            sides[-1][-1] += _UNESCAPE.get(part, part)
        else:
            sides.append([])  # something beside the sign for nothing
    if len(sides) != 2 or not all(map(all, sides)):
        raise DataError(f"{where}: {text!r} is not a piece; write it like p|h}}F, or e}}_ for a silent e")
    return tuple(sides[0]), tuple(sides[1])
