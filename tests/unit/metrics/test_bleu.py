"""BLEU from counts: sacreBLEU's own figures, and what smoothing promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.metrics.bleu import SIZE, References, bleu, smoothed

words = st.lists(st.sampled_from("abc"), max_size=9)


def test_a_corpus_by_hand() -> None:
    """Of 6, 5, 4 and 3 n-grams 6, 4, 3 and 2 are right, and a word is missing."""
    wanted, output = list("abcdeaf"), list("abcdef")
    counts = References([wanted]).counts(output)
    assert counts.tolist() == [6, 4, 3, 2, 6, 5, 4, 3, 6, 7]
    expected = 100 * (1 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25 * np.exp(1 - 7 / 6)
    assert bleu(counts) == pytest.approx(expected)


@given(st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=5))
def test_a_corpus_as_sacrebleu_has_it(pairs: list[tuple[list[str], list[list[str]]]]) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    most = max(len(references) for _, references in pairs)
    total = sum((References(refs).counts(output) for output, refs in pairs), np.zeros(SIZE))
    outputs = [" ".join(output) for output, _ in pairs]
    streams = [[" ".join(refs[i]) if i < len(refs) else None for _, refs in pairs] for i in range(most)]
    metric = sacrebleu.BLEU(tokenize="none", smooth_method="none", force=True)
    assert bleu(total) == pytest.approx(metric.corpus_score(outputs, streams).score, abs=1e-6)


@given(words, st.lists(words, min_size=1, max_size=2))
def test_smoothed_bleu_is_a_share_and_one_for_a_reference(
    output: list[str], references: list[list[str]]
) -> None:
    counts = np.array([References(references).counts(each) for each in (output, references[0])])
    found = smoothed(counts)
    assert np.all((found >= 0) & (found <= 1))
    if len(references) == 1 and references[0]:
        assert found[1] == pytest.approx(1.0)
        assert found[0] <= found[1]
