"""Feature templates are data: strings such as ``suffix(3)[0]`` or ``t[-2] t[-1] w[0]``.

A template is a list of atoms separated by blanks; it fires when all of them are present, and its key is made
of all their values. An atom is an aspect of a word and an offset from the current token:

=====================  =========================================================
``w[0]``               the word; ``p[0]`` the token's second column, ``col(k)[0]`` any column (from 0)
``lower[-1]``          the word in lower case
``prefix(n)[0]``       the first n characters, absent unless the word is longer; ``suffix(n)[0]`` the last
``lsuffix(n)[0]``      the same in lower case; ``lprefix(n)[0]``
``shape[0]``           ``McDonald's`` as ``XxXx'x``
``class[0]``           which kinds of character it has: upper, lower, digit, hyphen, ...
``cluster[0]``         its cluster, absent where it has none; ``cluster(4)[0]`` the first 4 bits of the path
``in(cities)[0]``      where it stands in an entry of that gazetteer: first, inside, last, alone; else absent
``t[-1] t[-2]``        the previous tags
``bias``               always there
=====================  =========================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from structron.errors import SettingError
from structron.features.atoms import AFFIXES, ASPECTS, MOST_BITS, aspect, check_distinct
from structron.features.keys import BOUNDARY, combine, combine_tags, hash_bytes
from structron.records import dataclass

if TYPE_CHECKING:
    from structron.features.clusters import WordClusters

_ATOM = re.compile(
    r"(?P<name>[a-z]+)(?:\((?P<arg>[0-9]{1,9}|(?<=in\()[\w-]{1,64})\))?\[(?P<offset>[+-]?[0-9]{1,9})\]"
)
_LAST_COLUMN = 255


@dataclass(frozen=True)
class Atom:
    """One aspect of one column of one token near the current one."""

    aspect: str
    length: int
    column: int
    offset: int
    gazetteer: str = ""


@dataclass(frozen=True)
class Template:
    """A parsed template. `tags` has bit 0 for t[-1], bit 1 for t[-2]."""

    text: str
    base: int
    atoms: tuple[Atom, ...]
    tags: int
    clusters: WordClusters | None = field(default=None, repr=False)

    @property
    def needs_clusters(self) -> bool:
        """Return True if it uses clusters of words."""
        return any(atom.aspect == "cluster" for atom in self.atoms)

    def key(self, tokens: Sequence[Sequence[str]], i: int) -> int:
        """Return the key of the words around token `i`; 0 if an atom is absent. Tags are not in it."""
        key = self.base
        for atom in self.atoms:
            j = i + atom.offset
            inside = 0 <= j < len(tokens)
            value = BOUNDARY
            if inside:
                value = aspect(atom.aspect, atom.length, tokens[j][atom.column], self.clusters)
            if value == 0:
                return 0
            key = combine(key, value)
        return key


def parse(text: str) -> Template:
    """Read one template.

    >>> parse("t[-1]  suffix(3)[0]").text
    't[-1] suffix(3)[0]'
    """
    if not isinstance(text, str):
        raise SettingError(f"template {text!r} is not text; write it like 'w[0]'")
    return _parsed(text)


@lru_cache(1000)  # the taggers of a pipeline have many in common
def _parsed(text: str) -> Template:
    atoms: list[Atom] = []
    tags = 0
    for word in text.split():
        if word == "bias":
            continue
        match = _ATOM.fullmatch(word)
        if match is None:
            raise SettingError(
                f"template {text[:80]!r}: cannot read {word[:80]!r}; "
                "write it like w[0], suffix(3)[-1] or t[-1]"
            )
        name, arg, offset = match["name"], match["arg"], int(match["offset"])
        if name == "t" and arg is None:
            if offset not in (-1, -2):
                raise SettingError(
                    f"template '{text}': tags are known at -1 and -2 only; write t[-1] or t[-2]"
                )
            tags |= -offset
            continue
        if abs(offset) > 32:
            raise SettingError(f"template '{text}': offset {offset} is too far; stay within 32 tokens")
        atoms.append(_atom(text, name, arg, offset))
    if not text.split():
        raise SettingError("a template is empty; give at least one atom such as w[0]")
    canonical = " ".join(text.split())
    return Template(canonical, hash_bytes(canonical.encode()), tuple(atoms), tags)


def _atom(text: str, name: str, arg: str | None, offset: int) -> Atom:
    if name in AFFIXES:
        if arg is None or not 1 <= int(arg) <= 64:
            raise SettingError(f"template '{text}': {name} needs a length from 1 to 64, as in {name}(3)[0]")
        return Atom(name, int(arg), 0, offset)
    if name == "col":
        if arg is None:
            raise SettingError(f"template '{text}': col needs the number of a column, as in col(2)[0]")
        if int(arg) > _LAST_COLUMN:
            raise SettingError(f"template '{text}': column {arg} is too far; stay within 0 to {_LAST_COLUMN}")
        return Atom("w", 0, int(arg), offset)
    if name == "in":
        if arg is None:
            raise SettingError(f"template '{text}': in needs the name of a gazetteer, as in in(cities)[0]")
        return Atom("entry", 0, 0, offset, arg)
    if name == "cluster":
        if arg is not None and not 1 <= int(arg) <= MOST_BITS:
            raise SettingError(
                f"template '{text}': cluster takes from 1 to {MOST_BITS} bits, as in cluster(4)[0]"
            )
        return Atom(name, int(arg or 0), 0, offset)
    if arg is not None and name in (*ASPECTS, "p", "t"):
        raise SettingError(f"template '{text}': {name} takes no number in brackets")
    if name == "p":
        return Atom("w", 0, 1, offset)
    if name not in ASPECTS:
        known = ", ".join([*ASPECTS, "cluster", "in(list)", "p", "col(k)", "t", "bias"])
        raise SettingError(f"template '{text}': there is no '{name}'; the atoms are {known}")
    return Atom(name, 0, 0, offset)


def parse_all(texts: Sequence[str]) -> list[Template]:
    """Read a set of templates; the same one twice is refused."""
    templates = [parse(text) for text in texts]
    check_distinct(template.text for template in templates)
    return templates


def with_clusters(templates: Sequence[Template], clusters: WordClusters | None) -> list[Template]:
    """Give the templates their clusters; refuse templates whose clusters are missing."""
    if clusters is None:
        lacking = next((t for t in templates if t.needs_clusters), None)
        if lacking is not None:
            raise SettingError(
                f"template '{lacking.text}' needs clusters of words; give clusters, or leave it out"
            )
        return list(templates)
    return [replace(t, clusters=clusters) if t.needs_clusters else t for t in templates]


def with_gazetteers(templates: Sequence[Template], names: Sequence[str]) -> list[Template]:
    """Point the templates at the columns with marks of gazetteers, after those of the tokens."""
    columns = columns_read(templates)

    def resolved(atom: Atom, text: str) -> Atom:
        if not atom.gazetteer:
            return atom
        if atom.gazetteer not in names:
            known = f"there are {', '.join(names)}" if names else "give gazetteers"
            raise SettingError(f"template '{text}': there is no gazetteer {atom.gazetteer!r}; {known}")
        return replace(atom, column=columns + names.index(atom.gazetteer))

    return [
        replace(t, atoms=tuple(resolved(atom, t.text) for atom in t.atoms))
        if any(atom.gazetteer for atom in t.atoms)
        else t
        for t in templates
    ]


def columns_read(templates: Sequence[Template]) -> int:
    """Return how many columns a token must have."""
    return max((atom.column + 1 for t in templates for atom in t.atoms if not atom.gazetteer), default=1)


def order_of(templates: Sequence[Template]) -> int:
    """Return how many previous tags the templates read: 0, 1 or 2."""
    return max((2 if t.tags & 2 else 1 if t.tags else 0 for t in templates), default=0)


def keys_at(
    templates: Sequence[Template], tokens: Sequence[Sequence[str]], i: int, t1: int, t2: int
) -> list[int]:
    """Return the keys of all features that fire at token `i` after the tags `t2 t1`."""
    keys = []
    for template in templates:
        key = template.key(tokens, i)
        if key or not template.atoms:
            keys.append(combine_tags(key, template.tags, t1, t2))
    return keys


__all__ = [
    "Atom",
    "Template",
    "columns_read",
    "keys_at",
    "order_of",
    "parse",
    "parse_all",
    "with_clusters",
    "with_gazetteers",
]
