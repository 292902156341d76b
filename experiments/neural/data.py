"""UD English-EWT as numbers: words, characters, tags and trees, and batches of about equally long sentences."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt
from corpora import find

from structron.io import read, tree_of
from structron.tasks.parsing import lift

PARTS = ("train", "dev", "test")
PAD, UNKNOWN, ROOT = 0, 1, 2
LONGEST = 20  # characters of a word that are read
QUICK = 60

Numbers = npt.NDArray[np.int64]
Tree = tuple[list[int], list[str]]


@dataclass(frozen=True)
class Sentence:
    """A sentence with its tags and its tree; relations are without subtypes."""

    words: list[str]
    tags: list[str]
    heads: list[int]
    relations: list[str]

    @cached_property
    def projective(self) -> list[int]:
        """Return heads without crossing arcs."""
        return lift((self.heads, self.relations), mark=False)[0]


@cache
def sentences(part: str, quick: bool) -> list[Sentence]:
    """Return one part of EWT."""
    found = []
    for sentence in read(str(find(f"ud/UD_English-EWT/en_ewt-ud-{part}.conllu.gz"))):
        words = sentence.words()
        if not words:
            continue
        heads, relations = tree_of(sentence)
        bare = [r.partition(":")[0] for r in relations]
        found.append(Sentence(list(words), list(sentence.column("upos")), list(heads), bare))
        if quick and len(found) == QUICK:
            break
    return found


@cache
def checksum(quick: bool) -> str:
    """Return twelve hex digits of all that is read."""
    digest = hashlib.sha256()
    for part in PARTS:
        for s in sentences(part, quick):
            digest.update(repr((s.words, s.tags, s.heads, s.relations)).encode())
    return digest.hexdigest()[:12]


class Vocabulary:
    """Numbers of words, characters, tags and relations, as training has them."""

    def __init__(self, train: Sequence[Sentence]) -> None:
        self.counts = Counter(w.lower() for s in train for w in s.words)
        self.words = {w: i for i, w in enumerate(sorted(self.counts), 3)}
        self.characters = {c: i for i, c in enumerate(sorted({c for w in self.words for c in w}), 3)}
        self.characters |= {
            c: i
            for i, c in enumerate(
                sorted({c for s in train for w in s.words for c in w} - self.characters.keys()),
                3 + len(self.characters),
            )
        }
        self.tags = {t: i for i, t in enumerate(sorted({t for s in train for t in s.tags}))}
        self.relations = {r: i for i, r in enumerate(sorted({r for s in train for r in s.relations}))}


@dataclass(frozen=True)
class Batch:
    """Padded inputs, and gold as lists of arrays."""

    words: Numbers
    characters: Numbers
    tags: Numbers
    lengths: list[int]
    gold_tags: list[Numbers]
    heads: list[Numbers]
    projective: list[Numbers]
    relations: list[Numbers]

    @property
    def tokens(self) -> int:
        return sum(self.lengths)


class Data:
    """One part as numbers."""

    def __init__(self, part: Sequence[Sentence], known: Vocabulary) -> None:
        self.sentences, self.known = part, known
        table = {w: self._characters(w) for s in part for w in s.words}
        self.words = [np.array([known.words.get(w.lower(), UNKNOWN) for w in s.words]) for s in part]
        self.characters = [np.array([table[w] for w in s.words]) for s in part]
        self.tags = [np.array([known.tags.get(t, -1) for t in s.tags]) for s in part]  # -1 is never right
        self.heads = [np.array(s.heads) for s in part]
        self.projective = [np.array(s.projective) for s in part]
        self.relations = [np.array([known.relations.get(r, -1) for r in s.relations]) for s in part]
        # A word seen once may be a word never seen: by chance it is read as unknown.
        self.rare = np.zeros(len(known.words) + 3)
        for word, count in known.counts.items():
            self.rare[known.words[word]] = 0.25 / (0.25 + count)

    def _characters(self, word: str) -> list[int]:
        numbers = [self.known.characters.get(c, UNKNOWN) for c in word[:LONGEST]]
        return numbers + [PAD] * (LONGEST - len(numbers))

    def batches(self, tokens: int, rng: np.random.Generator | None = None) -> Iterator[Batch]:
        """Yield batches of so many tokens; with a generator in random order, with words made unknown."""
        places = sorted(range(len(self.words)), key=lambda i: (len(self.words[i]), i))
        if rng is not None:
            noise = rng.normal(0, 1, len(places))
            places.sort(key=lambda i: len(self.words[i]) + noise[i])
        groups: list[list[int]] = [[]]
        for i in places:
            if groups[-1] and (len(groups[-1]) + 1) * len(self.words[i]) > tokens:
                groups.append([])
            groups[-1].append(i)
        if rng is not None:
            random.Random(int(rng.integers(1 << 30))).shuffle(groups)
        for group in groups:
            yield self.batch(group, rng)

    def batch(self, group: Sequence[int], rng: np.random.Generator | None) -> Batch:
        lengths = [len(self.words[i]) for i in group]
        width = max(lengths)
        words = np.zeros((len(group), width + 1), np.int64)
        characters = np.zeros((len(group), width + 1, LONGEST), np.int64)
        tags = np.zeros((len(group), width + 1), np.int64)
        for row, i in enumerate(group):
            read = self.words[i]
            if rng is not None:
                read = np.where(rng.random(len(read)) < self.rare[read], UNKNOWN, read)
            words[row, 0], words[row, 1 : len(read) + 1] = ROOT, read
            characters[row, 0, 0], characters[row, 1 : len(read) + 1] = ROOT, self.characters[i]
            tags[row, 1 : len(read) + 1] = self.tags[i] + 1
        chosen = (self.tags, self.heads, self.projective, self.relations)
        return Batch(words, characters, tags, lengths, *([part[i] for i in group] for part in chosen))
