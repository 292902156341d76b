"""Facts of a Prolog file: ``city('alabama','al','birmingham',284413).`` becomes a row of the table ``city``.

Clauses with bodies (``:-``) and directives are no facts and are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from structron.errors import DataError
from structron.io.files import streams

Value = str | int | float | tuple["Value", ...]
Row = tuple[Value, ...]
Facts = dict[str, list[Row]]

_TOKEN = re.compile(
    r"""(?P<skip>\s+|%[^\n]*|/\*.*?\*/)
    |'(?P<quoted>(?:[^']|'')*+)'
    |(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
    |(?P<atom>[A-Za-z_]\w*)
    |(?P<mark>:-|[(),.\[\]]|[^\s\w])""",
    re.VERBOSE | re.DOTALL,
)


def read_facts(place: str | Path) -> Facts:
    """Return the facts of a file, plain or gzip, by the name of their table."""
    with streams.reading(place) as lines:
        return parse_facts("\n".join(lines), lines.file)


def parse_facts(text: str, file: str = "facts") -> Facts:
    """Return the facts of a text; what is neither a fact nor a clause to pass over is told with its line.

    >>> parse_facts("state('ohio', 41.2e+3, ['lima', 'kent']).")
    {'state': [('ohio', 41200.0, ('lima', 'kent'))]}
    """
    found: Facts = {}
    for line, clause in _clauses(text, file):
        marks = [token for kind, token in clause if kind == "mark"]
        if ":-" in marks:
            continue
        try:
            (kind, name), (_, opening), *rest, (_, closing) = clause
        except ValueError:
            raise DataError(f"{file}:{line}: no fact; write name(value, value).") from None
        if kind != "atom" or opening != "(" or closing != ")":
            raise DataError(f"{file}:{line}: no fact; write name(value, value).")
        values, after = _values(rest, 0, f"{file}:{line}")
        if after != len(rest):
            raise DataError(f"{file}:{line}: a bracket too many; write name(value, value).")
        found.setdefault(name, []).append(values)
    return found


def _clauses(text: str, file: str) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Yield the tokens of each clause, with the line on which it begins."""
    clause: list[tuple[str, str]] = []
    begin = 1
    line = 1
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind != "skip":
            if not clause:
                begin = line
            if kind == "mark" and match["mark"] == ".":
                yield begin, clause
                clause = []
            else:
                clause.append((kind, match[kind]))
        line += match[0].count("\n")
    if clause:
        raise DataError(f"{file}:{begin}: the clause has no full stop; end it with one")


def _values(tokens: list[tuple[str, str]], at: int, where: str) -> tuple[Row, int]:
    """Return values with commas between them, and the index after the last."""
    values: list[Value] = []
    while at < len(tokens):
        kind, token = tokens[at]
        at += 1
        if kind == "mark" and token == "[":
            if tokens[at : at + 1] == [("mark", "]")]:
                inner: Row = ()
            else:
                if any(mark == ("mark", "[") for mark in tokens[at : at + 1]):
                    raise DataError(f"{where}: a list in a list; write one list")
                inner, at = _values(tokens, at, where)
            if tokens[at : at + 1] != [("mark", "]")]:
                raise DataError(f"{where}: the list is not closed; write [value, value]")
            values.append(inner)
            at += 1
        elif kind == "number":
            values.append(int(token) if token.lstrip("-").isdigit() else float(token))
        elif kind in ("atom", "quoted"):
            values.append(token.replace("''", "'"))
        else:
            raise DataError(f"{where}: {token!r} where a value is needed; write name(value, value).")
        if tokens[at : at + 1] != [("mark", ",")]:
            break
        at += 1
    return tuple(values), at
