"""Feature templates over parser states: strings such as ``s0.w s0.t q0.t`` or ``s1.t s0.t s0.lc.t``.

A template is a list of atoms separated by blanks. An atom names a place and what to see there:

==========================  ===================================================================
``s0 s1 s2 s3``             the stack from its top; ``q0 q1 q2 q3`` the buffer from its front
``s0.lc s0.rc``             its outermost child on the left, on the right; ``lc2 rc2`` the one attached before
``s0.h``                    its head, if it has one while on the stack (arc-eager)
``.w .l .t .x .m .c``       form, lemma, UPOS, XPOS, FEATS, a class: the token's columns (see `COLUMNS`)
``.m(Case)``                one of the features in FEATS, by name
``.lower .shape .class``    aspects of the form, also ``.prefix(n) .suffix(n) .lprefix(n) .lsuffix(n)``
``.cluster .cluster(4)``    the form's cluster, or the first bits of the path to it
``.r``                      the relation to its head, once it has one
``.vl .vr``                 the number of children on the left, on the right (at most 7)
``.sl .sr``                 the set of relations of its children on the left, on the right
``d(s1,s0)``                the distance of two words: 1, 2, 3, 4, 5-6, 7-10, more
``bias``                    always there
==========================  ===================================================================

Up to two steps may follow a place: ``s0.lc.rc.t``. All missing words have one common value. The key of a
template is a sum of products (multilinear hashing), so that each atom's share is computed once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from structron.errors import SettingError
from structron.features.atoms import AFFIXES, ASPECTS, MOST_BITS, check_distinct, feature_name
from structron.features.keys import MASK, hash_bytes
from structron.records import dataclass

if TYPE_CHECKING:
    from structron.features.clusters import WordClusters

COLUMNS = {"w": 0, "t": 1, "x": 2, "m": 3, "l": 4, "c": 5}
ANCHORS = ("s0", "s1", "s2", "s3", "q0", "q1", "q2", "q3")
STEPS = {"lc": 1, "lc2": 2, "rc": 3, "rc2": 4, "h": 5}
SIGHTS = {"word": 0, "r": 1, "vl": 2, "vr": 3, "sl": 4, "sr": 5, "d": 6}

Place = tuple[int, int, int]  # an anchor and two steps, 0 for none
_HERE: Place = (0, 0, 0)
_DISTANCE = re.compile(r"d\(([a-z0-9.]+),([a-z0-9.]+)\)")
_AFFIX = re.compile(r"([a-z]+)\(([0-9]{1,2})\)")
_FEATURE = re.compile(r"m\(([^\s=|()]+)\)")


@dataclass(frozen=True)
class Keyed:
    """An atom of a template."""

    text: str

    @cached_property
    def multiplier(self) -> int:
        """Return the odd factor of its value in a key, different for every atom."""
        return hash_bytes(self.text.encode()) | 1


AtomT = TypeVar("AtomT", bound=Keyed)


@dataclass(frozen=True)
class ProductTemplate(Generic[AtomT]):
    """A template whose keys are sums of products."""

    text: str
    atoms: tuple[AtomT, ...]

    @cached_property
    def base(self) -> int:
        """Return the constant that its keys start from."""
        return hash_bytes(self.text.encode())

    def key(self, values: Sequence[int]) -> int:
        """Return the key for the values of its atoms."""
        return (self.base + sum(v * a.multiplier for v, a in zip(values, self.atoms, strict=True))) & MASK


@dataclass(frozen=True)
class ParseAtom(Keyed):
    """One thing seen at one place; `other` is the second place of a distance."""

    sight: str
    place: Place
    other: Place = _HERE
    aspect: str = "w"
    length: int = 0
    column: int = 0
    clusters: WordClusters | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class ParseTemplate(ProductTemplate[ParseAtom]):
    """One parsed template over parser states."""


def parse_template(text: str) -> ParseTemplate:
    """Read one template.

    >>> parse_template("s0.w  s0.lc.t").text
    's0.w s0.lc.t'
    """
    if not isinstance(text, str) or not text.split():
        raise SettingError(f"template {text!r} is empty or no text; write it like 's0.w s0.t'")
    atoms = tuple(_atom(text, word) for word in text.split() if word != "bias")
    return ParseTemplate(" ".join(text.split()), atoms)


def parse_templates(texts: Sequence[str]) -> list[ParseTemplate]:
    """Read a set of templates; refuse duplicates."""
    templates = [parse_template(text) for text in texts]
    check_distinct(template.text for template in templates)
    return templates


def columns_used(templates: Sequence[ParseTemplate]) -> set[int]:
    """Return the numbers of the columns that templates read."""
    return {a.column for t in templates for a in t.atoms if a.sight == "word"}


def columns_read(templates: Sequence[ParseTemplate]) -> int:
    """Return the number of columns that a token must have."""
    return max(columns_used(templates), default=0) + 1


def bind_clusters(atom: ParseAtom, clusters: WordClusters | None, text: str) -> ParseAtom:
    """Give an atom the clusters that it uses; refuse if it needs some and there are none."""
    if atom.aspect != "cluster":
        return atom
    if clusters is None:
        raise SettingError(f"template '{text}' needs clusters of words; give clusters, or leave it out")
    return replace(atom, clusters=clusters)


def with_clusters(templates: Sequence[ParseTemplate], clusters: WordClusters | None) -> list[ParseTemplate]:
    """Give templates the clusters that they use."""
    return [replace(t, atoms=tuple(bind_clusters(a, clusters, t.text) for a in t.atoms)) for t in templates]


def _atom(text: str, word: str) -> ParseAtom:
    if found := _DISTANCE.fullmatch(word):
        return ParseAtom(word, "d", _place(text, found[1].split(".")), _place(text, found[2].split(".")))
    *path, name = word.split(".")
    if not path:
        raise SettingError(f"template '{text}': cannot read '{word}'; write a place and a name, as in s0.w")
    place = _place(text, path)
    if name in SIGHTS and name not in ("word", "d"):
        return ParseAtom(word, name, place)
    if name in COLUMNS:
        return ParseAtom(word, "word", place, column=COLUMNS[name])
    if named := _FEATURE.fullmatch(name):
        number = feature_name(named[1])
        return ParseAtom(word, "word", place, aspect="feature", length=number, column=COLUMNS["m"])
    affix = _AFFIX.fullmatch(name)
    if affix and affix[1] in AFFIXES and 1 <= int(affix[2]) <= 64:
        return ParseAtom(word, "word", place, aspect=affix[1], length=int(affix[2]))
    if name == "cluster" or (affix and affix[1] == "cluster" and 1 <= int(affix[2]) <= MOST_BITS):
        return ParseAtom(word, "word", place, aspect="cluster", length=int(affix[2]) if affix else 0)
    if name in ASPECTS and name not in AFFIXES:
        return ParseAtom(word, "word", place, aspect=name)
    known = ", ".join(
        [*COLUMNS, "m(Case)", "lower", "shape", "class", "suffix(n)", "cluster", *list(SIGHTS)[1:]]
    )
    raise SettingError(f"template '{text}': there is no '{name}'; at a place there are {known}")


def _place(text: str, path: Sequence[str]) -> Place:
    anchor, *steps = path
    if anchor not in ANCHORS:
        raise SettingError(f"template '{text}': there is no place '{anchor}'; use {', '.join(ANCHORS)}")
    unknown = next((step for step in steps if step not in STEPS), None)
    if unknown is not None:
        raise SettingError(f"template '{text}': there is no step '{unknown}'; use {', '.join(STEPS)}")
    if len(steps) > 2:
        raise SettingError(f"template '{text}': '{'.'.join(path)}' is too far; take at most two steps")
    first, second, *_ = [STEPS[step] for step in steps] + [0, 0]
    return ANCHORS.index(anchor), first, second
