"""Atomic writing: a file appears completely or not at all, and has one writer at a time.

The new content goes to a temporary file in the same folder, reaches the disk, and then takes the name.
Whoever reads the file meanwhile sees the old content, and after an error the file is unchanged.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from structron.errors import DataError, StructronError

_LONGEST = 60  # characters of a name that the temporary name repeats; file systems limit names


@contextlib.contextmanager
def atomic_write(
    place: str | os.PathLike[str], fault: type[StructronError] = DataError
) -> Iterator[IO[bytes]]:
    """Open a stream for the new content of a file; links stay links, and permissions stay.

    Parameters
    ----------
    fault
        The error to raise, with the file's name, if it cannot be written.
    """
    import secrets
    import shutil

    file = os.fspath(place)
    path = Path(os.path.realpath(place))
    if path.exists() and not path.is_file():
        # A device or a pipe cannot be replaced, only written to.
        with _opened(path, "wb", file, fault) as stream:
            yield stream
        return
    beside = path.with_name(f"{_stem(path)}{secrets.token_hex(4)}.part")
    try:
        with _opened(beside, "xb", file, fault) as stream:
            yield stream
            stream.flush()
            with _blaming(file, fault):
                os.fsync(stream.fileno())
        with _blaming(file, fault):
            if path.exists():
                shutil.copymode(path, beside)
            beside.replace(path)
    except BaseException:  # Ctrl-C too: leave nothing half-written behind
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    _sync(path.parent)


def write_atomically(place: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a small file completely or not at all."""
    with atomic_write(place) as stream:
        stream.write(content.encode("utf-8") if isinstance(content, str) else content)


def remove_parts(place: str | os.PathLike[str]) -> None:
    """Remove the temporary files of killed writers; no process may be writing the file."""
    import glob

    path = Path(os.path.realpath(place))
    for half in path.parent.glob(f"{glob.escape(_stem(path))}*.part"):
        half.unlink(missing_ok=True)


class WriteLock:
    """The lock that lets one process write a file; it is released when the process ends, even if killed.

    Parameters
    ----------
    place
        The file. Another process that tries to write it gets an error.
    """

    def __init__(self, place: str | os.PathLike[str], fault: type[StructronError] = DataError) -> None:
        path = Path(os.path.realpath(place))
        self._lock = path.with_name(f"{_stem(path)}lock")
        with _blaming(os.fspath(place), fault, "check the folder"):
            self._file = self._held(os.fspath(place), fault)

    def _held(self, file: str, fault: type[StructronError]) -> IO[Any]:
        while True:
            lock = self._lock.open("ab")
            try:
                if not _lock(lock.fileno()):
                    raise fault(
                        f"{file}: another process is writing this file; wait for it, or choose another name"
                    )
                # Its last holder may have removed it between our opening and our locking it.
                with contextlib.suppress(FileNotFoundError):
                    if self._lock.stat().st_ino == os.fstat(lock.fileno()).st_ino:
                        return lock
            except BaseException:
                lock.close()
                raise
            lock.close()

    def __enter__(self) -> WriteLock:
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.unlink(missing_ok=True)
        self._file.close()


def _lock(descriptor: int) -> bool:
    """Take the lock unless another process holds it; succeed on systems without locks."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return True
    return True


def reason(error: OSError) -> str:
    """Return the system's message, to be put into a sentence."""
    return (error.strerror or str(error)).lower()


@contextlib.contextmanager
def _blaming(file: str, fault: type[StructronError], next: str = "choose another place") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise fault(f"{file}: cannot be written, {reason(error)}; {next}") from error


class _Named(io.FileIO):
    """A file whose errors carry its name, so that errors from elsewhere are never taken for its own."""

    def __init__(self, path: Path, mode: str, file: str, fault: type[StructronError]) -> None:
        self._file, self._fault = file, fault
        with _blaming(file, fault, "check the folder"):
            super().__init__(path, mode)

    def write(self, data: Any) -> int:
        with _blaming(self._file, self._fault):
            return super().write(data)


@contextlib.contextmanager
def _opened(path: Path, mode: str, file: str, fault: type[StructronError]) -> Iterator[IO[bytes]]:
    with _Named(path, mode, file, fault) as raw:
        stream = io.BufferedWriter(raw, 1 << 16)
        try:
            yield stream
        except BaseException:
            with contextlib.suppress(Exception):  # report the first error
                stream.close()
            raise
        stream.close()


def _stem(path: Path) -> str:
    """Return the prefix for the names of temporary files beside this file."""
    name = path.name
    if len(name) > _LONGEST:
        name = name[:40] + hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f".{name}."


def _sync(folder: Path) -> None:
    # The new name must reach the disk too; ignore folders that cannot be opened.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
