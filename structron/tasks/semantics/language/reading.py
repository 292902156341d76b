"""Grammars read off forms: their productions, their constants, and the types of their slots."""

from __future__ import annotations

import re
from collections.abc import Iterable

from structron.errors import DataError, SettingError
from structron.io.values.terms import SLOT, Term, is_special, parse_term
from structron.tasks.semantics.language.grammar import Grammar
from structron.tasks.semantics.language.productions import NOT_TYPES, Production, head_of, parts_of

Head = tuple[str, bool, int]
_UNFIT = re.compile(r"[\s(),'\[\]|{}]+")


def read_grammar(forms: Iterable[Term | str], constants: frozenset[str] | None, overlap: int = 0) -> Grammar:
    """Read the grammar of forms; `constants` are function symbols, None to find them.

    Constants are the symbols that are applied to literals alone, never to something that has parts itself,
    unless one of the literals is a part of other forms, too: ``lake(all)`` is not a name, since ``all``
    stands in ``state(all)`` beside ``state(loc_2(…))``. If no other literal fills a slot, it becomes a part
    of the productions around it and needs no words of its own.
    """
    if isinstance(overlap, bool) or not isinstance(overlap, int) or overlap < 0:
        raise SettingError(f"overlap = {overlap!r} is not possible; give a whole number of at least 0")
    terms = [parse_term(form) if isinstance(form, str) else form for form in forms]
    if not terms:
        raise DataError("there are no forms to read a grammar off; give at least one")
    for term in terms:
        if any(part.is_slot for part in parts_of(term)):
            raise DataError(f"the form {term} has an open part; fill it, or put {SLOT} into quotes")
    folded = _literal_heads(terms) if constants is None else None
    silent = _silent(terms, folded) if folded is not None else None

    def is_constant(term: Term) -> bool:
        if not term.arguments:
            return True
        return term.name in constants if constants is not None else head_of(term) in (folded or ())

    # For each pattern its text, and the types seen in each slot.
    found: dict[Term, tuple[str, list[set[str]]]] = {}
    due = list(dict.fromkeys(terms))
    seen = set(due)
    for term in due:
        constant = is_constant(term)
        inner = [] if constant else [part for part in term.arguments if part != silent]
        pattern = term
        if not constant:
            parts = tuple(part if part == silent else Term(SLOT) for part in term.arguments)
            pattern = Term(term.name, parts, term.quoted)
        text, slots = found.get(pattern, (str(pattern), [set() for _ in inner]))
        # Forms may quote a name in one place only: choose one spelling, whatever their order.
        found[pattern] = min(text, str(pattern)), [] if constant else slots
        if not constant:
            for slot, part in zip(slots, inner):
                slot.add(type_of(part))
                if part not in seen:
                    seen.add(part)
                    due.append(part)
    if overlap:
        types = len(set(map(type_of, found)))
        _widen([slot for _, slots in found.values() for slot in slots], overlap, types)
    made = [
        Production(text, type_of(pattern), tuple(map(frozenset, slots)))
        for pattern, (text, slots) in found.items()
    ]
    return Grammar(
        tuple(sorted(made, key=lambda each: (each.result, each.text))), frozenset(map(type_of, terms))
    )


def _silent(terms: list[Term], folded: set[Head]) -> Term | None:
    """Return the literal that stands for no word: the only one that fills slots, such as ``all``."""
    fillers = {
        part
        for term in {part for form in terms for part in parts_of(form)}
        if head_of(term) not in folded
        for part in term.arguments
        if not part.arguments
    }
    return fillers.pop() if len(fillers) == 1 else None


def _widen(slots: list[set[str]], overlap: int, types: int) -> None:
    """Add to each slot the types of those slots that share enough with it."""
    # A slot that takes most of the types, such as that of a whole form, does not show which types are alike.
    seen = [frozenset(slot) for slot in slots if 2 * len(slot) <= types]
    for slot in slots:
        before = frozenset(slot)
        slot.update(*(other for other in seen if len(other & before) >= overlap))


def _literal_heads(terms: list[Term]) -> set[Head]:
    """Return the function symbols, with their arities, that are constants wherever they stand."""
    applied: dict[Head, set[Term]] = {}
    structural: set[Head] = set()
    for term in {part for form in terms for part in parts_of(form)}:
        if term.arguments:
            applied.setdefault(head_of(term), set()).update(p for p in term.arguments if not p.arguments)
            if any(part.arguments for part in term.arguments):
                structural.add(head_of(term))
    while True:
        # A literal that fills a slot of one symbol is not part of a constant under another.
        fillers = {part for head in structural for part in applied[head]}
        more = {head for head, parts in applied.items() if parts & fillers} - structural
        if not more:
            return set(applied) - structural
        structural |= more


def type_of(term: Term) -> str:
    """Return the type of a term: its function symbol; all numbers have one type."""
    name = _UNFIT.sub("_", term.name) or "empty"
    if is_special(name) or name in NOT_TYPES:
        return "text" if term.quoted else "anything" if term.is_anything else "number"
    return name
