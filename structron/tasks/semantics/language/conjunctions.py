"""Conjunctions: function symbols that take any number of parts, ``intersection(a,b,c)``.

Separate productions for each number of parts would not learn from each other. So a conjunction of many parts
consists of productions with two slots: the first part and the rest, which is a production of its own, marked
as such (`Production.rest`). ``f(a,b,c)`` is ``f(a,rest(b,c))``, and a rest can stand nowhere else. The form
itself does not change: parts come out side by side as they went in. The nested ``f(a,f(b,c))`` is a different
form and stays nested.

A symbol is a conjunction if it takes different numbers of parts, at least two and somewhere three or more,
and the same types stand in different places. In a grammar read off forms, it then takes any number of them,
in any order. In a grammar written by hand, its forms stay the same: there must be a production for every
number of parts from two on, all with the same types in all slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from structron.errors import DataError
from structron.io.values.terms import SLOT, Term
from structron.tasks.semantics.language.productions import Production

MOST_PARTS = 200  # of a conjunction, whose parts are nested in Python's stack
Symbol = tuple[str, bool]
Slots = tuple[frozenset[str], ...]


class Rest(NamedTuple):
    """The last parts of a conjunction, as a term of their own."""

    term: Term


def symbol_of(term: Term) -> Symbol:
    """Return a function symbol without the number of its parts."""
    return term.name, term.is_text


def first_and_rest(term: Term) -> list[Term | Rest]:
    """Return the contents of a conjunction's two slots: its first part, and its second or all others."""
    if len(term.arguments) > MOST_PARTS:
        raise DataError(f"{term.name} has more than {MOST_PARTS} parts; correct the form")
    first, *others = term.arguments
    if len(others) == 1:
        return [first, others[0]]
    return [first, Rest(Term(term.name, tuple(others), term.quoted))]


def binarised(productions: Sequence[Production], *, read: bool) -> list[Production]:
    """Give conjunctions two slots; keep the order of productions.

    Parameters
    ----------
    read
        True if they were read off forms, so that conjunctions may have more parts than were seen.
    """
    taken = {production.result for production in productions}
    made: dict[int, list[Production]] = {}
    for members in _candidates(productions):
        family = [productions[number] for number in members]
        slots = [slot for production in family for slot in production.slots]
        types: frozenset[str] = frozenset(name for slot in slots for name in slot)
        if read and _is_mixed(family):
            chain = _open_ended(family[0], types, taken)
        elif not read and len(set(slots)) == 1 and _is_gapless(family):
            chain = _bounded(family, taken)
        else:
            continue
        made |= {number: [] for number in members}
        made[members[0]] = chain
    return [each for number, production in enumerate(productions) for each in made.get(number, [production])]


def _candidates(productions: Sequence[Production]) -> Iterator[list[int]]:
    """Yield productions of one symbol and type, by number, if they have different numbers of slots."""
    of_symbol: dict[Symbol, list[int]] = {}
    for number, production in enumerate(productions):
        if len(production.pattern.arguments) > 1:
            of_symbol.setdefault(symbol_of(production.pattern), []).append(number)
    for numbers in of_symbol.values():
        if any(productions[number].rest or not _is_open(productions[number]) for number in numbers):
            continue
        by_type: dict[str, list[int]] = {}
        for number in numbers:
            by_type.setdefault(productions[number].result, []).append(number)
        for members in by_type.values():
            arities = {productions[number].arity for number in members}
            if len(arities) == len(members) > 1 and max(arities) > 2:
                yield sorted(members, key=lambda number: productions[number].arity)


def _is_open(production: Production) -> bool:
    """Return True if all arguments are slots."""
    return all(part.is_slot for part in production.pattern.arguments)


def _is_mixed(family: Sequence[Production]) -> bool:
    """Return True if each place shares a type with another place."""
    places: list[set[str]] = [set() for _ in family[-1].slots]
    for production in family:
        for place, slot in zip(places, production.slots):
            place |= slot
    return all(
        any(place & other for j, other in enumerate(places) if j != i) for i, place in enumerate(places)
    )


def _is_gapless(family: Sequence[Production]) -> bool:
    return [production.arity for production in family] == list(range(2, len(family) + 2))


def _open_ended(first: Production, types: frozenset[str], taken: set[str]) -> list[Production]:
    """Return a conjunction of any number of parts of these types."""
    head = Production(_two_slots(first), first.result, (types, types), first.names)
    return and_more(head, taken)


def and_more(head: Production, taken: set[str]) -> list[Production]:
    """Return a production with two slots, the last of which takes one part or more, and its rest."""
    rest = _new_type(head, taken)
    types = head.slots[1]
    slots = (types, types | {rest})
    return [
        replace(head, slots=(head.slots[0], types | {rest})),
        Production(head.text, rest, slots, rest=True),
    ]


def _bounded(family: Sequence[Production], taken: set[str]) -> list[Production]:
    """Return a conjunction with at most as many parts as the largest of a family."""
    types, text = family[0].slots[0], family[0].text
    chain: list[Production] = []
    for k in range(len(family) - 1, -1, -1):
        last = types | {chain[0].result} if chain else types
        result = _new_type(family[0], taken) if k else family[0].result
        chain.insert(0, Production(text, result, (types, last), rest=k > 0))
    return chain


def _two_slots(production: Production) -> str:
    pattern = production.pattern
    return str(Term(pattern.name, (Term(SLOT), Term(SLOT)), pattern.quoted))


def _new_type(production: Production, taken: set[str]) -> str:
    """Return the name of a type that no production has yet."""
    name = f"{production.result}+"
    while name in taken:
        name += "+"
    taken.add(name)
    return name


def flattened(production: Production, rests: dict[str, Production]) -> Iterator[tuple[Slots, bool]]:
    """Yield the slots of a production for each number of parts, and whether the last takes any more."""
    slots = list(production.slots)
    seen: set[str] = set()
    while True:
        more = sorted(slots[-1] & rests.keys()) if slots else []
        if not more:
            yield tuple(slots), False
            return
        rest = more[0]
        plain = (*slots[:-1], slots[-1] - rests.keys())
        if rest in rests[rest].slots[1]:
            yield plain, True
            return
        yield plain, False
        if rest in seen:
            return
        seen.add(rest)
        slots = [*plain[:-1], *rests[rest].slots]
