"""Expansion of names, folders and patterns to files, in the same order everywhere."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from structron.errors import DataError, SettingError
from structron.io.files.sentence import Sentence


def expanded(places: Iterable[str]) -> tuple[str, ...]:
    """Expand names, folders and patterns to files; ``-`` is standard input, and must stand alone.

    A folder is all files in it whose names do not begin with a dot; a pattern has ``*``, ``?`` or ``[`` in
    it, and ``**`` is any folders. What one of these means is sorted by name, part by part, and what was given
    keeps its order.
    """
    given = tuple(places)
    if "-" in given and len(given) > 1:
        raise SettingError("-: standard input cannot be read together with files; give one or the other")
    found: list[str] = []
    for place in given:
        found += [place] if place == "-" else _meant(place)
    seen: dict[str, str] = {}
    for file in found:
        same = seen.setdefault(os.path.realpath(file), file)
        if same is not file:
            raise SettingError(f"{file}: this file is given twice; name it once")
    return tuple(found)


def _meant(place: str) -> list[str]:
    if Path(place).is_dir():
        files = [str(each) for each in Path(place).iterdir() if each.is_file() and each.name[0] != "."]
        what = "there are no files in this folder"
    elif glob.has_magic(place) and not Path(place).exists():
        matching = glob.glob(place, recursive=True)  # noqa: PTH207 - a pattern may begin anywhere
        files = [each for each in matching if Path(each).is_file()]
        what = "no file matches this pattern"
    else:
        return [place]
    if not files:
        raise DataError(f"{place}: {what}; check the path")
    return sorted(files, key=lambda file: Path(file).parts)


def check_alike(items: Sequence[object]) -> None:
    """Refuse sentences of several files that have not the same columns: one model reads them all."""
    first = next((item for item in items if isinstance(item, Sentence)), None)
    for item in items:
        if first is None or not isinstance(item, Sentence) or item.format is first.format:
            continue
        if (item.format.name, item.format.columns) != (first.format.name, first.format.columns):
            here, there = (f"{each.format.name} ({' '.join(each.names)})" for each in (item, first))
            raise DataError(
                f"{item.place}: this file is {here}, and {first.file} is {there}; give files that are alike"
            )
