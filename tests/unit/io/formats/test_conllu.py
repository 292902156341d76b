"""CoNLL-U: everything in the file survives, and what is wrong is said with its line."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import DataError
from structron.io import Format, Report, Sentence, read, write

SPANISH = """\
# newdoc id = d1
# text = vámonos al mar , ¿ no ?
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tvamos\tir\tVERB\t_\tMood=Imp\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
2.1\tnada\tnada\tPRON\t_\t_\t_\t_\t1:dep\tCopyOf=2
3-4\tal\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\t_

# sent_id = 2
0.1\tella\tella\tPRON\t_\t_\t_\t_\t_\t_
1\tduerme mucho\tdormir\tVERB\t_\t_\t0\troot\t_\t_

"""


def sentences(text: str, **options: object) -> list[Sentence]:
    return list(read(io.BytesIO(text.encode()), format="conllu", **options))  # type: ignore[arg-type]


def written(items: list[Sentence], **options: object) -> str:
    out = io.StringIO()
    write(items, out, **options)  # type: ignore[arg-type]
    return out.getvalue()


def row(identity: str, form: str = "w", rest: str = "\t_" * 8) -> str:
    return f"{identity}\t{form}{rest}\n"


def test_comments_ranges_and_empty_nodes_survive_byte_for_byte() -> None:
    assert written(sentences(SPANISH)) == SPANISH


def test_only_syntactic_words_count() -> None:
    first, second = sentences(SPANISH)
    assert first.words() == ["vamos", "nos", "a", "el", "mar"]
    assert first.column("upos") == first.column(3) == ["VERB", "PRON", "ADP", "DET", "NOUN"]
    assert len(first) == 5 and len(first.rows) == 8
    assert second.words() == ["duerme mucho"]
    assert (first.place, second.place) == ("(stream):1", "(stream):12")
    assert first.place_of(2) == "(stream):8"


def test_a_new_column_leaves_ranges_and_empty_nodes_alone() -> None:
    first = sentences(SPANISH)[0]
    changed = first.with_column("upos", ["A", "B", "C", "D", "E"])
    assert changed.column("upos") == ["A", "B", "C", "D", "E"]
    assert [r[3] for r in changed.rows] == ["_", "A", "B", "PRON", "_", "C", "D", "E"]
    assert first.column("upos")[0] == "VERB"
    assert changed.comments == first.comments


def test_files_from_elsewhere_bom_crlf_white_lines_and_no_end() -> None:
    odd = "\ufeff" + SPANISH.replace("\n", "\r\n").replace("\r\n\r\n#", "\r\n \t\r\n\r\n#").rstrip()
    assert written(sentences(odd)) == SPANISH


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tw\t_\n", "(stream):1: 3 columns instead of 10; separate the columns by single tabs"),
        ("# x\n" + row("1") + row("3"), "(stream):3: id 3 where 2 is next; number the words 1, 2, 3, ..."),
        (row("01"), "(stream):1: id '01' is not a number, a range (3-4) or an empty node (8.1)"),
        (row("x"), "(stream):1: id 'x' is not a number"),
        (row("1") + row("1-2") + row("2"), "(stream):2: range 1-2 before word 2; put it just before"),
        (row("2-1"), "(stream):1: range 2-1 before word 1"),
        (row("1") + row("2-1") + row("2"), "(stream):2: range 2-1 ends before it begins"),
        (
            row("1-2") + row("1") + row("2-3") + row("2") + row("3"),
            "(stream):3: range 2-3 overlaps range 1-2",
        ),
        (
            row("1-3") + row("1") + row("2"),
            "(stream):1: range 1-3 goes beyond the last word, 2; fix the range",
        ),
        (row("1") + row("1.2"), "(stream):2: empty node 1.2 where 1.1 is next"),
        (row("0.1"), "(stream):1: a sentence without words"),
        ("# alone\n", "(stream):1: comments without words"),
        (
            row("1") + "# late\n" + row("2"),
            "(stream):2: a comment inside a sentence; put it before the first",
        ),
        (row("1", ""), "(stream):1: word 1 has no form; fix the line or pass --skip-bad"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        sentences(text)
    assert str(caught.value).startswith(message)
    assert "; " in str(caught.value)


def test_bad_sentences_are_left_out_and_counted_and_reading_goes_on_after_the_blank_line() -> None:
    report = Report()
    text = (
        row("2") + row("3") + "\n" + row("1", "good") + "\n" + row("1")[:-4] + "\n" + "\n" + row("1", "too")
    )
    kept = sentences(text, skip_bad=True, report=report)
    assert [s.words() for s in kept] == [["good"], ["too"]]
    assert report.bad == 2
    assert report.messages[0] == "(stream):1: id 2 where 1 is next; number the words 1, 2, 3, ..."


def test_a_target_must_be_there_for_every_word() -> None:
    text = "# c\n" + row("1", rest="\t_\tX" + "\t_" * 6) + row("2", "nix")
    with pytest.raises(
        DataError, match=r"^\(stream\):3: word 'nix' has no upos; fix the line or pass --skip-bad$"
    ):
        sentences(text, target="upos")
    assert len(sentences(text, target="feats")) == 1, "no features is a value"
    with pytest.raises(
        DataError, match=r"^\(stream\):1: no column 'pos' among id, form.*; choose another target"
    ):
        sentences(text, target="pos", skip_bad=True)


def test_a_sentence_longer_than_the_table_of_numbers() -> None:
    text = "".join(row(str(i)) for i in range(1, 700)) + "\n"
    assert len(sentences(text)[0]) == 699
    assert written(sentences(text)) == text


def test_values_that_would_break_the_file_are_refused() -> None:
    sentence = sentences(SPANISH)[1]
    for value in ("a\tb", "a\nb", "a\rb"):
        with pytest.raises(DataError, match=r"^\(stream\):12: lemma .* which this file cannot hold; change"):
            written([sentence.with_column("lemma", [value])])
    with pytest.raises(DataError, match=r"'x' is not a comment; begin it with #"):
        written([Sentence(sentence.rows, Format("conllu"), comments=["x"])])


fields = st.text(
    st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), min_size=1, max_size=5
)


@settings(deadline=None)
@given(st.lists(st.lists(st.lists(fields, min_size=9, max_size=9), min_size=1, max_size=4), max_size=4))
def test_any_values_survive_a_round_trip(drawn: list[list[list[str]]]) -> None:
    items = [
        Sentence([[str(i), *r] for i, r in enumerate(rows, 1)], Format("conllu"), comments=["# c"])
        for rows in drawn
    ]
    assert sentences(written(items)) == items
