"""Features of a text: n-grams of its words and characters, and their values.

``text.hpp`` and ``vectorizer.hpp`` in ``core/tasks/classification`` are the engine's twins.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from structron.errors import SettingError
from structron.features.atoms import check_distinct, kind
from structron.features.casing import lower
from structron.features.keys import combine, hash_bytes

LONGEST = 16  # words or characters of a template
UNITS = ("word", "char")
TF = ("count", "binary", "log")

PRESETS = {
    "words": ["word(1)"],
    "bigrams": ["word(1)", "word(2)"],
    "characters": ["char(1)", "char(2)", "char(3)", "char(4)", "char(5)"],
    "mixed": ["word(1)", "word(2)", "char(3)", "char(4)", "char(5)"],
}

COLUMN = hash_bytes(b"column")  # the start of the keys of an array's columns
INTERCEPT = hash_bytes(b"intercept")


@dataclass(frozen=True)
class TextTemplate:
    """A number of words or characters in a row: ``word(2)``, ``char(3)``."""

    unit: str
    length: int

    def __str__(self) -> str:
        return f"{self.unit}({self.length})"

    @property
    def base(self) -> int:
        """Return the constant that its keys start from."""
        return hash_bytes(str(self).encode())

    def keys(self, words: Sequence[str]) -> Iterator[int]:
        """Yield the key of each n-gram; characters are those of the words, with blanks around each."""
        n = self.length
        if self.unit == "char":
            text = f" {' '.join(words)} " if words else ""
            for i in range(len(text) - n + 1):
                yield combine(self.base, hash_bytes(text[i : i + n].encode()))
            return
        hashes = [hash_bytes(word.encode()) for word in words]
        for i in range(len(words) - n + 1):
            key = self.base
            for each in hashes[i : i + n]:
                key = combine(key, each)
            yield key


def parse(text: str) -> TextTemplate:
    """Read one template.

    Examples
    --------
    >>> parse("word(2)")
    TextTemplate(unit='word', length=2)
    """
    found = re.fullmatch(r"(word|char)\((\d{1,3})\)", text) if isinstance(text, str) else None
    if not found or not 1 <= int(found[2]) <= LONGEST:
        raise SettingError(
            f"template {text!r} is not known; write word(1), word(2) or char(3), with 1 to {LONGEST} of them"
        )
    return TextTemplate(found[1], int(found[2]))


def parse_all(texts: Sequence[str]) -> list[TextTemplate]:
    """Read templates; refuse duplicates."""
    if isinstance(texts, str):
        raise SettingError(f"templates {texts!r} are a single text; give a list of them")
    templates = [parse(text) for text in texts]
    check_distinct(map(str, templates))
    return templates


def words_of(text: str, lowered: bool) -> list[str]:
    """Return runs of letters, numbers and underscores; everything else separates words."""
    words: list[str] = []
    inside = False
    for c in lower(text) if lowered else text:
        is_word = c == "_" or kind(c) in "ULOD"
        if is_word and inside:
            words[-1] += c
        elif is_word:
            words.append(c)
        inside = is_word
    return words


def counted(keys: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Add up the values of each key, in the order in which keys first occur."""
    counts: dict[int, float] = {}
    for key, value in keys:
        counts[key] = counts.get(key, 0.0) + value
    return counts


def column_key(column: int) -> int:
    """Return the key of a column of an array."""
    return combine(COLUMN, column + 1)


@dataclass(frozen=True)
class Weighting:
    """The value of a feature: ``count``, ``binary`` or ``log``, then ``+idf`` and ``+l2``.

    Parameters
    ----------
    tf
        ``count`` is the number of occurrences, ``binary`` is 1, ``log`` is 1 + ln(count) from 1 on.
    idf
        Multiply by ln((1 + n) / (1 + d)) + 1, where d of the n training texts have the feature (Salton &
        Buckley 1988, smoothed as in scikit-learn).
    l2
        Divide all values by their Euclidean length.

    Examples
    --------
    >>> parse_weighting("log+idf+l2")
    Weighting(tf='log', idf=True, l2=True)
    >>> Weighting("binary").values({7: 3.0}, None, 0)
    {7: 1.0}
    """

    tf: str = "count"
    idf: bool = False
    l2: bool = False

    def __str__(self) -> str:
        return self.tf + "+idf" * self.idf + "+l2" * self.l2

    def values(
        self, counts: Mapping[int, float], frequency: Mapping[int, int] | None, documents: int
    ) -> dict[int, float]:
        """Return the values of one text's features, without those that have no frequency."""
        found: dict[int, float] = {}
        for key, count in counts.items():
            if not count or (frequency is not None and key not in frequency):
                continue
            value = 1.0 if self.tf == "binary" else count
            if self.tf == "log" and count >= 1:
                value = 1.0 + math.log(count)
            if self.idf and frequency is not None:
                value *= math.log((1.0 + documents) / (1.0 + frequency[key])) + 1.0
            found[key] = value
        length = math.sqrt(sum(value * value for value in found.values())) if self.l2 else 0.0
        return {key: value / length for key, value in found.items()} if length else found


def parse_weighting(text: str) -> Weighting:
    """Read a weighting."""
    tf, *others = text.split("+") if isinstance(text, str) else ("",)
    if tf not in TF or others not in ([], ["idf"], ["l2"], ["idf", "l2"]):
        raise SettingError(
            f"weighting {text!r} is not known; give count, binary or log, then +idf, +l2 or both, "
            "as in log+idf+l2"
        )
    return Weighting(tf, "idf" in others, "l2" in others)
