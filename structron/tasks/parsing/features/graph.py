"""Feature templates over parts of a dependency tree: strings such as ``h.w m.t d`` or ``h.t s.t m.t``.

A template is a list of atoms separated by blanks. An atom names a word of the part and what to see of it:

=============================  ===================================================================
``h`` ``m``                    head and modifier of an arc
``s`` ``ss``                   the child of h before m, on the same side, and the one before that
``c``                          a child of the modifier, the outermost on its side
``h[-1]`` ``m[+2]``            a word at this distance from it
``.w .t .x .m .l .c``          columns and looks as in `structron.tasks.parsing.features.templates`
``m.r`` ``s.r`` ``c.r``        the relation of a word to its head
``h.v``                        the number of children of h before m, on the same side; up to 3
``m.v``                        the number of children of the modifier on the side of c
``between.t``                  of each word between head and modifier: one feature for each
``dir``                        the side of the head on which the modifier is
``side``                       whether c is between head and modifier, or beyond the modifier
``d``                          the direction with the distance: 1, 2, 3, 4, 5, 6-10, more
``bias``                       always there
=============================  ===================================================================

Templates with ``s``, ``ss`` or ``h.v`` see siblings, those with ``c``, ``m.v`` or ``side`` grandchildren;
both make a model of higher order. A missing sibling or child has a value of its own. Arcs have weights by
relation; siblings and grandchildren do not, unless a template names a relation. Keys are sums of products, as
for parser states.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from structron.errors import SettingError
from structron.features.atoms import check_distinct
from structron.tasks.parsing.features.templates import (
    Keyed,
    ParseAtom,
    ProductTemplate,
    bind_clusters,
    parse_template,
)

if TYPE_CHECKING:
    from structron.features.clusters import WordClusters

# Words and properties of the part itself, in the engine's order.
PLACES = ("h", "m", "s", "c", "between", "dir", "d", "ss", "side", "m.r", "s.r", "c.r", "h.v", "m.v")
_OF_SIBLINGS = frozenset({"s", "ss", "s.r", "h.v"})
_OF_GRANDCHILDREN = frozenset({"c", "c.r", "m.v", "side"})
_PLACE = re.compile(r"(h|m|ss|s|c|between)(?:\[([+-]?[0-9])\])?")


@dataclass(frozen=True)
class GraphAtom(Keyed):
    """One thing seen of a part: an aspect of a word, given by `look`, or a property of the part itself."""

    place: str
    offset: int = 0
    look: ParseAtom | None = None


@dataclass(frozen=True)
class GraphTemplate(ProductTemplate[GraphAtom]):
    """One parsed template."""

    @property
    def part(self) -> str:
        """Return the kind of part it belongs to: ``arc``, ``sibling`` or ``grandchild``."""
        places = self.places
        return "sibling" if places & _OF_SIBLINGS else "grandchild" if places & _OF_GRANDCHILDREN else "arc"

    @property
    def places(self) -> frozenset[str]:
        """Return the places that its atoms look at."""
        return frozenset(atom.place for atom in self.atoms)


def parse_graph_template(text: str) -> GraphTemplate:
    """Read one template.

    >>> parse_graph_template("h.t  between.t m.t").part
    'arc'
    """
    if not isinstance(text, str) or not text.split():
        raise SettingError(f"template {text!r} is empty or not text; write it like 'h.w m.t d'")
    atoms = tuple(_atom(text, word) for word in text.split() if word != "bias")
    template = GraphTemplate(" ".join(text.split()), atoms)
    places = [atom.place for atom in atoms]
    if _OF_SIBLINGS.intersection(places) and _OF_GRANDCHILDREN.intersection(places):
        raise SettingError(f"template '{text}': a part has a sibling or a grandchild, not both; leave one")
    if "m.r" in places and template.part == "arc":
        raise SettingError(f"template '{text}': an arc is weighed by its relation anyway; leave out m.r")
    if places.count("between") > 1:
        raise SettingError(f"template '{text}': use 'between' once")
    return template


def parse_graph_templates(texts: Sequence[str]) -> list[GraphTemplate]:
    """Read a set of templates; refuse duplicates."""
    templates = [parse_graph_template(text) for text in texts]
    check_distinct(template.text for template in templates)
    return templates


def with_clusters(templates: Sequence[GraphTemplate], clusters: WordClusters | None) -> list[GraphTemplate]:
    """Give templates the clusters that they use; refuse if there are none."""

    def bound(atom: GraphAtom, text: str) -> GraphAtom:
        return replace(atom, look=bind_clusters(atom.look, clusters, text)) if atom.look else atom

    return [replace(t, atoms=tuple(bound(a, t.text) for a in t.atoms)) for t in templates]


def order_of(templates: Sequence[GraphTemplate]) -> int:
    """Return 1 if templates see arcs alone, 2 if they see more."""
    return 1 if all(template.part == "arc" for template in templates) else 2


def columns_read(templates: Sequence[GraphTemplate]) -> int:
    """Return the number of columns that a token must have."""
    return max((atom.look.column for t in templates for atom in t.atoms if atom.look), default=0) + 1


def _atom(text: str, word: str) -> GraphAtom:
    if word in PLACES[5:] and word != "ss":
        return GraphAtom(word, word)
    place, dot, look = word.partition(".")
    found = _PLACE.fullmatch(place)
    if found is None or not dot:
        raise SettingError(
            f"template '{text}': cannot read '{word}'; write a word of the part and what to see of it, as h.w"
        )
    if found[1] == "between" and found[2]:
        raise SettingError(f"template '{text}': 'between' has no offset; write between.{look}")
    try:
        (atom,) = parse_template(f"s0.{look}").atoms
    except SettingError:
        raise SettingError(
            f"template '{text}': there is no '{look}'; a word has .w .t .x .m .l, m(Case), lower, suffix(n), "
            "cluster"
        ) from None
    if atom.sight != "word":
        raise SettingError(
            f"template '{text}': '{word}' is not of a part; "
            "beside words there are m.r s.r c.r h.v m.v side dir d"
        )
    return GraphAtom(word, found[1], int(found[2] or 0), atom)
