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
MOST_CHARACTERS = 1 << 20  # of a paragraph that is taken as one


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
    """

    text: str
    offset: int
    document: Document
    file: str
    sentences: int = field(default=0, compare=False)
    tokens: int = field(default=0, compare=False)

    def __len__(self) -> int:
        return self.tokens


def paragraphs(text: str, most: int = MOST_CHARACTERS) -> list[tuple[int, int]]:
    """Return the begin and end of each paragraph; cut a very long one, at white space if possible."""
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
    """Return where to cut a text that is too long: after its last white space, or at its end."""
    blank = max(text.rfind(" ", begin, end), text.rfind("\n", begin, end))
    return blank + 1 if blank > begin else end


def read_text(place: Place, encoding: str | Encoding = "utf-8") -> Iterator[Paragraph]:
    """Yield the paragraphs of a file with the white space after them, each as soon as the next one begins.

    Of a pipe that pauses after an empty line, the paragraph before it goes out at once.
    Offsets count characters, line ends as they are in the file. What is longer than `MOST_CHARACTERS` without
    an empty line goes out in parts, so that no more is held than that.
    """
    document, file, offset, held = Document(), streams.name_of(place), 0, ""
    for piece in chain(streams.decoded(place, encoding), [""]):
        held += piece
        begins = [begin for begin, _ in paragraphs(held)]
        if begins and (not piece or (_ENDED.search(held) and streams.is_idle(place))):
            begins.append(len(held))  # who writes a pipe may wait for our answer
        for begin, end in pairwise(begins):
            yield Paragraph(held[begin:end], offset + begin, document, file)
        done = begins[-1] if begins else 0
        held, offset = held[done:], offset + done
