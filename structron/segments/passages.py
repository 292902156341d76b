"""Training data of segmenters: passages of text with their tokens, made from a treebank."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from structron.errors import DataError
from structron.fit.data.inputs import check_ordered
from structron.io import Sentence
from structron.io.formats.raw_text import EMPTY_LINE, paragraphs
from structron.segments.boundaries import MULTIWORD, SENTENCE, SomeTokens, Token

Words = dict[int, tuple[str, ...]]  # of the multiword tokens, by number


@dataclass
class Passage:
    """A text without empty lines, with its tokens.

    Attributes
    ----------
    text, tokens
        The text, and begin, end and flags of each token.
    words
        The words of those tokens that are several.
    place
        Where it begins, for messages.
    tags
        The tags of the tokens, if wanted.
    is_partial
        Whether there are other tokens, which nobody knows.
    """

    text: str = ""
    tokens: list[Token] = field(default_factory=list)
    words: Words = field(default_factory=dict)
    place: str = ""
    tags: list[str] = field(default_factory=list)
    is_partial: bool = False

    @property
    def gold(self) -> list[Any]:
        """Return the tokens, each with its tag if tags are known."""
        if self.is_partial:
            return SomeTokens(self.tokens)
        if not self.tags:
            return self.tokens
        return [(*token, tag) for token, tag in zip(self.tokens, self.tags, strict=True)]


def passages(
    sentences: Sequence[Sentence], most: int | None = None, tags: str | None = None
) -> list[Passage]:
    """Turn sentences into running text: a blank between two unless ``SpaceAfter=No`` forbids it.

    A passage ends where a paragraph or document does, and after `most` sentences. In other formats than
    CoNLL-U each sentence is a passage, and nothing stands between its words.

    With `tags`, the name of a column or ``auto``, tokens get theirs; where a token has several words, they
    are joined by ``+``.
    """
    found: list[Passage] = []
    tight = _is_tight(sentences)
    count, pieces = 0, _Pieces()
    for sentence in sentences:
        running = sentence.format.name == "conllu"
        begins = any(c.startswith(("# newpar", "# newdoc")) for c in sentence.comments)
        if not running or begins or count == most:
            pieces, count = pieces.closed(found), 0
        count += 1
        pieces.place = pieces.place or sentence.place
        first = True
        before = len(pieces.tokens)
        for form, words, apart in _tokens(sentence) if running else _plain(sentence):
            pieces.add(form, words, first, apart, tight)
            first = False
        if tags is not None:
            pieces.tag(before, column_of(sentence, tags))
        if not running:
            pieces = pieces.closed(found)
    pieces.closed(found)
    return found


class _Pieces:
    """A passage under construction."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.size = 0
        self.tokens: list[Token] = []
        self.words: Words = {}
        self.place = ""
        self.tags: list[str] = []
        self._apart = False

    def add(self, form: str, words: tuple[str, ...], sentence: bool, apart: bool, tight: bool) -> None:
        if self._apart and not (tight and (_is_wide(form[0]) or _is_wide(self.parts[-1][-1]))):
            self.parts.append(" ")
            self.size += 1
        if len(words) > 1:
            self.words[len(self.tokens)] = words
        flags = SENTENCE * sentence | MULTIWORD * (len(words) > 1)
        self.tokens.append((self.size, self.size + len(form), flags))
        self.parts.append(form)
        self.size += len(form)
        self._apart = apart

    def tag(self, first: int, tags: Sequence[str]) -> None:
        """Set the tags of the words of all tokens from `first` on."""
        at = 0
        for number in range(first, len(self.tokens)):
            count = len(self.words.get(number, ("",)))
            self.tags.append("+".join(tags[at : at + count]))
            at += count

    def closed(self, found: list[Passage]) -> _Pieces:
        """Put it to the others, if it has anything, and begin the next."""
        if self.tokens:
            found.append(Passage("".join(self.parts), self.tokens, self.words, self.place, self.tags))
        return _Pieces()


def _tokens(sentence: Sentence) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Yield form, words, and True if a blank follows, for each token of a CoNLL-U sentence."""
    rows = iter(sentence.rows)
    for row in rows:
        first, dash, last = row[0].partition("-")
        if "." in row[0]:
            continue  # an empty node is not in the text
        words = [row[1]]
        if dash:
            words = []
            while len(words) <= int(last) - int(first):
                inner = next(rows)
                if "." not in inner[0]:
                    words.append(inner[1])
        form = row[1].strip()
        if not form or EMPTY_LINE.search(form):
            raise DataError(f"{sentence.place}: token {row[1]!r} has no characters to find; fix the line")
        yield form, tuple(words), "SpaceAfter=No" not in row[9].split("|")


def column_of(sentence: Sentence, tags: str) -> list[str]:
    """Return the tags of a sentence from a column; with ``auto`` from the usual one of its format."""
    column = sentence.format.target if tags == "auto" else tags
    if column is None:
        raise DataError(f"{sentence.place}: there are no tags in this format; use one that has them")
    found = sentence.column(column)
    if not all(found):
        raise DataError(f"{sentence.place}: a word has no tag; give each word one")
    return found


def _plain(sentence: Sentence) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    for form in sentence.words():
        yield form, (form,), False


def _is_tight(sentences: Sequence[Sentence]) -> bool:
    """Return True if a treebank without marks for blanks is in a script without blanks.

    Older treebanks say nothing. Wide characters (Chinese, Japanese) are written without blanks.
    """
    wide = total = 0
    for sentence in sentences:
        if sentence.format.name != "conllu":
            return False
        if any(c.startswith("# text =") for c in sentence.comments):
            return False
        for row in sentence.rows:
            if row[9] != "_" and "SpaceAfter=No" in row[9]:
                return False
            wide += sum(map(_is_wide, row[1]))
            total += len(row[1])
    return 2 * wide > total


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def aligned(text: str, sentences: Iterable[Iterable[Any]], where: str, tagged: bool = False) -> list[Passage]:
    """Find the tokens of sentences in a text, one after the other.

    Where they are tagged, a token is a pair of form and tag.
    """
    tokens: list[Token] = []
    tags: list[str] = []
    at = 0
    for sentence in _listed(sentences, where):
        for i, form in enumerate(_listed(sentence, where)):
            if tagged:
                form, tag = _pair(form, where)
                tags.append(tag)
            if not isinstance(form, str) or not form.strip():
                raise DataError(f"{where}: token {form!r} is not text; give a str with a character in it")
            form = form.strip()
            while at < len(text) and text[at].isspace():
                at += 1
            if not text.startswith(form, at):
                raise DataError(f"{where}: token {form!r} is not next in {text[at : at + 40]!r}; check both")
            tokens.append((at, at + len(form), SENTENCE * (i == 0)))
            at += len(form)
    if text[at:].strip():
        raise DataError(f"{where}: {text[at : at + 40]!r} is in no token; give all tokens of a text")
    return _by_paragraph(text, tokens, tags, where)


def with_some_tokens(text: str, spans: Iterable[tuple[int, int]], where: str) -> list[Passage]:
    """Return a text of which only some tokens are known: where they begin and end, in order."""
    tokens = [(begin, end, 0) for begin, end in spans]
    if tokens and tokens[-1][1] > len(text):
        raise DataError(f"{where}: token {tokens[-1][:2]} ends beyond the text; leave it out")
    return [replace(one, is_partial=True) for one in _by_paragraph(text, tokens, [], where)]


def _pair(token: object, where: str) -> tuple[str, str]:
    match token:
        case (str(form), str(tag)) if tag:
            return form, tag
    raise DataError(f"{where}: token {token!r} has no tag; give each as a pair of form and tag")


def _by_paragraph(text: str, tokens: list[Token], tags: list[str], where: str) -> list[Passage]:
    found, at = [], 0
    for begin, end in paragraphs(text):
        inside: list[Token] = []
        first_token = at
        while at < len(tokens) and tokens[at][0] < end:
            first, last, flags = tokens[at]
            if last > end:
                raise DataError(f"{where}: token {text[first:last]!r} goes over an empty line; split it")
            inside.append((first - begin, last - begin, flags))
            at += 1
        if inside:
            found.append(Passage(text[begin:end], inside, place=where, tags=tags[first_token:at]))
    return found


def _listed(values: object, where: str) -> list[object]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise DataError(f"{where}: gold is a list of sentences, each a list of tokens; give it so")
    check_ordered(values, f"{where}: gold")
    return list(values)
