"""ARPA files: what is written is read again, and what is wrong is said."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import DataError
from structron.io.formats.arpa import read_arpa, write_arpa
from structron.io.formats.parallel_text import read_text
from structron.io.values.ngrams import NGrams
from structron.tasks.translation.language_model.estimation import language_model_of

GOOD = """\
a word before

\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-99\t<s>\t-0.30103
-1\t</s>
-1.5 a -0.2
-2\tb\t0

\\2-grams:
-0.1\t<s> a
-0.2\ta b

\\end\\
"""
# A no-break space, a NUL and other odd characters are parts of words.
words = st.text(st.characters(exclude_characters=" \t\n\r\v\f", codec="utf-8"), min_size=1, max_size=4)


def test_a_file_of_others() -> None:
    model = read_arpa(io.StringIO(GOOD))
    assert model.vocabulary == ("<unk>", "<s>", "</s>", "a", "b")
    assert model.sizes.tolist() == [5, 2]
    found = {tuple(model.vocabulary[w] for w in g): (p, b) for g, p, b in model.each()}
    assert found["a", "b"] == (pytest.approx(-0.2 * np.log(10)), 0)
    assert found["<s>",][1] == pytest.approx(np.log(0.5), rel=1e-5)
    assert found["<unk>",] == (pytest.approx(-100 * np.log(10)), 0)


@settings(max_examples=50)
@given(st.lists(st.lists(words, max_size=5), min_size=1, max_size=8), st.integers(1, 4))
def test_what_is_written_is_read_again(text: list[list[str]], order: int) -> None:
    model = language_model_of(text, order)
    stream = io.BytesIO()
    write_arpa(model, stream)
    again = read_arpa(io.BytesIO(stream.getvalue()))
    assert again.vocabulary == model.vocabulary
    for name in ("sizes", "words", "first", "logprob", "backoff"):
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", r"no \\data\\ with the numbers of n-grams; give an ARPA file"),
        ("ngram 2=2", "ngram 3=2", r":5: 'ngram 3=2' where ngram 2=COUNT should stand"),
        ("ngram 1=4", "ngram 1=5", r":13: not a 1-gram with its logarithm"),
        ("ngram 1=4", "ngram 1=3", r":11: \\2-grams: should stand after 3 n-grams"),
        ("-1.5 a", "x a", r":10: a logarithm is not a number; check the file"),
        ("-0.1\t<s> a", "-0.1\t<s> c", r":14: the word 'c' is not among the unigrams; check the file"),
        ("-0.2\ta b", "-0.2\t<s> a", r":15: the n-gram '<s> a' occurs twice; check the file"),
        ("\\end\\", "", r"\\end\\ should stand here"),
        ("-0.30103", "nan", r":8: a logarithm is not a number"),
        ("-0.2\ta b", "-0.2\ta b c d", r":15: not a 2-gram with its logarithm"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(DataError, match=message):
        read_arpa(io.StringIO(GOOD.replace(old, new, 1)))


def test_an_n_gram_whose_beginning_is_not_there() -> None:
    text = GOOD.replace("ngram 2=2", "ngram 2=2\nngram 3=1").replace(
        "\\end\\", "\\3-grams:\n-1\tb a b\n\n\\end\\"
    )
    with pytest.raises(DataError, match=r"'b a b' has a beginning that is not there"):
        read_arpa(io.StringIO(text))


def test_bytes_that_are_not_utf_8() -> None:
    with pytest.raises(DataError, match="byte 0xff at position 6 is not UTF-8"):
        read_arpa(io.BytesIO(GOOD.replace("-1.5 a", "-1.5 \xff").encode("latin-1")))


def test_a_word_that_does_not_fit_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "model.arpa"
    path.write_text("before")
    with pytest.raises(DataError, match="the word 'a b' does not fit into an ARPA file"):
        write_arpa(language_model_of([["a b"]], 2), path)
    assert path.read_text() == "before"


def test_arrays_that_do_not_fit_together_are_refused() -> None:
    model = language_model_of([["a"]], 2)
    with pytest.raises(Exception, match="arrays of different lengths"):
        NGrams(model.vocabulary, model.sizes, model.words[:-1], model.first, model.logprob, model.backoff)


def test_values_are_those_of_lmplz() -> None:
    """``lmplz -o 3 < text > model.arpa`` of KenLM 0.3.0, whose numbers have 32 bits."""
    folder = Path(__file__).parent / "lmplz"
    theirs = read_arpa(folder / "model.arpa")
    ours = language_model_of(read_text(folder / "text"), 3)
    assert theirs.sizes.tolist() == ours.sizes.tolist()

    def spelled(model: NGrams) -> dict[tuple[str, ...], tuple[float, float]]:
        return {tuple(model.vocabulary[word] for word in g): (p, b) for g, p, b in model.each()}

    expected = spelled(theirs)
    for ngram, values in spelled(ours).items():
        assert values == pytest.approx(expected[ngram], abs=5e-6), ngram
