"""The engine's word aligner equals its definition: every probability and every link, whatever the threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.alignment.bitext import BitextAligner, Links, engine_of, symmetrised
from structron.alignment.symmetrisation import METHODS, symmetrise
from structron.alignment.vocabulary import Numbered
from structron.alignment.word_alignment import WordAligner

words = st.lists(st.integers(0, 4), max_size=6)
texts = st.lists(st.tuples(words, words), min_size=1, max_size=6)
aligners = st.builds(
    BitextAligner,
    model1=st.integers(0, 3),
    hmm=st.integers(0, 3),
    null=st.sampled_from([0.05, 0.3]),
    uniform=st.sampled_from([0.1, 0.4]),
    agree=st.booleans(),
    threads=st.sampled_from([1, 3]),
)
links = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=12)


def _numbered(pairs: list[tuple[list[int], list[int]]]) -> tuple[Numbered, Numbered]:
    return Numbered.of([x for x, _ in pairs]), Numbered.of([y for _, y in pairs])


@settings(max_examples=80)
@given(texts, aligners)
def test_em_and_best_links_are_equal(
    pairs: list[tuple[list[int], list[int]]], aligner: BitextAligner
) -> None:
    sources, targets = _numbered(pairs)
    definition = WordAligner(pairs, (5, 5), aligner.null, aligner.uniform, aligner.agree)
    engine = engine_of(aligner, sources, targets, (5, 5))
    for iteration in range(aligner.model1 + aligner.hmm):
        is_hmm = iteration >= aligner.model1
        assert engine.step(is_hmm) == definition.step(is_hmm)
        for d in (0, 1):
            model = definition.directions[d]
            assert [(int(p) >> 32, int(p) & 0xFFFFFFFF) for p in engine.pairs()] == list(model.lexical)
            assert engine.lexical(d).tolist() == list(model.lexical.values())
            assert engine.null(d).tolist() == model.nothing
            assert engine.jumps(d).tolist() == list(model.jumps.values())
    for d in (0, 1):
        best = [position for pair in pairs for position in definition.best(d, pair)]
        assert engine.best(d).tolist() == best


@settings(max_examples=200)
@given(st.lists(st.tuples(links, links), min_size=1, max_size=3), st.sampled_from(METHODS))
def test_symmetrised_links_are_equal(
    pairs: list[tuple[set[tuple[int, int]], set[tuple[int, int]]]], method: str
) -> None:
    found = symmetrised(Links.of(a for a, _ in pairs), Links.of(b for _, b in pairs), method)
    assert list(found) == [symmetrise(a, b, method) for a, b in pairs]


def test_threads_change_nothing() -> None:
    random = np.random.default_rng(0)
    pairs = [
        (random.integers(3, 40, random.integers(1, 15)).tolist(), random.integers(3, 40, 9).tolist())
        for _ in range(60)
    ]
    sources, targets = _numbered(pairs)
    engines = [engine_of(BitextAligner(threads=n), sources, targets, (40, 40)) for n in (1, 2, 5)]
    for is_hmm in (False, False, True, True):
        assert len({engine.step(is_hmm) for engine in engines}) == 1
    for d in (0, 1):
        assert len({engine.lexical(d).tobytes() + engine.best(d).tobytes() for engine in engines}) == 1


def test_what_does_not_fit_together_is_refused() -> None:
    one, two = Numbered.of([[3]]), Numbered.of([[3], [4]])
    with pytest.raises(ValueError, match="different numbers of sentences"):
        engine_of(BitextAligner(), one, two, (9, 9))
    with pytest.raises(ValueError, match="a word is not in the vocabulary"):
        engine_of(BitextAligner(), one, one, (9, 3))
    with pytest.raises(ValueError, match="too far from the beginning"):
        symmetrised(Links.of([[(2**31, 2**31)]]), Links.of([[]]))
    with pytest.raises(ValueError, match="different numbers of pairs"):
        _core.symmetrise(Links.of([[]]).arrays, Links.of([[], []]).arrays, 0)
