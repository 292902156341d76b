"""Packed shards in a folder: written once, complete or not at all, and read when they are learned from.

A shard is an archive (`structron.io.model_file.archive`, with its digest) of some examples as the engine
reads them, and of the keys of the features that occur in it first. So opening the shards in order gives all
features the numbers that they had when packed. ``index.json``, written last, shows that nothing is missing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy.typing as npt

from structron.errors import DataError, ModelError
from structron.fit.learning import Learning, Packed
from structron.io.files.atomic_write import WriteLock, remove_parts, write_atomically
from structron.io.files.training_files import Position
from structron.io.model_file.archive import read_archive, write_archive
from structron.model import fault
from structron.task import Corpus, Task, stored

# How far the files have been read, an example, and a function that names its place.
Item = tuple[Position, object, object, Callable[[], str]]
Tell = Callable[[str], None]

FORMAT = 1
"""The version of the shards; shards of another version are packed again."""


class ShardInfo(NamedTuple):
    """The size of a shard, and how far the files had been read when it was full."""

    sentences: int
    tokens: int
    end: Position


@dataclass(frozen=True)
class Store:
    """Shards that are complete.

    Attributes
    ----------
    folder
        The folder of the shards.
    shards
        The size of each shard.
    block
        The number of examples in each shard but the last.
    """

    folder: Path
    shards: tuple[ShardInfo, ...]
    block: int

    @property
    def packed(self) -> Packed:
        """Return the size of the training data."""
        return Packed(sum(each.sentences for each in self.shards), sum(each.tokens for each in self.shards))

    def corpus(self, number: int, learning: Learning[Task]) -> Corpus:
        """Return one shard, as the engine learns from it."""
        try:
            # Its digest was checked when the folder was opened; checking it again costs a twentieth of an
            # epoch.
            _, arrays = read_archive(_path(self.folder, number), verify=False)
            corpus = stored(learning.task.corpus(learning.weights))
            corpus.restore(_values(arrays))
        except (ModelError, ValueError, TypeError, KeyError) as error:
            raise DataError(
                f"{_path(self.folder, number)}: the shard was damaged since it was opened ({fault(error)}); "
                "run the command again with --resume, and it is packed again"
            ) from None
        if corpus.sentences != self.shards[number].sentences:
            raise DataError(f"{_path(self.folder, number)}: another training packs this folder; use another")
        return corpus


def prepare(
    folder: str | Path,
    learning: Learning[Task],
    made_from: Mapping[str, object],
    block: int,
    items: Callable[[Position], Iterator[Item]],
    tell: Tell = lambda sentence: None,
    stage: Callable[[int], None] = lambda sentences: None,
) -> Store:
    """Return the shards of these examples: those in the folder, and the rest packed now.

    Parameters
    ----------
    made_from
        Everything that the shards depend on, as plain data; other shards are packed again.
    items
        Yields the examples after a position.
    tell
        Called with one sentence about shards that exist already.
    stage
        Called from time to time with the number of packed examples.
    """
    place = Path(folder)
    digest = _fingerprint(learning, made_from, block)
    with WriteLock(place / "shards"):
        remove_parts(place / "index.json")
        found = _known(place, learning, digest)
        if _is_whole(place, digest, len(found)):
            return Store(place, tuple(found), block)
        _clear(place, found, tell)
        _pack_rest(place, learning, digest, block, items, found, stage)
        write_atomically(place / "index.json", json.dumps({"made": digest, "shards": len(found)}) + "\n")
    return Store(place, tuple(found), block)


def _fingerprint(learning: Learning[Task], made_from: Mapping[str, object], block: int) -> str:
    """Return sixty-four digits for the data, the task with its templates, and the size of a shard."""
    task = {"kind": learning.task.kind, **learning.task.header()}
    learning.task.corpus(learning.weights)  # features of every corpus have the first numbers
    first = hashlib.sha256(learning.weights.keys_from(0).tobytes()).hexdigest()
    known = {"format": FORMAT, "task": task, "features": first, "block": block, "from": made_from}
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def _pack_rest(
    place: Path,
    learning: Learning[Task],
    digest: str,
    block: int,
    items: Callable[[Position], Iterator[Item]],
    found: list[ShardInfo],
    stage: Callable[[int], None],
) -> None:
    """Pack the examples after the existing shards, a shard at a time."""
    end = found[-1].end if found else Position()
    corpus, first = learning.task.corpus(learning.weights), learning.weights.features
    for position, x, y, where in items(end):
        try:
            corpus.add(x, y)
        except (ValueError, TypeError) as error:
            raise DataError(f"{where()}: {fault(error)}; fix it or leave it out") from None
        end = position
        if corpus.sentences == block:
            first = _write(place, learning, digest, corpus, first, end, found)
            corpus = learning.task.corpus(learning.weights)
            stage(len(found) * block)
    if corpus.sentences:
        _write(place, learning, digest, corpus, first, end, found)


def _write(
    place: Path,
    learning: Learning[Task],
    digest: str,
    corpus: Corpus,
    first: int,
    end: Position,
    found: list[ShardInfo],
) -> int:
    """Write one shard; return the number of features after it."""
    about = ShardInfo(corpus.sentences, corpus.tokens, end)
    arrays = dict(zip(_NAMES, stored(corpus).arrays()))
    arrays["keys"] = learning.weights.keys_from(first)
    header = {"made": digest, "first": first, **about._asdict(), "end": list(end)}
    write_archive(_path(place, len(found)), header, arrays)
    found.append(about)
    return learning.weights.features


def _known(place: Path, learning: Learning[Task], digest: str) -> list[ShardInfo]:
    """Return the first complete shards that are up to date; their features become known."""
    found: list[ShardInfo] = []
    weights = learning.weights
    while _path(place, len(found)).is_file():
        try:
            header, arrays = read_archive(_path(place, len(found)))
            if header["made"] != digest:
                break
            about = ShardInfo(int(header["sentences"]), int(header["tokens"]), Position(*header["end"]))
            if header["first"] != weights.features:
                break
            weights.take_keys(arrays["keys"])
        except (ModelError, ValueError, TypeError, KeyError):
            break
        found.append(about)
    return found


def _is_whole(place: Path, digest: str, shards: int) -> bool:
    try:
        said = json.loads((place / "index.json").read_text(encoding="utf-8"))
        return bool(said["made"] == digest and said["shards"] == shards)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _clear(place: Path, found: list[ShardInfo], tell: Tell) -> None:
    """Remove shards that are out of date, and say so."""
    (place / "index.json").unlink(missing_ok=True)
    stale = [each for each in sorted(place.glob("*.shard")) if each not in _paths(place, len(found))]
    for each in stale:
        each.unlink()
    for number in range(len(found) + 1):
        remove_parts(_path(place, number))
    if found:
        tell(f"{place}: {len(found)} shards are packed already; packing the rest")
    elif stale:
        tell(f"{place}: these shards are of other data, templates or settings; packing new ones")


def _paths(place: Path, count: int) -> set[Path]:
    return {_path(place, number) for number in range(count)}


def _path(place: Path, number: int) -> Path:
    return place / f"{number:06d}.shard"


_NAMES = ("begin", "ids_begin", "ids", "history_keys", "labels")


def _values(arrays: Mapping[str, npt.NDArray[Any]]) -> tuple[npt.NDArray[Any], ...]:
    return tuple(arrays[name] for name in _NAMES)
