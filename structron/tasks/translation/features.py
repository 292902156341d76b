"""Templates of translation: what they see of a phrase pair, its neighbours, and earlier target words.

A template is a list of atoms separated by blanks:

==============================  ==============================================================
``rule``                        the phrase pair; ``source`` and ``target`` are its sides
``s.first``, ``s.last``         the words at the edges of the source phrase
``t.first``, ``t.last``         the words at the edges of the target phrase
``s[-1]``, ``s[1]``             the source word just before the phrase, and just after it
``t[-1]``                       the last target word before the phrase; ``t[-2]`` the one before that
``size``                        the numbers of words on both sides
``bias``                        always there
==============================  ==============================================================

Two more atoms stand alone in a template and may apply several times to one phrase: ``link``, each pair of
words that are aligned inside it, and ``ngram(3)``, each 3-gram of target words whose last word is in the
phrase, including those that begin in an earlier phrase. There is a boundary one place before the first word
and one after the last; a template that looks further has no key. These are the WordEdges, boundary and
non-local features of Yu, Huang, Mi & Zhao (2013), and the word pairs of Chiang, Knight & Wang (2009).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from structron.errors import SettingError
from structron.features.atoms import check_distinct
from structron.features.keys import BOUNDARY, combine, hash_bytes

START = 0x5048524153453031
FARTHEST = 3  # target words back, as many as the engine's states keep; the longest n-gram has one more

# The atoms in the order of their numbers, as in the engine; earlier target words have WORD_BACK and more.
ATOMS = (
    "bias",
    "rule",
    "source",
    "target",
    "s.first",
    "s.last",
    "t.first",
    "t.last",
    "s[-1]",
    "s[1]",
    "size",
)
WORD_BACK = 16
LINK, NGRAM = 32, 40
_BACK = re.compile(r"t\[-([0-9]{1,9})\]")
_NGRAM = re.compile(r"ngram\(([0-9]{1,9})\)")


@dataclass(frozen=True)
class PhraseWords:
    """The view that templates have of a phrase pair in its sentence: hashes of words, and links."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    links: tuple[tuple[int, int], ...]
    before: int
    after: int


@dataclass(frozen=True)
class TranslationTemplate:
    """One parsed template: the numbers of its atoms."""

    text: str
    base: int
    atoms: tuple[int, ...]

    @property
    def ngram(self) -> int:
        """Return the length of its n-grams; 0 if it has none."""
        return self.atoms[0] - NGRAM if self.atoms and self.atoms[0] > NGRAM else 0

    @property
    def back(self) -> int:
        """Return how many target words before the phrase it sees."""
        words = [atom - WORD_BACK for atom in self.atoms if WORD_BACK < atom < LINK]
        return max([*words, self.ngram - 1, 0])

    def keys(self, phrase: PhraseWords, history: Sequence[int], is_last: bool) -> Iterator[int]:
        """Yield its keys for a phrase after `history`, the hashes of all target words so far."""
        if self.ngram:
            yield from self._ngrams(phrase.target, history, is_last)
        elif self.atoms == (LINK,):
            for i, j in phrase.links:
                yield combine(combine(self.base, phrase.source[i]), phrase.target[j])
        elif key := self._key(phrase, history):
            yield key

    def _key(self, phrase: PhraseWords, history: Sequence[int]) -> int:
        key = self.base
        for atom in self.atoms:
            if atom > WORD_BACK:
                back = atom - WORD_BACK
                if back > len(history) + 1:
                    return 0
                key = combine(key, history[-back] if back <= len(history) else BOUNDARY)
            else:
                key = combine(key, _value(atom, phrase))
        return key

    def _ngrams(self, target: Sequence[int], history: Sequence[int], is_last: bool) -> Iterator[int]:
        words = [BOUNDARY, *history, *target, *([BOUNDARY] if is_last else [])]
        for end in range(1 + len(history), len(words)):
            if end + 1 >= self.ngram:
                key = self.base
                for word in words[end + 1 - self.ngram : end + 1]:
                    key = combine(key, word)
                yield key


def hash_words(words: Sequence[int]) -> int:
    """Hash a sequence of words."""
    key = START
    for word in words:
        key = combine(key, word)
    return key


def _value(atom: int, phrase: PhraseWords) -> int:
    """Return the value of an atom of the phrase itself."""
    name = ATOMS[atom]
    if name == "rule":
        return combine(hash_words(phrase.source), hash_words(phrase.target))
    values = {
        "source": hash_words(phrase.source),
        "target": hash_words(phrase.target),
        "s.first": phrase.source[0],
        "s.last": phrase.source[-1],
        "t.first": phrase.target[0],
        "t.last": phrase.target[-1],
        "s[-1]": phrase.before,
        "s[1]": phrase.after,
        "size": len(phrase.source) << 32 | len(phrase.target),
        "bias": 1,
    }
    return values[name]


def parse(text: str) -> TranslationTemplate:
    """Read one template.

    >>> parse("s.first  t[-1]").text
    's.first t[-1]'
    """
    if not isinstance(text, str) or not text.split():
        raise SettingError(f"template {text!r} is not text; write it like 's.first t.first'")
    atoms = tuple(_atom(text, word) for word in text.split())
    if len(atoms) > 1 and any(atom >= LINK for atom in atoms):
        raise SettingError(f"template {text[:80]!r}: link and ngram stand alone; take the other atoms out")
    canonical = " ".join(text.split())
    return TranslationTemplate(canonical, hash_bytes(canonical.encode()), atoms)


def _atom(text: str, word: str) -> int:
    if word in ATOMS:
        return ATOMS.index(word)
    if word == "link":
        return LINK
    if found := _BACK.fullmatch(word):
        if not 1 <= int(found[1]) <= FARTHEST:
            raise SettingError(f"template '{text}': {word} is too far; t goes from -1 back to -{FARTHEST}")
        return WORD_BACK + int(found[1])
    if found := _NGRAM.fullmatch(word):
        if not 1 <= int(found[1]) <= FARTHEST + 1:
            raise SettingError(f"template '{text}': {word} is not possible; give 1 to {FARTHEST + 1} words")
        return NGRAM + int(found[1])
    raise SettingError(
        f"template {text[:80]!r}: cannot read {word[:80]!r}; "
        f"use t[-1], link, ngram(2) or one of {', '.join(ATOMS)}"
    )


def parse_all(texts: Sequence[str]) -> list[TranslationTemplate]:
    """Read a set of templates; refuse duplicates."""
    templates = [parse(text) for text in texts]
    check_distinct(template.text for template in templates)
    return templates


EDGES = [
    "s.first s.last",
    "t.first t.last",
    "s.first t.first",
    "s.last t.last",
    "s[-1] s.first",
    "s.last s[1]",
    "s[-1] t.first",
    "s[1] t.last",
    "s[-1] s.first t.first",
    "s.last s[1] t.last",
]

# Dense features do not know the words and their neighbours. Sizes, and the edges of one side alone, are in
# nearly every phrase; with them one trial lost much more (experiments/yu2013).
CONTEXT = [
    "rule",
    "link",
    "s[-1] s.first t.first",
    "s.last s[1] t.last",
    "s[-1] t.first",
    "s[1] t.last",
    "ngram(2)",
]

PRESETS: dict[str, list[str]] = {
    "dense": [],
    "rules": ["rule", "size"],
    "context": CONTEXT,
    "edges": ["rule", "size", "link", *EDGES, "ngram(2)"],
    "full": ["rule", "size", "link", *EDGES, "ngram(1)", "ngram(2)", "ngram(3)"],
}
