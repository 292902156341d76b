"""Productions: the typed pieces of forms, ``STATE -> next_to_2(STATE)``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from structron.errors import DataError, SettingError
from structron.io.values.terms import MAX_DEPTH, Term, is_special, parse_term

Words = tuple[str, ...]
_TYPE = re.compile(r"[^\s(),'\[\]|{}]+")
NOT_TYPES = ("->",)


class FormTree(NamedTuple):
    """The derivation of a form: the number of a production, and the contents of its slots, left to right."""

    production: int
    parts: tuple[FormTree, ...] = ()

    def preorder(self) -> list[int]:
        """Return the numbers of all productions, each before its parts; arities make this a tree."""
        found, due = [], [self]
        while due:
            tree = due.pop()
            found.append(tree.production)
            due += reversed(tree.parts)
        return found


@dataclass(frozen=True)
class Production:
    """A piece of a form with slots, its type, and the types that each slot accepts.

    Parameters
    ----------
    text
        The piece, with ``{}`` for each slot: ``loc_2({})``, ``intersection({},{})``, ``stateid('virginia')``.
    result
        Its type.
    slots
        The types that each slot accepts, from left to right.
    names
        Sequences of words that may stand for it in a question; those of constants come from a gazetteer.
    rest
        True if it is not a form by itself but the last parts of a conjunction, see
        `structron.tasks.semantics.language.conjunctions`.
    """

    text: str
    result: str
    slots: tuple[frozenset[str], ...] = ()
    names: tuple[Words, ...] = ()
    rest: bool = False

    def __post_init__(self) -> None:
        try:
            pattern = parse_term(self.text)
        except DataError as error:
            raise SettingError(f"production {self.text!r}: {error}") from None
        if pattern.is_slot:
            raise SettingError("a production cannot be a slot alone; write {} inside of a form")
        open_parts = sum(part.is_slot for part in parts_of(pattern))
        if open_parts != len(self.slots):
            raise SettingError(
                f"production {self.text!r}: {open_parts} slots, {len(self.slots)} with types; make them equal"
            )
        for name in (self.result, *(name for slot in self.slots for name in slot)):
            check_type(name, self.text)
        if not all(self.slots):
            raise SettingError(f"production {self.text!r} has a slot that nothing fits; give it a type")
        if any(not name or not all(name) for name in self.names):
            raise SettingError(f"production {self.text!r} has a name without words; leave it out")

    @property
    def arity(self) -> int:
        """Return the number of slots."""
        return len(self.slots)

    @cached_property
    def pattern(self) -> Term:
        """Return the piece as a term, with ``{}`` for the slots."""
        return parse_term(self.text)

    @property
    def function(self) -> str:
        """Return its outermost function symbol, which constants of one kind share."""
        return self.pattern.name

    def match(self, term: Term) -> list[Term] | None:
        """Return the contents of the slots if the piece is the outside of this term, else None."""
        found: list[Term] = []
        due = [(self.pattern, term)]
        while due:
            pattern, part = due.pop()
            if pattern.is_slot:
                found.append(part)
            elif head_of(pattern) != head_of(part):
                return None
            else:
                due += reversed(list(zip(pattern.arguments, part.arguments)))
        return found

    def filled(self, parts: Sequence[Term]) -> Term:
        """Fill the slots of the term, from left to right."""
        return _filled(self.pattern, iter(parts))


def _filled(pattern: Term, parts: Iterator[Term]) -> Term:
    if pattern.is_slot:
        return next(parts)
    if not pattern.arguments:
        return pattern
    return Term(pattern.name, tuple(_filled(part, parts) for part in pattern.arguments), pattern.quoted)


def head_of(term: Term) -> tuple[str, bool, int]:
    """Return the outside of a term: its name, whether it is a quoted text, and its number of arguments."""
    return term.name, term.is_text, len(term.arguments)


def parts_of(term: Term) -> Iterator[Term]:
    """Yield a term and everything in it, each before its parts."""
    due = [term]
    while due:
        part = due.pop()
        yield part
        due += reversed(part.arguments)


def check_type(name: object, where: str) -> None:
    """Refuse a text that cannot be the name of a type."""
    if not isinstance(name, str) or not _TYPE.fullmatch(name) or name in NOT_TYPES or is_special(name):
        raise SettingError(
            f"production {where!r}: {name!r} cannot be a type; use a word, without blanks, brackets, commas, "
            "quotes and bars"
        )


def too_deep(depth: int) -> None:
    """Refuse a tree too deep for any form, before Python's stack overflows."""
    if depth > MAX_DEPTH:
        raise DataError(f"a form of more than {MAX_DEPTH} levels; give a smaller tree")
