"""Files: plain and gzip, paths, pipes and open files, read as they come and written whole or not at all."""

import gzip
import io
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import DataError
from structron.io import Report, Sentence, read, write
from structron.io.files.streams import Lines

TEXT = "a\tX\nb\tY\n\nc\tZ\n\n"


def words(source: object, **options: object) -> list[list[str]]:
    return [s.words() for s in read(source, **options)]  # type: ignore[arg-type]


WORDS = [["a", "b"], ["c"]]


@pytest.mark.parametrize("packed", [False, True])
def test_paths_pipes_and_open_files_give_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    data = gzip.compress(TEXT.encode()) if packed else TEXT.encode()
    path = tmp_path / ("x.tsv.gz" if packed else "x.tsv")
    path.write_bytes(data)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert words(path) == words(str(path)) == words(io.BytesIO(data)) == words("-") == WORDS
    with path.open("rb") as file:
        assert words(file) == WORDS


def test_text_files_are_read_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert words(io.StringIO(TEXT)) == WORDS
    monkeypatch.setattr(sys, "stdin", io.StringIO(TEXT))
    assert words("-") == WORDS
    with pytest.raises(DataError, match=r"^\(stream\):1: byte 0xed at position 1 is not UTF-8"):
        words(io.StringIO("\ud800\tX\n"), format="columns")


def test_gzip_of_several_members_and_padding() -> None:
    data = gzip.compress(b"a\tX\nb") + gzip.compress(b"\tY\n\n") + gzip.compress(b"c\tZ\n") + b"\0" * 9
    assert words(io.BytesIO(data)) == WORDS


def test_damaged_gzip_is_told() -> None:
    data = gzip.compress(TEXT.encode())
    with pytest.raises(
        DataError, match=r"^\(stream\): the gzip data ends too early; fetch or make the file again$"
    ):
        words(io.BytesIO(data[:-9]))
    with pytest.raises(
        DataError, match=r"^\(stream\): damaged gzip data \(.*\); fetch or make the file again$"
    ):
        words(io.BytesIO(data[:12] + b"\xff" * 9 + data[21:]))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.tsv: no such file or directory; check the path$"):
        words(tmp_path / "none.tsv")
    with pytest.raises(DataError, match=r"cannot be written, no such file or directory; check the folder$"):
        write([Sentence.of(["a"])], tmp_path / "no" / "folder.txt")


def test_nothing_in_gives_nothing_out(tmp_path: Path) -> None:
    for data in (b"", b"\n \n", b"\xef\xbb\xbf"):
        for name in ("x.tsv", "x.conllu", "x"):
            path = tmp_path / name
            path.write_bytes(data)
            assert words(path) == []


def test_bytes_that_are_not_utf8_are_told_with_their_line() -> None:
    data = b"a\tX\n\ncaf\xe9\tY\n\nd\xc3\xa9\tZ\n"
    with pytest.raises(DataError) as caught:
        words(io.BytesIO(data), format="columns")
    assert str(caught.value) == (
        "(stream):3: byte 0xe9 at position 4 is not UTF-8; "
        "name the file's --encoding, such as latin-1, or pass --skip-bad"
    )
    report = Report()
    assert words(io.BytesIO(data), format="columns", skip_bad=True, report=report) == [["a"], ["dé"]]
    assert report.bad == 1


class Trickle(io.RawIOBase):
    """A pipe that hands over one piece at a time, and remembers how many were asked for."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces
        self.asked = 0

    def read1(self, size: int = -1) -> bytes:
        self.asked += 1
        return self.pieces[self.asked - 1] if self.asked <= len(self.pieces) else b""


def test_sentences_come_out_before_the_pipe_ends() -> None:
    pipe = Trickle([b"a\tX\nb", b"\tY\n\nc", b"\tZ\n", b"\n", b"d\tX\n"])
    stream = read(pipe, format="columns")  # type: ignore[arg-type]
    assert next(stream).words() == ["a", "b"]
    assert pipe.asked == 2
    assert next(stream).words() == ["c"]
    assert pipe.asked == 4


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(1, 7))
def test_lines_do_not_depend_on_how_the_bytes_arrive(data: bytes, size: int) -> None:
    whole = Lines(iter([data]), "x")
    pieces = Lines((data[i : i + size] for i in range(0, len(data), size)), "x")
    assert list(whole) == list(pieces)
    assert whole.broken == pieces.broken


def test_written_files_are_the_same_whenever_they_are_written(tmp_path: Path) -> None:
    items = [Sentence.of(["a", "b"], ["X", "Y"]), Sentence.of(["c"], ["Z"])]
    one, two = tmp_path / "one.tsv.gz", tmp_path / "two.tsv.gz"
    write(items, one)
    write(iter(items), two)
    assert one.read_bytes() == two.read_bytes()
    assert gzip.decompress(one.read_bytes()).decode() == TEXT


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"

    def broken() -> Iterator[Sentence]:
        yield Sentence.of(["a"])
        assert not path.exists()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(broken(), path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_can_be_rewritten_while_it_is_read_and_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(TEXT)
    path.chmod(0o640)
    link = tmp_path / "link.tsv"
    link.symlink_to(path)
    write((s.with_column("label", ["Q"] * len(s)) for s in read(path)), link)
    assert path.read_text() == "a\tQ\nb\tQ\n\nc\tQ\n\n"
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_devices_are_written_to_and_standard_output_too(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write([Sentence.of(["a"])], os.devnull)
    assert Path(os.devnull).is_char_device()
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    write([Sentence.of(["a", "b"])], "-")
    assert out.buffer.getvalue() == b"a b\n"  # type: ignore[attr-defined]
