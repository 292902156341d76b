"""Sentences of raw text as lines: the engine's are those of rows that are rendered."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron import DataError
from structron.io.formats.conllu import render
from structron.segments.segmented_text import SegmentedSentence

# White space of all kinds, two and four bytes a character, and half of a surrogate pair.
CHARACTERS = st.text("ab.'\t\n\r \x85\xa0\u2003\x1fé中😀\ud800", min_size=1, max_size=30)
VALUES = st.text("aé_|=", min_size=1, max_size=3)


@st.composite
def sentences(draw: st.DrawFn) -> tuple[SegmentedSentence, list[list[Any] | None]]:
    text = draw(CHARACTERS.filter(lambda text: not text.isspace()))
    visible = [i for i, c in enumerate(text) if not c.isspace()]
    # Tokens begin and end with what is seen, and may have white space inside.
    cuts = sorted(draw(st.sets(st.sampled_from(visible))) | {visible[0]})
    ends = [max(i for i in visible if i < after) + 1 for after in [*cuts[1:], len(text)]]
    first = draw(st.integers(0, len(cuts) - 1))
    last = draw(st.integers(first + 1, len(cuts)))
    several = {
        i: tuple(draw(st.lists(VALUES, min_size=2, max_size=3)))
        for i in range(first, last)
        if draw(st.booleans())
    }
    offset = draw(st.sampled_from([0, 7, 2**33]))
    forms = [text[begin:end] for begin, end in zip(cuts, ends)]
    sentence = SegmentedSentence(text, cuts, ends, forms, several, first, last, offset)
    words = len(sentence.words)
    texts = st.none() | st.lists(VALUES, min_size=words, max_size=words)
    heads = st.none() | st.lists(st.integers(0, words), min_size=words, max_size=words)
    columns = [draw(heads if i == 4 else texts) for i in range(6)]
    return sentence, columns


@given(sentences(), st.booleans())
def test_the_engine_writes_what_rows_say(given: Any, document: bool) -> None:
    sentence, columns = given
    words = len(sentence.words)
    known = [["_"] * words if each is None else [*map(str, each)] for each in columns]
    rows = sentence.sentence(3, document=document, columns=known)
    assert sentence.rendered(3, document=document, columns=columns) == render(rows)


def test_a_value_that_would_break_the_file_is_named() -> None:
    sentence = SegmentedSentence("a b", [0, 2], [1, 3], ["a", "b"], {}, 0, 2)
    with pytest.raises(DataError, match=r"lemma 'x\\ty' holds a blank, a tab or a line end"):
        sentence.rendered(1, columns=[["x\ty", "b"], None, None, None, None, None])
