"""Pairs from files: every format, every fault told by its line, and what is written is read back."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import DataError, SettingError
from structron.io import Notation, Pair, Report, gather, read_pairs, write_pairs
from structron.io.formats.aligned_pairs import parse_piece, read_aligned, render_piece, write_aligned


def written(folder: Path, text: str | bytes, name: str = "pairs.tsv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def values(path: Path, **how: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(pair.source, pair.targets) for pair in read_pairs(path, **how)]  # type: ignore[arg-type]


def test_further_fields_are_further_targets(tmp_path: Path) -> None:
    path = written(tmp_path, "READ\tR IY D\tR EH D\nRED\tR EH D\n\na còng\tʔ aː k\n")
    assert values(path) == [("READ", ("R IY D", "R EH D")), ("RED", ("R EH D",)), ("a còng", ("ʔ aː k",))]


def test_a_third_column_of_numbers_is_a_count(tmp_path: Path) -> None:
    path = written(tmp_path, "peck\t펙\t5\ncoca\tコ カ\t1\n")
    assert values(path) == [("peck", ("펙",)), ("coca", ("コ カ",))]
    assert values(path, format="tsv")[0] == ("peck", ("펙", "5"))


def test_cmudict_has_variants_and_comments(tmp_path: Path) -> None:
    text = ";;; a comment\n'bout B AW1 T\nread R IY1 D\nread(2)  R EH1 D # verb\n(2) T UW1\n#hash HH AE1 SH\n"
    path = written(tmp_path, text, "words.dict")
    assert values(path) == [
        ("'bout", ("B AW1 T",)),
        ("read", ("R IY1 D",)),
        ("read", ("R EH1 D",)),
        ("(2)", ("T UW1",)),
        ("#hash", ("HH AE1 SH",)),
    ]
    assert [pair.targets for pair in gather(read_pairs(path))][1] == ("R IY1 D", "R EH1 D")
    assert values(written(tmp_path, text)) == values(path)  # told by its lines


def test_gzip_is_seen(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(b"a\tX\n"), "pairs.tsv.gz")
    assert values(path) == [("a", ("X",))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"a\tX\nb\n", "pairs.tsv:2: one column where source TAB target is needed; fix the line or pass"),
        (b"a\tX\n\tY\n", "pairs.tsv:2: the source is empty; fix"),
        (b"a\tX\nb\t \n", "pairs.tsv:2: the target is empty; fix"),
        (b"a\tX\nb\tY\t\tZ\n", "pairs.tsv:2: the target is empty; fix"),
        (b"a\tX\n\xff\tY\n", "pairs.tsv:2: byte 0xff at position 1 is not UTF-8; name the file"),
        (b"a\tX\t1\n" * 19 + b"b\tY\n", "pairs.tsv:20: no count in the third of three columns; fix"),
        (b"a X\n" * 19 + b"b\n", "pairs.tsv:20: a word without its pronunciation; fix"),
    ],
)
def test_faults_are_told_by_line_and_can_be_skipped(tmp_path: Path, text: bytes, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(DataError) as error:
        list(read_pairs(path))
    assert message in str(error.value)
    report = Report()
    assert len(list(read_pairs(path, skip_bad=True, report=report))) == text.count(b"\n") - 1
    assert report.bad == 1 and message in report.messages[0]


def test_what_is_no_pairs_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="its first lines are not pairs"):
        list(read_pairs(written(tmp_path, "one\ntwo\n")))
    with pytest.raises(SettingError, match="no format 'xml'"):
        read_pairs("-", format="xml")
    assert values(written(tmp_path, "")) == []


def test_targets_may_be_missing_where_they_are_to_be_predicted(tmp_path: Path) -> None:
    path = written(tmp_path, "red\tR EH D\n\na b\n")
    found = [(pair.source, pair.targets, pair.line) for pair in read_pairs(path, bare=True)]
    assert found == [("red", ("R EH D",), 1), ("a b", (), 3)]
    assert values(written(tmp_path, "a b\n"), format="cmudict") == [("a", ("b",))]


texts = (
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1)
    .map(str.strip)
    .filter(bool)
)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3, unique=True))))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, list[str]]]
) -> None:
    path = tmp_path_factory.mktemp("pairs") / "out.tsv"
    write_pairs([Pair(source, tuple(targets)) for source, targets in rows], path)
    assert values(path, format="tsv") == [(source, tuple(targets)) for source, targets in rows]


def test_a_tab_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds a tab"):
        write_pairs([Pair("a\tb", ("X",))], tmp_path / "out.tsv")
    assert not (tmp_path / "out.tsv").exists()


symbols = st.lists(texts, max_size=3).map(tuple)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.lists(texts, min_size=1, max_size=3).map(tuple), symbols), min_size=1))
def test_pieces_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[tuple[tuple[str, ...], tuple[str, ...]]]
) -> None:
    path = tmp_path_factory.mktemp("aligned") / "out.txt"
    write_aligned([pieces], path)
    assert list(read_aligned(path)) == [pieces]


@pytest.mark.parametrize("text", ["a", "a}b}c", "|}b", "a_}b", "}b", "a|}b"])
def test_what_is_no_piece_is_said(text: str) -> None:
    with pytest.raises(DataError, match="is not a piece"):
        parse_piece(text)


def test_a_silent_letter_is_a_piece() -> None:
    assert parse_piece(render_piece((("_", "|"), ()))) == (("_", "|"), ())


def test_notations() -> None:
    assert Notation.inferred(["AH"]).target_way == "characters"
    assert Notation.inferred(["AH", "B AW"]).target_way == "blanks"
    hangul = Notation("decomposed", "decomposed")
    assert len(hangul.symbols_of_source("가감")) == 5
    assert hangul.target(hangul.symbols_of_target("가감")) == "가감"
    with pytest.raises(SettingError, match="'letters'"):
        Notation("letters")
