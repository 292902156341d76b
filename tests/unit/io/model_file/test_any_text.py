"""Any text goes through `en`: it is written as CoNLL-U, read back the same, and every offset is exact."""

from __future__ import annotations

import io
import re
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import structron
from structron import DataError, Pipeline
from structron.io import read
from structron.tasks.pipeline.document import Document, token_range

ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))")
PLAIN = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|", "\\": "\\"}
# What mail and the web have: marks next to line ends, quotes, rules, lists, addresses, blanks of all kinds.
PIECES = [
    "not", "It's", "can't", "U.S.", "e.g.", "a.b@c.org", "http://x.y/z?q=1", "3.14", "1,000", "_", "*", ">",
    ">>", "--", "...", "|", "#", "\\", "\"", "'", "(", ")", "^", "~", " ", "  ", "\n", "\n\n", "\r\n", "\t",
    "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0", "\u2028", "\u2029", "\u3000", "\u200b", "\u200d",
    "\ufeff", "\x00", "\x1b[1m", "e\u0301", "中国", "😀", "שלום", "-\n>", "_\n>", "...\n--\n",
]  # fmt: skip
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=80) | st.lists(
    st.sampled_from(PIECES), max_size=25
).map("".join)


@cache
def english() -> Pipeline:
    return structron.load("en")


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return english()


def space_after(misc: str) -> str:
    for field in misc.split("|"):
        if field == "SpaceAfter=No":
            return ""
        if field.startswith("SpacesAfter="):
            said = field.removeprefix("SpacesAfter=")
            return ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else PLAIN[m[2]], said)
    return " "


def assert_whole(text: str, document: Document) -> None:
    """What was written is what was made, and all of the text."""
    written = document.to_conllu()
    back = list(read(io.BytesIO(written.encode()), format="conllu")) if written else []
    rows = [sentence.rows for sentence in document]
    assert [(s.comments, s.rows) for s in back] == [(s.comments, s.rows) for s in rows]
    at = len(text) - len(text.lstrip())
    for sentence, made in zip(back, document):
        ranges = [row for row in sentence.rows if "TokenRange=" in row[9]]
        assert len(ranges) == len(made.tokens)
        for row, token in zip(ranges, made.tokens):
            assert text[token.start : token.end] == token.text == row[1]
            assert token_range(row[9]) == (token.start, token.end) and token.start == at
            assert not any(map(str.isspace, token.text)), "a token holds no white space"
            at += len(token.text + space_after(row[9]))
    assert at == len(text) or not text.strip()


@settings(max_examples=150, deadline=None)
@given(texts)
@example("It is _not_\n> true.\n")
@example("> --\n> Bob\n\n*\n*\n_a_\nb")
def test_it_is_written_and_read_back_the_same(text: str) -> None:
    assert_whole(text, english()(text))


@pytest.mark.parametrize(
    "text",
    [
        "It is _not_\n> true.\n",
        "In article <1993@x.edu> bob@x.edu (Bob) writes:\n>> Hi!\n> --\nBob  _____\n|    |\n \\  /\n",
        "\r\n\r\nOne line.\r\nAnother\r\n",
        "a\x00b \x07 c\x1fd\x85e\u2028f\u2029g\u200bh\ufeff",
        "\ufeffText after a byte order mark.",
        "word " * 30_000,
        "x" * 200_000,
        "-" * 5_000 + "\n" + "=" * 5_000,
        "can't\nwon't\tdon't\u00a0isn't",
        " \t\n",
        "",
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_crafted_texts_are_whole(nlp: Pipeline, text: str) -> None:
    assert_whole(text, nlp(text))
    (piped,) = nlp.pipe([text])
    assert piped.to_conllu() == nlp(text).to_conllu()


def test_in_a_batch_each_text_is_itself(nlp: Pipeline) -> None:
    given_ = ["It is _not_\n> true.", "", "A second\ttext.", "\n", "Third."]
    for text, document in zip(given_, nlp.pipe(given_), strict=True):
        assert document.text == text
        assert_whole(text, document)


def test_a_bad_text_is_named_after_the_good_ones_have_come(nlp: Pipeline) -> None:
    found = nlp.pipe(["One.", "Two.", "half \ud800", "Three."])
    assert [next(found).text, next(found).text] == ["One.", "Two."]
    with pytest.raises(DataError, match=r"^text 3: .*half of a surrogate pair, which is not a character"):
        next(found)


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ("a string", "texts is a single text; give a list of texts, or call the pipeline with it"),
        (b"bytes", "texts is a single text; give a list of texts, or call the pipeline with it"),
        (None, "texts is of type NoneType; give a list of texts"),
        (5, "texts is of type int; give a list of texts"),
        ({"a": 1}, "texts is of type dict; give a list of texts"),
    ],
)
def test_what_is_no_list_of_texts_is_refused_at_once(nlp: Pipeline, given_: object, said: str) -> None:
    with pytest.raises(DataError) as raised:
        nlp.pipe(given_)  # type: ignore[arg-type]
    assert str(raised.value) == said


@pytest.mark.parametrize("given_", [None, [], {}, {"a": 1}, {"a"}, b"bytes", 3.5, [" "], ["a", None]])
def test_what_is_no_text_is_refused(nlp: Pipeline, given_: object) -> None:
    said = "give a text, or a sentence as a list of words that are not empty$"
    with pytest.raises(DataError, match=said) as raised:
        nlp(given_)  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)
    with pytest.raises(DataError, match=said):
        list(nlp.pipe([given_]))  # type: ignore[list-item]


def test_words_that_no_file_can_hold_are_refused(nlp: Pipeline) -> None:
    with pytest.raises(DataError, match=r"word 'a\\tb' holds a tab or a line end; give words without"):
        nlp(["a\tb"])
