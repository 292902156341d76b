"""Detection of a file's format by its name or first lines; in doubt the user is asked."""

from __future__ import annotations

import re
from collections import Counter

from structron.errors import DataError
from structron.io.files.streams import plain_name
from structron.io.formats.columns import split
from structron.io.formats.slash import looks_tagged, tagged_share

LOOK = 64  # lines looked at
_SOUNDS = re.compile(r"\S+ +[A-Z]{1,3}[0-2]?( [A-Z]{1,3}[0-2]?)* *")
_COLUMNS = (".tsv", ".conll", ".iob", ".iob1", ".iob2", ".bio", ".bioes", ".col", ".cols")


def by_name(file: str) -> str | None:
    """Return the format that the name of a file implies."""
    return "conllu" if plain_name(file).lower().endswith(".conllu") else None


def by_lines(file: str, lines: list[str]) -> str | None:
    """Detect the format from the first lines; None if they are empty."""
    filled = [line for line in lines if line and not line.isspace()]
    if not filled:
        return None
    check_text(file, filled)
    if is_conllu(filled):
        return "conllu"
    tagged = tagged_share(filled) >= 0.8
    if looks_tagged(filled) and any(" " in line.rpartition("\t")[2].strip(" ") for line in filled):
        return "slash"
    named = plain_name(file).lower().endswith(_COLUMNS)
    # Sentences of one word/tag each look like rows of which the last field has a slash.
    doubtful = tagged and not ("\t" in filled[-1] and _has_groups(lines))
    if not doubtful and not _phrases(filled) and (named or _are_columns(lines)):
        return "columns"
    ask = "pass --format conllu, columns, slash or text"
    if not doubtful and (odd := _ragged(lines)):
        number, found, usual = odd
        raise DataError(
            f"{file}:{number}: {found} column{'s' * (found != 1)} where most first lines have {usual}, "
            f"so the format is not clear; fix it, or {ask}"
        )
    raise DataError(f"{file}: its first lines do not show the format; {ask}")


def is_text(lines: list[str]) -> bool:
    """Return True if these are plainly sentences: no tags, no columns, no pairs.

    Words stand between blanks, most lines have several, and not all equally many. Pronunciations after a
    word, as in CMUdict, are no sentences.
    """
    filled = [line for line in lines if line and not line.isspace()]
    counts = [len(split(line, " ")) for line in filled]
    if not filled or any("\t" in line or "\0" in line for line in filled) or _steady(counts):
        return False
    sounds = sum(_SOUNDS.fullmatch(line) is not None for line in filled)
    several = sum(count > 1 for count in counts)
    return several * 2 >= len(filled) and sounds * 5 < len(filled) * 4 and tagged_share(filled) < 0.5


def check_text(file: str, lines: list[str]) -> None:
    """Refuse a binary file, such as a model, before its bytes are read as words."""
    if any("\0" in line for line in lines):
        raise DataError(f"{file}: this is binary data, not text; give a text file, or name its --encoding")


def is_conllu(filled: list[str]) -> bool:
    """Return True if these lines, none of them blank, are CoNLL-U."""
    rows = [line for line in filled if line[0] != "#"] or filled
    # Four of five and the like, so that a bad line is reported as such and not taken for another format.
    tens = sum(line.count("\t") == 9 for line in rows)
    return tens * 5 >= len(rows) * 4 and rows[0].startswith(("1\t", "1-", "0.1\t"))


def _ragged(lines: list[str]) -> tuple[int, int, int] | None:
    """Return the first row that differs from most: its number, its columns, and theirs; None if lines are no
    rows.
    """
    if not _has_groups(lines):
        return None
    separator = "\t" if any("\t" in line for line in lines) else " "
    counts = {
        i: len(split(line, separator)) for i, line in enumerate(lines, 1) if line and not line.isspace()
    }
    usual, times = Counter(counts.values()).most_common(1)[0]
    if usual == 1 or times * 4 < len(counts) * 3:
        return None
    return next(((i, found, usual) for i, found in counts.items() if found != usual), None)


def _has_groups(lines: list[str]) -> bool:
    """Return True if lines follow each other and a blank line comes after them."""
    blank = [not line or line.isspace() for line in lines]
    inside = [i for i in range(1, len(lines)) if not blank[i] and not blank[i - 1]]
    return bool(inside) and any(blank[inside[0] :])


def _phrases(filled: list[str]) -> bool:
    """Return True if fields between tabs often hold several words: the lines are pairs of texts."""
    fields = [field for line in filled if "\t" in line for field in line.split("\t")]
    return sum(" " in field for field in fields) * 5 > len(fields)


def _are_columns(lines: list[str]) -> bool:
    """Return True if each line is plainly one token.

    Between blanks, sentences of two words look like rows of two columns: only blank lines between groups of
    lines tell them apart. Tabs on every line do.
    """
    filled = [line for line in lines if line and not line.isspace()]
    tabs = [line.count("\t") for line in filled if "\t" in line]
    if tabs:
        # Comments have no tabs and do not count.
        return len(tabs) * 5 >= sum("\t" in x or x[0] != "#" for x in filled) * 4 and _steady(tabs)
    return _has_groups(lines) and _steady([len(split(line, " ")) for line in filled])


def _steady(counts: list[int]) -> bool:
    """Return True if nearly all counts are equal (a ragged row is then reported with its line)."""
    return Counter(counts).most_common(1)[0][1] * 10 >= len(counts) * 9
