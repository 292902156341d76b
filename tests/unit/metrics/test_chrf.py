"""chrF and reported BLEU: sacreBLEU's own figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.metrics import bleu
from structron.metrics.chrf import SIZE, chrf, chrf_counts

texts = st.text("ab c", max_size=12)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=2, max_size=2)), min_size=1, max_size=5)
Corpus = list[tuple[str, list[str]]]


def test_a_sentence_by_hand() -> None:
    """Of a, b, c the output has two, and of ab, bc one; blanks do not count."""
    counts = chrf_counts(["a bc"], "ab")
    assert counts.tolist() == [2, 3, 2, 1, 2, 1, 0, 1, 0, *[0, 0, 0] * 3]
    precision, recall = (1 + 1) / 2, (2 / 3 + 1 / 2) / 2
    assert chrf(counts) == pytest.approx(100 * 5 * precision * recall / (4 * precision + recall))


def test_the_best_reference_counts_and_nothing_is_worth_nothing() -> None:
    assert chrf(chrf_counts(["xyz", "abc"], "abc")) == pytest.approx(100.0)
    assert chrf(chrf_counts(["abc"], "")) == 0.0 == chrf(chrf_counts([""], "abc"))


@given(corpora)
def test_chrf_is_that_of_sacrebleu(corpus: Corpus) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    total = sum((chrf_counts(references, output) for output, references in corpus), np.zeros(SIZE))
    outputs, streams = _streams(corpus)
    assert chrf(total) == pytest.approx(sacrebleu.CHRF().corpus_score(outputs, streams).score, abs=1e-9)


@given(corpora)
def test_reported_bleu_is_that_of_sacrebleu(corpus: Corpus) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    rows = [
        bleu.References([reference.split() for reference in references]).counts(output.split())
        for output, references in corpus
    ]
    outputs, streams = _streams(corpus)
    wanted = sacrebleu.BLEU(tokenize="none", force=True).corpus_score(outputs, streams).score
    assert bleu.corpus_bleu(np.sum(rows, axis=0)) == pytest.approx(wanted, abs=1e-9)


def test_reported_bleu_takes_half_a_match_where_there_is_none() -> None:
    counts = np.array([3, 1, 0, 0, 4, 3, 2, 1, 4, 4.0])
    assert bleu.bleu(counts) == 0.0
    expected = 100 * (3 / 4 * 1 / 3 * 0.5 / 2 * 0.25 / 1) ** 0.25
    assert bleu.corpus_bleu(counts) == pytest.approx(expected)
    assert bleu.corpus_bleu(np.array([counts, 0 * counts])).tolist() == pytest.approx([expected, 0.0])


def _streams(corpus: Corpus) -> tuple[list[str], list[list[str]]]:
    return [output for output, _ in corpus], [[references[i] for _, references in corpus] for i in (0, 1)]
