"""Random small translation tasks: tables, language models and sentences with references, in whole numbers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from structron.features.translation import parse_all
from structron.tasks.translation.options import Option, options_of
from structron.tasks.translation.space import Scoring, TranslationSpace

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


@dataclass(frozen=True)
class Bigrams:
    """A language model that looks one word back; what it does not know costs 3."""

    costs: Mapping[tuple[str, str], int]

    def begin(self) -> Hashable:
        return "<s>"

    def nothing(self) -> Hashable:
        return ""

    def score(self, state: Any, word: str) -> tuple[float, Hashable]:
        return float(-self.costs.get((state, word), 3)), word

    def end(self, state: Any) -> float:
        return self.score(state, "</s>")[0]


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
def bigrams(draw: st.DrawFn) -> Bigrams:
    before, after = st.sampled_from(["<s>", "", *TARGET]), st.sampled_from([*TARGET, "</s>"])
    return Bigrams(draw(st.dictionaries(st.tuples(before, after), st.integers(0, 4), max_size=12)))


@st.composite
def scorings(draw: st.DrawFn, language_model: Any = None) -> Scoring:
    return Scoring(
        draw(bigrams()) if language_model is None else language_model,
        tuple(parse_all(draw(st.lists(st.sampled_from(TEMPLATES), max_size=5, unique=True)))),
        draw(st.sampled_from([0, 1, 2, 6])),
        draw(st.sampled_from([1.0, 1.0, 2.0, 0.5])),
        draw(st.booleans()),
        draw(st.sampled_from([0, 0, 3])),
    )


# The word d is in no phrase.
sources = words(SOURCE + "abd", 0, 5)


@st.composite
def spaces(draw: st.DrawFn) -> TranslationSpace:
    table, source = draw(tables()), draw(sources)
    return TranslationSpace(draw(scorings()), source, options_of(table, source))


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
