"""The case of words: what a sentence begins with is written as in the middle of one (Lita et al. 2003)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from structron.tasks.translation.words.tokenisation import core_of, with_core

_ENDS = frozenset(".!?:…")  # what follows may begin a sentence


@dataclass(frozen=True)
class Truecaser:
    """The most frequent form of each word that is not at the beginning of a sentence.

    Parameters
    ----------
    forms
        These forms, sorted.
    capitals
        Whether sentences begin with a capital.

    Examples
    --------
    >>> caser = Truecaser.of([["The", "house"], ["Here", "the", "UN", "meets"]])
    >>> caser.lowered(["The", "UN"]), caser.lowered(["THE", "UN"]), caser.raised(["the", "UN"])
    (['the', 'UN'], ['the', 'UN'], ['The', 'UN'])
    """

    forms: tuple[str, ...]
    capitals: bool

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]]) -> Truecaser:
        """Count forms inside sentences, and what these begin with."""
        counts: Counter[str] = Counter()
        capital = cased = 0
        for tokens in sentences:
            starts = is_first = True
            for core in map(core_of, tokens):
                if not _is_word(core):
                    starts = starts or not _ENDS.isdisjoint(core)
                    continue
                if is_first and core[0].lower() != core[0].upper():
                    capital, cased = capital + core[0].isupper(), cased + 1
                if not starts:
                    counts[core] += 1
                starts = is_first = False
        usual: dict[str, str] = {}
        for form in sorted(counts, key=lambda form: (-counts[form], form)):
            usual.setdefault(form.lower(), form)
        return cls(tuple(sorted(usual.values())), 2 * capital > cased)

    @cached_property
    def _usual(self) -> dict[str, str]:
        return {form.lower(): form for form in self.forms}

    def lowered(self, tokens: Sequence[str]) -> list[str]:
        """Return the words of a sentence in their usual case: the first, or all where all are capitals."""
        found = list(tokens)
        words = [i for i, token in enumerate(tokens) if _is_word(core_of(token))]
        capitals = [core for i in words if (core := core_of(tokens[i])).upper() != core.lower()]
        if len(capitals) > 1 and all(map(str.isupper, capitals)) and max(map(len, capitals)) > 1:
            for i in words:
                lower = core_of(tokens[i]).lower()
                found[i] = with_core(tokens[i], self._usual.get(lower, lower))
        elif words and self.capitals:
            core = core_of(tokens[words[0]])
            found[words[0]] = with_core(tokens[words[0]], self._usual.get(core.lower(), core))
        return found

    def raised(self, tokens: Sequence[str]) -> list[str]:
        """Return a sentence with a capital, if sentences begin with one; *iPhone* stays."""
        found = list(tokens)
        first = next((i for i, token in enumerate(tokens) if _is_word(core_of(token))), None)
        if first is not None and self.capitals:
            core = core_of(tokens[first])
            if core == core.lower():
                found[first] = with_core(tokens[first], core[0].upper() + core[1:])
        return found

    def begins_high(self, tokens: Sequence[str]) -> bool:
        """Return whether a sentence begins as those of the data do, or its first letter has no case."""
        first = next((core for token in tokens if _is_word(core := core_of(token))), "")
        return not (self.capitals and first[:1].islower())


def _is_word(core: str) -> bool:
    return any(map(str.isalnum, core))
