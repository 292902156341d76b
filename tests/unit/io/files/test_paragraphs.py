"""Where paragraphs begin and end does not depend on how quickly they are looked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from structron.io.formats.raw_text import paragraphs


@given(st.text("ab\n\n\t \x0b\x85\u2003", max_size=20))
def test_a_form_feed_at_the_end_changes_nothing(text: str) -> None:
    # With it, all characters that may end a paragraph are looked for; without it, line ends alone.
    assert paragraphs(text) == paragraphs(text + "\f")


def test_what_ends_a_paragraph() -> None:
    text = "a\n \nb\r\rc\fd\u2029e\nf"
    assert [text[begin:end] for begin, end in paragraphs(text)] == ["a", "b", "c", "d", "e\nf"]
