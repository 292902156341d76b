"""The format is told by name and content, and where they leave a doubt nobody guesses."""

import io
from pathlib import Path

import pytest

from structron.errors import DataError, SettingError
from structron.io import Sentence, read, write
from structron.io.files.detection import is_text

CONLLU = "# c\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
TABS = "a\tX\nb\tY\n\n"
BLANKS = "a X\nb Y\n\nc Z\n\n"
SLASH = "a/X b/Y\nc/Z\n"


def test_sentences_are_told_from_what_has_tags_columns_or_sounds() -> None:
    text = ["a man sleeps .", "", "two dogs", "the man and the dog run"]
    assert is_text(text)
    for other in (
        ["a/DT man/NN", "dogs/NNS", "the/DT dog/NN runs/VBZ"],
        ["a\tDT", "man\tNN and"],
        ["a DT", "man NN", "", "dogs NNS"],
        ["HELLO  HH AH0 L OW1", "WORLD  W ER1 L D", "A  AH0"],
        ["one", "word", "a line and", "no", "more"],
        ["a man", "\0 b c"],
        ["", " "],
        [],
    ):
        assert not is_text(other), other


def sniffed(name: str, text: str, tmp_path: Path) -> str:
    path = tmp_path / name
    path.write_text(text)
    return next(read(path)).format.name


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("x.conllu", CONLLU, "conllu"),
        ("x.conll", CONLLU, "conllu"),
        ("x.txt", CONLLU, "conllu"),
        ("x.tsv", TABS, "columns"),
        ("x.txt", TABS, "columns"),
        ("x", TABS.strip(), "columns"),
        ("x.txt", BLANKS, "columns"),
        ("x.iob", "a X\nb Y\n", "columns"),
        ("x.conll", "a\nb\n", "columns"),
        ("x", "a\nb\n\nc\n", "columns"),
        ("x.tsv", "# id = 1\n" + TABS, "columns"),
        ("x.txt", SLASH, "slash"),
        ("x.tsv", "f\tg\ta/X b/Y\nf\tg\tc/Z\n", "slash"),
        ("x.tsv", "a\tS/NP\nb\tNP/N\n\n", "columns"),
    ],
)
def test_formats_are_told_apart(name: str, text: str, format: str, tmp_path: Path) -> None:
    assert sniffed(name, text, tmp_path) == format


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.txt", "good morning\ngood night\n"),
        ("x.txt", "the dog barks\nit sleeps\n"),
        ("x.txt", "the dog barks\nit sleeps\n\nthe end\n"),
        ("x", "word\n"),
        ("x.txt", "a/X\nb/Y\n"),
        ("x.txt", "a/X\nb/Y\n\nc/X\n"),
        ("x.tsv", "f\ta/X\nf\tb/Y\n"),
        ("x.tsv", "word\tw o r d\nfly\tf l y\n"),
        ("x.txt", "a b c\td e f\ng h\ti j\n"),
    ],
)
def test_a_doubt_is_an_error_that_names_the_option(name: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        sniffed(name, text, tmp_path)
    assert str(caught.value) == (
        f"{tmp_path / name}: its first lines do not show the format; "
        "pass --format conllu, columns, slash or text"
    )


BROWN = "the/at dog/nn saw/vbd a/at cat/nn ./.\na/at man/nn ran/vbd to/in the/at sea/nn ./.\n" * 2


@pytest.mark.parametrize(
    ("text", "tagged"),
    [
        ("I/PRP saw/VBD her/PRP$ duck/NN\n", True),
        (BROWN, True),
        ("and/or he/she\n", False),
        ("and/or he/she his/her\n" * 20, False),
        ("1/2 3/4 1/4\n", False),
        ("http://a.b/C http://d.e/F\n", False),
        ("TCP/IP I/O CD/DVD A/C AND/OR N/A\n" * 1, True),  # too little to tell; --format text says so
    ],
)
def test_slashes_are_tags_only_where_they_look_like_it(text: str, tagged: bool) -> None:
    from structron.io.formats.slash import looks_tagged

    assert looks_tagged(text.splitlines()) == tagged


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_a_ragged_row_that_leaves_a_doubt_is_told_by_its_line(blank: str, tmp_path: Path) -> None:
    text = "the DT B\ndog NN I\n\nit PRP\nsleeps VBZ O\n".replace(" ", blank)
    with pytest.raises(DataError) as caught:
        sniffed("x.txt", text, tmp_path)
    assert str(caught.value) == (
        f"{tmp_path / 'x.txt'}:4: 2 columns where most first lines have 3, so the format is not clear; "
        "fix it, or pass --format conllu, columns, slash or text"
    )


def test_a_bad_line_does_not_change_the_format() -> None:
    slash = "a/X b/Y c/Z d/X\na/X b c/Z\n"
    with pytest.raises(DataError, match=r"^\(stream\):2: word 2, 'b', has no tag"):
        list(read(io.StringIO(slash)))
    conllu = CONLLU * 4 + CONLLU.replace("\troot", "")
    with pytest.raises(DataError, match=r"^\(stream\):14: 9 columns instead of 10"):
        list(read(io.StringIO(conllu)))
    with pytest.raises(DataError, match=r"^\(stream\):32: 1 column where the file has 2"):
        list(read(io.StringIO(BLANKS * 6 + "c C\nd\n\n")))


def test_unknown_formats_and_needless_names_are_refused_at_once() -> None:
    with pytest.raises(
        SettingError, match="unknown format 'xml'; choose one of conllu, columns, slash, text"
    ):
        read("-", format="xml")
    with pytest.raises(SettingError, match="format conllu has its own columns; name columns only with"):
        read("-", format="conllu", columns={"form": 0})
    with pytest.raises(
        SettingError, match="is read as conllu, whose columns have names; pass --format columns"
    ):
        list(read(io.StringIO(CONLLU), columns={"form": 0}))


def test_sentences_can_change_their_format() -> None:
    def written(format: str, *items: Sentence) -> str:
        out = io.StringIO()
        write(items, out, format=format)
        return out.getvalue()

    (sentence,) = read(io.StringIO(CONLLU))
    assert written("conllu", sentence) == CONLLU
    assert written("slash", sentence) == "a/X\n"
    assert written("columns", sentence) == "a\tX\n\n"
    assert written("text", sentence) == "a\n"
    made = Sentence.of(["a"], ["X"])
    assert written("conllu", made) == "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n"
    with pytest.raises(
        DataError, match=r"^\(memory\): no column 'tag' for format slash; the columns are form: name"
    ):
        written("slash", Sentence.of(["a"]))
