"""Rules that split a multiword token into its words, learned from training data.

A token that was seen is split as it was most often, in its own case or else in lower case. For other tokens
there are rules on affixes: *dirlo* is *dire lo* as *farlo* is *fare lo*, where ``rlo`` becomes ``re lo``. A
rule on a suffix keeps the beginning of the token as the beginning of the first word; a rule on a prefix keeps
the end of the token as the end of the last word. Longer affixes go first, and of these the most frequent. A
token teaches the rules that it shares with others, if there are any: *month's* shows how to split tokens with
``'s``, not those with ``month``.

Labels decide whether a token has several words, except for tokens that were never a single word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import accumulate
from typing import Self

from structron.engine.rows import Arrays
from structron.engine.texts import Stored, pack_sequences, pack_texts, unpack_sequences, unpack_texts
from structron.errors import ModelError
from structron.features.casing import lower
from structron.records import dataclass

CERTAIN = 2  # a token with several words so often, and never a single word, is always split
CONTEXT = 3  # the most characters of the unchanged part that a rule may ask for
Words = tuple[str, ...]
_CASES = (str, lambda small: small[:1].upper() + small[1:], str.upper)


@dataclass(frozen=True)
class MultiwordRules:
    """Rules that split tokens.

    Parameters
    ----------
    forms
        The words of known tokens, in their own case and in lower case.
    suffixes
        For a suffix in lower case, its replacement at the end of the first word, and the other words.
    prefixes
        For a prefix in lower case, the first words, and its replacement in the last.
    certain
        Tokens that are split whatever their labels: in lower case, with a capital, and in capitals.
    """

    forms: Mapping[str, Words] = field(default_factory=dict)
    suffixes: Mapping[str, Words] = field(default_factory=dict)
    prefixes: Mapping[str, Words] = field(default_factory=dict)
    certain: frozenset[str] = frozenset()

    @classmethod
    def learned(cls, seen: Iterable[tuple[str, Sequence[str]]], plain: Iterable[str] = ()) -> Self:
        """Learn rules from tokens with their words; `plain` are the tokens with one word."""
        forms: dict[str, Counter[Words]] = {}
        whole: Counter[tuple[str, Words]] = Counter()
        for (form, words), times in Counter((form, tuple(words)) for form, words in seen).items():
            small, parts = lower(form), tuple(map(lower, words))
            whole[small, parts] += times
            forms.setdefault(form, Counter())[words] += times
            if small != form:
                forms.setdefault(small, Counter())[parts] += times
        shared = Counter(rule for token in whole for rule in _affix_rules(*token))
        affixes: dict[str, dict[str, Counter[Words]]] = {"suffixes": {}, "prefixes": {}}
        for token, times in whole.items():
            own = list(_affix_rules(*token))
            for kind, affix, made in [rule for rule in own if shared[rule] > 1] or own:
                affixes[kind].setdefault(affix, Counter())[made] += times
        single = set(map(lower, plain))
        often = [small for small, found in forms.items() if found.total() >= CERTAIN and small not in single]
        certain = {case(small) for small in often if lower(small) == small for case in _CASES}
        return cls(_best(forms), _best(affixes["suffixes"]), _best(affixes["prefixes"]), frozenset(certain))

    def split(self, form: str) -> Words:
        """Return the words of a multiword token; the token itself if no rule fits."""
        if form in self.forms:
            return self.forms[form]
        small = lower(form)
        words = self.forms.get(small) or self._by_affix(small)
        return (form,) if words is None else _in_case(form, small, words)

    def _by_affix(self, small: str) -> Words | None:
        for size in range(len(small) - 1, 0, -1):
            if (made := self.suffixes.get(small[-size:])) is not None:
                return (small[:-size] + made[0], *made[1:])
            if (made := self.prefixes.get(small[:size])) is not None:
                return (*made[:-1], made[-1] + small[size:])
        return None

    def arrays(self) -> Stored:
        """Return the arrays of a model file."""
        stored: Stored = {}
        for name in ("forms", "suffixes", "prefixes"):
            rules: Mapping[str, Words] = getattr(self, name)
            stored |= pack_sequences(f"multiword.{name}", [(key, *words) for key, words in rules.items()])
        if self.certain:
            stored |= pack_texts("multiword.certain", sorted(self.certain))
        return stored

    @classmethod
    def restore(cls, arrays: Arrays) -> Self:
        """Restore the rules of a model file."""
        tables: list[dict[str, Words]] = []
        for name in ("forms", "suffixes", "prefixes"):
            rows = unpack_sequences(arrays, f"multiword.{name}")
            if any(len(row) < 2 or not all(row[2:-1]) for row in rows):
                raise ModelError(f"its rules for multiword {name} are not whole")
            tables.append({row[0]: row[1:] for row in rows})
        if any(not word for words in tables[0].values() for word in words):
            raise ModelError("its multiword tokens have words without characters")
        kept = "multiword.certain.lengths" in arrays
        forms, suffixes, prefixes = tables
        certain = frozenset(unpack_texts(arrays, "multiword.certain") if kept else ())
        return cls(forms, suffixes, prefixes, certain)


def _affix_rules(small: str, parts: Words) -> Iterable[tuple[str, str, Words]]:
    """Yield the rules that one token supports: their kind, the affix, and its replacement."""
    if len(parts) < 2 or not all(parts):
        return
    kept = _common(small, parts[0])
    for shown in range(min(CONTEXT, kept - 1) + 1):
        at = kept - shown
        if 0 < at < len(small):
            yield "suffixes", small[at:], (parts[0][at:], *parts[1:])
    kept = _common(small[::-1], parts[-1][::-1])
    for shown in range(min(CONTEXT, kept - 1) + 1):
        at = kept - shown
        if 0 < at < len(small):
            yield "prefixes", small[:-at], (*parts[:-1], parts[-1][:-at])


def _common(a: str, b: str) -> int:
    """Count the characters that both begin with."""
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def _best(counted: Mapping[str, Counter[Words]]) -> dict[str, Words]:
    """Return the most frequent entry of each; ties go to the first in order."""
    return {
        key: min(found, key=lambda words: (-found[words], words)) for key, found in sorted(counted.items())
    }


def _in_case(form: str, small: str, words: Words) -> Words:
    """Give words the case of the token they come from."""
    if form == small:
        return words
    if "".join(words) == small:  # plain pieces of the token
        ends = [*accumulate(map(len, words))]
        return tuple(form[begin:end] for begin, end in zip([0, *ends], ends))
    if len(form) > 1 and form == form.upper():
        return tuple(word.upper() for word in words)
    if form[:1] != small[:1]:
        return (words[0][:1].upper() + words[0][1:], *words[1:])
    return words
