"""Parallel text and word links: what is read, and what is said about what is wrong."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import DataError
from structron.io.formats.parallel_text import read_bitext
from structron.io.formats.pharaoh import read_links, write_links

links = st.sets(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=8).map(sorted)


def test_words_stand_between_blanks() -> None:
    sources, targets = read_bitext(io.StringIO("ein  haus\r\n\n"), io.StringIO("\ta house \nno\u00a0break\n"))
    assert sources == [["ein", "haus"], []]
    assert targets == [["a", "house"], ["no\u00a0break"]]


def test_unequal_numbers_of_lines_are_told_with_both(tmp_path) -> None:
    (tmp_path / "a").write_text("x\n" * 1200)
    (tmp_path / "b").write_text("y\n")
    with pytest.raises(DataError, match=r"a: it has 1,200 lines and .*b has 1; give two files"):
        read_bitext(tmp_path / "a", tmp_path / "b")


def test_other_encodings_are_named() -> None:
    latin = "für\n".encode("latin-1")
    with pytest.raises(DataError, match=r"\(stream\):1: byte 0xfc at position 2 is not UTF-8; name the file"):
        read_bitext(io.BytesIO(latin), io.BytesIO(b"for\n"))
    assert read_bitext(io.BytesIO(latin), io.BytesIO(b"for\n"), "latin-1")[0] == [["für"]]
    with pytest.raises(DataError, match="byte 0xfc"):
        read_links(io.BytesIO(latin))


@given(st.lists(links, max_size=5))
def test_links_that_are_written_are_read_again(pairs: list[list[tuple[int, int]]]) -> None:
    stream = io.BytesIO()
    write_links(pairs, stream)
    assert read_links(io.BytesIO(stream.getvalue()), [(301, 301)] * len(pairs)) == pairs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0-0 1\n\n", r":1: '1' is not a link; write links like 0-0 1-2"),
        ("0-0\n1--2\n", r":2: '1--2' is not a link"),
        ("0-0\n1-2\n", r":2: the link 1-2 is outside of a pair of 1 and 3 words"),
        ("0-0\n", r": it has 1 lines for 2 pairs of sentences; give a line of links for each pair"),
        ("\n\n\n", r": it has 3 lines for 2 pairs of sentences"),
        ("0-99999999999\n\n", r"is not a link"),
    ],
)
def test_links_that_are_wrong_are_told(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_links(io.StringIO(text), [(2, 2), (1, 3)])
    assert read_links(io.StringIO("1-1 0-0 1-1\n\n"), [(2, 2), (1, 3)]) == [[(0, 0), (1, 1)], []]
