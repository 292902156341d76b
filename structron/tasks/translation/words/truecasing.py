"""The case of words: what a sentence begins with is written as in the middle of one (Lita et al. 2003).

A word that only begins sentences shows no case of its own. It is written as most rare words inside sentences
that end with the same letters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from structron.tasks.translation.words.tokenisation import core_of, with_core

_RARE, _SEVERAL, _ENDING = 3, 5, 4
_ENDS = frozenset(".!?:…")  # what follows may begin a sentence


@dataclass(frozen=True)
class Truecaser:
    """The most frequent form of each word that is not at the beginning of a sentence.

    Parameters
    ----------
    forms
        These forms, sorted; among them words that only begin sentences, if most words like them are in lower
        case.
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
        first_words: set[str] = set()  # in lower case
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
                elif core.istitle():
                    first_words.add(core.lower())
                starts = is_first = False
        usual: dict[str, str] = {}
        for form in sorted(counts, key=lambda form: (-counts[form], form)):
            usual.setdefault(form.lower(), form)
        usual |= _by_endings(usual, counts, first_words - usual.keys())
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


def _by_endings(
    usual: Mapping[str, str], counts: Mapping[str, int], words: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield words whose ending is mostly one of words in lower case, each with its form.

    The ending is the longest, of `_ENDING` letters at most, that several rare words have.
    """
    rare = [form for form in usual.values() if counts[form] <= _RARE]
    lower, every = Counter[str](), Counter[str]()
    for form in rare:
        for ending in _endings(form.lower()):
            every[ending] += 1
            lower[ending] += form.islower()
    for word in words:
        ending = next((each for each in _endings(word) if every[each] >= _SEVERAL), "")
        if 2 * lower[ending] > every[ending]:
            yield word, word


def _endings(word: str) -> list[str]:
    """Return the last letters of a word, the longest ending first."""
    return [word[-length:] for length in range(min(_ENDING, len(word)), 0, -1)]


def _is_word(core: str) -> bool:
    return any(map(str.isalnum, core))
