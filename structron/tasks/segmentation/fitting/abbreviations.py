"""Training passages again with other abbreviations, so that new ones are learned by their habits.

A treebank has few abbreviations, and a segmenter would know them by their letters. Raw text has thousands.
Each abbreviation of a passage is replaced by one with the same habits.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from structron.features.casing import lower
from structron.segments.boundaries import SomeTokens, Token
from structron.tasks.segmentation.units.habits import Habits, word_key

COPIES = 3
ENOUGH = 5  # words of the same habits to choose from
SEED = 41
Kind = tuple[int, ...]


class _Others:
    """Abbreviations by their habits."""

    def __init__(self, habits: Habits) -> None:
        self._known = dict(zip(habits.keys, habits.values))
        self._alike: dict[Kind, list[str]] = defaultdict(list)
        for word in habits.abbreviations:
            for kind in self._kinds(word):
                self._alike[kind].append(word)

    def _kinds(self, word: str) -> Iterator[Kind]:
        """Yield descriptions of a word, the narrowest first."""
        seen = self._known.get(word_key(word), 0)
        form = 2 if "." in word else int(len(word) > 1)
        yield form, seen & 0b1111, seen >> 5 & 3
        yield form, seen & 0b1111
        yield form, seen >> 2 & 3, 0, 0

    def instead(self, word: str, chance: random.Random) -> str | None:
        """Return another word with the same habits, in the same case."""
        small = lower(word)
        if not self._known.get(word_key(small), 0) >> 2 & 2:
            return None
        for kind in self._kinds(small):
            if len(found := self._alike.get(kind, ())) >= ENOUGH:
                other = chance.choice(found)
                if word == word.upper() and (len(word) > 1 or len(other) == 1):
                    return other.upper()
                return other[:1].upper() + other[1:] if word[0].isupper() else other
        return None


def with_abbreviations(
    xs: Sequence[str], ys: Sequence[Sequence[Token]], habits: Habits
) -> tuple[list[str], list[list[Token]]]:
    """Return the passages that have abbreviations, several times, each time with others."""
    texts: list[str] = []
    tokens: list[list[Token]] = []
    others, chance = _Others(habits), random.Random(SEED)
    if not habits.abbreviations:
        return texts, tokens
    for text, gold in zip(xs, ys):
        if isinstance(gold, SomeTokens):
            continue
        for _ in range(COPIES):
            made = _replaced(text, gold, others, chance)
            if made is None:
                break
            texts.append(made[0])
            tokens.append(made[1])
    return texts, tokens


def _replaced(
    text: str, gold: Sequence[Token], others: _Others, chance: random.Random
) -> tuple[str, list[Token]] | None:
    written, found, last, changed = "", list[Token](), 0, False
    for begin, end, flags in gold:
        written += text[last:begin]
        form = text[begin:end]
        if form.endswith(".") and form[0].isalpha() and "@" not in form:
            other = others.instead(form[:-1], chance)
            if other is not None:
                form, changed = f"{other}.", True
        found.append((len(written), len(written) + len(form), flags))
        written += form
        last = end
    return (written + text[last:], found) if changed else None
