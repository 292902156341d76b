"""The geography of GeoQuery: relations and measures over the facts, as `geoquery.pl` defines them.

A city whose state is not known, ``cityid('austin',_)``, is open: it stands for every city of that name.
Relations are listed in the order in which Prolog finds their pairs, since the first of several is what counts
for superlatives.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from geoquery.facts import Facts
from structron.io.values.terms import ANYTHING, Term

Element = Term | int | float
OPEN = Term(ANYTHING)
USA = Term("countryid", (Term("usa"),))
MAJOR_CITY, MAJOR_WATER = 150_000, 750  # inhabitants; kilometres, for lakes square kilometres


def entity(kind: str, *names: Any) -> Term:
    """Return ``entity("stateid", "ohio")`` is ``stateid(ohio)``."""
    return Term(kind, tuple(Term(str(name)) for name in names))


def keys(element: Element) -> tuple[Element, ...]:
    """Return under what an element is found: itself, and a city also without its state."""
    if isinstance(element, Term) and element.name == "cityid" and len(element.arguments) == 2:
        return element, Term("cityid", (element.arguments[0], OPEN))
    return (element,)


class Relation:
    """Pairs, found from either side; an open city finds the pairs of all cities of its name."""

    def __init__(self, pairs: Iterable[tuple[Element, Element]]) -> None:
        self._after: dict[Element, list[Element]] = {}
        self._before: dict[Element, list[Element]] = {}
        for a, b in pairs:
            for key in keys(a):
                self._after.setdefault(key, []).append(b)
            for key in keys(b):
                self._before.setdefault(key, []).append(a)

    def after(self, a: Element) -> list[Element]:
        """Return what it relates to."""
        return self._after.get(a, [])

    def before(self, b: Element) -> list[Element]:
        """Return what relates to it."""
        return self._before.get(b, [])


class Measure:
    """Numbers of elements. Of several the first counts, and it says which city an open one is."""

    def __init__(self, values: Iterable[tuple[Term, int | float]]) -> None:
        self.values = list(values)
        self._of: dict[Element, list[tuple[Term, int | float]]] = {}
        for element, number in self.values:
            for key in keys(element):
                self._of.setdefault(key, []).append((element, number))

    def all(self, element: Element) -> list[tuple[Term, int | float]]:
        """Return all its numbers, each with the element itself, which is not open."""
        return self._of.get(element, [])

    def first(self, element: Element) -> tuple[Term, int | float] | None:
        """Return its number, with the element itself."""
        found = self._of.get(element)
        return found[0] if found else None


class Database:
    """What can be asked of the facts."""

    def __init__(self, facts: Facts) -> None:
        rows: dict[str, list[Any]] = {name: list(facts.get(name, [])) for name in TABLES}
        self._list(rows)
        self._relate(rows)
        self._measure(rows)

    def _list(self, rows: dict[str, list[Any]]) -> None:
        """List all elements of each kind."""
        self.states = [entity("stateid", row[0]) for row in rows["state"]]
        self.cities = [entity("cityid", name, state) for _, state, name, _ in rows["city"]]
        self.rivers = [entity("riverid", row[0]) for row in rows["river"]]
        self.lakes = [entity("lakeid", row[0]) for row in rows["lake"]]
        self.bare_lakes = [Term(str(row[0])) for row in rows["lake"]]  # a bare name is a lake, too
        self.mountains = [entity("mountainid", row[2]) for row in rows["mountain"]]
        self.places = [entity("placeid", row[2]) for row in rows["highlow"]]
        self.places += [entity("placeid", row[4]) for row in rows["highlow"]]
        self.capitals = [entity("cityid", row[2], row[1]) for row in rows["state"]]
        self.everything = {
            "city": [Term("cityid", (city.arguments[0], OPEN)) for city in self.cities] + self.cities,
            "mountain": self.mountains,
            "place": self.places,
            "river": self.rivers,
            "lake": self.bare_lakes + self.lakes,
            "state": self.states,
            "capital": self.capitals,
        }
        self.kinds = {kind: frozenset(elements) for kind, elements in self.everything.items()}
        self._open_capitals: dict[Element, Term] = {}
        for city in self.capitals:
            for key in keys(city):
                self._open_capitals.setdefault(key, city)

    def _relate(self, rows: dict[str, list[Any]]) -> None:
        within: list[tuple[Element, Element]] = []
        for kind in (self.cities, self.states, self.rivers, self.places, self.bare_lakes + self.lakes):
            within += [(element, USA) for element in kind]
        within += [(element, USA) for element in self.mountains]
        within += [(entity("cityid", row[2], row[1]), entity("stateid", row[0])) for row in rows["city"]]
        within += [(city, state) for state, city in zip(self.states, self.capitals)]
        for column in (2, 4):
            within += [(entity("placeid", row[column]), entity("stateid", row[0])) for row in rows["highlow"]]
        within += [(entity("mountainid", row[2]), entity("stateid", row[0])) for row in rows["mountain"]]
        flows = [
            (entity("riverid", r), entity("stateid", s)) for r, _, states in rows["river"] for s in states
        ]
        within += flows
        within += [
            (entity("lakeid", r), entity("stateid", s)) for r, _, states in rows["lake"] for s in states
        ]
        high = [(entity("stateid", row[0]), entity("placeid", row[2])) for row in rows["highlow"]]
        low = [(entity("stateid", row[0]), entity("placeid", row[4])) for row in rows["highlow"]]
        self.relations = {
            "loc": Relation(within),
            "traverse": Relation([(river, USA) for river in self.rivers] + flows),
            "capital": Relation(zip(self.states, self.capitals)),
            "high_point": Relation([(USA, entity("placeid", "mount mckinley")), *high]),
            "low_point": Relation([(USA, entity("placeid", "death valley")), *low]),
            "next_to": Relation(
                (entity("stateid", row[0]), entity("stateid", other))
                for row in rows["border"]
                for other in row[2]
            ),
        }

    def _measure(self, rows: dict[str, list[Any]]) -> None:
        area = [(entity("stateid", row[0]), float(row[4])) for row in rows["state"]]
        area += [(entity("countryid", name), float(number)) for name, _, number in rows["country"]]
        people: list[tuple[Term, int | float]] = [
            (entity("stateid", row[0]), row[3]) for row in rows["state"]
        ]
        people += [(entity("cityid", row[2], row[1]), row[3]) for row in rows["city"]]
        people += [(entity("countryid", name), number) for name, number, _ in rows["country"]]
        rivers = [(entity("riverid", name), length) for name, length, _ in rows["river"]]
        lakes = [(entity("lakeid", name), size) for name, size, _ in rows["lake"]]
        heights = [(entity("placeid", row[4]), row[5]) for row in rows["highlow"]]
        heights += [(entity("placeid", row[2]), row[3]) for row in rows["highlow"]]
        peaks = [(entity("mountainid", row[2]), row[3]) for row in rows["mountain"]]
        # A state is as large as its area, a city as its population, a river as its length.
        size = [(who, number) for who, number in area if who.name == "stateid"]
        size += [(who, number) for who, number in people if who.name == "cityid"]
        areas = dict(area)
        self.measures = {
            "area": Measure(area),
            "population": Measure(people),
            "density": Measure((who, number / areas[who]) for who, number in people if areas.get(who)),
            "len": Measure(rivers + lakes),
            "elevation": Measure(heights + peaks),
            "size": Measure(size + rivers + heights),
        }

    def is_kind(self, kind: str, element: Element) -> Element | None:
        """Return the element if it is of a kind, or the first such that an open city stands for, or None."""
        if kind == "capital":
            return self._open_capitals.get(element)
        if kind == "major":
            return self._major(element)
        if kind == "city":  # its name alone decides
            return element if keys(element)[-1] in self.kinds["city"] else None
        return element if element in self.kinds[kind] else None

    def _major(self, element: Element) -> Element | None:
        kind = element.name if isinstance(element, Term) else ""
        measure, least = {
            "cityid": ("population", MAJOR_CITY),
            "riverid": ("len", MAJOR_WATER),
            "lakeid": ("len", MAJOR_WATER),
        }.get(kind, ("len", 0))
        if kind not in ("cityid", "riverid", "lakeid"):
            return None
        return next((who for who, number in self.measures[measure].all(element) if number > least), None)


TABLES = ("state", "city", "river", "border", "highlow", "mountain", "lake", "country")
