"""CoNLL-U: ten columns separated by tabs, with comments, multiword ranges (3-4) and empty nodes (8.1)."""

from __future__ import annotations

from structron.errors import DataError
from structron.io.files.format import Format
from structron.io.files.sentence import FIX, Sentence
from structron.io.formats import columns

FORMAT = Format("conllu")
_NUMBERS = [str(i) for i in range(1, 513)]


def parse(lines: list[str], file: str, line: int, format: Format = FORMAT) -> Sentence:
    """Parse these lines into a sentence; the first is number `line` of the file."""
    start = 0
    while start < len(lines) and lines[start][0] == "#":
        start += 1
    comments = lines[:start]
    rows = [text.split("\t") for text in (lines[start:] if start else lines)]
    count = len(rows)
    # The usual sentence is 1, 2, 3, ... and ten columns throughout, which is quickly seen.
    plain = count and [row[0] for row in rows] == _NUMBERS[:count] and [*map(len, rows)].count(10) == count
    if plain and "" not in [row[1] for row in rows]:
        return Sentence(rows, format, comments=comments, file=file, line=line, tokens=rows)
    if not rows:
        raise DataError(f"{file}:{line}: comments without words; {FIX}")
    tokens = _words(rows, file, line + start)
    return Sentence(rows, format, comments=comments, file=file, line=line, tokens=tokens)


def _words(rows: list[list[str]], file: str, line: int) -> list[list[str]]:
    """Return the rows of the syntactic words after checking every id."""
    tokens: list[list[str]] = []
    covered, empties = 0, 0  # the last word inside a range so far; empty nodes since the last word
    opened = ""
    for number, row in enumerate(rows, line):
        wrong = _fields(row)
        head, dash, last = row[0].partition("-")
        major, dot, minor = row[0].partition(".")
        if wrong:
            pass
        elif _is_number(row[0]):
            if len(row[0]) < 10 and int(row[0]) <= len(tokens):
                wrong = f"id {row[0]} a second time, which would give the word two heads; {FIX}"
            elif row[0] != str(len(tokens) + 1):
                wrong = f"id {row[0]} where {len(tokens) + 1} is next; number the words 1, 2, 3, ..."
            tokens.append(row)
            empties = 0
        elif dash and _is_number(head) and _is_number(last):
            if int(head) != len(tokens) + 1:
                wrong = f"range {row[0]} before word {len(tokens) + 1}; put it just before its first word"
            elif int(last) < int(head):
                wrong = f"range {row[0]} ends before it begins; {FIX}"
            elif int(head) <= covered:
                wrong = f"range {row[0]} overlaps range {opened}; {FIX}"
            covered, opened = int(last), row[0]
        elif dot and (major == "0" or _is_number(major)) and _is_number(minor):
            empties += 1
            if row[0] != f"{len(tokens)}.{empties}":
                wrong = f"empty node {row[0]} where {len(tokens)}.{empties} is next; {FIX}"
        elif row[0].startswith("#"):
            wrong = "a comment inside a sentence; put it before the first word"
        else:
            wrong = f"id {row[0]!r} is not a number, a range (3-4) or an empty node (8.1); {FIX}"
        if wrong:
            raise DataError(f"{file}:{number}: {wrong}")
    if covered > len(tokens):
        raise DataError(
            f"{file}:{line}: range {opened} goes beyond the last word, {len(tokens)}; "
            "fix the range or pass --skip-bad"
        )
    if not tokens:
        raise DataError(f"{file}:{line}: a sentence without words; {FIX}")
    return tokens


def _fields(row: list[str]) -> str:
    if row[0].startswith("#"):
        return ""
    if len(row) != 10:
        return f"{len(row)} column{'s' * (len(row) != 1)} instead of 10; separate the columns by single tabs"
    return "" if row[1] else f"word {row[0]} has no form; {FIX}"


def _is_number(text: str) -> bool:
    """Return True for a whole number from 1 on, written the usual way."""
    return text.isascii() and text.isdecimal() and text[0] != "0"


def render(sentence: Sentence) -> str:
    """Write a sentence with its blank line."""
    for comment in sentence.comments:
        if not comment.startswith("#") or "\n" in comment or "\r" in comment:
            raise DataError(
                f"{sentence.place}: {comment!r} is not a comment; begin it with # and keep it on one line"
            )
    return "\n".join([*sentence.comments, columns.join(sentence), "", ""])
