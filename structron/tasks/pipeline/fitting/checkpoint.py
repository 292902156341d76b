"""Checkpoints of a pipeline's training: finished stages, which are never trained again."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from structron.engine.texts import pack_sequences, unpack_sequences
from structron.errors import ModelError, SettingError
from structron.fit import Checkpoint
from structron.io.files.atomic_write import remove_parts
from structron.io.formats.clusters import read_clusters
from structron.io.model_file.archive import read_archive, write_archive
from structron.model import Model
from structron.tasks.pipeline.columns import Column, checksum_of
from structron.tasks.pipeline.names.data import checksum_of_names
from structron.tasks.pipeline.settings import FIRST_WORDS

if TYPE_CHECKING:
    from structron.io import Sentence
    from structron.task import Task
    from structron.tasks.pipeline.estimator import Pipeline
    from structron.tasks.pipeline.names.data import Item

KIND = "pipeline checkpoint"


def origin_of(
    pipeline: Pipeline,
    wanted: Sequence[str],
    train: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    names: Sequence[Item],
) -> dict[str, object]:
    """Return the settings and data on which the model depends."""
    return {
        "stages": " ".join(wanted),
        "settings": FIRST_WORDS[pipeline.preferred],
        "folds": pipeline.folds,
        "seed": pipeline.seed,
        "clusters": clusters_checksum(pipeline.clusters),
        "text": None if str(pipeline.text) == "none" else str(pipeline.text),
        "training data": checksum_of(train),
        "development data": None if dev is None else checksum_of(dev),
        "names": checksum_of_names(names) if names else None,
        **({"partial": True} if pipeline.partial else {}),
        "version": version("structron"),
        "machine": platform.machine(),
    }


def clusters_checksum(file: str) -> str | None:
    """Return the checksum of the clusters that are looked at; None if there are none."""
    if str(file) == "none":
        return None
    return hashlib.sha256(repr(read_clusters(file)).encode()).hexdigest()[:12]


class PipelineCheckpoint:
    """Finished models and columns by name; each new one is written at once.

    Parameters
    ----------
    path
        The file; None writes nothing.
    origin
        The data and settings of the training; a file with different ones is refused.
    resume
        Begin with the contents of the file.
    minutes
        The interval at which an unfinished stage is written to a file of its own.
    on_fault
        Called with a message if the file cannot be written; training continues.
    """

    def __init__(
        self,
        path: Path | None,
        origin: Mapping[str, object],
        resume: bool,
        minutes: float = 5.0,
        on_fault: Callable[[str], object] | None = None,
    ) -> None:
        self.path, self.origin, self.resume, self.minutes = path, dict(origin), resume, minutes
        self.on_fault = on_fault
        self.models: dict[str, Model[Task]] = {}
        self.columns: dict[str, Column] = {}
        if path is not None and resume and path.exists():
            self._read(path)

    @classmethod
    def of(
        cls, checkpoint: Checkpoint | str | Path | None, origin: Mapping[str, object], resume: bool
    ) -> PipelineCheckpoint:
        """Return the checkpoint in a file, with the intervals of another; without a file it keeps nothing."""
        if checkpoint is None:
            return cls(None, origin, resume)
        file = checkpoint if isinstance(checkpoint, Checkpoint) else Checkpoint(checkpoint)
        return cls(file.path, origin, resume, file.minutes, file.on_fault)

    def model(self, name: str, learn: Callable[[], Model[Any]]) -> Model[Any]:
        """Return the model of that name; train it if it is missing."""
        if name not in self.models:
            self.models[name] = learn()
            self._write()
            if inner := self.inner(name):
                inner.remove()
        return self.models[name]

    def column(self, name: str, predict: Callable[[], Column]) -> Column:
        """Return the column of that name; predict it if it is missing."""
        if name not in self.columns:
            self.columns[name] = predict()
            self._write()
        return self.columns[name]

    def inner(self, name: str) -> Checkpoint | None:
        """Return the checkpoint of an unfinished stage, for its own estimator."""
        if self.path is None:
            return None
        options = {} if self.on_fault is None else {"on_fault": self.on_fault}
        return Checkpoint(f"{self.path}.{name}", self.minutes, **options)

    def remove(self) -> None:
        """Remove the files when training has finished."""
        if self.path is not None:
            remove_parts(self.path)
            self.path.unlink(missing_ok=True)

    def _write(self) -> None:
        if self.path is None:
            return
        header: dict[str, Any] = {"kind": KIND, "origin": self.origin, "models": {}}
        header["columns"] = sorted(self.columns)
        arrays: dict[str, Any] = {}
        for name, model in self.models.items():
            header["models"][name], own = model.stored()
            arrays |= {f"model/{name}/{array}": values for array, values in own.items()}
        for name, column in self.columns.items():
            arrays |= pack_sequences(f"column/{name}", column)
        try:
            write_archive(self.path, header, arrays)
        except ModelError as error:
            # A full disk must not end the training.
            if self.on_fault is not None:
                self.on_fault(f"{str(error).partition(';')[0]}; training continues, but cannot be resumed")

    def _read(self, path: Path) -> None:
        header, arrays = read_archive(path)
        if header.get("kind") != KIND:
            raise ModelError(f"{path}: this is not a checkpoint of a pipeline; rename it or the model")
        then = header.get("origin")
        if then != self.origin:
            was = then if isinstance(then, dict) else {}
            differing = [name for name, value in self.origin.items() if was.get(name) != value]
            raise SettingError(
                f"{path}: the checkpoint was made with other {', '.join(differing) or 'settings'}; use "
                "the same, or start again (--restart)"
            )
        try:
            for name, inner in dict(header["models"]).items():
                begin = f"model/{name}/"
                own = {key.removeprefix(begin): v for key, v in arrays.items() if key.startswith(begin)}
                self.models[name] = Model.restored(inner, own)
            for name in list(header["columns"]):
                self.columns[name] = [list(each) for each in unpack_sequences(arrays, f"column/{name}")]
        except (KeyError, TypeError, ValueError, AttributeError, ModelError, SettingError) as error:
            raise ModelError(f"{path}: the checkpoint cannot be used ({error}); remove it") from None
