"""Finished steps of long work, kept in a file so that they are not done again after an interruption.

Jackknifing and aligning come before the first epoch, where a checkpoint knows nothing yet of the training.
Which file they are kept in belongs to the caller's context: what jackknifes or aligns needs no parameter for
it, and where no file was named nothing is kept. A step is known by a digest of all it is made of, so that
one of other data or other settings is never taken for it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from structron.errors import ModelError
from structron.io.files.atomic_write import remove_parts

if TYPE_CHECKING:
    import numpy.typing as npt

Stored: TypeAlias = "dict[str, npt.NDArray[Any]]"

KIND = "drafts"


class Drafts:
    """The file and its contents.

    Parameters
    ----------
    path
        The file; it is written when the first step is kept.
    resume
        Whether to begin with what the file has. Otherwise an older one is removed.
    minutes
        How old the file may be while a step is under way, see `Draft.is_due`.
    on_fault
        Called once with one sentence if the file cannot be written: the work continues all the same.
    """

    def __init__(
        self, path: Path, resume: bool, minutes: float = 5.0, on_fault: Callable[[str], object] | None = None
    ) -> None:
        self.path, self.minutes, self.on_fault = path, minutes, on_fault
        self.steps: dict[str, tuple[dict[str, Any], Stored]] = {}
        self.written = time.monotonic()
        if not resume:
            self.remove()
        elif path.exists():
            self._read()

    def remove(self) -> None:
        """Remove the file, if there is one."""
        with contextlib.suppress(OSError):  # where no file can be, none is
            remove_parts(self.path)
            self.path.unlink(missing_ok=True)

    def write(self) -> None:
        """Write all steps, atomically."""
        from structron.io.model_file.archive import write_archive

        header = {"kind": KIND, "steps": {key: step for key, (step, _) in self.steps.items()}}
        arrays = {f"{key}/{name}": a for key, (_, own) in self.steps.items() for name, a in own.items()}
        try:
            write_archive(self.path, header, arrays)
        except ModelError as error:
            if self.on_fault is not None:
                what = str(error).partition(";")[0]
                self.on_fault(f"{what}; the work continues, but cannot be resumed from here")
            self.on_fault = None
        self.written = time.monotonic()

    def _read(self) -> None:
        from structron.io.model_file.archive import read_archive

        header, arrays = read_archive(self.path)
        steps = header.get("steps")
        if header.get("kind") != KIND or not isinstance(steps, dict):
            raise ModelError(f"{self.path}: this is not what an interrupted training left; remove it")
        for key, step in steps.items():
            begin = f"{key}/"
            own = {name.removeprefix(begin): a for name, a in arrays.items() if name.startswith(begin)}
            self.steps[key] = step, own


_file: ContextVar[Drafts | None] = ContextVar("drafts", default=None)


@contextlib.contextmanager
def kept_in(drafts: Drafts | None) -> Iterator[None]:
    """Keep steps of this block in a file; with None, in the file of the block around it, if there is one."""
    token = _file.set(drafts if drafts is not None else _file.get())
    try:
        yield
    finally:
        _file.reset(token)


class Draft:
    """One step.

    Attributes
    ----------
    header, arrays
        What is known of it, as plain data and arrays; both are empty if nothing is.
    """

    def __init__(self, file: Drafts | None, key: str) -> None:
        self._file, self._key = file, key
        self.header, self.arrays = ({}, {}) if file is None else file.steps.get(key, ({}, {}))

    @property
    def is_due(self) -> bool:
        """Return True if there is a file to write, and it is old."""
        return self._file is not None and time.monotonic() - self._file.written >= 60 * self._file.minutes

    def keep(self, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Replace what is known, and write the file."""
        if self._file is None:
            return
        self.header, self.arrays = dict(header), dict(arrays)
        self._file.steps[self._key] = self.header, self.arrays
        self._file.write()

    def refused(self, why: object) -> ModelError:
        """Return the error for a step that cannot be used."""
        assert self._file is not None, "only a file can be wrong"
        return ModelError(f"{self._file.path}: what it has cannot be used ({why}); remove it")


def draft(name: str, *made_of: object) -> Draft:
    """Return what is known of a step that is made of this: numbers, texts, arrays, and lists of them."""
    file = _file.get()
    return Draft(file, "" if file is None else f"{name}-{_digest(made_of)}")


def _digest(made_of: Iterable[object]) -> str:
    import hashlib
    import platform
    from importlib.metadata import version

    digest = hashlib.sha256(f"{version('structron')} {platform.machine()}".encode())
    for part in made_of:
        if hasattr(part, "tobytes"):
            digest.update(part.tobytes())
        else:
            for each in part if isinstance(part, list) else [part]:
                digest.update(repr(each).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:32]
