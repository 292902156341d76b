"""Compressed files: gzip, xz, bzip2 and Zstandard, recognised by their first bytes and written by their name.

Modules are imported where they are needed: not every Python has them, and few files need them.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from typing import IO, Any, Protocol

from structron.errors import DataError
from structron.io.files.streams import MAGIC

_CHUNK = 1 << 16
_PIECE = 1 << 20  # bytes that are unpacked at a time: a few packed ones may stand for gigabytes
_MEMORY = 1 << 29  # bytes that unpacking xz may need; its own presets need an eighth of them


class _Unpacker(Protocol):
    """A decompressor of one member of a stream, with the interface of bz2 and lzma."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _InSlices:
    """A decompressor that takes small slices of input, around one whose output cannot be limited."""

    def __init__(self, unpacker: Any, slice: int) -> None:
        self._unpacker, self._slice = unpacker, slice
        self._data, self._at = b"", 0  # what it was given, and how far it has come

    @property
    def eof(self) -> bool:
        return bool(self._unpacker.eof)

    @property
    def needs_input(self) -> bool:
        return self._at >= len(self._data)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._unpacker.unused_data) + self._data[self._at :]

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if data:
            self._data, self._at = data, 0
        begin, self._at = self._at, self._at + self._slice
        return bytes(self._unpacker.decompress(self._data[begin : self._at]))


@dataclass(frozen=True)
class Compression:
    """A compression method.

    Attributes
    ----------
    name
        Its name in messages.
    ending
        How names of its files end.
    modules
        The modules that provide it; the first one installed is used.
    advice
        The advice if none is installed.
    """

    name: str
    ending: str
    modules: tuple[str, ...]
    advice: str

    @property
    def magic(self) -> bytes:
        """Return the bytes that its data begin with."""
        return MAGIC[self.ending]

    def module(self, file: str) -> Any:
        """Return the module that does it, or refuse the file."""
        for name in self.modules:
            with contextlib.suppress(ImportError):
                return import_module(name)
        raise DataError(f"{file}: this Python cannot read or write {self.name}; {self.advice}")


_REBUILD = "use a Python that was built with it, or gzip"
GZIP = Compression("gzip", ".gz", ("zlib",), _REBUILD)
XZ = Compression("xz", ".xz", ("lzma",), _REBUILD)
BZIP2 = Compression("bzip2", ".bz2", ("bz2",), _REBUILD)
ZSTD = Compression(
    "zstd",
    ".zst",
    ("compression.zstd", "backports.zstd", "zstandard"),
    "pip install zstandard, or use gzip",
)
ALL = (GZIP, XZ, BZIP2, ZSTD)
_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # what follows BZh and a digit: a block, or the end


def compression_of(head: bytes) -> Compression | None:
    """Return how data are compressed that begin so, or None."""
    if head.startswith(BZIP2.magic):  # which may be a word
        block = head[4:10]
        is_one = head[3:4].isdigit() and len(block) == 6 and block in _BLOCKS
        return BZIP2 if is_one else None
    return next((own for own in ALL if head.startswith(own.magic)), None)


def unpacked(chunks: Iterator[bytes], file: str) -> Iterator[bytes]:
    """Return the same chunks, unpacked if their first bytes say so, whatever the name says."""
    head = b""
    for chunk in chunks:
        head += chunk
        if not _may_become_packed(head):  # a pipe may have no more for now, so do not wait for it
            break
    found, chunks = compression_of(head), chain([head], chunks)
    yield from chunks if found is None else _members(found, chunks, file)


def _may_become_packed(head: bytes) -> bool:
    """Return whether more bytes are needed to tell how data are compressed."""
    if head.startswith(BZIP2.magic):
        return len(head) < 10
    return any(own.magic.startswith(head) for own in ALL)


def first_unpacked(head: bytes, most: int) -> bytes:
    """Unpack the first bytes of a file, as far as they go; at most `most` bytes if it is packed."""
    found = compression_of(head)
    if found is None:
        return head
    parts, size = [], 0
    with contextlib.suppress(DataError):  # reported by the reader, with the file's name
        for part in _members(found, iter([head]), "(first bytes)"):
            parts.append(part)
            size += len(part)
            if size >= most:
                break
    return b"".join(parts)[:most]


def _members(how: Compression, chunks: Iterator[bytes], file: str) -> Iterator[bytes]:
    """Return the unpacked bytes of all members of a stream, which may be several, one after the other."""
    begin, errors = _unpackers(how, file)
    unpack = begin()
    for packed in chunks:
        while packed or not (unpack.eof or unpack.needs_input):
            if unpack.eof:
                packed = packed.lstrip(b"\0")
                if not packed:
                    break
                unpack = begin()
            try:
                plain = unpack.decompress(packed, _PIECE)
            except errors as error:
                raise DataError(
                    f"{file}: damaged {how.name} data ({error}); fetch or make the file again"
                ) from error
            if plain:
                yield plain
            packed = unpack.unused_data if unpack.eof else b""
    if not unpack.eof:
        raise DataError(f"{file}: the {how.name} data ends too early; fetch or make the file again")


def _unpackers(how: Compression, file: str) -> tuple[Callable[[], _Unpacker], tuple[type[Exception], ...]]:
    """Return a function that begins a member, and the errors of damaged data."""
    module = how.module(file)
    if how is GZIP:
        return lambda: _InSlices(module.decompressobj(wbits=31), 1 << 14), (module.error,)
    if how is XZ:
        xz_only = {"format": module.FORMAT_XZ, "memlimit": _MEMORY}
        return lambda: module.LZMADecompressor(**xz_only), (module.LZMAError,)
    if how is BZIP2:
        return module.BZ2Decompressor, (OSError, ValueError, EOFError)
    if module.__name__ == "zstandard":
        return lambda: _InSlices(module.ZstdDecompressor().decompressobj(), 1 << 8), (module.ZstdError,)
    return module.ZstdDecompressor, (module.ZstdError,)


@contextlib.contextmanager
def packed(stream: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """Return the stream, or one that compresses if the name asks for it."""
    how = next((own for own in ALL if name.endswith(own.ending)), None)
    if how is None:
        yield stream
        return
    with _packer(how, stream, name) as packer, io.BufferedWriter(packer, _CHUNK) as buffer:
        yield buffer


def _packer(how: Compression, stream: IO[bytes], file: str) -> Any:
    """Return a stream that packs; nothing in it tells name or time: the same text gives the same bytes."""
    module = how.module(file)
    if how is GZIP:
        import gzip

        return gzip.GzipFile("", "wb", 6, stream, mtime=0)
    if how is XZ:
        return module.LZMAFile(stream, "wb")
    if how is BZIP2:
        return module.BZ2File(stream, "wb")
    if module.__name__ == "zstandard":
        return module.ZstdCompressor().stream_writer(stream, closefd=False)
    return module.ZstdFile(stream, "wb")
