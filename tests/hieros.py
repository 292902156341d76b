"""Random small tables of rules with gaps, with language models and sentences, in whole numbers."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from structron import _core
from structron.alignment.vocabulary import Vocabulary
from structron.io.values.ngrams import NGrams
from structron.tasks.translation.features import parse_all
from structron.tasks.translation.hiero.matching import Rule, SentenceRules, Side, Table
from structron.tasks.translation.hiero.rules import GAPS
from structron.tasks.translation.hiero.space import HieroScoring, HieroSpace
from structron.tasks.translation.language_model.estimation import engine_of
from structron.tasks.translation.language_model.word_model import WordModel
from tests.translators import SOURCE, TARGET, models, whole, words

TEMPLATES = ["rule", "size", "bias", "link", "s.first t.last", "s[-1] s.first", "target s[1]", "ngram(1)"]
SOURCE_VOCABULARY = ("<unk>", "<s>", "</s>", *SOURCE)
TARGET_VOCABULARY = ("<unk>", "<s>", "</s>", *TARGET)


@st.composite
def sides(draw: st.DrawFn) -> Side:
    """A source side: words, and gaps that do not touch."""
    found: list[str | int] = list(draw(words(SOURCE, 1, 2)))
    places = draw(st.sampled_from([(), (), (0,), (1,), (len(found),), (0, len(found)), (0, 1)]))
    for gap, place in enumerate(sorted(set(places))):
        found.insert(min(place + gap, len(found)), gap)
    touching = any(isinstance(x, int) and isinstance(y, int) for x, y in pairwise(found))
    return tuple(symbol for symbol in found if isinstance(symbol, str)) if touching else tuple(found)


@st.composite
def rules(draw: st.DrawFn, source: Side) -> Rule:
    gaps = [symbol for symbol in source if isinstance(symbol, int)]
    target: list[str | int] = list(draw(words(TARGET, 1, 3)))
    for gap in gaps:
        target.insert(draw(st.integers(0, len(target))), gap)
    links = [
        (i, j)
        for i, x in enumerate(source)
        for j, y in enumerate(target)
        if isinstance(x, str) and isinstance(y, str)
    ]
    chosen = draw(st.sets(st.sampled_from(links), max_size=2))
    scores = tuple(draw(st.lists(whole, min_size=4, max_size=4)))
    return Rule(source, tuple(target), scores, tuple(sorted(chosen)))


def numbered(side: Side, vocabulary: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(GAPS[s] if isinstance(s, int) else vocabulary.index(s) for s in side)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    chosen = draw(st.lists(sides(), min_size=1, max_size=5, unique=True))
    chosen.sort(key=lambda side: numbered(side, SOURCE_VOCABULARY))
    return {
        side: draw(st.lists(rules(side), min_size=1, max_size=3, unique_by=lambda r: r.target))
        for side in chosen
    }


class Grammar(NamedTuple):
    """Everything there is to translate with, for definition and engine."""

    scoring: HieroScoring
    table: Table
    ngrams: NGrams

    def space(self, source: tuple[str, ...]) -> HieroSpace:
        return HieroSpace(self.scoring, SentenceRules(self.table, source, self.scoring.span_limit))


@st.composite
def grammars(draw: st.DrawFn) -> Grammar:
    ngrams = draw(models())
    scoring = HieroScoring(
        WordModel(ngrams),
        ngrams.order - 1,
        tuple(parse_all(draw(st.lists(st.sampled_from(TEMPLATES), max_size=4, unique=True)))),
        draw(st.sampled_from([1, 2, 3, 10])),
        draw(st.sampled_from([1.0, 2.0, 0.5])),
        draw(st.booleans()),
        draw(st.sampled_from([0, 0, 3])),
    )
    return Grammar(scoring, draw(tables()), ngrams)


def engine_rules(grammar: Grammar) -> _core.Rules:
    listed = [rule for each in grammar.table.values() for rule in each]
    sources = [numbered(side, SOURCE_VOCABULARY) for side in grammar.table]
    targets = [numbered(rule.target, TARGET_VOCABULARY) for rule in listed]

    def ends(parts: list[int]) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
        return np.cumsum([0, *parts], dtype=np.uint32)

    def flat(parts: list[tuple[int, ...]]) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
        return np.array([number for part in parts for number in part], np.uint32)

    ones = np.ones(len(listed), np.uint32)
    scoring = grammar.scoring
    return _core.Rules(
        SOURCE_VOCABULARY,
        TARGET_VOCABULARY,
        engine_of(grammar.ngrams),
        [
            flat(sources),
            ends([len(side) for side in sources]),
            np.ones(len(sources), np.uint32),
            ends([len(each) for each in grammar.table.values()]),
            flat(targets),
            ends([len(target) for target in targets]),
            ones,
            ones,
            ends([len(rule.links) for rule in listed]),
            np.array(Vocabulary(grammar.ngrams.vocabulary).numbers(TARGET_VOCABULARY), np.uint32),
        ],
        np.array([score for rule in listed for score in rule.scores], np.float32),
        np.array([place for rule in listed for link in rule.links for place in link], np.uint8),
        [(t.base, list(t.atoms)) for t in scoring.templates],
        scoring.span_limit,
        scoring.scale,
        scoring.frozen,
        (10, 5),
    )
