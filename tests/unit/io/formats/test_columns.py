"""Columns: separators and names are kept, ragged rows are told, labels may be absent where guessed."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import DataError, SettingError
from structron.io import Format, Names, Report, Sentence, read, write

CHUNKS = "He PRP B-NP\nreckons VBZ B-VP\n\nit PRP B-NP\n\n"


def sentences(text: str, **options: object) -> list[Sentence]:
    options = {"format": "columns", **options}
    return list(read(io.BytesIO(text.encode()), **options))  # type: ignore[arg-type]


def written(items: list[Sentence], **options: object) -> str:
    out = io.BytesIO()
    write(items, out, **options)  # type: ignore[arg-type]
    return out.getvalue().decode()


def test_first_is_form_last_is_label_and_others_are_called_by_index() -> None:
    first = sentences(CHUNKS)[0]
    assert first.names == ("form", "1", "label")
    assert first.words() == first.column(0) == first.column("0") == ["He", "reckons"]
    assert first.column("1") == ["PRP", "VBZ"]
    assert first.column("label") == first.column(-1) == first.column("2") == ["B-NP", "B-VP"]


@pytest.mark.parametrize(
    "text", [CHUNKS, CHUNKS.replace(" ", "\t"), "# id = 1\n" + CHUNKS.replace(" ", "\t")]
)
def test_the_separator_found_is_the_one_written(text: str) -> None:
    items = sentences(text)
    assert written(items) == text
    changed = [s.with_column("label", ["X"] * len(s)) for s in items]
    assert written(changed) == text.replace("B-NP", "X").replace("B-VP", "X")


@pytest.mark.parametrize(
    "names",
    [
        {"label": 0, "form": 1},
        {"form": -1, "label": -2},
        ("label", "form"),
        Format("columns", " ", ("label", "form")),
    ],
)
def test_columns_can_be_chosen(names: Names | Format) -> None:
    options = {"format": names} if isinstance(names, Format) else {"columns": names}
    (sentence,) = sentences("A x\nB y\n", **options)
    assert sentence.words() == ["x", "y"]
    assert sentence.column("label") == ["A", "B"]


def test_labels_may_be_absent_where_they_are_to_be_guessed() -> None:
    (sentence,) = sentences("time NN\nflies VBZ\n", columns={"form": 0, "pos": 1, "label": 2})
    assert sentence.names == ("form", "pos")
    with pytest.raises(
        DataError, match=r"^\(stream\):1: no column 'label'; choose one of form, pos, or name"
    ):
        sentence.column("label")
    guessed = sentence.with_column("label", ["B-NP", "B-VP"])
    assert written([guessed]) == "time NN B-NP\nflies VBZ B-VP\n\n"
    (bare,) = sentences("time\nflies\n")
    assert bare.names == ("form",)
    assert written([bare.with_column("label", ["N", "V"])]) == "time\tN\nflies\tV\n\n"


def test_a_word_of_number_signs_is_a_word_and_a_comment_is_a_comment() -> None:
    assert sentences("# NN\n# NN\n")[0].words() == ["#", "#"]
    commented = sentences("# a b c\n#\tNN\n#x\tNN\n")[0]
    assert commented.comments == ["# a b c"]
    assert commented.words() == ["#", "#x"]
    assert commented.place_of(1) == "(stream):3"


def test_runs_of_blanks_and_white_lines() -> None:
    items = sentences("\n  He   PRP \n \t \nit  PRP\n")
    assert [s.rows for s in items] == [[["He", "PRP"]], [["it", "PRP"]]]
    assert [s.place for s in items] == ["(stream):2", "(stream):4"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "a b c\nd e\nf g h\n",
            {},
            "(stream):2: 2 columns where the file has 3; fix the line or pass --skip-bad",
        ),
        (
            "d\na b c\nf g h\n",
            {},
            "(stream):1: 1 column where the file has 3; fix the line or pass --skip-bad",
        ),
        ("a\tB\n\tB\n", {}, "(stream):2: the word (column 0) is empty; fix the line or pass --skip-bad"),
        (
            "a\tB\nb\t\n",
            {"target": "label"},
            "(stream):2: word 'b' has no label; fix the line or pass --skip-bad",
        ),
        ("a\nb\n", {"target": "label"}, "(stream):1: no column 'label' among form; choose another target"),
        ("a B\nb\tx B\nc D\n", {}, "(stream):2: a tab where the file has blanks between columns; fix"),
        ("a\nNew York\n\n", {}, "(stream):2: 2 columns where the file has 1; fix"),
        ("a\tB\n# c\nd\tB\n", {}, "(stream):2: 1 column where the file has 2; fix"),
        ("a\tB\n\n# c\n\n", {}, "(stream):3: comments without words; fix"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(DataError) as caught:
        sentences(text, **options)
    assert str(caught.value).startswith(message)


def test_bad_sentences_are_left_out_and_counted() -> None:
    report = Report()
    text = "a\nb B\nc C\n\nd D\n\ne\nf F\n\ng G\n"
    kept = sentences(text, skip_bad=True, report=report)
    assert [s.words() for s in kept] == [["d"], ["g"]]
    assert (report.bad, [m.split(": ")[0] for m in report.messages]) == (2, ["(stream):1", "(stream):7"])


def test_the_layout_does_not_depend_on_how_much_of_a_pipe_has_arrived() -> None:
    text = "a\n\n" + "b B\n\n" * 9
    with pytest.raises(DataError, match=r"^\(stream\):3: 2 columns where the file has 1"):
        sentences(text)


def test_a_report_keeps_the_first_few_messages() -> None:
    report = Report()
    sentences("a B\n\n" + "c\n\n" * 9, skip_bad=True, report=report)
    assert (report.bad, len(report.messages)) == (9, 5)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"form": 5}, "(stream): form is said to be column 5 but there are 2; count the columns from 0"),
        ({"label": 0}, "(stream): no column is called form; say which holds the words, such as form=0"),
        ({"form": 0, "1": 0}, "(stream): no column is called form"),
        (("form", "form"), "(stream): two columns have one name among form, form; give each its own"),
    ],
)
def test_impossible_names_are_refused(names: Names, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        sentences("a b\n", columns=names)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("separator", "value"),
    [(" ", "a b"), (" ", "a\tb"), (" ", ""), ("\t", "a\tb"), ("\t", "a\nb"), ("\t", "a\rb")],
)
def test_values_that_would_break_the_file_are_refused(separator: str, value: str) -> None:
    sentence = Sentence([["w", value]], Format("columns", separator))
    with pytest.raises(
        DataError, match=r"^\(memory\): label .* which this file cannot hold; change the value"
    ):
        written([sentence])


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(SettingError, match=r"^\(memory\): 1 values for 2 words; give one for each$"):
        Sentence.of(["a", "b"]).with_column("tag", ["X"])
    with pytest.raises(DataError, match="a row of 1 for 2 columns; give each a value"):
        written([Sentence([["w"]], Format("columns"))])
    with pytest.raises(DataError, match="a sentence without words cannot be written"):
        written([Sentence([], Format("columns"))])
    with pytest.raises(DataError, match="nothing but white space"):
        written([Sentence([["\u3000", " "]], Format("columns"))])


def test_text_that_is_no_text_is_refused_and_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "out.tsv"
    path.write_text("old")
    with pytest.raises(DataError, match=r"^\(memory\): '\\ud800' is not text; change the value$"):
        write([Sentence.of(["fine"], ["X"]), Sentence.of(["\ud800"], ["X"])], path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


# Not at the very start: there U+FEFF is the mark of the encoding.
plain = st.characters(exclude_characters="\t\n\r \ufeff", exclude_categories=["Cs"])
word = st.text(plain, min_size=1, max_size=5).filter(lambda text: not text.isspace())


@settings(deadline=None)
@given(st.data(), st.sampled_from(["\t", " "]), st.integers(2, 4))
def test_any_values_survive_a_round_trip(data: st.DataObject, separator: str, width: int) -> None:
    rows = st.lists(st.lists(word, min_size=width, max_size=width), min_size=1, max_size=4)
    names = ("form", *map(str, range(1, width - 1)), "label")
    drawn = data.draw(st.lists(rows, min_size=1, max_size=4))
    items = [Sentence(r, Format("columns", separator, names)) for r in drawn]
    assert sentences(written(items)) == items


DOCUMENTS = (
    "-DOCSTART- -X- O\n\nEU NNP B-ORG\nrejects VBZ O\n\nPeter NNP B-PER\n\n-DOCSTART- -X- O\n\nB NNP O\n\n"
)


def test_the_beginning_of_a_document_is_no_sentence() -> None:
    """-DOCSTART- of CoNLL-2003: nothing to learn from or to predict for, and still there afterwards."""
    found = list(read(io.StringIO(DOCUMENTS), format="columns"))
    assert [each.words() for each in found] == [["EU", "rejects"], ["Peter"], ["B"]]
    assert [each.place_of(0) for each in found] == ["(stream):3", "(stream):6", "(stream):10"]
    out = io.StringIO()
    write((each.with_column("label", ["X"] * len(each)) for each in found), out)
    assert out.getvalue() == DOCUMENTS.replace("B-ORG", "X").replace("B-PER", "X").replace(
        "Z O", "Z X"
    ).replace("B NNP O", "B NNP X")
    # With one more column, with other spacing, without columns of its own, and at the end of the file.
    out = io.StringIO()
    write((each.with_column("more", ["Y"] * len(each)) for each in found), out)
    assert out.getvalue().startswith("-DOCSTART- -X- O\n\nEU NNP B-ORG Y\n")
    for text in (
        "-DOCSTART-\n\na\tb\tX\n\n",
        "-DOCSTART-\na\tb\tX\n\n",
        "-DOCSTART-\n\n-DOCSTART-\na\tb\tX\n\n",
    ):
        (one,) = read(io.StringIO(text), format=Format("columns", "\t", ("form", "pos", "label")))
        assert one.rows == [["a", "b", "X"]]
        out = io.StringIO()
        write([one], out)
        assert out.getvalue() == text
    text = DOCUMENTS + "-DOCSTART- -X- O\n\n"
    assert len(list(read(io.StringIO(text), format="columns"))) == 3
    out = io.StringIO()
    write(read(io.StringIO(text), format="columns", blanks=True), out)
    assert out.getvalue() == text


def test_a_bad_sentence_does_not_take_its_document_with_it() -> None:
    text = DOCUMENTS.replace("EU NNP", "EU").replace("VBZ O", "VBZ O\nit PRP O")
    with pytest.raises(DataError, match=r"^\(stream\):3: 2 columns where the file has 3"):
        list(read(io.StringIO(text), format="columns"))
    out = io.StringIO()
    write(read(io.StringIO(text), format="columns", skip_bad=True), out)
    assert out.getvalue().startswith("-DOCSTART- -X- O\n\nPeter NNP B-PER\n\n-DOCSTART-")
