"""One sentence a line: words with their tags (word/tag), or words alone.

The tag stands after the last slash, so that ``1/2/cd`` is the word ``1/2``. Tab-separated fields before the
words (file and genre in some copies of the Brown corpus) are kept as the sentence's comments.
"""

from __future__ import annotations

from collections.abc import Sequence

from structron.errors import DataError
from structron.io.files.format import Format
from structron.io.files.sentence import FIX, Sentence
from structron.io.formats.columns import split

TAGGED = Format("slash")
WORDS = Format("slash", columns=("form",))
TEXT = Format("text")


MANY = 20
"""Tokens from which on the tags of a text repeat themselves."""


def looks_tagged(lines: Sequence[str]) -> bool:
    """Return True if these lines are word/tag, and not words that happen to hold slashes (and/or, 1/2,
    paths).

    Nearly every token has a slash, and what follows it looks like tags: written without small letters, or a
    small set of which most members stand behind several words.
    """
    if tagged_share(lines) < 0.8:
        return False
    tokens = [token for line in lines for token in split(line.rpartition("\t")[2], " ")]
    pairs = [token.rpartition("/")[::2] for token in tokens if _is_tagged(token)]
    odd = sum(tag.isdecimal() or "://" in word for word, tag in pairs)
    words: dict[str, set[str]] = {}
    for word, tag in pairs:
        words.setdefault(tag, set()).add(word)
    if odd * 5 > len(pairs):
        return False
    if sum(tag == tag.upper() for _, tag in pairs) * 5 >= len(pairs) * 4:
        return len(pairs) < MANY or len(words) * 2 <= len(pairs)
    shared = sum(len(words[tag]) > 1 for _, tag in pairs)
    return len(pairs) >= MANY and len(words) * 3 <= len(pairs) and shared * 2 >= len(pairs)


def tagged_share(lines: Sequence[str]) -> float:
    """Return the share of tokens that look like word/tag."""
    tokens = [token for line in lines for token in split(line.rpartition("\t")[2], " ")]
    return sum(_is_tagged(token) for token in tokens) / max(len(tokens), 1)


def _is_tagged(token: str) -> bool:
    word, _, tag = token.rpartition("/")
    return bool(word and tag)


def layout(lines: Sequence[str]) -> Format:
    """Choose between words with tags and, for prediction, words alone, by most tokens of the first line."""
    first = [line for line in lines if line and not line.isspace()][:1]
    return TAGGED if tagged_share(first) >= 0.5 else WORDS


def parse(lines: list[str], file: str, line: int, format: Format) -> Sentence:
    """Parse one line into a sentence."""
    fields, tab, words = lines[0].rpartition("\t")
    comments = fields.split("\t") if tab else []
    tokens = split(words, " ")
    if not tokens:
        raise DataError(f"{file}:{line}: no words after the last tab; {FIX}")
    tagged = len(format.columns) == 2
    for number, token in enumerate(tokens, 1):
        if _is_tagged(token) != tagged:
            what = "has no tag, as in word/tag" if tagged else "looks like word/tag where others have no tag"
            then = FIX if tagged else "pass --format text if these are plain words"
            raise DataError(f"{file}:{line}: word {number}, {token!r}, {what}; {then}")
    rows = [token.rsplit("/", 1) for token in tokens] if tagged else [[token] for token in tokens]
    return Sentence(rows, format, comments=comments, file=file, line=line, tokens=rows)


def parse_text(lines: list[str], file: str, line: int, format: Format = TEXT) -> Sentence:
    """Parse a line of plain words into a sentence."""
    rows = [[word] for word in split(lines[0].replace("\t", " "), " ")]
    return Sentence(rows, format, file=file, line=line, tokens=rows)


def render(sentence: Sentence) -> str:
    """Write a sentence as a line with its line end; a sentence without words is a blank line."""
    if not sentence.rows and not sentence.comments:
        return "\n"
    last = len(sentence.format.columns) - 1
    for row in sentence.rows:
        for column, value in enumerate(row):
            # Words without tags may hold slashes only as text, where no tag is expected.
            apart = column == 1 or (last == 0 and sentence.format.name == "slash" and _is_tagged(value))
            if not value or any(c in value for c in " \t\r\n") or (apart and "/" in value):
                name = sentence.names[column]
                raise DataError(
                    f"{sentence.place}: {name} {value!r} is empty or holds a blank, a slash or a line end, "
                    "which a line of words cannot hold; change the value or the format"
                )
    words = " ".join(["/".join(row) for row in sentence.rows])
    if any(c in field for field in sentence.comments for c in "\t\r\n"):
        raise DataError(f"{sentence.place}: a field before the words holds a tab or a line end; change it")
    line = "\t".join([*sentence.comments, words])
    if not words or line.isspace():
        raise DataError(f"{sentence.place}: a sentence without words cannot be written; leave it out")
    return line + "\n"
