"""Files with the entries of a dictionary: an entry a line, and after tabs the labels that it may have."""

from __future__ import annotations

from structron.errors import DataError
from structron.io.files.encoding import Encoding
from structron.io.files.streams import Place, name_of, reading


def read_entries(place: Place, encoding: str | Encoding = "utf-8") -> dict[str, tuple[str, ...]]:
    """Read entries with their labels; of those that come twice the last line counts."""
    found: dict[str, tuple[str, ...]] = {}
    with reading(place, encoding) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{lines.file}:{number}"
            if number in lines.broken:
                raise DataError(f"{where}: {lines.broken[number]}")
            if not line.strip():
                continue
            entry, *labels = (part.strip() for part in line.rstrip("\r\n").split("\t"))
            if not entry or not all(labels):
                raise DataError(
                    f"{where}: an entry or a label is empty; write the entry, a tab and its label"
                )
            found[" ".join(entry.split())] = tuple(labels)
    if not found:
        raise DataError(f"{name_of(place)}: there are no entries; write one a line")
    return found
