"""Examples that stay in their files: a survey of them in one pass, and their packing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from structron.errors import DataError, SettingError
from structron.fit.data.examples import Examples
from structron.fit.learning import Learning
from structron.fit.recipe import Recipe
from structron.fit.schedules.schedule import Stage
from structron.fit.streaming.store import Item, Store, prepare
from structron.io.files.atomic_write import reason
from structron.io.files.training_files import Files, Position
from structron.model import TaskT

BLOCK = 16_384
"""The number of examples in a shard, unless the recipe sets blocks."""

SourceT = TypeVar("SourceT")
RecipeT = TypeVar("RecipeT", bound=Recipe)


@dataclass(frozen=True)
class Stream:
    """The folder of packed data.

    Parameters
    ----------
    folder
        The folder, created if needed; packed data stay for the next training on the same data.
    tell
        Called with one sentence about shards that exist already.
    """

    folder: Path
    tell: Callable[[str], None] = lambda sentence: None

    @classmethod
    def of(cls, given: Stream | str | Path) -> Stream:
        """Return a stream, which may be given by its folder."""
        return given if isinstance(given, Stream) else cls(Path(given))

    def made(self) -> Path:
        """Create the folder if needed, and return it."""
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise DataError(
                f"{self.folder}: no folder can be made here, {reason(error)}; choose another"
            ) from None
        return self.folder


@dataclass(frozen=True)
class StreamedExamples(Examples[SourceT]):
    """Examples in files; only their number, their checksum and their place are in memory.

    Attributes
    ----------
    files, read
        The files, and the function that reads an example from them.
    digests
        The digests of the files.
    stream
        The folder of packed data.
    sentences, tokens
        The size of the data.
    survey
        The task's survey of them.
    stage
        Called with the progress of packing.
    """

    files: Files = field(default_factory=lambda: Files(()))
    read: Callable[[Files, Position], Iterator[Item]] = lambda files, position: iter(())
    digests: tuple[str, ...] = ()
    stream: Stream = field(default_factory=lambda: Stream(Path()))
    sentences: int = 0
    tokens: int = 0
    survey: Any = None
    stage: Stage | None = None

    @property
    def size(self) -> dict[str, int]:
        """Return the size of the data, for the model's file."""
        return {"sentences": self.sentences, "tokens": self.tokens}

    def store(self, learning: Learning[TaskT]) -> Store:
        """Return the shards of these examples; pack those that are missing."""

        def show(done: int) -> None:
            if self.stage is not None:
                self.stage("packing", done, self.sentences)

        made_from = {"files": list(self.digests), "reading": self.files.reading()}
        return prepare(
            self.stream.folder,
            learning,
            made_from,
            learning.recipe.block_size,
            lambda position: self.read(self.files, position),
            self.stream.tell,
            show,
        )


def files_of(X: object, y: object) -> Files:
    """Return the files that are given instead of examples."""
    if y is not None:
        raise DataError("y cannot be given with stream: files have their labels with them; leave it out")
    if isinstance(X, Files):
        return X
    places = [X] if isinstance(X, str | Path) else list(X) if isinstance(X, Iterable) else [X]
    strange = next((place for place in places if not isinstance(place, str | Path)), None)
    if strange is not None or not places:
        raise DataError(
            f"stream reads files, and X has {type(strange).__name__ if places else 'none'}; "
            "give their names, or structron.io.Files"
        )
    return Files([str(place) for place in places])


def check_streams(recipe: Recipe, cluster: object) -> None:
    """Refuse settings that need all data at once."""
    if getattr(recipe, "dictionary", 0):
        raise SettingError("a dictionary counts words of all data, which a stream does not hold; set it to 0")
    if cluster is not None:  # its workers hold their examples in memory
        return
    if recipe.least_seen > 1:
        raise SettingError("cut counts features of all data, which a stream does not hold; use bits instead")
    if recipe.shards > 1:
        raise SettingError("shards have weights of their own, a stream has one; leave shards or stream out")


def in_blocks(recipe: RecipeT, cluster: object) -> RecipeT:
    """Give the recipe blocks, which become shards; workers of a cluster need none."""
    if recipe.block_size or not hasattr(recipe, "block") or cluster is not None:
        return recipe
    return recipe.but(block=BLOCK)
