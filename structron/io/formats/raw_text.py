"""Raw text: the paragraphs of a file with their places, in bounded memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, pairwise

from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.streams import Place

# An empty line ends a paragraph; so do a form feed and the paragraph separator of Unicode.
EMPTY_LINE = re.compile(r"(?:\n[^\S\n]*\n|\r[^\S\r\n]*\r|[\f\u2029])\s*")
_ENDED = re.compile(rf"(?:{EMPTY_LINE.pattern})\Z")
_OTHERS = "\r\f\u2029"
_USUAL = re.compile(r"\n[^\S\n]*\n\s*")  # the same where text has only these; much faster
MOST_CHARACTERS = 1 << 17  # of a paragraph that is taken as one

# Where a text that is too long may be cut, the best places first: the end of a line and of a sentence, the
# end of a sentence before another, the end of a line, a blank.
_CUTS = (
    re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u300d)\]]*[^\S\n]*\n\s*"),
    re.compile(r"[.!?\u2026][\"'\u201d\u2019)\]]*\s+(?=[^\Wa-z_])|[\u3002\uff01\uff1f][\u201d\u300d]*"),
    re.compile(r"\n\s*"),
    re.compile(r"\s+"),
)
_LAST = 8  # a cut is looked for in this part of the longest piece, at its end


@dataclass
class Document:
    """The part of a text handled so far, for numbering its sentences."""

    sentences: int = 0


@dataclass
class Paragraph:
    """A part of a text that ends with an empty line.

    Attributes
    ----------
    text, offset
        Its characters, and how many of the file stand before them.
    document
        The document that it is a part of.
    file
        The file's name.
    sentences, tokens
        How many were found in it.
    continues
        Whether no empty line stands before it: the paragraph was too long, and begins in an earlier part.
    """

    text: str
    offset: int
    document: Document
    file: str
    sentences: int = field(default=0, compare=False)
    tokens: int = field(default=0, compare=False)
    continues: bool = False

    def __len__(self) -> int:
        return self.tokens


def paragraphs(text: str, most: int = MOST_CHARACTERS) -> list[tuple[int, int]]:
    """Return the begin and end of each paragraph; cut a very long one, between sentences if possible."""
    if len(text) <= most and "\n" not in text and EMPTY_LINE.search(text) is None:
        return [(0, len(text))] if text else []
    found = []
    begin = 0
    pattern = EMPTY_LINE if any(other in text for other in _OTHERS) else _USUAL
    for line in [*pattern.finditer(text), None]:
        end = len(text) if line is None else line.start()
        while end - begin > most:
            at = _cut(text, begin, begin + most)
            found.append((begin, at))
            begin = at
        if end > begin:
            found.append((begin, end))
        begin = end if line is None else line.end()
    return found


def _cut(text: str, begin: int, end: int) -> int:
    """Return where to cut a text that is too long: behind the last good place near its end, or at its end."""
    for pattern in _CUTS:
        found = list(pattern.finditer(text, end - (end - begin) // _LAST, end))
        if found and found[-1].end() > begin:
            return found[-1].end()
    return end


def begins_paragraph(text: str, at: int) -> bool:
    """Return True if an empty line stands before this place, or nothing but white space."""
    before = at
    while before and text[before - 1].isspace():
        before -= 1
    return not before or EMPTY_LINE.search(text, before, at) is not None


def read_text(place: Place, encoding: str | Encoding = "utf-8") -> Iterator[Paragraph]:
    """Yield the paragraphs of a file with the white space after them, each as soon as the next one begins.

    Of a pipe that pauses after an empty line, the paragraph before it goes out at once.
    Offsets count characters, line ends as they are in the file. What is longer than `MOST_CHARACTERS` without
    an empty line goes out in parts, cut between sentences as far as can be seen, so that no more is held.
    """
    document, file, offset, held, continues = Document(), streams.name_of(place), 0, "", False
    for piece in chain(streams.decoded(place, encoding), [""]):
        held += piece
        begins = [begin for begin, _ in paragraphs(held)]
        if begins and (not piece or (_ENDED.search(held) and streams.is_idle(place))):
            begins.append(len(held))  # who writes a pipe may wait for our answer
        for begin, end in pairwise(begins):
            yield Paragraph(held[begin:end], offset + begin, document, file, continues=continues)
            continues = not begins_paragraph(held, end)
        done = begins[-1] if begins else 0
        held, offset = held[done:], offset + done
