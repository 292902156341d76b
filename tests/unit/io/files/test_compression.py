"""Compressed files: recognised by their bytes, written by their name, refused in one sentence."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from structron.errors import DataError
from structron.io import Sentence, read, write
from structron.io.files import compression
from structron.io.files.compression import ALL, Compression, compression_of
from structron.io.files.streams import MAGIC, plain_name
from structron.io.formats.documents import read_documents

TEXT = "a\tX\nb\tY\n\nc\tZ\n\n"
WORDS = [["a", "b"], ["c"]]


def packer_of(how: Compression) -> Callable[[bytes], bytes]:
    """The library's own way to compress; zstd is an extra of older Pythons."""
    if how.name == "zstd":
        try:
            module = how.module("x")
        except DataError:
            pytest.skip("this Python has no zstd")
        if module.__name__ == "zstandard":
            return lambda data: bytes(module.ZstdCompressor().compress(data))
        return lambda data: bytes(module.compress(data))
    return {"gzip": gzip.compress, "xz": lzma.compress, "bzip2": bz2.compress}[how.name]


@pytest.fixture(params=ALL, ids=lambda how: how.name)
def how(request: pytest.FixtureRequest) -> Compression:
    packer_of(request.param)
    return request.param  # type: ignore[no-any-return]


def words(source: Any, **options: Any) -> list[list[str]]:
    return [sentence.words() for sentence in read(source, **options)]


def test_every_ending_has_its_way() -> None:
    assert [how.ending for how in ALL] == list(MAGIC)


def test_files_are_recognised_by_their_bytes_and_their_name(how: Compression, tmp_path: Path) -> None:
    data = packer_of(how)(TEXT.encode())
    for name in (f"x.tsv{how.ending}", f"x.TSV{how.ending.upper()}", "x.tsv"):
        (tmp_path / name).write_bytes(data)
        assert words(tmp_path / name) == WORDS
    assert words(io.BytesIO(data)) == WORDS
    assert compression_of(data) is how and plain_name(f"x.tsv{how.ending}") == "x.tsv"
    many = b"".join(packer_of(how)(part) for part in (b"a\tX\nb", b"\tY\n\nc", b"\tZ\n"))
    assert words(io.BytesIO(many)) == words(io.BytesIO(many + b"\0" * 8)) == WORDS
    assert words(io.BytesIO(packer_of(how)(b""))) == []


def test_what_is_written_is_compressed_and_the_same_each_time(how: Compression, tmp_path: Path) -> None:
    one, two = tmp_path / f"one.tsv{how.ending}", tmp_path / f"two.tsv{how.ending}"
    sentences = [*read(io.BytesIO(TEXT.encode()), format="columns")] * 500
    write(sentences, one)
    write(sentences, two)
    assert one.read_bytes() == two.read_bytes() and len(one.read_bytes()) < 1000
    assert list(read(one)) == sentences
    with pytest.raises(DataError, match=r"cannot stand|cannot hold"):
        write([*sentences, Sentence([["a b", "\n"]], sentences[0].format)], one)
    assert one.read_bytes() == two.read_bytes() and len(list(tmp_path.iterdir())) == 2


def test_damaged_data_are_told(how: Compression) -> None:
    data = packer_of(how)(TEXT.encode() * 50)
    with pytest.raises(DataError, match=rf"^\(stream\): the {how.name} data ends too early; fetch or make"):
        words(io.BytesIO(data[:-5]), format="columns")
    bad = data[:20] + bytes(255 - byte for byte in data[20:30]) + data[30:]
    with pytest.raises(
        DataError, match=rf"^\(stream\): (damaged {how.name} data|the {how.name} data ends too)"
    ):
        words(io.BytesIO(bad), format="columns")


def test_little_is_unpacked_at_a_time(how: Compression) -> None:
    """A hundred million bytes of nothing fit into a few thousand."""
    data = packer_of(how)(bytes(100_000_000))
    sizes = list(map(len, compression.unpacked(iter([data]), "x")))
    assert sum(sizes) == 100_000_000
    assert max(sizes) <= 20_000_000


def test_a_word_is_not_taken_for_a_compressed_file() -> None:
    for text in ("BZh\tX\n", "BZh9 stays\tX\n", "BZ", "(\tX\n", "\x1f\tX\n"):
        assert compression_of(text.encode()) is None
        assert b"".join(compression.unpacked(iter([text.encode()]), "x")) == text.encode()
    # A pipe that has given a line is not asked for more before the line is read.
    asked = []

    def slow() -> Any:
        for part in (b"B\n", b"Zh9\n"):
            asked.append(part)
            yield part

    chunks = compression.unpacked(slow(), "x")
    assert next(chunks) == b"B\n" and asked == [b"B\n"]


def test_without_a_module_the_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(compression, "import_module", missing)
    (tmp_path / "x.tsv").write_bytes(b"\x28\xb5\x2f\xfd....")
    message = r"x\.tsv: this Python cannot read or write zstd; pip install zstandard, or use gzip$"
    with pytest.raises(DataError, match=message):
        words(tmp_path / "x.tsv")
    with pytest.raises(DataError, match=r"y\.zst: this Python cannot read or write zstd; pip install"):
        write([Sentence.of(["a"])], tmp_path / "y.zst")
    assert not (tmp_path / "y.zst").exists()


def test_documents_know_their_format_by_name(how: Compression, tmp_path: Path) -> None:
    path = tmp_path / f"d.csv{how.ending}"
    path.write_bytes(packer_of(how)(b"label,text\nspam,cheap pills\n"))
    assert [each.content for each in read_documents(path)] == ["cheap pills"]
