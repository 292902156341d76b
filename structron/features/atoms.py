"""Atoms: the values that a template reads from one word; `core/text/atoms.hpp` computes the same, faster."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from structron.errors import SettingError
from structron.features.casing import lower
from structron.features.keys import BOUNDARY, combine, hash_bytes

if TYPE_CHECKING:
    from structron.features.clusters import WordClusters

ASPECTS = {"w": 0, "lower": 1, "prefix": 2, "suffix": 3, "shape": 4, "class": 5, "lprefix": 6, "lsuffix": 7}
AFFIXES = ("prefix", "suffix", "lprefix", "lsuffix")
FEATURE = 8  # one of several features, as in ``Case=Nom|Number=Sing``; its length is its name
CLUSTER = 9  # its length is how many bits of the path; 0 for all
ENTRY = 10  # the text itself; an empty one is absent
CODES = {**ASPECTS, "feature": FEATURE, "cluster": CLUSTER, "entry": ENTRY}
MOST_BITS = 64


def kind(char: str) -> str:
    """Return U (upper or title case), L (lower), O (other letter), D (number), P (punctuation) or Z."""
    category = unicodedata.category(char)
    if category in ("Lu", "Lt"):
        return "U"
    if category == "Ll":
        return "L"
    return {"L": "O", "N": "D", "P": "P", "S": "P"}.get(category[0], "Z")


def shape(word: str) -> str:
    """Return one letter for each run of a kind and punctuation unchanged: ``McDonald's`` is ``XxXx'x``."""
    marks = {"U": "X", "L": "x", "D": "d", "O": "o"}
    out: list[str] = []
    for c in word:
        mark = marks.get(kind(c), c)
        if not out or out[-1] != mark:
            out.append(mark)
    return "".join(out)


TEXTS: Mapping[str, Callable[[str], str]] = {"w": str, "lower": lower, "shape": shape}


def classes(word: str) -> int:
    """Return bits: upper, lower, digit, hyphen, other punctuation or letter; starts upper; several upper."""
    kinds = [kind(c) for c in word]
    return (
        ("U" in kinds)
        | ("L" in kinds) << 1
        | ("D" in kinds) << 2
        | ("-" in word) << 3
        | any(k == "P" and c != "-" for c, k in zip(word, kinds)) << 4
        | ("O" in kinds) << 5
        | (kinds[:1] == ["U"]) << 6
        | (kinds.count("U") > 1) << 7
    )


def aspect(what: str, length: int, word: str, clusters: WordClusters | None = None) -> int:
    """Return the value of one atom of a word; 0 if it is absent, as an affix as long as the word is."""
    if what == "cluster":
        return 0 if clusters is None else clusters.prefix(word, length)
    if what == "entry":
        return hash_bytes(word.encode()) if word else 0
    if what in AFFIXES:
        if length >= len(word):
            return 0
        text = lower(word) if what[0] == "l" else word
        part = text[:length] if "prefix" in what else text[len(text) - length :]
        return hash_bytes(part.encode())
    if what == "feature":
        return feature(length, word)
    if what == "class":
        return combine(BOUNDARY, classes(word))
    return hash_bytes(TEXTS[what](word).encode())


def feature_name(name: str) -> int:
    """Return the number for the name of a feature."""
    return hash_bytes(name.encode()) & 0x7FFFFFFF


def feature(number: int, features: str) -> int:
    """Return the value of the feature with that name; 0 if it is absent."""
    for part in features.split("|"):
        name, is_named, value = part.partition("=")
        if is_named and feature_name(name) == number:
            return hash_bytes(value.encode())
    return 0


def check_distinct(texts: Iterable[str]) -> None:
    """Refuse a template that is given twice."""
    seen: set[str] = set()
    for text in texts:
        if text in seen:
            raise SettingError(f"template '{text}' is given twice; leave one out")
        seen.add(text)
