"""What was made of a text is kept beside it, so that a second training does not make it again.

The name of a kept file has a digest of the text and of what was asked for: it never serves another text.
Where nothing can be written beside the text, it is kept in the user's folder for caches.
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


def kept(
    files: Sequence[str],
    made_of: object,
    ending: str,
    read: Callable[[Path], T],
    make: Callable[[], T],
    write: Callable[[T, Path], object],
) -> T:
    """Return what was made of a text before, or make it and keep it.

    Parameters
    ----------
    made_of
        What else it depends on; its `repr` counts.
    ending
        The end of the file's name, which says what is in it.
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
    """Return twelve hex digits of the contents of files, and of what else counts."""
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
    """Return the user's folder for what can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "structron"
