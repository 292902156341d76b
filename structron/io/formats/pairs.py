"""Pairs: a source and its targets, such as a word and its pronunciations; read and written one at a time.

tsv
    ``source TAB target``, further fields being further targets that are as good.
counted
    ``source TAB target TAB count``.
cmudict
    ``word PHONE PHONE ...`` with ``word(2)`` for further pronunciations; comments after ``#`` or ``;;;``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from structron.errors import DataError, SettingError
from structron.io.files import detection, streams
from structron.io.files.encoding import Encoding
from structron.io.files.line_parsing import parse_lines
from structron.io.files.reading import Report
from structron.io.files.sentence import FIX
from structron.io.files.streams import Place, plain_name

LOOK = 200


@dataclass(frozen=True, slots=True)
class Pair:
    """A source with its right targets, and its place; its length is that of its source."""

    source: str
    targets: tuple[str, ...]
    file: str = "(memory)"
    line: int = 0

    def __len__(self) -> int:
        return len(self.source)

    @property
    def place(self) -> str:
        """Return ``file:line`` for messages."""
        return f"{self.file}:{self.line}"


def read_pairs(
    place: Place,
    *,
    format: str | None = None,
    bare: bool = False,
    skip_bad: bool = False,
    report: Report | None = None,
    encoding: str | Encoding = "utf-8",
    blanks: bool = False,
) -> Iterator[Pair]:
    """Read the pairs of a file, line by line.

    Parameters
    ----------
    place
        A path, ``-`` for standard input, or an open file; plain or compressed, which is detected.
    format
        ``tsv``, ``counted`` or ``cmudict``; without it the name (``.dict``) and the first lines decide.
    bare
        Whether targets may be missing, as in what is to be predicted: a line without a tab is a source then.
    skip_bad
        Skip lines with errors and count them in `report`; otherwise the first one
        raises DataError.
    report
        Receives the count and the first messages.
    encoding
        The encoding, see `structron.io.read`.
    blanks
        Whether a blank line is an empty source, so that what goes out lines up with what came in.
    """
    if format is not None and format not in FORMATS:
        raise SettingError(f"there is no format {format!r} of pairs; choose {', '.join(FORMATS)}")
    return _read(place, format, bare, skip_bad, report or Report(), encoding, blanks)


def _read(
    place: Place,
    format: str | None,
    bare: bool,
    skip_bad: bool,
    report: Report,
    encoding: str | Encoding,
    blanks: bool,
) -> Iterator[Pair]:
    with streams.reading(place, encoding) as lines:
        # The other end of a pipe may wait for an answer before the next line.
        ahead = lines.peek(LOOK, enough=lambda ahead: bare and bool(ahead))
        name = format or _told(lines.file, ahead, bare)

        def parse(line: str, where: str) -> tuple[str, tuple[str, ...]] | None:
            is_alone = bare and name != "cmudict" and "\t" not in line.rstrip("\t ")
            return (line.strip(" \t"), ()) if is_alone else FORMATS[name](line, where)

        blank: tuple[str, tuple[str, ...]] | None = ("", ()) if blanks else None
        for found, number in parse_lines(lines, parse, skip_bad=skip_bad, report=report, blank=blank):
            yield Pair(*found, lines.file, number)


def _told(file: str, lines: list[str], bare: bool) -> str:
    """Detect the format, by name or first lines."""
    filled = [line for line in lines if line and not line.isspace()]
    if not filled:
        return "tsv"
    detection.check_text(file, filled)
    if detection.is_conllu(filled):
        needed = "words, one a line" if bare else "lines of source TAB target, or CMUdict"
        raise DataError(f"{file}: this is CoNLL-U, not a file of pairs; give {needed}")
    if plain_name(file).endswith(".dict"):
        return "cmudict"
    rows = [line.split("\t") for line in filled]
    if any(len(row) > 1 for row in rows):
        thirds = [row[2] for row in rows if len(row) == 3]
        # A target is hardly ever a number, and then not on every line.
        counted = len(thirds) * 10 >= len(rows) * 9 and all(map(_is_count, thirds))
        return "counted" if counted else "tsv"
    if bare:
        return "tsv"
    if sum(len(line.split()) > 1 for line in filled) * 10 >= len(filled) * 9:
        return "cmudict"
    raise DataError(
        f"{file}: its first lines are not pairs; write source TAB target, or pass --format tsv, counted "
        "or cmudict"
    )


def _is_count(field: str) -> bool:
    return field.strip().isdecimal()


_Found = tuple[str, tuple[str, ...]] | None


def _tsv(line: str, where: str) -> _Found:
    source, *targets = [field.strip(" ") for field in line.split("\t")]
    if not targets:
        raise DataError(f"{where}: one column where source TAB target is needed; {FIX}")
    while len(targets) > 1 and not targets[-1]:
        targets.pop()  # tabs at the end of a line
    if not source or not all(targets):
        raise DataError(f"{where}: the {'target' if source else 'source'} is empty; {FIX}")
    return source, tuple(dict.fromkeys(targets))


def _counted(line: str, where: str) -> _Found:
    fields = line.split("\t")
    if len(fields) != 3 or not _is_count(fields[2]):
        raise DataError(f"{where}: no count in the third of three columns; {FIX}")
    return _tsv("\t".join(fields[:2]), where)


_VARIANT = re.compile(r"(?<=.)\(\d+\)$")


def _cmudict(line: str, where: str) -> _Found:
    if line.startswith(";;;"):
        return None
    # A word may begin with #, or hold one; a comment has a blank before it.
    source, _, rest = line.strip().partition(" ")
    target = " ".join(f" {rest}".partition(" #")[0].split())
    if not target:
        raise DataError(f"{where}: a word without its pronunciation; {FIX}")
    return _VARIANT.sub("", source), (target,)


FORMATS: dict[str, Callable[[str, str], _Found]] = {"tsv": _tsv, "counted": _counted, "cmudict": _cmudict}


def gather(pairs: Iterable[Pair]) -> list[Pair]:
    """Merge pairs with the same source, in the order in which sources first occur.

    Examples
    --------
    >>> gather([Pair("read", ("R IY D",)), Pair("red", ("R EH D",)), Pair("read", ("R EH D",))])[0].targets
    ('R IY D', 'R EH D')
    """
    found: dict[str, Pair] = {}
    for pair in pairs:
        known = found.get(pair.source)
        if known is None:
            found[pair.source] = pair
        elif not set(pair.targets) <= set(known.targets):
            found[pair.source] = replace(known, targets=tuple(dict.fromkeys(known.targets + pair.targets)))
    return list(found.values())


def write_pairs(pairs: Iterable[Pair], place: Place) -> None:
    """Write pairs as ``tsv``; a path gets its new content only when all went well."""
    with streams.writing(place) as put:
        for pair in pairs:
            put(render(pair))


def render(pair: Pair) -> str:
    """Write a pair as in a ``tsv`` file, with its line end."""
    for field in (pair.source, *pair.targets):
        if any(c in field for c in "\t\n\r") or field != field.strip(" "):
            raise DataError(
                f"{pair.place}: {field!r} holds a tab or a line end, or blanks around it, which the file "
                "cannot hold; change it"
            )
    return "\t".join((pair.source, *pair.targets)) + "\n"
