"""The names of features: keys are hashes, so what a template sees is written out beside its key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from structron.features.atoms import AFFIXES, TEXTS, classes, feature_name
from structron.features.casing import lower
from structron.features.clusters import WordClusters

EDGE, NONE = "<edge>", "<none>"
_CLASSES = ("upper", "lower", "digit", "hyphen", "mark", "letter", "initial", "capitals")


def seen_of(what: str, length: int, word: str, clusters: WordClusters | None = None) -> str:
    """Return the value of an atom for a word."""
    if what in AFFIXES:
        text = lower(word) if what[0] == "l" else word
        return text[:length] if "prefix" in what else text[len(text) - length :]
    if what == "class":
        bits = classes(word)
        return "+".join(name for i, name in enumerate(_CLASSES) if bits >> i & 1) or "none"
    if what == "feature":
        parts = (part.partition("=") for part in word.split("|"))
        return next((value for name, _, value in parts if feature_name(name) == length), NONE)
    if what == "cluster":
        path = None if clusters is None else clusters.path(word)
        return NONE if path is None else path[:length] if length else path
    if what == "entry":
        return word or NONE
    return TEXTS[what](word)


def ready_names(token: Any, before: str = "") -> dict[str, float]:
    """Return the features of a ready token, by CRFsuite's rules (`core/text/ready_features.hpp`)."""
    found: dict[str, float] = {}
    if isinstance(token, Mapping):
        for name, value in token.items():
            for inner, number in _ready(before + str(name), value):
                found[inner] = found.get(inner, 0.0) + number
        return found
    for name in token:
        found[before + str(name)] = found.get(before + str(name), 0.0) + 1.0
    return found


def _ready(name: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, str):
        yield f"{name}:{value}", 1.0
    elif isinstance(value, Mapping | list | tuple | set | frozenset):
        yield from ready_names(value, f"{name}:").items()
    elif value:
        yield name, float(value)
