"""Files of word clusters (path TAB word TAB count, from Brown clustering), vectors, names and entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from structron.errors import DataError
from structron.io.files.encoding import Encoding
from structron.io.files.streams import Place, name_of, reading, writing

_PATH = re.compile(r"[01]{0,1000}")
_WEIGHT = re.compile(r"weight=\d{1,9}(\.\d{1,9})?", re.ASCII)
_TAKEN = re.compile(r"[\t\n\r]")


def read_clusters(place: Place, encoding: str | Encoding = "utf-8") -> list[tuple[str, str, int]]:
    """Read path, word and count from each line; a line without a count has 0."""
    found: list[tuple[str, str, int]] = []
    seen: dict[str, int] = {}
    for number, line, file in _lines(place, encoding):
        where = f"{file}, line {number}"
        path, *rest = line.split("\t")
        if len(rest) not in (1, 2) or _PATH.fullmatch(path) is None:
            raise DataError(f"{where}: not a path of bits, a word and a count, with tabs between; fix it")
        word, count = rest[0], rest[1] if len(rest) == 2 else "0"
        if not word or not (count.isascii() and count.isdigit() and len(count) < 16):
            raise DataError(f"{where}: {'a count' if word else 'the word'} is missing or wrong; fix it")
        if word in seen:
            raise DataError(f"{where}: word {word!r} has a cluster already, in line {seen[word]}; keep one")
        seen[word] = number
        found.append((path, word, int(count)))
    if not found:
        raise DataError(f"{name_of(place)}: there are no clusters; make some with structron cluster")
    return found


def write_clusters(
    clusters: Iterable[tuple[str, str, int]], place: Place, encoding: str | Encoding = "utf-8"
) -> None:
    """Write one line for each word; skip words with a tab or line end, which the file cannot hold."""
    with writing(place, encoding) as put:
        for path, word, count in clusters:
            if not _TAKEN.search(word):
                put(f"{path}\t{word}\t{count}\n")


def read_vectors(
    place: Place, encoding: str | Encoding = "utf-8"
) -> tuple[list[str], npt.NDArray[np.float32]]:
    """Read words and their vectors from word2vec's text format: a word and its numbers, separated by blanks.

    A first line with how many words and numbers there are may stand before them.
    """
    seen: dict[str, int] = {}
    rows: list[npt.NDArray[np.float32]] = []
    width = 0
    for number, line, file in _lines(place, encoding):
        where = f"{file}, line {number}"
        word, *numbers = line.rstrip(" ").split(" ")
        if number == 1 and len(numbers) == 1 and word.isdigit() and numbers[0].isdigit():
            width = int(numbers[0])
            continue
        width = width or len(numbers)
        if len(numbers) != width or not width:
            raise DataError(
                f"{where}: {len(numbers)} numbers after the word, not {width or 'one or more'}; fix it"
            )
        if word in seen:
            raise DataError(f"{where}: word {word!r} has a vector already, in line {seen[word]}; keep one")
        try:
            row = np.array(numbers, np.float32)
        except ValueError:
            row = np.array([np.nan], np.float32)
        if not np.isfinite(row).all():
            raise DataError(f"{where}: not all fields after the word are numbers; fix it")
        seen[word] = number
        rows.append(row)
    if not rows:
        raise DataError(f"{name_of(place)}: there are no vectors; give a word and its numbers a line")
    return list(seen), np.stack(rows)


def read_gazetteer(place: Place, encoding: str | Encoding = "utf-8") -> list[str]:
    """Read the names of a list, one a line, without repetition, with single blanks between their words."""
    found = dict.fromkeys(" ".join(line.split()) for _, line, _ in _lines(place, encoding))
    if not found:
        raise DataError(f"{name_of(place)}: there are no names in this gazetteer; give one a line")
    return list(found)


def read_entries(
    place: Place, encoding: str | Encoding = "utf-8"
) -> tuple[dict[str, tuple[str, ...]], dict[str, float]]:
    """Read the entries of a dictionary, after tabs their labels, and the weights of those that have one.

    Of equal entries the last line counts.
    """
    found: dict[str, tuple[str, ...]] = {}
    weights: dict[str, float] = {}
    for number, line, file in _lines(place, encoding):
        entry, *labels = (part.strip() for part in line.rstrip("\r\n").split("\t"))
        if not entry or not all(labels):
            raise DataError(
                f"{file}:{number}: an entry or a label is empty; write the entry, a tab and its label"
            )
        entry = " ".join(entry.split())
        weights.pop(entry, None)
        if labels and labels[-1].startswith("weight="):
            weights[entry] = _weight(labels.pop(), f"{file}:{number}")
        found[entry] = tuple(labels)
    if not found:
        raise DataError(f"{name_of(place)}: there are no entries; write one a line")
    return found, weights


def _weight(text: str, where: str) -> float:
    if _WEIGHT.fullmatch(text) is None:
        raise DataError(f"{where}: {text!r} is not a weight; write a number from 0, such as weight=2.5")
    return float(text.removeprefix("weight="))


def _lines(place: Place, encoding: str | Encoding) -> Iterator[tuple[int, str, str]]:
    """Yield the lines that are not empty, with their numbers and the name of the file."""
    with reading(place, encoding) as lines:
        for number, line in enumerate(lines, 1):
            if number in lines.broken:
                raise DataError(f"{lines.file}, line {number}: {lines.broken[number]}")
            if line.strip():
                yield number, line, lines.file
