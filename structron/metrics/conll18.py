"""The table of the CoNLL 2018 shared task (Zeman et al. 2018), from raw text to trees, for two documents.

Gold and system need not have the same words, only the same characters: blanks aside, both texts are one row
of characters, and what covers the same of them is the same token, sentence or word. Words inside a multiword
token have no characters of their own. Around such tokens stand *blocks*, as small as can be, from which none
of them sticks out; within a block words are paired by the longest common subsequence of their forms.

F1 of Tokens, Sentences and Words says how the text was cut. All other rows count words that are right in
some respect; precision is their share of the system's words, recall of the gold ones, so that a word that
was cut wrongly costs in every row. The aligned accuracy is their share of the words that were cut rightly.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from structron.errors import DataError
from structron.io.files.sentence import Sentence
from structron.io.values.trees import tree_of
from structron.metrics.attachment import CONTENT, universal
from structron.metrics.segmentation import Cuts

FUNCTION = frozenset(["aux", "cop", "mark", "det", "clf", "case", "cc"])
"""The relations of function words whose tags count for MLAS."""

_FEATURES = """
PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense
Aspect Voice Evident Polarity Person Polite
"""
UNIVERSAL_FEATURES = frozenset(_FEATURES.split())
"""The features that the shared task looks at."""

ROOT, ELSEWHERE = -1, -2  # the head of a root; a head that no gold word is paired with


class Share(NamedTuple):
    """One row of the table: the number in gold, of the system, and right.

    `aligned` is how many words of gold have a partner; None where there is nothing else to be right.
    """

    gold: int
    system: int
    right: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """Return the right share of the system's."""
        return self.right / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        """Return the right share of gold."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of the two."""
        return 2 * self.right / (self.gold + self.system) if self.gold + self.system else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        """Return the right share of the aligned words."""
        return None if self.aligned is None else self.right / self.aligned if self.aligned else 0.0


class _Span(NamedTuple):
    start: int
    end: int


@dataclass
class _Document:
    """Sentences as one row of characters, with the places of all units."""

    characters: list[str] = field(default_factory=list)
    tokens: list[_Span] = field(default_factory=list)
    sentences: list[_Span] = field(default_factory=list)
    # For every word: its characters, or those of its multiword token; and True if it has one.
    spans: list[_Span] = field(default_factory=list)
    inside: list[bool] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    upos: list[str] = field(default_factory=list)
    xpos: list[str] = field(default_factory=list)
    feats: list[str] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)  # numbers of words in the document, or ROOT
    relations: list[str] = field(default_factory=list)
    functional: dict[int, list[int]] = field(default_factory=dict)  # the function words of a head
    places: list[tuple[Sentence, int]] = field(default_factory=list)  # of every token, for messages


def _document(sentences: Sequence[Sentence], *, trees: bool) -> _Document:
    document = _Document()
    for sentence in sentences:
        if sentence.format.name != "conllu":
            raise DataError(f"{sentence.place}: its format is {sentence.format.name}; give CoNLL-U")
        begin, first = len(document.characters), len(document.forms)
        _add_tokens(document, sentence)
        document.sentences.append(_Span(begin, len(document.characters)))
        if not trees:
            continue
        for head in tree_of(sentence, labelled=False).heads:
            document.heads.append(first + head - 1 if head else ROOT)
        for word in range(first, len(document.forms)):
            if document.heads[word] != ROOT and document.relations[word] in FUNCTION:
                document.functional.setdefault(document.heads[word], []).append(word)
    return document


def _add_tokens(document: _Document, sentence: Sentence) -> None:
    """Add tokens and words; a multiword token lends its characters to the words it covers."""
    covered = word = 0
    for row in sentence.rows:
        number, form = row[0], row[1]
        if "." in number:  # an empty node
            continue
        is_range = "-" in number
        if is_range or word >= covered:
            text = _without_blanks(form)
            if not text:
                raise DataError(f"{sentence.place}: token {number} is nothing but blanks; give it a form")
            start = len(document.characters)
            document.characters.extend(text)
            document.tokens.append(_Span(start, start + len(text)))
            document.places.append((sentence, word))
            if is_range:
                covered = int(number.partition("-")[2])
                continue
            form = text
        document.spans.append(document.tokens[-1])
        document.inside.append(word < covered)
        document.forms.append(form.lower())
        document.lemmas.append(row[2])
        document.upos.append(row[3])
        document.xpos.append(row[4])
        kept = (each for each in row[5].split("|") if each.partition("=")[0] in UNIVERSAL_FEATURES)
        document.feats.append("|".join(sorted(kept)))
        document.relations.append(universal(row[7]))
        word += 1


def _without_blanks(form: str) -> str:
    return "".join(c for c in form if unicodedata.category(c) != "Zs")


def _check_texts(gold: _Document, system: _Document) -> None:
    """Refuse documents of different texts, with where they part."""
    if gold.characters == system.characters:
        return
    pairs = zip(gold.characters, system.characters)
    shorter = min(len(gold.characters), len(system.characters))
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), shorter)
    places, texts = [], []
    for document in (gold, system):
        after = (place for span, place in zip(document.tokens, document.places) if span.end > at)
        sentence, word = next(after, document.places[-1] if document.places else (None, 0))
        places.append("the beginning" if sentence is None else sentence.place_of(word))
        texts.append("".join(document.characters[at : at + 20]) or "the end")
    raise DataError(
        f"{places[1]}: the text goes on with {texts[1]!r} where gold ({places[0]}) has {texts[0]!r}; "
        "compare two analyses of the same text"
    )


def _aligned(gold: _Document, system: _Document) -> Iterator[tuple[int, int]]:
    """Yield the pairs of aligned words in order."""
    g = s = 0
    while g < len(gold.spans) and s < len(system.spans):
        if gold.inside[g] or system.inside[s]:
            first, other, g, s = _block(gold, system, g, s)
            yield from _common(gold, system, range(first, g), range(other, s))
        elif gold.spans[g] == system.spans[s]:
            yield g, s
            g, s = g + 1, s + 1
        elif gold.spans[g].start <= system.spans[s].start:
            g += 1
        else:
            s += 1


def _block(gold: _Document, system: _Document, g: int, s: int) -> tuple[int, int, int, int]:
    """Return the smallest block that begins here: its first words on both sides, and those after its last."""
    end = gold.spans[g].end if gold.inside[g] else system.spans[s].end
    if gold.inside[g]:
        s += not system.inside[s] and system.spans[s].start < gold.spans[g].start
    else:
        g += gold.spans[g].start < system.spans[s].start
    first, other = g, s
    while not (_is_beyond(gold, g, end) and _is_beyond(system, s, end)):
        left = len(system.spans) == s or (
            g < len(gold.spans) and gold.spans[g].start <= system.spans[s].start
        )
        document, word = (gold, g) if left else (system, s)
        if document.inside[word]:
            end = max(end, document.spans[word].end)
        g, s = g + left, s + (not left)
    return first, other, g, s


def _is_beyond(document: _Document, word: int, end: int) -> bool:
    if word >= len(document.spans):
        return True
    span = document.spans[word]
    return span.start >= end if document.inside[word] else span.end > end


def _common(gold: _Document, system: _Document, gs: range, ss: range) -> Iterator[tuple[int, int]]:
    """Return a longest common subsequence of forms; of several, the one that pairs the earliest words."""
    length = [[0] * (len(ss) + 1) for _ in range(len(gs) + 1)]
    for i in reversed(range(len(gs))):
        for j in reversed(range(len(ss))):
            same = gold.forms[gs[i]] == system.forms[ss[j]]
            length[i][j] = max(length[i + 1][j + 1] + same, length[i + 1][j], length[i][j + 1])
    i = j = 0
    while i < len(gs) and j < len(ss):
        if gold.forms[gs[i]] == system.forms[ss[j]]:
            yield gs[i], ss[j]
            i, j = i + 1, j + 1
        elif length[i][j] == length[i + 1][j]:
            i += 1
        else:
            j += 1


def cuts_of(sentences: Sequence[Sentence]) -> Cuts:
    """Return where the sentences and tokens of a document are."""
    found = _document(sentences, trees=False)
    return Cuts("".join(found.characters), found.sentences, found.tokens)


def aligned_words(gold: Sequence[Sentence], system: Sequence[Sentence]) -> dict[int, int]:
    """Return the numbers, from 0, of gold words in their document that have a partner, and its number."""
    right, guess = _document(gold, trees=False), _document(system, trees=False)
    _check_texts(right, guess)
    return dict(_aligned(right, guess))


Respect = Callable[[_Document, int, Callable[[int], int]], Hashable]


def _morphology(document: _Document, word: int, partner: Callable[[int], int]) -> Hashable:
    """Return the parts that MLAS compares: the arc, the tags, and those of the word's function words."""

    def one(each: int) -> Hashable:
        return document.relations[each], document.upos[each], document.feats[each]

    functional = document.functional.get(word, ())
    return _arc(document, word, partner), one(word), tuple((partner(each), one(each)) for each in functional)


def _arc(document: _Document, word: int, partner: Callable[[int], int]) -> Hashable:
    return partner(document.heads[word]), document.relations[word]


_TAGS: Mapping[str, Respect] = {
    "UPOS": lambda d, w, _: d.upos[w],
    "XPOS": lambda d, w, _: d.xpos[w],
    "UFeats": lambda d, w, _: d.feats[w],
    "AllTags": lambda d, w, _: (d.upos[w], d.xpos[w], d.feats[w]),
    "Lemmas": lambda d, w, _: d.lemmas[w],
}
_ARCS: Mapping[str, Respect] = {
    "UAS": lambda d, w, partner: partner(d.heads[w]),
    "LAS": _arc,
}
_CONTENT_WORDS: Mapping[str, Respect] = {
    "CLAS": _arc,
    "MLAS": _morphology,
    "BLEX": lambda d, w, partner: (_arc(d, w, partner), d.lemmas[w]),
}
ROWS = ("Tokens", "Sentences", "Words", *_TAGS, *_ARCS, *_CONTENT_WORDS)
OF_TREES = frozenset([*_ARCS, *_CONTENT_WORDS])


def conll18(
    gold: Sequence[Sentence], system: Sequence[Sentence], rows: Collection[str] = ROWS
) -> dict[str, Share]:
    """Compute the table, by the names of its rows.

    Parameters
    ----------
    gold, system
        CoNLL-U sentences of the same text; each must have a tree with one root if `rows` need one.
    rows
        Which of `ROWS` to count.

    Raises
    ------
    DataError
        If the texts differ, with where; if heads form a cycle, or a sentence has several roots.
    """
    trees = not OF_TREES.isdisjoint(rows)
    right, guess = _document(gold, trees=trees), _document(system, trees=trees)
    _check_texts(right, guess)
    pairs = list(_aligned(right, guess))
    partner = {s: g for g, s in pairs} | {ROOT: ROOT}
    # A lemma that gold does not have is right whatever it is.
    for g, s in pairs:
        if right.lemmas[g] == "_":
            guess.lemmas[s] = "_"
    table = {
        "Tokens": _equal_spans(right.tokens, guess.tokens),
        "Sentences": _equal_spans(right.sentences, guess.sentences),
        "Words": Share(len(right.forms), len(guess.forms), len(pairs)),
    }
    for respects, chosen in (({**_TAGS, **_ARCS}, None), (_CONTENT_WORDS, CONTENT)):
        counted = [
            [i for i, relation in enumerate(each.relations) if chosen is None or relation in chosen]
            for each in (right, guess)
        ]
        kept = set(counted[0])
        inside = [(g, s) for g, s in pairs if g in kept]
        for name, respect in respects.items():
            if name not in rows:
                continue
            equal = sum(
                respect(right, g, lambda word: word)
                == respect(guess, s, lambda word: partner.get(word, ELSEWHERE))
                for g, s in inside
            )
            table[name] = Share(len(counted[0]), len(counted[1]), equal, len(inside))
    return {name: share for name, share in table.items() if name in rows}


def _equal_spans(gold: Sequence[_Span], system: Sequence[_Span]) -> Share:
    return Share(len(gold), len(system), len(set(gold) & set(system)))


def table_of(shares: Mapping[str, Share]) -> list[str]:
    """Format the table for people, in per cent, line by line."""
    lines = [f"{'':9} {'precision':>10} {'recall':>8} {'F1':>8} {'aligned':>9}"]
    for name, share in shares.items():
        accuracy = share.aligned_accuracy
        last = "" if accuracy is None else f"{100 * accuracy:9.2f}"
        row = f"{name:9} {100 * share.precision:10.2f} {100 * share.recall:8.2f} {100 * share.f1:8.2f} {last}"
        lines.append(row.rstrip())
    return lines
