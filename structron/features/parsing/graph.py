"""Feature templates over parts of a dependency tree: strings such as ``h.w m.t d`` or ``h.t s.t m.t``.

A template is a list of atoms separated by blanks. An atom is a word of the part and what is seen of it:

=============================  ===================================================================
``h`` ``m``                    head and modifier of an arc
``s``                          the modifier's nearer sibling: the child of h before it, on the same side
``c``                          a child of the modifier, the outermost on its side
``h[-1]`` ``m[+2]``            a word that far from it
``.w .t .x .m .l .c``          columns and looks as in `structron.features.parsing.templates`
``between.t``                  of each word between head and modifier: one feature for each
``dir``                        on which side of the head the modifier is
``d``                          the same with the distance: 1, 2, 3, 4, 5, 6-10, more
``bias``                       always there
=============================  ===================================================================

Where a part has no such word, the template gives no feature. Those with ``s`` or ``c`` make it a model of
second order. Keys are sums of products, as those of parser states are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from structron.errors import SettingError
from structron.features.atoms import check_distinct
from structron.features.keys import MASK, hash_bytes
from structron.features.parsing.templates import ParseAtom, parse_template

PLACES = ("h", "m", "s", "c", "between")
_PLACE = re.compile(r"(h|m|s|c|between)(?:\[([+-]?[0-9])\])?")


@dataclass(frozen=True)
class GraphAtom:
    """One thing seen of one word of a part; `look` says what, None for direction and distance."""

    text: str
    place: str
    offset: int = 0
    look: ParseAtom | None = None

    @property
    def multiplier(self) -> int:
        """What its value is multiplied with in a key: odd, and different for every atom."""
        return hash_bytes(self.text.encode()) | 1


@dataclass(frozen=True)
class GraphTemplate:
    """One template, parsed."""

    text: str
    atoms: tuple[GraphAtom, ...]

    @property
    def base(self) -> int:
        """Where its keys start."""
        return hash_bytes(self.text.encode())

    @property
    def part(self) -> str:
        """The kind of part it belongs to: ``arc``, ``sibling`` or ``grandchild``."""
        places = {atom.place for atom in self.atoms}
        return "sibling" if "s" in places else "grandchild" if "c" in places else "arc"

    def key(self, values: Sequence[int]) -> int:
        """The key for the values of its atoms."""
        return (self.base + sum(v * a.multiplier for v, a in zip(values, self.atoms, strict=True))) & MASK


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
    if "s" in places and "c" in places:
        raise SettingError(f"template '{text}': a part has a sibling or a grandchild, not both; leave one")
    if places.count("between") > 1:
        raise SettingError(f"template '{text}': use 'between' once")
    return template


def parse_graph_templates(texts: Sequence[str]) -> list[GraphTemplate]:
    """Read a set of templates; the same one twice is refused."""
    templates = [parse_graph_template(text) for text in texts]
    check_distinct(template.text for template in templates)
    return templates


def order_of(templates: Sequence[GraphTemplate]) -> int:
    """1 if templates see arcs alone, 2 if they see siblings or grandchildren."""
    return 1 if all(template.part == "arc" for template in templates) else 2


def columns_read(templates: Sequence[GraphTemplate]) -> int:
    """How many columns a token must have."""
    return max((atom.look.column for t in templates for atom in t.atoms if atom.look), default=0) + 1


def _atom(text: str, word: str) -> GraphAtom:
    if word in ("dir", "d"):
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
            f"template '{text}': there is no '{look}'; a word has .w .t .x .m .l, m(Case), lower, suffix(n)"
        ) from None
    if atom.sight != "word":
        raise SettingError(f"template '{text}': '{look}' is of parser states; a part has words alone")
    return GraphAtom(word, found[1], int(found[2] or 0), atom)
