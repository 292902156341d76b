"""The engine's language model equals its definition: every logarithm, every score, every state."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.io.formats.arpa import packed
from structron.io.values.ngrams import END, NGrams
from structron.tasks.translation.language_model.definition import BackoffModel, estimate
from structron.tasks.translation.language_model.estimation import engine_of, estimate_ngrams, table_of

VOCABULARY = Vocabulary(("<unk>", "<s>", "</s>", "a", "b", "c", "d", "e"))
sentences = st.lists(st.integers(3, 6), max_size=8)
texts = st.lists(sentences, min_size=1, max_size=25)
# Many sentences of few words, so that there are counts of 1, 2 and 3 and discounts are not the fixed ones.
long_texts = st.lists(st.lists(st.integers(3, 7), min_size=2, max_size=6), min_size=30, max_size=60)


@settings(max_examples=100)
@given(texts | long_texts, st.integers(1, 5))
def test_estimates_are_equal(text: list[list[int]], order: int) -> None:
    found = estimate_ngrams(Numbered.of(text), VOCABULARY, order)
    expected = estimate(text, order, len(VOCABULARY))
    assert table_of(found) == expected
    assert list(table_of(found)) == sorted(expected, key=lambda g: (len(g), g))


@settings(max_examples=100)
@given(texts, st.integers(1, 5), st.lists(st.integers(0, 9), max_size=12))
def test_scores_and_states_are_equal(text: list[list[int]], order: int, said: list[int]) -> None:
    found = estimate_ngrams(Numbered.of(text), VOCABULARY, order)
    _same_scores(found, said)


def _same_scores(found: NGrams, said: list[int]) -> None:
    definition, engine = BackoffModel(table_of(found)), engine_of(found)
    expected, state = definition.begin(), engine.begin()
    for word in (*said, END):
        score, expected = definition.score(expected, word)
        assert tuple(engine.context(state)) in definition.states
        again, state = engine.score(state, word)
        assert again == score
        assert tuple(engine.context(state).tolist()) == expected
    text = Numbered.of([said])
    np.testing.assert_allclose(engine.sentences(text.words, text.offsets), definition.sentence(said))


@settings(max_examples=100)
@given(texts, st.integers(2, 4), st.lists(st.integers(0, 9), max_size=12), st.data())
def test_n_grams_may_lack_their_ends(
    text: list[list[int]], order: int, said: list[int], data: st.DataObject
) -> None:
    """Pruned models of others have a b c where they have no b c."""
    table = estimate(text, order, len(VOCABULARY))
    for ngram in sorted(table, key=len, reverse=True):
        if len(ngram) > 1 and not any(g[:-1] == ngram for g in table) and data.draw(st.booleans()):
            del table[ngram]
    levels = [{g: v for g, v in table.items() if len(g) == n} for n in range(1, order + 1)]
    _same_scores(packed(VOCABULARY.words, levels), said)


def test_what_is_no_model_is_refused() -> None:
    good = estimate_ngrams(Numbered.of([[3, 4], [4, 5]]), VOCABULARY, 3)
    arrays = [good.sizes, good.words, good.first, good.logprob, good.backoff]
    _core.LanguageModel(*arrays)
    for i, array in enumerate(arrays):
        for wrong in (array[:-1], array[:0], np.append(array, array[-1:])):
            with pytest.raises(ValueError):
                _core.LanguageModel(*(wrong if k == i else a for k, a in enumerate(arrays)))
    for i, at, value in [(1, -1, 99), (1, 0, 1), (2, 0, 0), (2, 3, 10**6), (3, 2, 0.5), (4, 0, np.nan)]:
        changed = arrays[i].copy()
        changed[at] = value
        with pytest.raises(ValueError):
            _core.LanguageModel(*(changed if k == i else a for k, a in enumerate(arrays)))
    with pytest.raises(ValueError, match="no such state"):
        engine_of(good).score(10**6, 3)
    for words in ([2], [8]):
        text = Numbered.of([words])
        with pytest.raises(ValueError, match="special or not in the vocabulary"):
            _core.estimate_language_model(text.words, text.offsets, 8, 3)
