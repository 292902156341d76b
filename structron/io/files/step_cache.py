"""A cache for finished steps of long work, so that an interrupted training does not repeat them.

Jackknifing and aligning come before the first epoch, when a checkpoint cannot be written yet. The cache
belongs to the caller's context: the code that jackknifes or aligns needs no parameter for it, and caches
nothing if there is none. A step is found by a digest of its data and settings, so that it never serves
others.
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


class StepCache:
    """The file and its contents.

    Parameters
    ----------
    path
        The file; it is written when the first step is saved.
    resume
        Whether to read the steps of an existing file. Otherwise it is removed.
    minutes
        After how many minutes an unfinished step is saved, see `CachedStep.is_due`.
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
        with contextlib.suppress(OSError):  # a place where no file is possible has none
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
            raise ModelError(f"{self.path}: this is not the file of an interrupted training; remove it")
        for key, step in steps.items():
            begin = f"{key}/"
            own = {name.removeprefix(begin): a for name, a in arrays.items() if name.startswith(begin)}
            self.steps[key] = step, own


_file: ContextVar[StepCache | None] = ContextVar("drafts", default=None)


@contextlib.contextmanager
def caching_in(drafts: StepCache | None) -> Iterator[None]:
    """Cache steps of this block in a file; with None, in the file of the enclosing block, if any."""
    token = _file.set(drafts if drafts is not None else _file.get())
    try:
        yield
    finally:
        _file.reset(token)


class CachedStep:
    """A step that may be in the cache.

    Attributes
    ----------
    header, arrays
        Its saved result, as plain data and arrays; both are empty if there is none.
    """

    def __init__(self, file: StepCache | None, key: str) -> None:
        self._file, self._key = file, key
        self.header, self.arrays = ({}, {}) if file is None else file.steps.get(key, ({}, {}))

    @property
    def is_due(self) -> bool:
        """Return True if there is a file to write, and it is old."""
        return self._file is not None and time.monotonic() - self._file.written >= 60 * self._file.minutes

    def keep(self, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Replace the saved result, and write the file."""
        if self._file is None:
            return
        self.header, self.arrays = dict(header), dict(arrays)
        self._file.steps[self._key] = self.header, self.arrays
        self._file.write()

    def refused(self, why: object) -> ModelError:
        """Return the error for a step that cannot be used."""
        assert self._file is not None, "only a file can be wrong"
        return ModelError(f"{self._file.path}: its contents cannot be used ({why}); remove it")


def cached_step(name: str, *made_of: object) -> CachedStep:
    """Look up a step by name and by its input: numbers, texts, arrays, and lists of them."""
    file = _file.get()
    return CachedStep(file, "" if file is None else f"{name}-{_digest(made_of)}")


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
