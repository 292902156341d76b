"""What the aligner's models must be, by enumeration of all alignments, and what symmetrised links must be."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import chain, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.alignment.symmetrisation import symmetrise
from structron.alignment.word_alignment import Sentence, WordAligner, hmm, model1, viterbi

NULL, UNIFORM = 0.2, 0.3
shares = st.floats(0.01, 1)
links = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=10)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    hidden, observed = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    row = st.lists(shares, min_size=hidden, max_size=hidden)
    return Sentence(
        draw(st.lists(row, min_size=observed, max_size=observed)),
        draw(st.lists(shares, min_size=observed, max_size=observed)),
    )


def _paths(
    pair: Sentence, jumps: dict[int, float]
) -> dict[tuple[int, ...], tuple[float, list[tuple[int, float]]]]:
    """Every alignment (0 is nothing) with its probability and, for each jump, the share that is aimed."""
    hidden = len(pair.emit[0])
    found = {}
    for path in product(range(hidden + 1), repeat=len(pair.emit)):
        probability, at = 1.0, 0
        widths = []
        for j, position in enumerate(path):
            if position == 0:
                probability *= NULL * pair.nothing[j]
                continue
            total = sum(jumps[i - at] for i in range(1, hidden + 1))
            aimed = (1 - UNIFORM) * jumps[position - at] / total
            jump = aimed + UNIFORM / hidden
            probability *= (1 - NULL) * jump * pair.emit[j][position - 1]
            widths.append((position - at, aimed / jump))
            at = position
        found[path] = probability, widths
    return found


@settings(max_examples=60)
@given(sentences(), st.lists(shares, min_size=7, max_size=7))
def test_posteriors_are_those_of_all_alignments(pair: Sentence, weights: list[float]) -> None:
    jumps = dict(zip(range(-3, 4), weights))
    paths = _paths(pair, jumps)
    total = sum(p for p, _ in paths.values())
    found = hmm(pair, jumps, NULL, UNIFORM)
    assert found.likelihood == pytest.approx(math.log(total))
    for j in range(len(pair.emit)):
        nothing = sum(p for path, (p, _) in paths.items() if path[j] == 0)
        assert found.nothing[j] == pytest.approx(nothing / total)
        for i in range(len(pair.emit[0])):
            linked = sum(p for path, (p, _) in paths.items() if path[j] == i + 1)
            assert found.links[j][i] == pytest.approx(linked / total)
    expected: dict[int, float] = defaultdict(float)
    for p, widths in paths.values():
        for width, share in widths:
            expected[width] += p / total * share
    for width, count in found.jumps.items():
        assert count == pytest.approx(expected[width])
    best = viterbi(pair, jumps, NULL, UNIFORM)
    assert paths[tuple(best)][0] == pytest.approx(max(p for p, _ in paths.values()))


@settings(max_examples=60)
@given(sentences())
def test_model1_is_the_hmm_that_jumps_anywhere(pair: Sentence) -> None:
    flat = defaultdict(lambda: 1.0)
    found, expected = model1(pair, NULL), hmm(pair, flat, NULL, UNIFORM)
    assert found.likelihood == pytest.approx(expected.likelihood)
    assert list(chain(*found.links)) == pytest.approx(list(chain(*expected.links)))
    assert sum(sum(row) for row in found.links) + sum(found.nothing) == pytest.approx(len(pair.emit))


@settings(max_examples=40)
@given(
    st.lists(st.tuples(*[st.lists(st.integers(0, 3), min_size=1, max_size=4)] * 2), min_size=1, max_size=5)
)
def test_em_of_model1_never_lowers_the_likelihood(pairs: list[tuple[list[int], list[int]]]) -> None:
    aligner = WordAligner(pairs, (4, 4), NULL, UNIFORM, agree=False)
    seen = [aligner.step(is_hmm=False) for _ in range(6)]
    for d in (0, 1):
        assert all(b[d] >= a[d] - 1e-6 for a, b in pairwise(seen))


@given(links, links)
def test_symmetrised_links_lie_between_intersection_and_union(
    a: set[tuple[int, int]], b: set[tuple[int, int]]
) -> None:
    grown = set(symmetrise(a, b, "grow-diag-final-and"))
    assert a & b <= grown <= a | b
    # final-and: no link of two words that have none is left.
    for i, j in (a | b) - grown:
        assert any(x == i or y == j for x, y in grown)


def test_growing_takes_neighbours_of_new_words_only() -> None:
    a, b = {(0, 0), (1, 1), (2, 1)}, {(0, 0), (0, 1), (3, 3)}
    assert symmetrise(a, b, "intersection") == [(0, 0)]
    # (0, 1) covers target 1; then (1, 1) covers source 1 beside it, (2, 1) source 2; (3, 3) stands alone.
    assert symmetrise(a, b, "grow-diag-final-and") == [(0, 0), (0, 1), (1, 1), (2, 1), (3, 3)]
