"""The aligner's engine equals its definition: counts and weights to the last bit, and best alignments."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.alignment import pairs as tasks
from structron.alignment.pairs import Aligner
from structron.reference.text import alignment as definition
from structron.reference.text.alignment import Symbols

words = st.lists(st.sampled_from("abc"), max_size=6).map(tuple)
sounds = st.lists(st.sampled_from("XYZ"), max_size=6).map(tuple)
pairs = st.lists(st.tuples(words, sounds), min_size=1, max_size=6)
aligners = st.builds(
    Aligner,
    source=st.integers(1, 3),
    target=st.integers(1, 3),
    deletions=st.booleans(),
    both=st.booleans(),
    maximise=st.sampled_from(definition.MAXIMISE),
)


@settings(max_examples=150, deadline=None)
@given(pairs, aligners, st.integers(1, 4))
def test_em_is_equal(data: list[tuple[Symbols, Symbols]], aligner: Aligner, iterations: int) -> None:
    allowed = definition.shapes(aligner.source, aligner.target, aligner.deletions, aligner.both)
    engine, spellings = tasks.engine_of(aligner, data)
    weights = definition.start(data, allowed)
    assert spellings[1:] == list(weights)
    for _ in range(iterations):
        counts, likelihood = definition.expect(data, weights, allowed)
        assert engine.expect() == likelihood
        np.testing.assert_array_equal(engine.counts()[1:], list(counts.values()))
        weights = definition.maximise(counts, aligner.maximise)
        engine.maximise()
        np.testing.assert_array_equal(engine.weights()[1:], list(weights.values()))
    offsets, best = engine.best()
    for i, (source, target) in enumerate(data):
        expected = definition.best(source, target, weights, allowed)
        assert (engine.alignable()[i] == tasks.ALIGNED) == (expected is not None)
        found = [spellings[p] for p in best[offsets[i] : offsets[i + 1]]]
        assert found == (expected or [])


def test_long_pairs_do_not_underflow() -> None:
    source, target = tuple("ab" * 300), tuple("XY" * 300)
    found = Aligner(iterations=5).align([(source, target), (("a",), ("X",)), (("b",), ("Y",))])
    pieces = found.pieces(0)
    assert pieces is not None and len(pieces) < 600
    assert sum((x for x, _ in pieces), ()) == source and sum((y for _, y in pieces), ()) == target
    assert np.isfinite(found.likelihoods).all() and found.likelihoods[-1] > found.likelihoods[1]
