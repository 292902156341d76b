"""FunQL, the functional query language of GeoQuery, executed over the facts; as `eval.pl` does it, in Python.

A form is evaluated from the inside out to a list of elements, in which order and repetition are kept until
the end: ``sum`` counts what is there twice, and of elements that are equally large the first is the largest.
There are two ways to evaluate, both from `eval.pl`. `_list` gives elements. `_grouped`, which ``most``,
``fewest`` and the superlatives with ``_one`` ask for, gives for each element of the innermost list what
belongs to it: in ``most(city(loc_2(state(all))))`` the cities of each state. A form that is well written but
means nothing, as ``answer(all)``, has no elements; one with a function that does not exist, or that compares
what cannot be compared, is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from geoquery.database import USA, Database, Element, keys
from geoquery.facts import Facts
from structron.errors import DataError
from structron.io.values.terms import Term, parse_term

List = tuple[Element, ...]
Grouped = tuple[tuple[List | int | float, Element], ...]

CONSTANTS = ("stateid", "cityid", "riverid", "countryid", "placeid")
FILTERS = ("capital", "city", "major", "place", "river", "lake", "state", "mountain")
MEASURES = {
    "len": "len",
    "size": "size",
    "area_1": "area",
    "population_1": "population",
    "density_1": "density",
    "elevation_1": "elevation",
}
FORWARD = ("high_point_1", "higher_1", "loc_1", "lower_1", "low_point_1", "next_to_1", "traverse_1")
BACKWARD = (
    "high_point_2",
    "higher_2",
    "loc_2",
    "lower_2",
    "low_point_2",
    "next_to_2",
    "traverse_2",
    "longer",
)
# Of each superlative: what it compares, and whether more is better.
SUPERLATIVES = {
    "largest": ("size", True),
    "smallest": ("size", False),
    "highest": ("elevation", True),
    "lowest": ("elevation", False),
    "longest": ("len", True),
    "shortest": ("len", False),
}
GROUPED = {f"{name}_one": more for name, (_, more) in SUPERLATIVES.items()}
COUNTED = {"most": True, "fewest": False}
ARITY = dict.fromkeys(
    (*CONSTANTS, *FILTERS, *MEASURES, *FORWARD, *BACKWARD, *SUPERLATIVES, *GROUPED, *COUNTED), 1
) | {"cityid": 2, "answer": 1, "capital_1": 1, "capital_2": 1, "elevation_2": 1, "count": 1, "sum": 1}
ARITY |= {"each": 1, "exclude": 2, "intersection": 2, "all": 0}

MOST_KEPT = 2_000_000  # elements in all lists that are remembered


class Funql:
    """Executes forms; what a part of a form was found to be is remembered.

    Parameters
    ----------
    facts
        See `facts.read_facts`.
    steps
        How many elements one form may make on its way; lists in which things repeat can grow without end.
    """

    def __init__(self, facts: Facts, steps: int = 200_000) -> None:
        self.database = Database(facts)
        self.steps = steps
        self._taken = self._kept = 0
        self._lists: dict[Term, List | None] = {}
        self._groups: dict[Term, Grouped | None] = {}

    def __call__(self, form: Term | str) -> list[Element]:
        """Return the answer: elements, each once, sorted as texts, or raise DataError."""
        term = parse_term(form) if isinstance(form, str) else form
        self._taken = 0
        if self._kept > MOST_KEPT:
            self._lists.clear()
            self._groups.clear()
            self._kept = 0
        if term.name != "answer":
            raise DataError(f"{term.name}: a query must be answer(...); write it around the form")
        return sorted(set(self._list(term) or ()), key=str)

    def _list(self, term: Term) -> List | None:
        """Return the elements of a form, or None where `eval.pl` fails."""
        if term not in self._lists:
            found = self._evaluated(term)
            self._lists[term] = None if found is None else self._counted(term, found)
        return self._lists[term]

    def _grouped(self, term: Term) -> Grouped | None:
        """Return what belongs to each element, with the element, or None where `eval.pl` fails."""
        if term not in self._groups:
            found = self._regrouped(term)
            if found is not None:
                self._counted(term, [part for key, _ in found if isinstance(key, tuple) for part in key])
            self._groups[term] = found
        return self._groups[term]

    def _counted(self, term: Term, elements: Sequence[Element]) -> List:
        self._taken += len(elements) + 1
        self._kept += len(elements) + 1
        if self._taken > self.steps:
            raise DataError(f"{term.name}: more than {self.steps} steps; ask for less, or allow more steps")
        return tuple(elements)

    def _evaluated(self, term: Term) -> Sequence[Element] | None:
        name, parts = term.name, term.arguments
        if ARITY.get(name) != len(parts):
            wanted = ARITY.get(name)
            told = (
                "there is no such function"
                if wanted is None
                else f"it takes {wanted}, not {len(parts)} parts"
            )
            raise DataError(f"{name}: {told}; write a form of FunQL")
        if name in CONSTANTS:
            return [term]
        if name == "all":
            return None
        if name in self.database.everything and parts[0].name == "all":
            return self.database.everything[name]
        if name == "traverse_2" and parts[0] == USA:
            return self.database.rivers
        if name == "elevation_2" and parts[0].value == 0:
            return [who for who, number in self.database.measures["elevation"].values if number == 0]
        if name in GROUPED or name in COUNTED:
            groups = self._grouped(parts[0])
            return None if groups is None else _best_group(name, groups)
        lists = [self._list(part) if part.arguments or part.name == "all" else None for part in parts]
        if any(each is None for each in lists):
            return None
        return self._applied(name, [each for each in lists if each is not None])

    def _applied(self, name: str, lists: list[List]) -> Sequence[Element]:
        elements = lists[0]
        if name in ("answer", "each"):
            return elements
        if name in FILTERS:
            return self._filtered(name, elements)
        if name in MEASURES:
            return [number for number, _ in self._measured(MEASURES[name], elements)]
        if name in SUPERLATIVES:
            measure, more = SUPERLATIVES[name]
            return _extreme(self._measured(measure, elements), more)
        if name in FORWARD or name in BACKWARD or name in ("capital_2", "elevation_2"):
            related = self._related(name)
            return [other for element in elements for other in related(element)]
        if name == "capital_1":
            after = self.database.relations["capital"].after
            return [after(element)[0] for element in elements if after(element)]
        if name == "count":
            return [len(set(elements))]
        if name == "sum":
            return [sum(_numbers("sum", elements))]
        if name == "exclude":
            found = _unified(elements, lists[1])
            return [element for element, other in zip(elements, found) if other is None]
        return [other for other in _unified(elements, lists[1]) if other is not None]  # intersection

    def _filtered(self, kind: str, elements: List) -> list[Element]:
        kept = (self.database.is_kind(kind, element) for element in elements)
        return [element for element in kept if element is not None]

    def _measured(self, measure: str, elements: List) -> list[tuple[int | float, Element]]:
        """Return the number of each element that has one, with the element."""
        found: list[tuple[int | float, Element]] = []
        for element in elements:
            if measure == "size" and not isinstance(element, Term):
                found.append((element, element))  # a number is as large as it is
            elif known := self.database.measures[measure].first(element):
                found.append((known[1], known[0]))
        return found

    def _related(self, name: str) -> Callable[[Element], Iterable[Element]]:
        """Return what a function makes of one element, by a relation or by comparing."""
        base, _, side = name.rpartition("_") if name != "longer" else ("longer", "", "2")
        if base in self.database.relations:
            relation = self.database.relations[base]
            return relation.after if side == "1" else relation.before
        if base == "elevation":
            heights = self.database.measures["elevation"].values
            return lambda wanted: [who for who, number in heights if number == wanted]
        measure = self.database.measures["len" if base == "longer" else "elevation"]
        # The others are higher than this one, or this one is higher than the others.
        sign = (1 if base in ("higher", "longer") else -1) * (1 if side == "2" else -1)

        def compared(element: Element) -> list[Element]:
            own = [number for _, number in measure.all(element)]
            return [who for who, number in measure.values for mine in own if sign * (number - mine) > 0]

        return compared

    def _regrouped(self, term: Term) -> Grouped | None:
        name, parts = term.name, term.arguments
        if len(parts) != 1 or not parts[0].arguments:
            return None
        if name in FILTERS:
            groups = self._grouped(parts[0])
            if groups is None or not all(isinstance(key, tuple) for key, _ in groups):
                return None
            return tuple(
                (tuple(self._filtered(name, key)), element)
                for key, element in groups
                if isinstance(key, tuple)
            )
        if name not in MEASURES and name not in FORWARD and name not in BACKWARD:
            return None
        elements = self._list(parts[0])
        if elements is None:
            return None
        if name in MEASURES:
            return tuple(self._measured(MEASURES[name], elements))
        related = self._related(name)
        return tuple((tuple(related(element)), element) for element in elements)


def _best_group(name: str, groups: Grouped) -> list[Element]:
    """Return the element with the most, or the most extreme, of what belongs to it."""
    if name in COUNTED:
        if not all(isinstance(key, tuple) for key, _ in groups):
            raise DataError(
                f"{name}: it counts things, and these are numbers; use largest_one or smallest_one"
            )
        sizes = [(len(set(key)), element) for key, element in groups if isinstance(key, tuple)]
        return _extreme(sizes, COUNTED[name])
    if len(groups) > 1 and any(isinstance(key, tuple) for key, _ in groups):
        raise DataError(f"{name}: it compares numbers, and these are things; use most or fewest")
    if len(groups) == 1:
        return [groups[0][1]]
    return _extreme([(key, element) for key, element in groups if not isinstance(key, tuple)], GROUPED[name])


def _extreme(pairs: Sequence[tuple[int | float, Element]], more: bool) -> list[Element]:
    """Return the element with the highest or lowest number, of several the first."""
    if not pairs:
        return []
    choose = max if more else min
    return [choose(pairs, key=lambda pair: pair[0])[1]]


def _numbers(name: str, elements: List) -> list[int | float]:
    numbers = [element for element in elements if not isinstance(element, Term)]
    if len(numbers) < len(elements):
        raise DataError(f"{name}: it adds numbers, and these are things; ask for a measure of them")
    return numbers


def _unified(elements: List, others: List) -> list[Element | None]:
    """Return each element as it is among others, or None if it is not; an open city is any of its name."""
    named: dict[Element, Element] = {}
    for other in others:
        for key in keys(other):
            named.setdefault(key, other)
    there = set(others)
    # An open city is found by its name; one that is not may be found as an open one.
    return [named.get(element, element if keys(element)[-1] in there else None) for element in elements]
