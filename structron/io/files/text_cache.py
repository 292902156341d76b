"""A cache of results that are computed from raw text, such as clusters: files beside the text.

A second training reads the file instead of computing it again. Its name has a digest of the text and of all
settings, so it never serves another text. If the text's folder is not writable, the file is in the user's
folder for caches.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from structron.errors import DataError, StructronError
from structron.io.files.atomic_write import reason

T = TypeVar("T")
_PIECE = 1 << 20


def cached(
    files: Sequence[str],
    made_of: object,
    ending: str,
    read: Callable[[Path], T],
    make: Callable[[], T],
    write: Callable[[T, Path], object],
) -> T:
    """Read the cached result for a text, or compute it and write it to the cache.

    Parameters
    ----------
    made_of
        Everything else that the result depends on; its `repr` is part of the digest.
    ending
        The ending of the file's name, which says what it contains.
    """
    if any(not Path(file).is_file() for file in files):  # a pipe is read once
        return make()
    name = f"{Path(files[0]).name}.{digest(files, made_of)}.{ending}"
    places = [Path(files[0]).parent / name, cache_folder() / name]
    for place in places:
        with contextlib.suppress(StructronError, OSError, ValueError):
            if place.is_file():
                return read(place)
    made = make()
    for place in places:
        with contextlib.suppress(StructronError, OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            write(made, place)
            break
    return made


def digest(files: Sequence[str], made_of: object) -> str:
    """Return twelve hex digits of a hash of the files and of `made_of`."""
    found = hashlib.sha256(repr(made_of).encode("utf-8", "surrogatepass"))
    for file in files:
        try:
            with Path(file).open("rb") as stream:
                while piece := stream.read(_PIECE):
                    found.update(piece)
        except OSError as error:
            raise DataError(f"{file}: {reason(error)}; check the path") from error
        found.update(b"\0")
    return found.hexdigest()[:12]


def cache_folder() -> Path:
    """Return the user's folder for caches."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "structron"
