"""Random small translation tasks: tables, language models and sentences with references, in whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from structron import _core
from structron.alignment.vocabulary import Vocabulary
from structron.io.formats.arpa import packed
from structron.io.values.ngrams import NGrams
from structron.tasks.translation.decoding.space import Scoring, TranslationSpace
from structron.tasks.translation.features import parse_all
from structron.tasks.translation.language_model.definition import Logs, NGram, estimate
from structron.tasks.translation.language_model.estimation import engine_of
from structron.tasks.translation.language_model.word_model import WordModel, word_bounds
from structron.tasks.translation.phrases.options import AdjustedScores, Adjustments, Option, options_of

SOURCE, TARGET = "abc", "xyz"
TEMPLATES = [
    "rule",
    "source",
    "size",
    "bias",
    "link",
    "s.first t.last",
    "t.first s.last",
    "s[-1] s.first",
    "target s[1]",
    "t[-1] t.first",
    "t[-2] s.first",
    "t[-3] t[-1]",
    "ngram(1)",
    "ngram(2)",
    "ngram(3)",
    "ngram(4)",
]


@dataclass(frozen=True)
class Table:
    """A phrase table as the definition wants it."""

    phrases: Mapping[tuple[str, ...], tuple[Option, ...]]

    @property
    def longest(self) -> int:
        return max(map(len, self.phrases), default=0)

    def of(self, source: tuple[str, ...]) -> tuple[Option, ...]:
        return self.phrases.get(source, ())


def words(alphabet: str, least: int, most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(alphabet), min_size=least, max_size=most).map(tuple)


whole = st.integers(-3, 3).map(float)


@st.composite
def options(draw: st.DrawFn, size: int) -> Option:
    target = draw(words(TARGET, 1, 4))
    places = st.tuples(st.integers(0, size - 1), st.integers(0, len(target) - 1))
    return Option(
        0,
        size,
        target,
        tuple(draw(st.lists(whole, min_size=4, max_size=4))),
        tuple(draw(st.lists(st.sampled_from([0.0, -1.0]), min_size=6, max_size=6))),
        tuple(sorted(draw(st.sets(places, max_size=2)))),
    )


@st.composite
def tables(draw: st.DrawFn) -> Table:
    sources = draw(st.lists(words(SOURCE, 1, 3), min_size=1, max_size=5, unique=True))
    phrases: dict[tuple[str, ...], tuple[Option, ...]] = {}
    for source in sources:
        found = draw(st.lists(options(len(source)), min_size=1, max_size=3, unique_by=lambda o: o.target))
        phrases[source] = tuple(found)
    return Table(phrases)


@st.composite
def models(draw: st.DrawFn) -> NGrams:
    """A model of a random text, its logarithms rounded to whole numbers."""
    vocabulary = Vocabulary(("<unk>", "<s>", "</s>", *TARGET))
    text = draw(st.lists(st.lists(st.integers(3, 5), max_size=5), min_size=1, max_size=6))
    table = estimate(text, draw(st.integers(1, 4)), len(vocabulary))
    levels: list[dict[NGram, Logs]] = [{} for _ in range(max(map(len, table)))]
    for ngram, (logprob, backoff) in table.items():
        levels[len(ngram) - 1][ngram] = (float(round(logprob)), float(round(backoff)))
    return packed(vocabulary.words, levels)


@st.composite
def scorings(draw: st.DrawFn, ngrams: NGrams) -> Scoring:
    return Scoring(
        WordModel(ngrams),
        tuple(parse_all(draw(st.lists(st.sampled_from(TEMPLATES), max_size=5, unique=True)))),
        draw(st.sampled_from([0, 1, 2, 6])),
        draw(st.sampled_from([1.0, 1.0, 2.0, 0.5])),
        draw(st.booleans()),
        draw(st.sampled_from([0, 0, 3])),
        draw(st.sampled_from([True, True, False])),
    )


# The word d is in no phrase.
sources = words(SOURCE + "ab" + "d", 0, 5)


class World(NamedTuple):
    """Everything there is to translate with, for definition and engine."""

    scoring: Scoring
    table: Table
    ngrams: NGrams

    def space(
        self, source: tuple[str, ...], left: Adjustments | None = None, least: int = 1
    ) -> TranslationSpace:
        return TranslationSpace(self.scoring, source, options_of(self.table, source, left, least))


@st.composite
def left_out(draw: st.DrawFn, world: World) -> tuple[Adjustments, tuple[Any, ...]]:
    """What may be left of some options, for definition and engine."""
    every = [
        (phrase, o.target) for phrase in sorted(world.table.phrases) for o in world.table.phrases[phrase]
    ]
    numbers = sorted(draw(st.sets(st.integers(0, len(every) - 1))))
    scores = [AdjustedScores(draw(st.integers(0, 2)), draw(whole), draw(whole)) for _ in numbers]
    arrays = (
        np.array(numbers, np.uint32),
        np.array([each.count for each in scores], np.uint32),
        np.array([each.target_given_source for each in scores], np.float32),
        np.array([each.source_given_target for each in scores], np.float32),
    )
    return {every[number]: each for number, each in zip(numbers, scores)}, arrays


@st.composite
def worlds(draw: st.DrawFn) -> World:
    ngrams = draw(models())
    return World(draw(scorings(ngrams)), draw(tables()), ngrams)


@st.composite
def spaces(draw: st.DrawFn) -> TranslationSpace:
    return draw(worlds()).space(draw(sources))


def engine_phrases(world: World) -> _core.Phrases:
    # The engine wants source phrases sorted by the numbers of their words.
    source_words = sorted({word for phrase in world.table.phrases for word in phrase})
    target_words = list(TARGET)
    number = Vocabulary(world.ngrams.vocabulary).numbers
    phrases = sorted(world.table.phrases)
    every = [option for phrase in phrases for option in world.table.phrases[phrase]]

    def offsets(parts: list[Any]) -> Any:
        return np.cumsum([0, *map(len, parts)], dtype=np.uint32)

    def flat(parts: list[Any], kind: Any) -> Any:
        return np.array([each for part in parts for each in part], kind)

    numbers = [
        flat([[source_words.index(word) for word in phrase] for phrase in phrases], np.uint32),
        offsets(phrases),
        offsets([world.table.phrases[phrase] for phrase in phrases]),
        flat([[target_words.index(word) for word in option.target] for option in every], np.uint32),
        offsets([option.target for option in every]),
        np.array(number(target_words), np.uint32),
        offsets([option.links for option in every]),
    ]
    scoring = world.scoring
    return _core.Phrases(
        source_words,
        target_words,
        engine_of(world.ngrams),
        numbers,
        word_bounds(world.ngrams),
        flat([place for option in every for place in option.links], np.uint8),
        flat([option.scores for option in every], np.float32),
        flat([option.reordering for option in every], np.float32),
        [(t.base, list(t.atoms)) for t in scoring.templates],
        scoring.distortion_limit,
        scoring.scale,
        scoring.frozen,
        scoring.outlook,
    )


@st.composite
def references(draw: st.DrawFn, space: TranslationSpace) -> list[tuple[str, ...]]:
    """Most often one of them is what a random derivation yields, or begins so."""
    wanted = draw(st.lists(words(TARGET, 0, 5), min_size=1, max_size=2))
    if draw(st.integers(0, 3)):
        state = space.initial()
        while not space.is_final(state):
            state = space.advance(state, draw(st.sampled_from(space.actions(state))))
        wanted.append(state.output + draw(st.sampled_from([(), (), ("z", "x")])))
    return wanted
