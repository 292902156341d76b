"""What any language model must be, and what modified Kneser-Ney must be."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.tasks.translation.language_model.definition import (
    BEGIN,
    FALLBACK,
    BackoffModel,
    discounts,
    estimate,
)

texts = st.lists(st.lists(st.integers(3, 5), max_size=6), min_size=1, max_size=30)


@settings(max_examples=60)
@given(texts, st.integers(1, 4))
def test_probabilities_of_all_words_sum_to_one(text: list[list[int]], order: int) -> None:
    """After whatever was said, met or not; <s> is never said."""
    model = BackoffModel(estimate(text, order, 7))
    for said in product(range(2, 7), repeat=order - 1):
        state = model.begin()
        for word in said:
            state = model.score(state, word)[1]
        total = sum(math.exp(model.score(state, word)[0]) for word in range(7) if word != BEGIN)
        assert total == pytest.approx(1, abs=1e-5)


@settings(max_examples=60)
@given(texts, st.lists(st.integers(0, 6), max_size=5), st.integers(2, 4))
def test_a_probability_is_the_formula(text: list[list[int]], said: list[int], order: int) -> None:
    """Chen & Goodman's recursion, written from the text alone for one word and its whole history."""
    table = estimate(text, order, 7)
    model = BackoffModel(table)
    padded = [[BEGIN, *sentence, 2] for sentence in text]

    def occurrences(n: int) -> list[tuple[int, ...]]:
        return [tuple(s[i : i + n]) for s in padded for i in range(len(s) - n + 1)]

    def counted(n: int) -> dict[tuple[int, ...], int]:
        raw = Counter(occurrences(n))
        if n == order:
            return dict(raw)
        kinds = {g: len({h[0] for h in occurrences(n + 1) if h[1:] == g}) for g in raw}
        found = {g: raw[g] if g[0] == BEGIN and n > 1 else kinds[g] for g in raw}
        return {g: c for g, c in found.items() if g != (BEGIN,)}

    def probability(history: tuple[int, ...], word: int) -> float:
        lower = 1 / 6 if not history else probability(history[1:], word)
        counts = counted(len(history) + 1)
        after = {g[-1]: c for g, c in counts.items() if g[:-1] == history}
        if not after:
            return lower
        taken = (0.0, *discounts(counts))
        total = sum(after.values())
        own = after.get(word, 0)
        kept = sum(taken[min(c, 3)] for c in after.values())
        return (own - taken[min(own, 3)]) / total + kept / total * lower

    state, history = model.begin(), (BEGIN,)
    for word in said:
        word = 0 if word == BEGIN else word
        score, state = model.score(state, word)
        assert score == pytest.approx(math.log(probability(history[-(order - 1) :], word)), abs=1e-5)
        history = (*history, word)


def test_discounts_are_those_of_the_paper() -> None:
    counts = {(i,): c for i, c in enumerate([1] * 10 + [2] * 5 + [3] * 2 + [4] + [9])}
    y = 10 / (10 + 2 * 5)
    expected = (1 - 2 * y * 5 / 10, 2 - 3 * y * 2 / 5, 3 - 4 * y * 1 / 2)
    assert discounts(counts) == pytest.approx(expected)
    assert discounts({(1,): 1, (2,): 2}) == FALLBACK


def test_words_that_follow_many_others_are_likelier_than_frequent_ones() -> None:
    """The reason for Kneser-Ney: "francisco" is frequent, but only after one word."""
    san, francisco, seen = 3, 4, 5
    text = [[san, francisco]] * 6 + [[6, seen], [7, seen], [8, seen]]
    table = estimate(text, 2, 9)
    assert table[seen,][0] > table[francisco,][0]
