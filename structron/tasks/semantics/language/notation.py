"""Grammars as text, one production a line: ``STATE -> next_to_2(STATE)``.

A type is any word that stands on the left of an arrow. On the right, a type is a slot, several types with
bars between them (``STATE|CITY``) a slot that accepts each of them; everything else is text of the form. A
literal that is spelled like a type is quoted. ``PLACE -> STATE`` lets a STATE stand for a PLACE; ``all ->
all`` is the literal of that name. Whole forms have the type of the first line, or those of a line ``start:
QUERY|COMMAND``. Lines that begin with ``#`` are comments. ``both(STATE,STATE...)`` takes one STATE and then
one or more, side by side.
"""

from __future__ import annotations

from collections.abc import Iterable

from structron.errors import DataError, SettingError
from structron.io.values.terms import SLOT, Term, parse_term
from structron.tasks.semantics.language.conjunctions import and_more, flattened
from structron.tasks.semantics.language.grammar import Grammar
from structron.tasks.semantics.language.productions import Production, check_type

_ARROW, _START, _MORE = "->", "start:", "..."

Made = tuple[str, str, str, list[set[str]], bool]  # place, type, text, slots, and whether the last takes more


def parse_grammar(lines: str | Iterable[str], file: str) -> Grammar:
    """Parse a grammar; errors name the line."""
    texts = lines.splitlines() if isinstance(lines, str) else list(lines)
    rules: list[tuple[str, str, str]] = []  # place, left, right
    named: tuple[str, str] | None = None
    for number, line in enumerate(texts, 1):
        stripped, where = line.strip(), f"{file}:{number}"
        if not stripped or stripped.startswith("#"):
            continue
        if stripped.startswith(_START):
            named = where, stripped.removeprefix(_START).strip()
            continue
        left, arrow, right = (part.strip() for part in stripped.partition(_ARROW))
        if not arrow or not left or not right:
            raise DataError(f"{where}: no production; write TYPE -> form, as STATE -> next_to_2(STATE)")
        rules.append((where, left, right))
    if not rules:
        raise DataError(f"{file}: no productions; write lines as STATE -> next_to_2(STATE)")
    types = {left for _, left, _ in rules}
    below: dict[str, set[str]] = {name: {name} for name in types}
    made: list[Made] = []
    for where, left, right in rules:
        try:
            check_type(left, right)
            pattern, more = _without_dots(parse_term(right), types)
            members = _members(pattern, types)
            if members and right != left:
                below[left] |= members
                continue
            slots: list[set[str]] = []
            text = str(pattern if members else _opened(pattern, types, slots))
        except (DataError, SettingError) as error:
            raise DataError(f"{where}: {error}") from None
        made.append((where, left, text, slots, more))
    return _closed(made, below, named or (f"{file}:1", rules[0][1]), types)


def _without_dots(term: Term, types: set[str]) -> tuple[Term, bool]:
    """Return a pattern without the dots behind its second slot, and whether there were some."""
    last = term.arguments[1] if len(term.arguments) == 2 else None
    if last is None or last.arguments or last.quoted or not last.name.endswith(_MORE):
        return term, False
    both = term.arguments[0], Term(last.name.removesuffix(_MORE) or _MORE)
    if last.name in types or not all(_members(part, types) for part in both):
        return term, False
    return Term(term.name, both, term.quoted), True


def _closed(
    made: list[Made],
    below: dict[str, set[str]],
    start: tuple[str, str],
    types: set[str],
) -> Grammar:
    """Let slots accept, with a type, all types that may stand for it."""
    # Close the relation under transitivity; chains are no longer than the number of types.
    for _ in types:
        for name in types:
            below[name] = set().union(*(below[each] for each in below[name]))
    # A type that only has members has no production of its own, and no slot needs it.
    own = {left for _, left, *_ in made}

    def accepted(slot: Iterable[str]) -> frozenset[str]:
        return frozenset(name for each in slot for name in below[each] if name in own)

    productions = []
    taken = set(types)
    for where, left, text, slots, more in made:
        try:
            production = Production(text, left, tuple(map(accepted, slots)))
            productions += and_more(production, taken) if more else [production]
        except SettingError as error:
            raise DataError(f"{where}: {error}") from None
    where, named = start
    wanted = named.split("|")
    for name in wanted:
        if name not in types:
            raise DataError(f"{where}: no production has the type {name!r}; write one, or start with another")
    try:
        return Grammar(tuple(productions), accepted(wanted))
    except SettingError as error:
        raise DataError(f"{where}: {error}") from None


def _members(term: Term, types: set[str]) -> set[str]:
    """Return the types that a slot accepts; none if the term is not a slot."""
    names = term.name.split("|")
    if term.arguments or term.quoted or not any(name in types for name in names):
        return set()
    for name in names:
        if name not in types:
            raise SettingError(
                f"{name!r} is not a type here, but {term.name} names one; write a production for it"
            )
    return set(names)


def _opened(term: Term, types: set[str], slots: list[set[str]]) -> Term:
    """Replace each slot of a term by ``{}``; add the types that it accepts to `slots`."""
    if term.is_slot:
        raise SettingError("{} does not say which type it takes; name the type")
    if members := _members(term, types):
        slots.append(members)
        return Term(SLOT)
    if not term.arguments:
        return term
    return Term(term.name, tuple(_opened(part, types, slots) for part in term.arguments), term.quoted)


def render_grammar(grammar: Grammar) -> str:
    """Return the lines that `parse_grammar` reads as this grammar."""
    types = {production.result for production in grammar.productions}
    lines = [f"{_START} {'|'.join(sorted(grammar.start))}"]
    for production in grammar.productions:
        for slots, more in () if production.rest else flattened(production, grammar.rests):
            lines.append(f"{production.result} {_ARROW} {_written(production, slots, more, types)}")
    return "\n".join(lines) + "\n"


def _written(
    production: Production, slots: tuple[frozenset[str], ...], more: bool, types: set[str]
) -> Term | str:
    """Parse the right side of a line with this number of slots."""
    whole = production.pattern
    if not whole.arguments and not whole.quoted and whole.name == production.result:
        return production.text
    if len(slots) > production.arity:  # all arguments of a conjunction are slots
        whole = Term(whole.name, tuple(Term(SLOT) for _ in slots), whole.quoted)
    names = ["|".join(sorted(slot)) for slot in slots]
    due = iter([*names[:-1], names[-1] + _MORE] if more else names)

    def written(term: Term) -> Term:
        if term.is_slot:
            return Term(next(due))
        if term.arguments:
            return Term(term.name, tuple(written(part) for part in term.arguments), term.quoted)
        # Quotes distinguish a literal from types.
        return Term(term.name, (), term.quoted or any(part in types for part in term.name.split("|")))

    return written(whole)
