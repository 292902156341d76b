"""What phrase tables must be."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.alignment.bitext import Links
from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.errors import ModelError
from structron.tasks.translation.phrases.extraction import count_phrases, phrase_table, spans
from structron.tasks.translation.phrases.leave_one_out import without
from structron.tasks.translation.phrases.table import PhraseExtractor

WORDS = ("<unk>", "<s>", "</s>", "a", "b", "c")
VOCABULARIES = Vocabulary(WORDS), Vocabulary(WORDS)
Pair = tuple[list[int], list[int], list[tuple[int, int]]]

# Koehn (2010), figure 5.3: "michael geht davon aus , dass er im haus bleibt".
GERMAN = ["michael", "geht", "davon", "aus", ",", "dass", "er", "im", "haus", "bleibt"]
ENGLISH = ["michael", "assumes", "that", "he", "will", "stay", "in", "the", "house"]
LINKS = [(0, 0), (1, 1), (2, 1), (3, 1), (5, 2), (6, 3), (7, 6), (7, 7), (8, 8), (9, 4), (9, 5)]


@st.composite
def linked(draw: st.DrawFn) -> Pair:
    source = draw(st.lists(st.integers(3, 5), min_size=1, max_size=6))
    target = draw(st.lists(st.integers(3, 5), min_size=1, max_size=6))
    link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return source, target, sorted(draw(st.sets(link, max_size=7)))


def test_the_textbooks_phrases_are_found() -> None:
    found = {
        (" ".join(GERMAN[a : b + 1]), " ".join(ENGLISH[c : d + 1])) for a, b, c, d in spans(10, 9, LINKS, 10)
    }
    expected = {
        ("michael", "michael"),
        ("geht davon aus", "assumes"),
        ("geht davon aus ,", "assumes"),
        ("dass", "that"),
        (", dass", "that"),
        ("er", "he"),
        ("bleibt", "will stay"),
        ("im", "in the"),
        ("haus", "house"),
        ("im haus", "in the house"),
        ("im haus bleibt", "will stay in the house"),
        ("er im haus bleibt", "he will stay in the house"),
    }
    assert expected <= found
    assert not any(
        source in ("geht", "geht davon", "davon", "aus", ",", "haus bleibt") for source, _ in found
    )


@settings(max_examples=100)
@given(linked(), st.integers(1, 6))
def test_spans_are_all_that_are_consistent(pair: Pair, longest: int) -> None:
    """By the definition of consistency, for every pair of spans."""
    source, target, links = pair
    found = list(spans(len(source), len(target), links, longest))
    every = {
        (a, b, c, d)
        for a in range(len(source))
        for b in range(a, min(a + longest, len(source)))
        for c in range(len(target))
        for d in range(c, min(c + longest, len(target)))
        if all((a <= i <= b) == (c <= j <= d) for i, j in links)
        and any(a <= i <= b and c <= j <= d for i, j in links)
    }
    assert len(found) == len(set(found)) and set(found) == every


@settings(max_examples=60)
@given(st.lists(linked(), min_size=1, max_size=6))
def test_frequencies_and_orientations_sum_to_one(pairs: list[Pair]) -> None:
    table = phrase_table(pairs, 4, 1, 10**6)
    of_source, of_target = defaultdict(float), defaultdict(float)
    for option in table:
        of_source[option.source] += math.exp(option.scores[0])
        of_target[option.target] += math.exp(option.scores[2])
        assert sum(map(math.exp, option.reordering[:3])) == pytest.approx(1, abs=1e-5)
        assert sum(map(math.exp, option.reordering[3:])) == pytest.approx(1, abs=1e-5)
        assert all(score <= 1e-6 for score in option.scores)
    assert all(total == pytest.approx(1, abs=1e-5) for total in (*of_source.values(), *of_target.values()))


@settings(max_examples=60)
@given(st.lists(linked(), min_size=2, max_size=6))
def test_what_is_left_is_the_table_of_the_others(pairs: list[Pair]) -> None:
    table, others = phrase_table(pairs, 3, 1, 10**6), phrase_table(pairs[1:], 3, 1, 10**6)
    rest = {(option.source, option.target): option for option in others}
    left = {entry.option: entry for entry in without(table, *pairs[0], 3)}
    own = count_phrases(pairs[:1], 3)
    phrases = {source for source, _ in own}
    for number, option in enumerate(table):
        key = option.source, option.target
        if key in own:
            assert left[number].count == option.count - own[key].count
        if number in left and key in rest and option.source in phrases:
            assert left[number].target_given_source == pytest.approx(rest[key].scores[0], abs=1e-5)
            assert left[number].source_given_target == pytest.approx(rest[key].scores[2], abs=1e-5)
        if number in left and left[number].count == 0:
            assert key not in rest


def test_neighbours_lie_as_they_should() -> None:
    """Two words that change places: each is a swap to the other, and far from the sentence's ends."""
    table = phrase_table([([3, 4], [5, 3], [(0, 1), (1, 0)])], 1, 1, 20)
    lay = {option.source: [round(math.exp(x), 3) for x in option.reordering] for option in table}
    high, low = 0.6, 0.2
    # The word that is said first comes from the end: nothing links it to the beginning.
    assert lay[4,] == [low, low, high, low, high, low]
    assert lay[3,] == [low, high, low, low, low, high]


def test_a_table_of_other_lengths_is_refused() -> None:
    texts = Numbered.of([[3, 4]]), Numbered.of([[3, 4]])
    table = PhraseExtractor(least=1).extract(*texts, Links.of([[(0, 0), (1, 1)]]), VOCABULARIES).table
    assert len(table) == 3
    for name, array in table.arrays.items():
        with pytest.raises(ModelError, match="its phrase table"):
            replace(table, **{name: array[:-1]})
    for name in ("source_offsets", "first_option", "target_offsets", "link_offsets"):
        wrong = table.arrays[name].copy()
        wrong[1] = np.uint32(10**6)
        with pytest.raises(ModelError, match="its phrase table is not in order"):
            replace(table, **{name: wrong})
    with pytest.raises(ModelError, match="words that are not in its vocabulary"):
        replace(table, target_vocabulary=WORDS[:4])
