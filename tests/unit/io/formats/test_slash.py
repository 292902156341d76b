"""word/tag lines and plain text: the last slash counts, leading fields survive, plain words get tags."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import DataError, SettingError
from structron.io import Format, Report, Sentence, read, write

BROWN = "ca01\tnews\tThe/at jury/nn met/vbd ./.\nca01\tnews\tHeadline/nn-hl\nca02\t\t1/2/cd of/in it/ppo\n"


def sentences(text: str, format: str = "slash", **options: object) -> list[Sentence]:
    return list(read(io.BytesIO(text.encode()), format=format, **options))  # type: ignore[arg-type]


def written(items: list[Sentence], **options: object) -> str:
    out = io.StringIO()
    write(items, out, **options)  # type: ignore[arg-type]
    return out.getvalue()


def test_fields_before_the_words_survive() -> None:
    items = sentences(BROWN)
    assert written(items) == BROWN
    assert items[0].comments == ["ca01", "news"]
    assert items[2].words() == ["1/2", "of", "it"]
    assert items[2].column("tag") == ["cd", "in", "ppo"]
    assert items[2].place == items[2].place_of(1) == "(stream):3"


def test_guessed_tags_go_out_in_the_same_format() -> None:
    items = [s.with_column("tag", ["X"] * len(s)) for s in sentences(BROWN)]
    assert written(items).splitlines()[2] == "ca02\t\t1/2/X of/X it/X"


def test_plain_words_become_words_with_tags() -> None:
    (bare,) = sentences("f1\tthe dog barks\n")
    assert (bare.names, bare.words(), bare.comments) == (("form",), ["the", "dog", "barks"], ["f1"])
    assert written([bare]) == "f1\tthe dog barks\n"
    assert written([bare.with_column("tag", ["D", "N", "V"])]) == "f1\tthe/D dog/N barks/V\n"
    (text,) = sentences("and/or  not\tnow \n", "text")
    assert text.words() == ["and/or", "not", "now"]
    assert written([text]) == "and/or not now\n"
    assert written([text.with_column("tag", ["C", "R", "R"])]) == "and/or/C not/R now/R\n"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "a/X b/Y\nc/X d\n",
            {},
            "(stream):2: word 2, 'd', has no tag, as in word/tag; fix the line or pass",
        ),
        ("a/X b/\n", {}, "(stream):1: word 2, 'b/', has no tag, as in word/tag"),
        ("a/X b/Y /Y\n", {}, "(stream):1: word 3, '/Y', has no tag, as in word/tag"),
        (
            "a b\nc and/or\n",
            {},
            "(stream):2: word 2, 'and/or', looks like word/tag where others have no tag; pass",
        ),
        ("a b\n", {"target": "tag"}, "(stream):1: word 1, 'a', has no tag, as in word/tag; fix"),
        ("a/X\nfield\t \n", {}, "(stream):2: no words after the last tab; fix"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(DataError) as caught:
        sentences(text, **options)
    assert str(caught.value).startswith(message)


def test_reading_goes_on_with_the_next_line() -> None:
    report = Report()
    kept = sentences("a b\nc/X\n\nd\ne/Y\n", skip_bad=True, report=report, target="tag")
    assert [s.words() for s in kept] == [["c"], ["e"]]
    assert [s.place for s in kept] == ["(stream):2", "(stream):5"]
    assert report.bad == 2


@pytest.mark.parametrize("values", [("a b", "X"), ("a", "X/Y"), ("a", ""), ("", "X"), ("a", "X\n")])
def test_values_that_would_break_the_line_are_refused(values: tuple[str, str]) -> None:
    with pytest.raises(
        DataError, match=r"which a line of words cannot hold; change the value or the format$"
    ):
        written([Sentence([list(values)], Format("slash"))])


def test_a_line_that_would_be_blank_is_refused() -> None:
    for item in (Sentence.of(["\u3000"]),):
        with pytest.raises(DataError, match="a sentence without words cannot be written; leave it out"):
            written([item])
    assert written([Sentence.of(["\u3000"]).with_column("tag", ["w"])]) == "\u3000/w\n"


def test_a_line_holds_one_tag() -> None:
    with pytest.raises(DataError, match="no column 'lemma'; choose one of form, tag"):
        sentences("a/X\n")[0].with_column("lemma", ["a"])
    with pytest.raises(SettingError, match="format slash has form and tag between blanks, nothing else"):
        Format("slash", columns=("form", "tag", "lemma"))


plain = st.characters(exclude_characters="\t\n\r \ufeff", exclude_categories=["Cs"])
word = st.text(plain, min_size=1, max_size=5)
tag = st.text(plain, min_size=1, max_size=3).filter(lambda text: "/" not in text)
field = st.text(st.characters(exclude_characters="\t\n\r\ufeff", exclude_categories=["Cs"]), max_size=3)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.lists(field, max_size=2), st.lists(st.tuples(word, tag), min_size=1, max_size=4)))
)
def test_any_values_survive_a_round_trip(drawn: list[tuple[list[str], list[tuple[str, str]]]]) -> None:
    items = [
        Sentence([list(row) for row in rows], Format("slash"), comments=before) for before, rows in drawn
    ]
    assert sentences(written(items)) == items
