"""What EM promises: the likelihood never falls, and its sums are sums over all alignments."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.alignment.pairs import Aligner
from structron.reference.text.alignment import (
    MAXIMISE,
    Piece,
    Symbols,
    alignments,
    best,
    expect,
    maximise,
    shapes,
    start,
)

words = st.lists(st.sampled_from("ab"), max_size=5).map(tuple)
sounds = st.lists(st.sampled_from("XY"), max_size=5).map(tuple)
pairs = st.lists(st.tuples(words, sounds), min_size=1, max_size=5)


def weight(pieces: tuple[Piece, ...], weights: dict[Piece, float]) -> float:
    return math.prod(weights[piece] for piece in pieces)


@settings(max_examples=60, deadline=None)
@given(pairs, st.integers(1, 3), st.integers(1, 2), st.booleans(), st.booleans(), st.sampled_from(MAXIMISE))
def test_expected_counts_are_sums_over_all_alignments(
    data: list[tuple[Symbols, Symbols]], m: int, n: int, deletions: bool, both: bool, how: str
) -> None:
    allowed = shapes(m, n, deletions, both)
    weights = start(data, allowed)
    for _ in range(3):
        counts, likelihood = expect(data, weights, allowed)
        expected: Counter[Piece] = Counter()
        total = 0.0
        for source, target in data:
            ways = list(alignments(source, target, allowed))
            sum_of_ways = sum(weight(way, weights) for way in ways)
            for way in ways:
                for piece in way:
                    expected[piece] += weight(way, weights) / sum_of_ways  # type: ignore[assignment]
            total += math.log(sum_of_ways) if ways else 0.0
        assert counts == pytest.approx(dict.fromkeys(weights, 0.0) | dict(expected), abs=1e-12)
        assert likelihood == pytest.approx(total, abs=1e-9)
        weights = maximise(counts, how)


@settings(max_examples=60, deadline=None)
@given(words, sounds, pairs, st.booleans())
def test_the_best_alignment_is_the_best_of_all(
    source: Symbols, target: Symbols, data: list[tuple[Symbols, Symbols]], both: bool
) -> None:
    allowed = shapes(2, 2, True, both)
    data = [*data, (source, target)]
    weights = maximise(expect(data, start(data, allowed), allowed)[0])
    ways = list(alignments(source, target, allowed))
    found = best(source, target, weights, allowed)
    assert (found is None) == (not ways)
    if found is not None:
        assert tuple(found) in ways
        assert weight(tuple(found), weights) == pytest.approx(max(weight(way, weights) for way in ways))


@settings(max_examples=60, deadline=None)
@given(pairs, st.integers(1, 3), st.integers(1, 3), st.booleans(), st.sampled_from(MAXIMISE))
def test_the_likelihood_never_falls(
    data: list[tuple[Symbols, Symbols]], m: int, n: int, both: bool, how: str
) -> None:
    found = Aligner(m, n, True, both, how, iterations=12, tolerance=-1e9).align(data)
    likelihoods = found.likelihoods[1:]  # the first weights are not probabilities
    assert all(b >= a - 1e-9 * (1 + abs(a)) for a, b in pairwise(likelihoods))
