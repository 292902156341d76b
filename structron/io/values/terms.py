"""Terms: forms of a language of meaning as text, ``answer(city(loc_2(stateid('virginia'))))``.

A term is a name, alone or applied to terms. A name without quotes is any run of characters but blanks,
brackets, commas and quotes (``loc_2``, ``c++``, ``tcp/ip``, ``40000``); one with quotes may hold anything, a
quote being written twice. ``_`` stands for anything, and ``{}`` for a part that is left open, as in a
production.

Normal form is the text without blanks between its parts, with quotes as they were written and wherever they
are needed: ``'texas'`` and ``texas`` are one name, ``'5'`` is a text and ``5`` a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from structron.errors import DataError

MAX_DEPTH = 100  # that of any form a person would write, and far from what Python's stack can bear
ANYTHING, SLOT = "_", "{}"

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_BARE = re.compile(r"[^\s(),'\[\]]+")
_BLANKS = re.compile(r"\s*")
_QUOTED = re.compile(r"'((?:[^']|'')*+)'")
_FORBIDDEN = re.compile("[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")
_FIX = "correct the form"


def is_special(name: str) -> bool:
    """Return True if quotes change the meaning of a name."""
    return name in (ANYTHING, SLOT) or _NUMBER.fullmatch(name) is not None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Term:
    """A name applied to terms, or a name alone.

    Parameters
    ----------
    name
        The function symbol or the constant, without quotes.
    arguments
        Its arguments.
    quoted
        Whether it is written in quotes. Terms that differ in quotes alone are equal, unless the quotes tell
        a text from a number, from ``_`` or from ``{}``.
    """

    name: str
    arguments: tuple[Term, ...] = ()
    quoted: bool = False
    depth: int = field(init=False)
    _hash: int = field(init=False)

    def __post_init__(self) -> None:
        bad = _FORBIDDEN.search(self.name)
        if bad:
            raise DataError(f"the name {self.name!r} holds {bad[0]!r}, which no form can hold; leave it out")
        if not self.quoted and not _BARE.fullmatch(self.name):
            object.__setattr__(self, "quoted", True)
        depth = 1 + max((part.depth for part in self.arguments), default=0)
        if depth > MAX_DEPTH:
            raise DataError(f"a form of more than {MAX_DEPTH} levels; {_FIX}")
        object.__setattr__(self, "depth", depth)
        # Kept, since the parts of a form are looked up again and again, in caches and in grammars.
        object.__setattr__(self, "_hash", hash((self.name, self.is_text, self.arguments)))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Term):
            return NotImplemented
        return (
            self._hash == other._hash
            and self.name == other.name
            and self.is_text == other.is_text
            and self.arguments == other.arguments
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        # The kept hash holds in one process only.
        return Term, (self.name, self.arguments, self.quoted)

    def __repr__(self) -> str:
        return f"parse_term({str(self)!r})"

    def __str__(self) -> str:
        name = "'" + self.name.replace("'", "''") + "'" if self.quoted else self.name
        return f"{name}({','.join(map(str, self.arguments))})" if self.arguments else name

    @property
    def is_text(self) -> bool:
        """Return True if the term needs its quotes to be a text."""
        return self.quoted and is_special(self.name)

    @property
    def is_slot(self) -> bool:
        """Return True for ``{}``, a part that is left open."""
        return self.name == SLOT and not self.quoted and not self.arguments

    @property
    def is_anything(self) -> bool:
        """Return True for ``_``."""
        return self.name == ANYTHING and not self.quoted and not self.arguments

    @property
    def value(self) -> Term | str | int | float:
        """Return a number for a number, the name of a text, and any other term itself.

        Examples
        --------
        >>> parse_term("40000").value, parse_term("'new york'").value
        (40000, 'new york')
        """
        if self.arguments or self.is_anything or self.is_slot:
            return self
        if self.quoted or not _NUMBER.fullmatch(self.name):
            return self.name
        # Python refuses whole numbers of thousands of digits, which a file may well hold.
        return (
            int(self.name) if self.name.lstrip("+-").isdigit() and len(self.name) < 1000 else float(self.name)
        )


def parse_term(text: str) -> Term:
    """Parse a term; errors name the column, counted from 1.

    Examples
    --------
    >>> str(parse_term("size(cityid('new york', _))"))
    "size(cityid('new york',_))"
    """
    if not isinstance(text, str):
        raise DataError(f"a form must be text, not {type(text).__name__}; write it as f(g('a'),_)")
    if not text.strip():
        raise DataError("column 1: the form is empty; write it as f(g('a'),_)")
    term, at = parse_prefix(text, 0)
    if at < len(text):
        more = "a closing bracket too many" if text[at] == ")" else f"{text[at]!r} after the end of the form"
        raise DataError(f"column {at + 1}: {more}; {_FIX}")
    return term


def parse_prefix(text: str, at: int) -> tuple[Term, int]:
    """Parse the term that begins at an index; return it with the index after it and its trailing blanks."""
    # Open calls with what they have so far: a stack of our own, which a hostile text cannot overflow.
    open_calls: list[tuple[str, bool, int, list[Term]]] = []
    while True:
        begin = _after_blanks(text, at)
        name, quoted, at = _name(text, begin)
        at = _after_blanks(text, at)
        if text.startswith("(", at):
            if len(open_calls) + 1 >= MAX_DEPTH:
                raise DataError(f"column {at + 1}: a form of more than {MAX_DEPTH} levels; {_FIX}")
            open_calls.append((name, quoted, at, []))
            at += 1
            continue
        term = _made(name, (), quoted, begin)
        while open_calls:
            open_calls[-1][3].append(term)
            if text.startswith(",", at):
                at += 1
                break
            if not text.startswith(")", at):
                opened = open_calls[-1][2] + 1
                if at == len(text):
                    raise DataError(f"column {at + 1}: the bracket of column {opened} is not closed; {_FIX}")
                raise DataError(
                    f"column {at + 1}: {text[at]!r} where a comma or a closing bracket is needed; put a name "
                    "with blanks into quotes"
                )
            name, quoted, opened, parts = open_calls.pop()
            term = _made(name, tuple(parts), quoted, opened)
            at = _after_blanks(text, at + 1)
        else:
            return term, at


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _made(name: str, arguments: tuple[Term, ...], quoted: bool, at: int) -> Term:
    try:
        return Term(name, arguments, quoted)
    except DataError as error:
        raise DataError(f"column {at + 1}: {error}") from None


def _name(text: str, at: int) -> tuple[str, bool, int]:
    """Return a name, True if it was quoted, and the index after it."""
    if text.startswith("'", at):
        found = _QUOTED.match(text, at)
        if not found:
            raise DataError(f"column {at + 1}: the quote is not closed; {_FIX}")
        return found[1].replace("''", "'"), True, found.end()
    found = _BARE.match(text, at)
    if not found:
        met = repr(text[at]) if at < len(text) else "the end"
        raise DataError(f"column {at + 1}: {met} where a name is needed; {_FIX}")
    return found[0], False, found.end()
