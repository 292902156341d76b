"""The engine's phrase table equals its definition: spans, counts, scores, options and their order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.alignment.bitext import Links
from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.tasks.translation.phrases import leave_one_out
from structron.tasks.translation.phrases.extraction import orientations, phrase_table, spans
from structron.tasks.translation.phrases.table import PhraseExtractor

WORDS = ("<unk>", "<s>", "</s>", "a", "b", "c")
VOCABULARIES = Vocabulary(WORDS), Vocabulary(WORDS)
Pair = tuple[list[int], list[int], list[tuple[int, int]]]


@st.composite
def linked(draw: st.DrawFn) -> Pair:
    source = draw(st.lists(st.integers(3, 5), max_size=6))
    target = draw(st.lists(st.integers(3, 5), max_size=6))
    if not source or not target:
        return source, target, []
    link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return source, target, sorted(draw(st.sets(link, max_size=7)))


def _arrays(pairs: list[Pair]) -> tuple[Numbered, Numbered, Links]:
    return (
        Numbered.of([x for x, _, _ in pairs]),
        Numbered.of([y for _, y, _ in pairs]),
        Links.of([k for *_, k in pairs]),
    )


@settings(max_examples=200)
@given(linked(), st.integers(1, 7))
def test_spans_and_orientations_are_equal(pair: Pair, longest: int) -> None:
    source, target, links = pair
    own = Links.of([links])
    found = _core.phrase_spans(len(source), len(target), own.source, own.target, longest).reshape(-1, 5)
    expected = []
    for span in spans(len(source), len(target), links, longest):
        before, after = orientations(span, len(source), len(target), set(links))
        expected.append([*span, 3 * before + after])
    assert found.tolist() == expected


@settings(max_examples=150)
@given(
    st.lists(linked(), min_size=1, max_size=6),
    st.builds(PhraseExtractor, longest=st.integers(1, 5), least=st.integers(1, 3), most=st.integers(1, 4)),
)
def test_tables_are_equal(pairs: list[Pair], extractor: PhraseExtractor) -> None:
    found = extractor.extract(*_arrays(pairs), VOCABULARIES)
    expected = phrase_table(pairs, extractor.longest, extractor.least, extractor.most)
    assert list(found.table.each()) == expected
    every = [
        (tuple(x[a : b + 1]), tuple(y[c : d + 1]))
        for x, y, links in pairs
        for a, b, c, d in spans(len(x), len(y), links, extractor.longest)
    ]
    assert (found.different, found.instances) == (len(set(every)), len(every))


@settings(max_examples=150)
@given(st.lists(linked(), min_size=1, max_size=6), linked(), st.integers(1, 4), st.integers(1, 2))
def test_what_is_left_is_equal(pairs: list[Pair], other: Pair, longest: int, least: int) -> None:
    """For sentences that the table has seen, and for one that it has not."""
    extractor = PhraseExtractor(longest, least, 5)
    table = extractor.extract(*_arrays(pairs), VOCABULARIES).table
    engine = extractor.leave_one_out(table)
    for pair in (*pairs, other):
        source, target, links = _arrays([pair])
        found = engine.without(source.words, target.words, links.source, links.target)
        expected = leave_one_out.without(list(table.each()), *pair, longest)
        assert list(zip(*(column.tolist() for column in found))) == [
            (left.option, left.count, left.target_given_source, left.source_given_target) for left in expected
        ]


def test_what_does_not_fit_together_is_refused() -> None:
    one, two = Numbered.of([[3]]), Numbered.of([[3], [4]])
    with pytest.raises(ValueError, match="1 sources, 2 targets and 1 alignments; give as many of each"):
        PhraseExtractor().extract(one, two, Links.of([[]]), VOCABULARIES)
    with pytest.raises(ValueError, match="outside of its pair"):
        PhraseExtractor().extract(one, one, Links.of([[(0, 1)]]), VOCABULARIES)
    with pytest.raises(ValueError, match="not in the vocabulary"):
        PhraseExtractor().extract(one, one, Links.of([[(0, 0)]]), (Vocabulary(WORDS[:3]), VOCABULARIES[1]))
    unsorted = np.array([1, 0], np.uint32)
    with pytest.raises(ValueError, match="not sorted"):
        _core.phrase_spans(2, 2, unsorted, unsorted, 7)
    with pytest.raises(ValueError, match="choose 1 to 15"):
        PhraseExtractor(longest=16)
