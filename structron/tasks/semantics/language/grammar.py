"""A language of meaning as data: typed productions, read off forms, written by hand, or from a model file.

In a grammar read off forms, the type of a production is its function symbol, and a slot accepts the types
that were seen in it: the parts of training forms can be combined anew. The parse tree of a form is then
unambiguous, as in the hybrid trees of Lu et al. (2008), section 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from structron.errors import DataError, ModelError, SettingError
from structron.io.values.terms import Term, parse_term
from structron.tasks.semantics.language.conjunctions import Rest, Symbol, binarised, first_and_rest, symbol_of
from structron.tasks.semantics.language.gazetteer import Gazetteer
from structron.tasks.semantics.language.productions import FormTree, Production, head_of, too_deep

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FormTree", "Grammar", "Production"]

MOST_PRODUCTIONS = 1_000_000


@dataclass(frozen=True)
class Grammar:
    """Productions in the order of their numbers, and the possible types of a whole form."""

    productions: tuple[Production, ...]
    start: frozenset[str]

    def __post_init__(self) -> None:
        if not self.productions:
            raise SettingError("the grammar has no productions; give at least one form, or write some")
        if len(self.productions) > MOST_PRODUCTIONS:
            raise SettingError(f"more than {MOST_PRODUCTIONS} productions are too many; give fewer names")
        seen: set[tuple[str, Term, tuple[frozenset[str], ...]]] = set()
        for production in self.productions:
            key = production.result, production.pattern, production.slots
            if key in seen:
                raise SettingError(f"{production.result} -> {production.text} is there twice; leave one out")
            seen.add(key)
        if not self.start:
            raise SettingError("the grammar has no type for whole forms; name one")
        types = {production.result for production in self.productions}
        for wanted in (self.start, *(slot for production in self.productions for slot in production.slots)):
            if not wanted <= types:
                raise SettingError(f"no production has the type {min(wanted - types)!r}; write one")
        self._check_rests()

    def _check_rests(self) -> None:
        """Refuse a rest that is not the last part of a conjunction of its own function symbol."""
        of_rest = {each.result: symbol_of(each.pattern) for each in self.productions if each.rest}
        if not of_rest:
            return
        for production in self.productions:
            slots, symbol = production.slots, symbol_of(production.pattern)
            is_pair = len(slots) == len(production.pattern.arguments) == 2
            wrong = (production.rest and not is_pair) or (
                not production.rest and production.result in of_rest
            )
            wrong |= of_rest.get(production.result, symbol) != symbol
            for last, slot in zip((*[False] * (len(slots) - 1), is_pair), slots):
                wrong |= any(not last or of_rest[name] != symbol for name in slot & of_rest.keys())
            if wrong:
                raise SettingError(
                    f"production {production.text!r}: the rest of a conjunction is not in its place"
                )
        if self.start & of_rest.keys():
            raise SettingError("the rest of a conjunction is not a whole form; start with another type")

    @classmethod
    def read(
        cls, forms: Iterable[Term | str], *, constants: Iterable[str] | None = None, overlap: int = 0
    ) -> Grammar:
        """Read the grammar of these forms, see `structron.tasks.semantics.language.reading`.

        Parameters
        ----------
        forms
            Forms of the training data; their order does not matter.
        constants
            The function symbols whose applications are constants, productions without slots
            (``stateid('virginia')``). By default they are those that are applied to literals alone.
        overlap
            If it is above 0, a slot also accepts the types of another slot if both have at least so many
            types in common. This permits new forms, and more forms without meaning.
        """
        from structron.tasks.semantics.language.reading import read_grammar

        return read_grammar(forms, None if constants is None else frozenset(constants), overlap)

    @classmethod
    def parse(cls, lines: str | Iterable[str], file: str = "grammar") -> Grammar:
        """Parse a grammar written by hand, see `structron.tasks.semantics.language.notation`.

        Examples
        --------
        >>> grammar = Grammar.parse('''
        ... QUERY -> answer(STATE|CITY)
        ... STATE -> next_to_2(STATE)
        ... STATE -> stateid('texas')
        ... CITY -> capital_1(STATE)
        ... ''')
        >>> grammar.derive("answer(next_to_2(stateid('texas')))").preorder()
        [0, 1, 2]
        """
        from structron.tasks.semantics.language.notation import parse_grammar

        return parse_grammar(lines, file)

    def binarised(self, *, read: bool = False) -> Grammar:
        """Return a grammar of the same forms in which conjunctions have two slots.

        Parameters
        ----------
        read
            True if it was read off forms; then conjunctions may have more parts than were seen.
        """
        return Grammar(tuple(binarised(self.productions, read=read)), self.start)

    @cached_property
    def rests(self) -> dict[str, Production]:
        """Return the rests of conjunctions by type."""
        return {production.result: production for production in self.productions if production.rest}

    def is_exchangeable(self, number: int) -> bool:
        """Return True if a production has two slots whose types do not show which part is for which."""
        slots = self.productions[number].slots
        return len(slots) == 2 and slots[0] == slots[1] - self.rests.keys()

    def __str__(self) -> str:
        """Write the grammar as `parse` reads it, without the names of constants."""
        from structron.tasks.semantics.language.notation import render_grammar

        return render_grammar(self)

    def __len__(self) -> int:
        return len(self.productions)

    @cached_property
    def _constants(self) -> dict[Term, list[int]]:
        """Return the productions without slots, by pattern."""
        found: dict[Term, list[int]] = {}
        for number, production in enumerate(self.productions):
            if not production.arity:
                found.setdefault(production.pattern, []).append(number)
        return found

    @cached_property
    def _functions(self) -> dict[tuple[str, bool, int], list[int]]:
        """Return the productions with slots, by outermost symbol."""
        found: dict[tuple[str, bool, int], list[int]] = {}
        for number, production in enumerate(self.productions):
            if production.arity and not production.rest:
                found.setdefault(head_of(production.pattern), []).append(number)
        return found

    @cached_property
    def _conjunctions(self) -> dict[tuple[Symbol, bool], list[int]]:
        """Return rests, and productions that take a rest, by symbol and whether they are rests."""
        found: dict[tuple[Symbol, bool], list[int]] = {}
        for number, production in enumerate(self.productions):
            if production.rest or (production.arity and production.slots[-1] & self.rests.keys()):
                found.setdefault((symbol_of(production.pattern), production.rest), []).append(number)
        return found

    def derive(self, form: Term | str) -> FormTree:
        """Return the derivation of a form; ties go to the lowest productions.

        Raise DataError, which names the part, if the grammar does not make the form.
        """
        term = parse_term(form) if isinstance(form, str) else form
        memo: dict[Term | Rest, list[FormTree]] = {}
        for tree in self._trees(term, memo):
            if self.productions[tree.production].result in self.start:
                return tree
        raise DataError(f"{self._blame(term, memo)}; add it to the grammar, or correct the form")

    def has(self, form: Term | str) -> bool:
        """Return True if the grammar makes a form."""
        try:
            self.derive(form)
        except DataError:
            return False
        return True

    def _candidates(self, part: Term | Rest) -> Iterator[tuple[int, list[Term | Rest]]]:
        """Yield productions that match the outside of a term, with the contents of their slots."""
        term = part.term if isinstance(part, Rest) else part
        if len(term.arguments) > 2 or isinstance(part, Rest):
            for number in self._conjunctions.get((symbol_of(term), isinstance(part, Rest)), ()):
                yield number, first_and_rest(term)
        if isinstance(part, Rest):
            return
        for number in self._constants.get(term, ()):
            yield number, []
        for number in self._functions.get(head_of(term), ()):
            parts = self.productions[number].match(term)
            if parts is not None:
                yield number, [*parts]

    def _trees(self, term: Term | Rest, memo: dict[Term | Rest, list[FormTree]]) -> list[FormTree]:
        """Return a tree for each production that matches the outside of a term, lowest first."""
        if term in memo:
            return memo[term]
        found = memo[term] = []
        for number, parts in sorted(self._candidates(term), key=lambda item: item[0]):
            chosen: list[FormTree] = []
            for slot, part in zip(self.productions[number].slots, parts):
                for tree in self._trees(part, memo):
                    if self.productions[tree.production].result in slot:
                        chosen.append(tree)
                        break
                else:
                    break
            if len(chosen) == len(parts):
                found.append(FormTree(number, tuple(chosen)))
        return found

    def _blame(self, term: Term | Rest, memo: dict[Term | Rest, list[FormTree]]) -> str:
        """Describe the innermost part that the grammar does not make."""
        shown = term.term if isinstance(term, Rest) else term
        if self._trees(term, memo):
            return f"no form begins with {shown.name}"
        candidates = list(self._candidates(term))
        for _, parts in candidates:
            for part in parts:
                if not self._trees(part, memo):
                    return self._blame(part, memo)
        for number, parts in candidates:
            production = self.productions[number]
            for slot, part in zip(production.slots, parts):
                if not any(
                    self.productions[tree.production].result in slot for tree in self._trees(part, memo)
                ):
                    told = part.term if isinstance(part, Rest) else part
                    return f"{production.text} does not take {told}"
        return f"there is no production for {shown}"

    def term(self, tree: FormTree) -> Term:
        """Return the form of a tree; raise DataError if its productions do not fit together."""
        return self._built(tree, self.start, 1)

    def _built(self, tree: FormTree, accepted: frozenset[str], depth: int) -> Term:
        too_deep(depth)
        production = self._fitting(tree, accepted)
        if production.slots and production.slots[-1] & self.rests.keys():
            return self._side_by_side(tree, depth)
        return production.filled(
            [self._built(part, slot, depth + 1) for slot, part in zip(production.slots, tree.parts)]
        )

    def _side_by_side(self, tree: FormTree, depth: int) -> Term:
        """Flatten a conjunction: put the parts of its rest beside its own."""
        pattern = self.productions[tree.production].pattern
        found: list[Term] = []
        while True:
            production, (first, last) = self.productions[tree.production], tree.parts
            found.append(self._built(first, production.slots[0], depth + 1))
            if not self._fitting(last, production.slots[-1]).rest:
                found.append(self._built(last, production.slots[-1], depth + 1))
                return Term(pattern.name, tuple(found), pattern.quoted)
            tree = last

    def _fitting(self, tree: FormTree, accepted: frozenset[str]) -> Production:
        """Return the production of a tree; raise DataError if it does not fit where it is."""
        number, parts = tree
        if not 0 <= number < len(self.productions):
            raise DataError(f"there is no production {number}; they are numbered from 0 to {len(self) - 1}")
        production = self.productions[number]
        if production.result not in accepted or len(parts) != production.arity:
            raise DataError(
                f"production {number}, {production.text}, does not fit where it is; give a whole tree"
            )
        return production

    def tree(self, preorder: Sequence[int]) -> FormTree:
        """Build a tree from productions that are listed each before its parts."""
        due: list[FormTree] = []
        for number in reversed(preorder):
            if not 0 <= number < len(self.productions):
                raise DataError(
                    f"there is no production {number}; they are numbered from 0 to {len(self) - 1}"
                )
            arity = self.productions[number].arity
            if arity > len(due):
                raise DataError("the list of productions ends too early; give all parts of the tree")
            parts = tuple(due.pop() for _ in range(arity))
            due.append(FormTree(number, parts))
        if len(due) != 1:
            raise DataError(f"the list of productions makes {len(due)} trees; give exactly one")
        return due[0]

    def extended(self, gazetteer: Gazetteer) -> Grammar:
        """Add the names of a gazetteer, and a production for each new constant.

        A new constant has the types of the constants with its function symbol. If there are none, no slot
        could take it, and it is left out. Productions keep their numbers; new ones follow.
        """
        kinds: dict[tuple[str, bool, int], dict[str, None]] = {}
        for constant, numbers in self._constants.items():
            for number in numbers:
                kinds.setdefault(head_of(constant), {})[self.productions[number].result] = None
        made = list(self.productions)
        names: dict[int, dict[tuple[str, ...], None]] = {}
        for constant, sequences in sorted(gazetteer.by_constant.items(), key=lambda item: str(item[0])):
            numbers = self._constants.get(constant, [])
            if not numbers and constant.arguments:
                types = kinds.get(head_of(constant), {})
                numbers = list(range(len(made), len(made) + len(types)))
                made += [Production(str(constant), result) for result in types]
            for number in numbers:
                names.setdefault(number, {}).update(dict.fromkeys(sequences))
        for number, added in names.items():
            known = dict.fromkeys(made[number].names) | added
            made[number] = replace(made[number], names=tuple(known))
        return Grammar(tuple(made), self.start)

    @cached_property
    def _names(self) -> Gazetteer:
        return Gazetteer.of(
            (name, production.pattern) for production in self.productions for name in production.names
        )

    def anchors(self, words: Sequence[str]) -> list[tuple[int, int, int]]:
        """Find names of constants in a question: begin, end (after it) and production; sorted."""
        return sorted(
            (begin, end, number)
            for begin, end, constant in self._names.matches(words)
            for number in self._constants[constant]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the grammar as plain data, for a model file."""
        return {
            "start": sorted(self.start),
            "productions": [
                {
                    "text": production.text,
                    "result": production.result,
                    "slots": [sorted(slot) for slot in production.slots],
                    "names": [list(name) for name in production.names],
                    **({"rest": True} if production.rest else {}),
                }
                for production in self.productions
            ],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Grammar:
        """Restore a grammar from the output of `to_dict`; raise ModelError for anything else."""
        try:
            made = [
                Production(
                    _text(each["text"]),
                    _text(each["result"]),
                    tuple(frozenset(_texts(slot)) for slot in _list(each["slots"])),
                    tuple(tuple(_texts(name)) for name in _list(each["names"])),
                    each.get("rest") is True,
                )
                for each in _list(data["productions"])
            ]
            return cls(tuple(made), frozenset(_texts(data["start"])))
        except (KeyError, TypeError, SettingError) as error:
            told = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise ModelError(f"its grammar is damaged ({told}); train or fetch it again") from None


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{type(value).__name__} where a list should be")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} where a text should be")
    return value


def _texts(value: Any) -> list[str]:
    return [_text(each) for each in _list(value)]
