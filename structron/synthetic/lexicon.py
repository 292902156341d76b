"""The words of the synthetic treebank: a core of English words, most of them ambiguous, and invented stems.

A *class* is a tag and a kind of word, written ``VBZ/t``: the grammar asks for a class, the lexicon draws one
of its words. Closed classes are listed whole. Open classes are a core from the tables below and a Zipf tail
of invented stems, inflected and derived by the usual suffixes, so that an unknown word's tag can be guessed
from its end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from itertools import accumulate, cycle
from typing import TypeVar

import numpy as np

# Class, then words, each with its weight when it is not 1.
CLOSED = """
DT/sg    the:40 a:28 that:9 this:6 every:4 no:2
DT/pl    the:40 some:10 those:4 these:4 no:2
PRP/3    he:4 she:5 it:4
PRP/1    i:3 you:3 we:3 they:4
PRP/o    her:9 him:4 them:4 it:4 me:2 us:2 you:2
PRP$     her:8 his:4 their:3 my:3 our:2 its:2
MD       can:8 will:6 might:3 must:2 would:2 should:1
VBZ/be   is
VBP/be   are
VBD/be1  was
VBD/be2  were
VBZ/have has
VBP/have have
VBD/have had
VBZ/do   does
VBP/do   do
VBD/do   did
IN/that  that
IN/by    by
IN/sub   while:3 since:3 because:2 as:3 after:2 before:2 if:2
IN/p     round:4 up:4 down:4 past:4 in:4 over:3 on:3 near:2
RB/p     round:4 up:4 down:4 past:4 in:4 over:3 on:3 near:2
IN/q     of:8 with:6 in:6 on:5 like:7 for:5 at:3 from:3 under:2 by:3
TO       to
CC       and:8 or:3
WDT      that:6 who:3 which:3
,        ,
./stop   .
./ask    ?
"""

# Lemma, plural, weight; `-` stands for the regular form.
NOUNS = """
time - 6  | fruit - 4  | arrow - 2  | banana - 2 | man men 6  | woman women 6 | dog - 4   | house - 4
light - 5 | can - 5    | saw - 4    | run - 4    | duck - 4   | watch - 4     | fly - 5   | round - 3
ship - 3  | park - 3   | hill - 2   | book - 3   | water - 3  | sheep sheep 2 | plant - 3 | paint - 2
horse - 3 | barn - 2   | will - 2   | might - 1  | well - 2   | past - 2      | back - 3  | boat - 2
"""

# Lemma, past, participle, kinds, weight. Kinds: i alone, t with an object, s with a clause, p with an object
# and a bare verb (`saw her run`), v with an infinitive (`want to run`).
VERBS = """
see saw seen tps 9       | know knew known ts 5    | think thought thought s 5 | say said said s 5
run ran run it 6         | fly flew flown it 6     | light lit lit t 4         | can canned canned t 3
saw sawed sawn t 3       | duck - - i 3            | watch - - tp 5            | round - - t 2
make made made tp 4      | let let let p 3         | want - - tv 5             | try - - v 3
like - - tv 7            | chase - - t 3           | race - - it 4             | walk - - it 4
fall fell fallen i 3     | plant - - t 3           | paint - - it 3            | water - - t 2
book - - t 2             | ship - - t 2            | park - - it 2             | man - - t 1
leave left left it 3     | wash - - it 3           | back - - t 2              | still - - t 1
"""

ADJECTIVES = "old:6 light:5 round:5 red:4 green:4 cold:4 past:2 still:2 fast:3 hard:3 young:3 big:4"
ADVERBS = "fast:3 hard:3 well:3 still:4 back:3 early:2 past:1"
NOUN_AND_ADJECTIVE = "light:4 round:4 red:3 green:3 cold:3 old:3 past:2 young:2"

# The core words that may stand in a chain (`light , water and saw`), nouns and verbs alike.
NOUN_AND_VERB = "light saw can run duck watch round ship park book water plant paint fly back man"

# Invented stems: onset, nucleus and coda; then the suffixes by which stems become words of a class.
ONSETS = (
    "b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr r s sc sh sk sl sm sn sp st t th tr tw v w"
)
NUCLEI = "a e i o u ai ea ee oa oo ou"
CODAS = "b ck d ft g lb ld lk lm lt m mp n nd nk nt p rb rd rk rm rn rt sk sp st t v x zz"
NOUN_SUFFIXES = "er ness ment tion ity ist er ing"
VERB_SUFFIXES = "ize ify ate en er"
ADJECTIVE_SUFFIXES = "ous ful ish able al ive ed ly"
NAME_SUFFIXES = "son ville ford a"

TAIL = 600  # invented lemmas of each kind
TAIL_SHARE = 0.5  # of an open class's probability
ZIPF = 0.9

Lemma = tuple[str, ...]
T = TypeVar("T")


class Words:
    """A class of words with their probabilities, drawn by a uniform number."""

    def __init__(self, weighted: Iterable[tuple[str, float]]) -> None:
        pairs = list(weighted)
        total = sum(weight for _, weight in pairs)
        self.words = [word for word, _ in pairs]
        self._cumulative = list(accumulate(weight / total for _, weight in pairs))

    def draw(self, rng: np.random.Generator) -> str:
        return self.words[min(bisect_right(self._cumulative, rng.random()), len(self.words) - 1)]


@cache
def lexicon() -> dict[str, Words]:
    """Return every class's words. The same on every call: nothing in it is drawn at random."""
    classes = {row.split()[0]: Words(_weighted(row.split()[1:])) for row in CLOSED.strip().splitlines()}
    # The stems of `both` are nouns and verbs; the derived words of all classes share theirs.
    both, noun_only, verb_only, derived, names = (_stems(part, 5) for part in range(5))
    return {
        **classes,
        **_nouns(both, [both, noun_only, _with_suffixes(derived, NOUN_SUFFIXES)]),
        # Backwards, so that a stem frequent as a noun is rare as a verb.
        **_verbs(both, [both[::-1], verb_only, _with_suffixes(derived, VERB_SUFFIXES)]),
        **_modifiers(_with_suffixes(derived, ADJECTIVE_SUFFIXES)),
        "NNP": Words(_with_tail([], [name.capitalize() for name in _with_suffixes(names, NAME_SUFFIXES)])),
    }


def _nouns(both: list[str], tails: list[list[str]]) -> dict[str, Words]:
    core = [(_noun(lemma), float(lemma[2])) for lemma in _cells(NOUNS)]
    chained = [(forms, weight) for forms, weight in core if forms[0] in NOUN_AND_VERB.split()]
    kinds = {
        "n": _with_tail(core, [_noun((stem, "-")) for stems in zip(*tails) for stem in stems]),
        "a": _with_tail(chained, [_noun((stem, "-")) for stem in both]),
    }
    return _inflected(("NN", "NNS"), kinds)


def _verbs(both: list[str], tails: list[list[str]]) -> dict[str, Words]:
    core = [(lemma[3], _verb(lemma), float(lemma[4])) for lemma in _cells(VERBS)]
    kinds = {kind: [(forms, weight) for own, forms, weight in core if kind in own] for kind in "itspv"}
    chained = [(forms, weight) for forms, weight in kinds["t"] if forms[0] in NOUN_AND_VERB.split()]
    tail = [_verb((stem, "-", "-")) for stems in zip(*tails) for stem in stems]
    kinds["i"], kinds["t"] = _with_tail(kinds["i"], tail), _with_tail(kinds["t"], tail)
    kinds["a"] = _with_tail(chained, [_verb((stem, "-", "-")) for stem in both])
    return _inflected(("VB", "VBP", "VBZ", "VBD", "VBN", "VBG"), kinds)


def _modifiers(derived: list[str]) -> dict[str, Words]:
    coloured = Words(_weighted(NOUN_AND_ADJECTIVE.split()))
    adverbs = [word + "ly" for word in derived if not word.endswith("ly")]
    return {
        "JJ/g": Words(_with_tail(_weighted(ADJECTIVES.split()), derived)),
        "JJ/j": coloured,
        "NN/j": coloured,
        "RB/d": Words(_with_tail(_weighted(ADVERBS.split()), adverbs)),
    }


def _inflected(tags: tuple[str, ...], kinds: dict[str, list[tuple[Lemma, float]]]) -> dict[str, Words]:
    return {
        f"{tag}/{kind}": Words((forms[number], weight) for forms, weight in lemmas)
        for kind, lemmas in kinds.items()
        for number, tag in enumerate(tags)
    }


def _with_tail(core: list[tuple[T, float]], tail: list[T]) -> list[tuple[T, float]]:
    """Join core and tail; the tail takes TAIL_SHARE, with weights that fall as a power of the rank (Zipf)."""
    weights = [(rank + 3) ** -ZIPF for rank in range(len(tail))]
    share = TAIL_SHARE / (1 - TAIL_SHARE) * (sum(weight for _, weight in core) or 1) / (sum(weights) or 1)
    return core + [(lemma, weight * share) for lemma, weight in zip(tail, weights)]


def _noun(lemma: Lemma) -> Lemma:
    return lemma[0], _s(lemma[0]) if lemma[1] == "-" else lemma[1]


def _verb(lemma: Lemma) -> Lemma:
    base = lemma[0]
    past, participle = (_ed(base) if form == "-" else form for form in lemma[1:3])
    return base, base, _s(base), past, participle, _ing(base)


def _s(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word[:-1] + "ies" if _ends_in_y(word) else word + "s"


def _ed(word: str) -> str:
    if word.endswith("e"):
        return word + "d"
    return word[:-1] + "ied" if _ends_in_y(word) else word + "ed"


def _ing(word: str) -> str:
    doubled = {"run", "can", "let"}
    if word in doubled:
        return word + word[-1] + "ing"
    return (word[:-1] if word.endswith("e") and not word.endswith("ee") else word) + "ing"


def _ends_in_y(word: str) -> bool:
    return word.endswith("y") and word[-2] not in "aeiou"


def _stems(part: int, parts: int) -> list[str]:
    """Return some TAIL stems, those of one part, spread over the whole inventory by a stride."""
    onsets, nuclei, codas = ONSETS.split(), NUCLEI.split(), CODAS.split()
    size = len(onsets) * len(nuclei) * len(codas)
    known = set(re.findall("[a-z]+", CLOSED + NOUNS + VERBS + ADJECTIVES + ADVERBS))
    stems = []
    for number in range(part, parts * TAIL, parts):
        place = number * 7919 % size  # prime to the inventory's size, so that no stem comes twice
        onset, rest = divmod(place, len(nuclei) * len(codas))
        nucleus, coda = divmod(rest, len(codas))
        stem = onsets[onset] + nuclei[nucleus] + codas[coda]
        if stem not in known:
            stems.append(stem)
    return stems


def _with_suffixes(stems: list[str], suffixes: str) -> list[str]:
    endings = cycle(suffixes.split())
    return [stem + ending for stem, ending in zip(stems, endings)]


def _cells(table: str) -> list[Lemma]:
    return [tuple(cell.split()) for row in table.strip().splitlines() for cell in row.split("|")]


def _weighted(words: Iterable[str]) -> list[tuple[str, float]]:
    pairs = (word.partition(":") for word in words)
    return [(word, float(weight or 1)) for word, _, weight in pairs]
