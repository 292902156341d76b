"""The model file: one safetensors file with a JSON header and a digest.

Any safetensors reader can open it. Beyond that format, structron's files begin with a fixed text, so that the
64 digits of the digest stand at a known place::

    <8 bytes: length>{"__metadata__":{"sha256":"<64 digits>","structron":"<JSON>"},<arrays>}<spaces><data>

The digest is the SHA-256 of the whole file with those 64 digits set to ``0``. Arrays are sorted by item size
(widest first, so that each one is aligned without gaps, which safetensors forbids) and then by name; the JSON
is canonical. The same header and arrays therefore always give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from structron import _core
from structron.errors import ModelError
from structron.io.files.atomic_write import atomic_write
from structron.io.model_file.header import (
    BEGIN,
    DIGEST_AT,
    DIGEST_END,
    ITEM_SIZES,
    LONGEST_HEADER,
    FilePath,
    Take,
    check_path,
    cut_short,
    damaged,
    first_line,
    metadata_of,
    parse_header,
    span,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

FORMAT = 1
"""The version of what stands under "structron"; a reader refuses files of a later one."""

_ZEROS = b"0" * 64
_ALIGNMENT = 64  # the data begins on a cache line


def write_archive(path: FilePath, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write one model file, all of it or nothing.

    Whoever reads `path` meanwhile sees the old file whole; see `structron.io.files.atomic_write`.

    Parameters
    ----------
    path
        Where to write. A symbolic link is followed, so that the link stays one.
    header
        Anything JSON can hold; tuples come back as lists, and NaN and infinity are refused.
    arrays
        Names to arrays of booleans, integers or floats of 1 to 8 bytes.
    """
    check_path(path, "save")
    pieces = _seal(*_layout(path, header, arrays))
    _check_target(path, Path(os.path.realpath(path)))
    with atomic_write(path, ModelError) as file:
        for piece in pieces:
            file.write(piece)


def archive_bytes(header: Mapping[str, Any], arrays: Mapping[str, Array], where: str = "the model") -> bytes:
    """Return the bytes that `write_archive` would write; `where` replaces the path in messages."""
    return b"".join(_seal(*_layout(where, header, arrays)))


def read_archive(path: FilePath, *, verify: bool = True) -> tuple[dict[str, Any], dict[str, Array]]:
    """Read a file as `read_views` does, with numpy arrays."""
    header, views = read_views(path, verify=verify)
    return header, as_arrays(views)


def read_archive_bytes(data: bytes, where: str = "the model") -> tuple[dict[str, Any], dict[str, Array]]:
    """Read bytes from `archive_bytes`, with numpy arrays."""
    header, views = read_views_of_bytes(data, where)
    return header, as_arrays(views)


def as_arrays(views: Mapping[str, memoryview]) -> dict[str, Array]:
    """Wrap the same memory in numpy arrays."""
    import numpy as np

    return {name: np.asarray(view) for name, view in views.items()}


def read_views(path: FilePath, *, verify: bool = True) -> tuple[dict[str, Any], dict[str, memoryview]]:
    """Read a model file; return its header and arrays, after every length and the digest were checked.

    The arrays are read-only. Each has memory of its own, so that nothing that happens to the file later can
    change or end what was loaded, and what nobody keeps is freed. Nothing is unpickled or executed. Whatever
    is wrong raises :class:`~structron.errors.ModelError`. Importing numpy takes longer than to predict a
    short text, so they are views of Python's own kind, which engine and numpy read alike.

    Parameters
    ----------
    verify
        Whether to check the digest; whoever has done so before may leave it out.

    Returns
    -------
    header, arrays
        The arguments of :func:`write_archive`.
    """
    with _opened(path) as (file, size):
        return _read(path, size, lambda count: memoryview(file.read(count)), verify=verify)


def read_views_of_bytes(
    data: bytes, where: str = "the model"
) -> tuple[dict[str, Any], dict[str, memoryview]]:
    """Read bytes from `archive_bytes`; copy a buffer that others may change."""
    content, at = memoryview(bytes(data)), 0

    def take(count: int) -> memoryview:
        nonlocal at
        at += count
        return content[at - count : at]

    return _read(where, content.nbytes, take)


def _read(
    path: FilePath, size: int, take: Take, *, verify: bool = True
) -> tuple[dict[str, Any], dict[str, memoryview]]:
    """Read the file in pieces, in order, as the digest needs them."""

    def taken(count: int) -> memoryview:
        piece = take(count)
        if piece.nbytes < count:
            raise ModelError(f"{path}: the file became shorter while it was read; copy it again")
        return piece

    head, entries = parse_header(path, size, taken)
    inner, version = metadata_of(path, head, entries)
    if version > FORMAT:
        # A flipped bit must not send anyone looking for a newer structron.
        _check_digest(path, head, [taken(size - head.nbytes)])
        raise ModelError(
            f"{path}: made by a newer structron (file format {version}, this one reads up to {FORMAT}); "
            "upgrade structron or train the model again"
        )
    pieces = _pieces(path, size, head.nbytes, entries, taken)
    arrays = {name: _array(path, name, piece, entries[name]) for name, piece in pieces.items()}
    if verify:
        _check_digest(path, head, pieces.values())
    header = inner.get("header")
    if inner.keys() != {"format", "header"} or not isinstance(header, dict):
        damaged(path, "its description has the wrong shape")
    return header, arrays


def _check_target(path: FilePath, target: Path) -> None:
    if target.is_dir():
        raise ModelError(f"{path}: this is a directory; name a file in it to write the model to")
    if target.exists() and not target.is_file():
        # Renaming over a device or a pipe would replace it for every program on the machine.
        raise ModelError(f"{path}: this is a device or a pipe, not a file; a model needs a file name")
    if not target.parent.is_dir():
        raise ModelError(f"{path}: there is no directory {target.parent}; make it or choose another")


def _layout(
    path: FilePath, header: Mapping[str, Any], arrays: Mapping[str, Array]
) -> tuple[bytes, list[memoryview]]:
    """Return the whole safetensors header, digest zero, and the arrays in file order as flat bytes."""
    stored = {name: _stored(path, name, array) for name, array in arrays.items()}
    order = sorted(stored, key=lambda name: (-stored[name].itemsize, name))
    entries: dict[str, Any] = {}
    end = 0
    for name in order:
        array = stored[name]
        begin, end = end, end + array.nbytes
        entries[name] = {
            "dtype": _code(array),
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    try:
        inner = _canonical({"format": FORMAT, "header": dict(header)})
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelError(f"{path}: the header does not fit into JSON ({error}); give plain values") from error
    text = BEGIN + _ZEROS + b'","structron":' + _canonical(inner.decode("ascii")) + b"}"
    if entries:
        text += b"," + _canonical(entries)[1:]
    else:
        text += b"}"
    text += b" " * (-(8 + len(text)) % _ALIGNMENT)
    if len(text) > LONGEST_HEADER:
        raise ModelError(
            f"{path}: the header takes {len(text)} bytes and may take {LONGEST_HEADER}; "
            "keep long lists in arrays"
        )
    # `reshape` before `view`: a 0-dimensional array has no bytes axis to view.
    return len(text).to_bytes(8, "little") + text, [
        stored[name].reshape(-1).view("u1").data for name in order
    ]


def _code(array: Array) -> str:
    """Return the name of an array's type in the file."""
    return "BOOL" if array.dtype.kind == "b" else f"{array.dtype.kind.upper()}{8 * array.dtype.itemsize}"


def _stored(path: FilePath, name: str, array: Array) -> Array:
    import numpy as np

    if not name or name == "__metadata__" or not _is_unicode(name):
        raise ModelError(f"{path}: {name!r} cannot name an array; choose another name")
    if _code(array) not in ITEM_SIZES or array.ndim > 32:
        raise ModelError(
            f"{path}: array {name!r} has type {array.dtype} and {array.ndim} dimensions; "
            "give booleans, integers or floats of at most 8 bytes and 32 dimensions"
        )
    return np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


def _canonical(value: Any) -> bytes:
    # Pure ASCII, so that even a lone surrogate in a label survives inside the quoted inner JSON.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def _seal(header: bytes, chunks: list[memoryview]) -> Iterable[bytes | memoryview]:
    digest = hashlib.sha256(header)
    for chunk in chunks:
        digest.update(chunk)
    return [header[:DIGEST_AT], digest.hexdigest().encode("ascii"), header[DIGEST_END:], *chunks]


@contextmanager
def _opened(path: FilePath) -> Iterator[tuple[BinaryIO, int]]:
    """Open a file that is not empty; return it with its size."""
    place = Path(path)
    try:
        # Looked at before it is opened: opening a pipe would wait for ever.
        mode = place.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ModelError(f"{path}: this is a directory; name the model file in it")
        if not stat.S_ISREG(mode):
            raise ModelError(f"{path}: this is a device or a pipe, not a file; save it as a file")
        with place.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                raise ModelError(f"{path}: the file is empty; copy it again or train the model again")
            yield file, size
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ModelError(f"{path}: there is no such file; check the name or train a model first") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError(
            f"{path}: the file cannot be read ({reason}); check its name and permissions"
        ) from error


def _pieces(
    path: FilePath, size: int, data_at: int, entries: dict[str, Any], take: Take
) -> dict[str, memoryview]:
    """Read the bytes of each array in order, and check that together they are all of the data."""
    spans = [(*span(path, name, entry), name) for name, entry in entries.items()]
    promised = max((end for _, end, _ in spans), default=0)
    if data_at + promised > size:
        cut_short(path, size, data_at + promised)
    if data_at + promised < size:
        damaged(path, f"{size - data_at - promised} bytes follow its last array")
    pieces: dict[str, memoryview] = {}
    reached = 0
    for begin, end, name in sorted(spans):
        if begin != reached:
            damaged(path, f"array {name!r} begins at {begin} where {reached} was due")
        if (data_at + begin) % ITEM_SIZES[entries[name]["dtype"]]:
            damaged(path, f"array {name!r} is not aligned")
        pieces[name] = take(end - begin)
        reached = end
    return pieces


def _array(path: FilePath, name: str, piece: memoryview, entry: dict[str, Any]) -> memoryview:
    try:
        return _core.seen_as(piece, entry["dtype"], entry["shape"])
    except (ValueError, OverflowError) as error:  # an empty array with an impossible shape
        damaged(path, f"array {name!r} has an impossible shape: {first_line(error)}")


def _check_digest(path: FilePath, head: memoryview, pieces: Iterable[memoryview]) -> None:
    digest = hashlib.sha256(head[:DIGEST_AT])
    digest.update(_ZEROS)
    digest.update(head[DIGEST_END:])
    for piece in pieces:
        digest.update(piece)
    if head[DIGEST_AT:DIGEST_END].tobytes() != digest.hexdigest().encode("ascii"):
        damaged(path, "its digest does not match its contents")
