"""F1 of sentences, tokens and words by their places."""

from __future__ import annotations

import pytest

from structron import DataError
from structron.metrics.segmentation import (
    SegmentationScore,
    check_same,
    span_score,
    unseen_recall,
    word_score,
)


def test_spans_count_if_both_ends_agree() -> None:
    score = span_score([(0, 2), (2, 5), (5, 6)], [(0, 2), (2, 4), (4, 5), (5, 6)])
    assert score == SegmentationScore(2, 3, 4)
    assert (score.precision, score.recall) == (0.5, 2 / 3) and score.f1 == pytest.approx(4 / 7)
    assert score + score == SegmentationScore(4, 6, 8)
    assert SegmentationScore().f1 == SegmentationScore().precision == SegmentationScore().recall == 0.0


def one(begin: int, end: int, *words: str) -> tuple[int, int, tuple[str, ...]]:
    return begin, end, words


def test_words_of_multiword_tokens_are_aligned_by_form() -> None:
    gold = [one(0, 2, "va"), one(2, 4, "de", "le"), one(4, 7, "lit")]
    assert word_score(gold, gold) == SegmentationScore(4, 4, 4)
    assert word_score(gold, [one(0, 2, "va"), one(2, 4, "du"), one(4, 7, "lit")]).right == 2
    assert word_score(gold, [one(0, 2, "va"), one(2, 4, "De", "la"), one(4, 7, "lit")]).right == 3
    # A plain word that begins before the multiword token and ends in it is not part of what is aligned.
    assert word_score(gold, [one(0, 3, "vad"), one(3, 4, "le"), one(4, 7, "lit")]).right == 2
    # Two tokens of the other side within one multiword token are aligned with its words.
    assert word_score(gold, [one(0, 2, "va"), one(2, 3, "de"), one(3, 4, "le"), one(4, 7, "lit")]).right == 4
    # Multiword tokens that overlap are one span.
    assert (
        word_score([one(0, 4, "a", "b"), one(4, 6, "c", "d")], [one(0, 5, "b", "c"), one(5, 6, "d")]).right
        == 3
    )
    assert word_score(gold, []) == SegmentationScore(0, 4, 0)


def test_recall_of_words_never_seen() -> None:
    gold, guess = [(0, 2), (2, 3), (3, 5)], [(0, 2), (2, 5)]
    assert unseen_recall("中国人北京", gold, guess, {"人"}) == (1, 2)


def test_only_the_same_text_is_compared() -> None:
    check_same("a b", "ab")
    with pytest.raises(DataError, match="the texts differ at 'c' and 'd'; compare results for the same text"):
        check_same("abc", "ab d")
