"""Raw text: paragraphs too long to be taken as one are cut between sentences, in bounded memory."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.io.formats import raw_text
from structron.io.formats.raw_text import Paragraph, begins_paragraph, paragraphs, read_text


def pieces(text: str) -> list[Paragraph]:
    return list(read_text(io.BytesIO(text.encode("utf-8", "surrogatepass"))))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("One is here. Two is here.\nThree is. Four goes on", "here.\n"),  # a line that ends with a sentence
        ("He met Mr. Hale. Then the 9 others came by and on", "Hale. "),  # a sentence, rather than a blank
        ("no capital follows here. so it is the\nline end", "the\n"),
        ("only blanks are here and nothing else at all, so it", "so "),
        ("x" * 60, ""),
    ],
)
def test_a_long_text_is_cut_where_a_sentence_ends(text: str, ends: str) -> None:
    text = "w " * 176 + text + " and so on" * 9
    begin, end = paragraphs(text, 402)[0]
    assert begin == 0 and text[:end].endswith(ends) and (ends or end == 402)


def test_chinese_sentences_are_not_cut() -> None:
    text = "这是一个句子。" * 20
    found = paragraphs(text, 80)
    assert len(found) > 1 and all(text[end - 1] == "。" for _, end in found)


def test_no_more_is_held_than_a_part(monkeypatch) -> None:
    """A stream without empty lines goes out in parts; only the first is said to begin a paragraph."""
    line = "A line with a sentence.\n"
    found = pieces(line * 40_000)
    assert max(len(each.text) for each in found) <= raw_text.MOST_CHARACTERS
    assert all(each.text.endswith(line) for each in found) and len(found) > 5
    assert [each.continues for each in found] == [False] + [True] * (len(found) - 1)
    assert "".join(each.text for each in found) == line * 40_000
    assert [each.offset for each in found[1:]] == [before.offset + len(before.text) for before in found[:-1]]


def test_after_an_empty_line_a_paragraph_begins() -> None:
    text = "One.\n\n" + "A line with a sentence.\n" * 9_000 + "\n\x0cLast.\n"
    assert [each.continues for each in pieces(text)] == [False, False, True, False]


@given(st.text(alphabet="ab. \n\r\f\u2029。", max_size=80), st.integers(4, 20))
def test_parts_lie_in_order_and_lose_nothing_but_empty_lines(text: str, most: int) -> None:
    found = paragraphs(text, most)
    assert all(0 < end - begin <= most for begin, end in found)
    assert all(a[1] <= b[0] for a, b in pairwise(found))
    outside = [
        text[a:b] for a, b in zip([0, *(end for _, end in found)], [*(b for b, _ in found), len(text)])
    ]
    assert not "".join(outside).strip()
    for (_, before), (begin, _) in pairwise(found):
        if begin > before:
            assert begins_paragraph(text, begin)
