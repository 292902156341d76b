"""Segmented text: sentences and tokens with their places in the text, and their CoNLL-U."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from structron import _core
from structron.io import Format, Sentence
from structron.io.formats.conllu import render

if TYPE_CHECKING:
    from structron.io.formats.raw_text import Paragraph

_CONLLU = Format("conllu")
NEW = "\n"
_ESCAPES = {" ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r", "|": "\\p", "\\": "\\\\"}
_WHITE = re.compile(r"\s+")
_NUMBERS = [str(i) for i in range(1, 513)]

_COLUMNS = ("lemma", "upos", "xpos", "feats", "head", "deprel")

Columns = Sequence[Iterable[str]]
Tags = tuple[str, Sequence[str]]


class SegmentedToken(NamedTuple):
    """A token with its characters, where they begin and end, its words (one, or several), and its tag."""

    text: str
    start: int
    end: int
    words: tuple[str, ...]
    tag: str = ""


class SegmentedSentence:
    """A sentence of a text.

    Attributes
    ----------
    paragraph
        Whether a paragraph begins with it.
    """

    __slots__ = (
        "_begins", "_ends", "_first", "_forms", "_last", "_offset", "_plain", "_several", "_source", "_tags",
        "paragraph",
    )  # fmt: skip

    def __init__(
        self,
        source: str,
        begins: list[int],
        ends: list[int],
        forms: list[str],
        several: dict[int, tuple[str, ...]],
        first: int,
        last: int,
        offset: int = 0,
        tags: Tags | None = None,
        paragraph: bool = False,
        plain: list[str] | None = None,
    ) -> None:
        """Take the tokens from `first` to before `last` of those of `source`, which begins at `offset`.

        `forms` are the characters of all tokens of `source`, `several` the words of its own multiword tokens.
        `tags` are those of all tokens of `source`, after the column of CoNLL-U that they belong to. `plain`
        are the forms with blanks for white space (`with_blanks`), where these may differ.
        """
        self._plain = [*map(with_blanks, forms)] if plain is None else plain
        self._source, self._begins, self._ends, self._several = source, begins, ends, several
        self._forms, self._first, self._last, self._offset, self._tags = forms, first, last, offset, tags
        self.paragraph = paragraph

    @property
    def start(self) -> int:
        """Return where its first token begins."""
        return self._begins[self._first] + self._offset

    @property
    def end(self) -> int:
        """Return where its last token ends."""
        return self._ends[self._last - 1] + self._offset

    @property
    def text(self) -> str:
        """Return the characters from its first token to its last."""
        return self._source[self._begins[self._first] : self._ends[self._last - 1]]

    @property
    def forms(self) -> list[str]:
        """Return the characters of each token."""
        return self._forms[self._first : self._last]

    @property
    def words(self) -> list[str]:
        """Return all words; a multiword token has several, and white space in a word is a blank."""
        words = self._plain[self._first : self._last]
        for i in sorted(self._several, reverse=True):
            words[i - self._first : i - self._first + 1] = self._several[i]
        return words

    @property
    def has_multiword(self) -> bool:
        """Return True if one of its tokens has several words."""
        return bool(self._several) and any(self._first <= i < self._last for i in self._several)

    @property
    def word_places(self) -> tuple[list[int], list[int]]:
        """Return where the token of each word begins, and where it ends."""
        own = slice(self._first, self._last)
        begins, ends = self._begins[own], self._ends[own]
        if self._offset:
            begins, ends = [i + self._offset for i in begins], [i + self._offset for i in ends]
        for i in sorted(self._several, reverse=True):
            at, count = i - self._first, len(self._several[i])
            begins[at : at + 1], ends[at : at + 1] = [begins[at]] * count, [ends[at]] * count
        return begins, ends

    @property
    def tags(self) -> list[str]:
        """Return the tag of each token if the segmenter tags."""
        return [] if self._tags is None else list(self._tags[1][self._first : self._last])

    @property
    def tokens(self) -> list[SegmentedToken]:
        """Return the tokens with their places."""
        several, offset = self._several, self._offset
        own = slice(self._first, self._last)
        return [
            SegmentedToken(form, begin + offset, end + offset, several.get(i, (word,)), tag)
            for i, (form, word, begin, end, tag) in enumerate(
                zip(
                    self._forms[own],
                    self._plain[own],
                    self._begins[own],
                    self._ends[own],
                    self.tags or repeat(""),
                ),
                self._first,
            )
        ]

    def __len__(self) -> int:
        return self._last - self._first

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SegmentedSentence):
            return NotImplemented
        return (self.tokens, self.paragraph) == (other.tokens, other.paragraph)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<SegmentedSentence {self.start}:{self.end}: {' '.join(self.forms)}>"

    def moved(self, offset: int) -> SegmentedSentence:
        """Return the sentence as part of a text that begins `offset` characters earlier."""
        if not offset:
            return self
        own = (self._source, self._begins, self._ends, self._forms, self._several, self._first, self._last)
        return SegmentedSentence(*own, self._offset + offset, self._tags, self.paragraph, self._plain)

    def sentence(
        self, number: int | None = None, *, document: bool = False, columns: Columns | None = None
    ) -> Sentence:
        """Return the sentence in CoNLL-U, to be tagged, parsed and written.

        ``SpaceAfter=No`` stands where no white space follows, ``SpacesAfter`` where it is not one blank;
        ``TokenRange`` says where a token is in the text. White space inside a token becomes a blank.

        Parameters
        ----------
        columns
            The known columns of the words: lemmas, UPOS, XPOS, FEATS, heads and relations.
        """
        if columns is None and self._tags is not None:
            known = {self._tags[0]: self.tags}
            columns = [known.get(name, repeat("_")) for name in _COLUMNS]
        comments = ["# newdoc"] * document + ["# newpar"] * self.paragraph
        if number is not None:
            comments.append(f"# sent_id = {number}")
        comments.append(f"# text = {with_blanks(self.text)}")
        own = slice(self._first, self._last)
        source, begins, ends = self._source, self._begins[own], self._ends[own]
        forms = self._plain[own]
        offset, following = self._offset, [*begins[1:], self._next()]
        miscs = [
            # Most tokens have one blank after them.
            f"TokenRange={begin + offset}:{end + offset}"
            if after == end + 1 and source[end] == " "
            else self._misc(begin, end, after)
            for begin, end, after in zip(begins, ends, following)
        ]
        if not self._several:
            filled = (repeat("_"),) * 6 if columns is None else columns
            words = [
                [i, form, lemma, upos, xpos, feats, head, label, "_", misc]
                for i, form, misc, lemma, upos, xpos, feats, head, label in zip(
                    _numbers(len(forms)), forms, miscs, *filled
                )
            ]
            return Sentence(words, _CONLLU, comments=comments, tokens=words)
        rows, words = self._with_several(forms, miscs)
        if columns is not None:
            for row, values in zip(words, zip(*columns)):
                row[2:8] = values
        return Sentence(rows, _CONLLU, comments=comments, tokens=words)

    def rendered(
        self, number: int, *, document: bool = False, columns: Sequence[list[Any] | None] = (None,) * 6
    ) -> str:
        """Write the CoNLL-U lines of the sentence by the engine; None is an empty column."""
        comments = f"{'# newdoc' + NEW if document else ''}{'# newpar' + NEW if self.paragraph else ''}"
        lines: str | None = _core.conllu(
            self._source,
            self._begins,
            self._ends,
            self._several,
            self._first,
            self._last,
            self._offset,
            f"{comments}# sent_id = {number}{NEW}",
            tuple(columns),
        )
        if lines is not None:
            return lines
        # A value that cannot stand in a file: this says which.
        words = len(self.words)
        known = [["_"] * words if values is None else [*map(str, values)] for values in columns]
        return render(self.sentence(number, document=document, columns=known))

    def _with_several(
        self, forms: Sequence[str], miscs: Sequence[str]
    ) -> tuple[list[list[str]], list[list[str]]]:
        """Return all rows, and those of words, for tokens with several words."""
        rows: list[list[str]] = []
        words: list[list[str]] = []
        for i, (form, misc) in enumerate(zip(forms, miscs), self._first):
            several = self._several.get(i)
            if several is None:
                row = [str(len(words) + 1), form, *"_______", misc]
                words.append(row)
                rows.append(row)
                continue
            first = len(words) + 1
            rows.append([f"{first}-{first + len(several) - 1}", form, *"_______", misc])
            for word in several:
                words.append([str(len(words) + 1), word, *"________"])
                rows.append(words[-1])
        return rows, words

    def _next(self) -> int:
        """Return where the white space after the sentence ends."""
        source, at = self._source, self._ends[self._last - 1]
        while at < len(source) and source[at].isspace():
            at += 1
        return at

    def _misc(self, begin: int, end: int, after: int) -> str:
        offset = self._offset
        place = f"TokenRange={begin + offset}:{end + offset}"
        if after == end:
            return f"SpaceAfter=No|{place}"
        space = self._source[end:after]
        return place if space == " " else f"SpacesAfter={escaped(space)}|{place}"


def in_place(sentences: Iterable[SegmentedSentence], piece: Paragraph) -> list[SegmentedSentence]:
    """Return the sentences of a part of a text, with their places in the whole text."""
    found = [sentence.moved(piece.offset) for sentence in sentences]
    if piece.continues and found:
        found[0].paragraph = False
    return found


def _numbers(count: int) -> Sequence[str]:
    return _NUMBERS if count <= len(_NUMBERS) else [str(i) for i in range(1, count + 1)]


def with_blanks(text: str) -> str:
    """Replace each run of white space by one blank, as CoNLL-U requires."""
    return _WHITE.sub(" ", text)


def escaped(space: str) -> str:
    """Escape white space for MISC as UDPipe does; unusual characters become ``\\u{85}``."""
    return "".join(_ESCAPES.get(c) or f"\\u{{{ord(c):x}}}" for c in space)


def conllu(sentences: Iterable[SegmentedSentence], first: int = 1) -> list[Sentence]:
    """Convert the sentences of one text to CoNLL-U, numbered from `first`; 1 begins a document."""
    return [one.sentence(first + i, document=first + i == 1) for i, one in enumerate(sentences)]
