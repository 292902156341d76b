"""Edit scripts give back the lemma they were made from, and words of one pattern share one."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from structron.tasks.lemmatisation import applied, script_of

words = st.text(min_size=1, max_size=12)


@given(words, words)
@example("a|b", "|a|b")
@example("İstanbul", "istanbul")
@example("ß", "SS")
@example("ǆ", "ǅ")
def test_a_script_makes_the_lemma_it_was_made_from(word: str, lemma: str) -> None:
    assert applied(script_of(word, lemma), word) == lemma


@given(words, words, words)
def test_a_script_makes_something_of_any_word_or_says_that_it_does_not_fit(a: str, b: str, word: str) -> None:
    made = applied(script_of(a, b), word)
    assert made is None or made


@given(st.text(max_size=12), words)
def test_no_text_from_a_file_breaks_it(script: str, word: str) -> None:
    made = applied(script, word)
    assert made is None or made


@pytest.mark.parametrize(
    ("pairs", "script"),
    [
        ([("dogs", "dog"), ("Cats", "cat"), ("COWS", "cow")], "l0+|1+"),
        ([("Parisians", "Parisian"), ("LONDONERS", "Londoner")], "c0+|1+"),
        ([("iPods", "iPod")], "k0+|1+"),
        ([("NASA", "NASA"), ("nasa", "NASA")], "u0+|0+"),
        ([("was", "be"), ("Is", "be")], "=be"),
        ([("gegangen", "gehen")], "l0+|6+hen"),
    ],
)
def test_words_of_one_pattern_share_a_script(pairs: list[tuple[str, str]], script: str) -> None:
    assert {script_of(word, lemma) for word, lemma in pairs} == {script}
