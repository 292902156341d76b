"""Files as streams of lines, plain or compressed."""

from __future__ import annotations

import contextlib
import io
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any

from structron.errors import DataError
from structron.io.files.atomic_write import atomic_write, reason
from structron.io.files.encoding import Encoding
from structron.progress import report_progress

Place = str | os.PathLike[str] | IO[Any]

_CHUNK = 1 << 16

# By the ending of a name, how compressed data begin; see `structron.io.files.compression`.
MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\0", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}


def name_of(place: Place) -> str:
    """Return the name of a file for messages."""
    if isinstance(place, (str, os.PathLike)):
        return "stdin" if place == "-" else os.fspath(place)
    name = getattr(place, "name", None)
    return name if isinstance(name, str) else "(stream)"


def plain_name(file: str) -> str:
    """Return a file's name without the ending that says how it is compressed.

    Examples
    --------
    >>> plain_name("train.conllu.xz"), plain_name("train.conllu")
    ('train.conllu', 'train.conllu')
    """
    ending = next((each for each in MAGIC if file.lower().endswith(each)), "")
    return file[: len(file) - len(ending)]


@contextlib.contextmanager
def _opened(place: Place, file: str) -> Iterator[IO[Any]]:
    """Open a path or ``-``, or pass on a file that is open."""
    if place == "-" or place is sys.stdin:
        yield getattr(sys.stdin, "buffer", sys.stdin)
    elif isinstance(place, (str, os.PathLike)):
        with contextlib.ExitStack() as stack:
            try:
                stream = stack.enter_context(Path(place).open("rb"))
            except OSError as error:
                raise DataError(f"{file}: {reason(error)}; check the path") from error
            yield stream
    else:
        yield place


@contextlib.contextmanager
def reading(place: Place, encoding: str | Encoding = "utf-8") -> Iterator[Lines]:
    """Open the lines of a file, to be read once; an `Encoding` records how the file begins and ends its
    lines.
    """
    file, encoding = name_of(place), Encoding.of(encoding)
    with _opened(place, file) as stream:
        if _is_text(stream):
            encoding = Encoding()  # somebody has decoded it already
        chunks = _unpacked(_chunks(stream, file), file)
        if encoding.is_wide:
            chunks = _narrowed(chunks, encoding, file)
        yield Lines(chunks, file, encoding)


def decoded(place: Place, encoding: str | Encoding = "utf-8") -> Iterator[str]:
    """Yield the text of a file in pieces, every character unchanged except a byte order mark."""
    file, encoding = name_of(place), Encoding.of(encoding)
    with _opened(place, file) as stream:
        decoder = (Encoding() if _is_text(stream) else encoding).decoder()
        begun = False
        try:
            for chunk in _ended(_unpacked(_chunks(stream, file), file)):
                text = decoder.decode(chunk, not chunk)
                if text and not begun:
                    text, begun = text.removeprefix("\ufeff"), True
                if text:
                    yield text
        except UnicodeError as error:
            raise DataError(f"{file}: not {encoding.name} ({error}); name the right --encoding") from None


def _ended(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks that are not empty, then an empty one."""
    yield from filter(None, chunks)
    yield b""


def _chunks(stream: IO[Any], file: str) -> Iterator[bytes]:
    # read1 hands over what a pipe holds now, so that a slow producer is not waited for.
    read: Callable[[int], bytes | str] = getattr(stream, "read1", stream.read)
    total, done = _size(stream), 0
    try:
        while chunk := read(_CHUNK):
            if total:
                done += len(chunk)
                report_progress(f"reading {file}", min(done, total), total)
            # A lone surrogate is not a text: let it pass here, so that it is reported with its line.
            yield chunk.encode("utf-8", "surrogatepass") if isinstance(chunk, str) else chunk
    except UnicodeDecodeError as error:
        raise DataError(
            f"{file}: not UTF-8 ({error.reason}); open it in binary mode to learn the line"
        ) from error
    except OSError as error:
        raise DataError(f"{file}: {reason(error)}; check the path") from error


def is_idle(place: Place) -> bool:
    """Return whether an open pipe has nothing to read at this moment; a file always has, or is over."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        number = place.fileno()  # type: ignore[union-attr]
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return not select.select([number], [], [], 0)[0]
    return False


def _size(stream: IO[Any]) -> int:
    """Return the bytes of a file; 0 for a pipe, whose length is unknown, and for text."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError, AttributeError):  # no file, or a closed one
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) and not _is_text(stream) else 0


def _narrowed(chunks: Iterator[bytes], encoding: Encoding, file: str) -> Iterator[bytes]:
    """Convert an encoding whose line end is not one byte to UTF-8."""
    decoder = encoding.decoder()
    try:
        for chunk in chunks:
            yield decoder.decode(chunk).encode("utf-8", "surrogatepass")
        yield decoder.decode(b"", True).encode("utf-8", "surrogatepass")
    except UnicodeError as error:
        raise DataError(f"{file}: not {encoding.name} ({error}); name the right --encoding") from None


def _unpacked(chunks: Iterator[bytes], file: str) -> Iterator[bytes]:
    """Return the same chunks, unpacked if their first bytes say so."""
    head = next(filter(None, chunks), b"")
    if head and any(head.startswith(magic) or magic.startswith(head) for magic in MAGIC.values()):
        from structron.io.files.compression import unpacked

        yield from unpacked(chain([head], chunks), file)
        return
    yield head
    yield from chunks


class Lines:
    """Lines without their ends, in order, with look-ahead.

    ``\\r\\n`` ends a line like ``\\n``. A line that is not in the file's encoding comes with replacement
    characters, and `broken` then says what is wrong with it.
    """

    def __init__(self, chunks: Iterator[bytes], file: str, encoding: Encoding | None = None) -> None:
        self.file, self._encoding = file, encoding or Encoding()
        self._name = "utf-8" if self._encoding.is_wide else self._encoding.name
        self.broken: dict[int, str] = {}
        self._count = 0
        self._blocks = self._read(chunks)
        self._ahead: list[str] = []

    def __iter__(self) -> Iterator[str]:
        ahead, self._ahead = self._ahead, []
        yield from ahead
        for block in self._blocks:
            yield from block

    def peek(self, count: int, enough: Callable[[list[str]], bool] = lambda lines: False) -> list[str]:
        """Return the first lines, to be read again later: `count`, or fewer at the end or once `enough` is
        true.
        """
        while len(self._ahead) < count and not enough(self._ahead):
            block = next(self._blocks, None)
            if block is None:
                break
            self._ahead += block
        return self._ahead[:count]

    def _read(self, chunks: Iterator[bytes]) -> Iterator[list[str]]:
        parts: list[bytes] = []
        for chunk in chunks:
            cut = chunk.rfind(b"\n") + 1
            if cut:
                yield self._split(b"".join([*parts, chunk[:cut]]))
                parts = []
            parts.append(chunk[cut:])
        last = b"".join(parts)
        if last:
            yield self._split(last + b"\n")

    def _split(self, block: bytes) -> list[str]:
        if not self._count:
            block = self._encoding.begun(block)
        try:
            text = block.decode(self._name)
        except UnicodeDecodeError:
            text = "\n".join(
                [self._mend(i, line) for i, line in enumerate(block.split(b"\n"), self._count + 1)]
            )
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        lines = text.split("\n")
        lines.pop()  # what follows the last line end
        self._count += len(lines)
        return lines

    def _mend(self, number: int, line: bytes) -> str:
        name = self._name
        try:
            return line.decode(name)
        except UnicodeDecodeError as error:
            byte = line[error.start]
            self.broken[number] = (
                f"byte 0x{byte:02x} at position {error.start + 1} is not {name.upper()}; "
                "name the file's --encoding, such as latin-1, or pass --skip-bad"
            )
            return line.decode(name, "replace")


@contextlib.contextmanager
def writing(place: Place, encoding: str | Encoding = "utf-8") -> Iterator[Callable[[str], object]]:
    """Open a path, ``-`` or an open file and return a function that writes text to it.

    A path gets its new content only when all is written; after an error it is as it was before. With an
    `Encoding` that a reader was given, the text goes out as it came in: line ends, and a mark at the
    beginning.
    """
    encoding = Encoding.of(encoding)
    if place == "-":
        stream = getattr(sys.stdout, "buffer", sys.stdout)
        put = _putter(stream, encoding)

        def put_now(text: str) -> None:
            put(text)
            stream.flush()  # what reads the pipe gets each sentence as soon as it is there

        yield put_now
    elif isinstance(place, (str, os.PathLike)):
        from structron.io.files.compression import packed

        with atomic_write(place) as stream, packed(stream, os.fspath(place)) as binary:
            yield _putter(binary, encoding)
    else:
        yield _putter(place, encoding)


def _is_text(stream: IO[Any]) -> bool:
    return isinstance(stream, io.TextIOBase) or hasattr(stream, "encoding")


def _putter(stream: IO[Any], encoding: Encoding) -> Callable[[str], object]:
    if _is_text(stream):
        return stream.write
    encode = encoding.encoder()
    return lambda text: stream.write(encode(text))
