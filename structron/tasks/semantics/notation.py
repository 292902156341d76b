"""A grammar as text, one production a line: ``STATE -> next_to_2(STATE)``.

A type is any word that stands on the left of an arrow. On the right, a type is a slot, several types with
bars between them (``STATE|CITY``) a slot that accepts each of them; all else is text of the form. A literal
that is spelled like a type is put into quotes. ``PLACE -> STATE`` says that whatever is a STATE may stand for
a PLACE; ``all -> all`` is the literal of that name. Whole forms have the types of the first line, or those of
a line ``start: QUERY|COMMAND``. Lines that begin with ``#`` are comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from structron.data.terms import SLOT, Term, parse_term
from structron.errors import DataError, SettingError
from structron.tasks.semantics.grammar import Grammar
from structron.tasks.semantics.productions import Production, check_type

_ARROW, _START = "->", "start:"


def parse_grammar(lines: str | Iterable[str], file: str) -> Grammar:
    """A grammar from text; what is wrong is told with its line."""
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
    made: list[tuple[str, str, str, list[set[str]]]] = []
    for where, left, right in rules:
        try:
            check_type(left, right)
            pattern = parse_term(right)
            members = _members(pattern, types)
            if members and right != left:
                below[left] |= members
                continue
            slots: list[set[str]] = []
            text = str(pattern if members else _opened(pattern, types, slots))
        except (DataError, SettingError) as error:
            raise DataError(f"{where}: {error}") from None
        made.append((where, left, text, slots))
    return _closed(made, below, named or (f"{file}:1", rules[0][1]), types)


def _closed(
    made: list[tuple[str, str, str, list[set[str]]]],
    below: dict[str, set[str]],
    start: tuple[str, str],
    types: set[str],
) -> Grammar:
    """The grammar in which a slot accepts, with a type, all that may stand for it."""
    # Whoever stands for one that stands for another stands for that too; chains are no longer than this.
    for _ in types:
        for name in types:
            below[name] = set().union(*(below[each] for each in below[name]))
    # A type with members alone has no production of its own, and no slot needs to know it.
    own = {left for _, left, _, _ in made}

    def accepted(slot: Iterable[str]) -> frozenset[str]:
        return frozenset(name for each in slot for name in below[each] if name in own)

    productions = []
    for where, left, text, slots in made:
        try:
            productions.append(Production(text, left, tuple(map(accepted, slots))))
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
    """The types that a slot accepts; none if the term is no slot."""
    names = term.name.split("|")
    if term.arguments or term.quoted or not any(name in types for name in names):
        return set()
    for name in names:
        if name not in types:
            raise SettingError(
                f"{name!r} is no type here, but {term.name} names one; write a production for it"
            )
    return set(names)


def _opened(term: Term, types: set[str], slots: list[set[str]]) -> Term:
    """The term with ``{}`` for each slot; what they accept is put into `slots`."""
    if term.is_slot:
        raise SettingError("{} does not say which type it takes; name the type")
    if members := _members(term, types):
        slots.append(members)
        return Term(SLOT)
    if not term.arguments:
        return term
    return Term(term.name, tuple(_opened(part, types, slots) for part in term.arguments), term.quoted)


def render_grammar(grammar: Grammar) -> str:
    """The lines that `parse_grammar` reads as this grammar."""
    types = {production.result for production in grammar.productions}
    lines = [f"{_START} {'|'.join(sorted(grammar.start))}"]
    for production in grammar.productions:
        slots = iter(production.slots)

        def written(term: Term, slots: Iterator[frozenset[str]] = slots) -> Term:
            if term.is_slot:
                return Term("|".join(sorted(next(slots))))
            if term.arguments:
                return Term(term.name, tuple(written(part) for part in term.arguments), term.quoted)
            # Quotes tell a literal from a type, or from several.
            return Term(term.name, (), term.quoted or any(part in types for part in term.name.split("|")))

        whole = production.pattern
        own = not whole.arguments and not whole.quoted and whole.name == production.result
        lines.append(f"{production.result} {_ARROW} {production.text if own else written(whole)}")
    return "\n".join(lines) + "\n"
