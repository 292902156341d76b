"""Entities: the names in a sentence, as its words carry them in MISC."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from structron.errors import DataError
from structron.io.values.labels import Span, is_span_label, spans
from structron.io.values.misc import SPANS, attribute, with_attribute

if TYPE_CHECKING:
    from structron.io import Sentence
    from structron.tasks.pipeline.results.tokens import Token


class Analysed(Protocol):
    """A sentence with names: its rows, its tokens and the text that it stands in."""

    @property
    def rows(self) -> Sentence: ...
    @property
    def tokens(self) -> Sequence[Token]: ...
    def characters(self, start: int, end: int) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Entity:
    """A name: the words of a sentence from number `first` to before `beyond`, counted from 1 as `Word.id` is.

    Attributes
    ----------
    label
        What it names, such as PER.
    start, end
        The place in the text: ``text[start:end]``; None without text.
    """

    label: str
    text: str
    start: int | None
    end: int | None
    first: int
    beyond: int


def labels_of(sentence: Sentence) -> list[str]:
    """Return the label of each word of a CoNLL-U sentence: those in MISC, and O for all others."""
    found = [attribute(misc, SPANS) or "O" for misc in sentence.column("misc")]
    wrong = next((i for i, label in enumerate(found) if not is_span_label(label)), None)
    if wrong is not None:
        raise DataError(
            f"{sentence.place_of(wrong)}: {SPANS}={found[wrong]} marks no span; write B-PER, I-PER and so on"
        )
    return found


def has_names(sentences: Iterable[Sentence]) -> bool:
    """Return True if a word has a label."""
    return any(label != "O" for sentence in sentences for label in labels_of(sentence))


def put_labels(rows: Sequence[list[str]], labels: Sequence[str]) -> None:
    """Write the labels of words to MISC, in place of those that stand there."""
    for row, label in zip(rows, labels):
        if label != "O" or SPANS in row[9]:
            row[9] = with_attribute(row[9], SPANS, None if label == "O" else label)


def with_labels(lines: str, labels: Sequence[str]) -> str:
    """Return the lines of a sentence with the labels of its words, which have none yet."""
    if labels.count("O") == len(labels):
        return lines
    rows = lines.split("\n")
    begin = next(i for i, row in enumerate(rows) if row[:1] != "#")
    words = (i for i in range(begin, len(rows) - 2) if "-" not in rows[i].partition("\t")[0])
    for i, label in zip(words, labels):
        if label != "O":
            before, _, misc = rows[i].rpartition("\t")
            rows[i] = f"{before}\t{with_attribute(misc, SPANS, label)}"
    return "\n".join(rows)


def entities_of(sentence: Analysed) -> list[Entity]:
    """Return the names of a sentence, in order."""
    found = spans(labels_of(sentence.rows))
    if not found:
        return []
    words = list(_words(sentence))
    return [_entity(sentence, span, words[span.start : span.end]) for span in found]


_Word = tuple[str, int | None, int | None, bool]


def word_places(sentence: Analysed) -> list[tuple[int, int]]:
    """Return where each word of a sentence of a text begins and ends."""
    return [(begin, end) for _, begin, end, _ in _words(sentence) if begin is not None and end is not None]


def written_words(sentence: Analysed) -> Iterator[tuple[str, bool]]:
    """Yield the characters of each word, and whether a blank follows."""
    for characters, _, _, blank in _words(sentence):
        yield characters, blank


def _words(sentence: Analysed) -> Iterator[_Word]:
    """Yield the characters and the place of each word, and whether a blank follows.

    Words of a token have places of their own where they are its characters, such as ``do`` and ``n't``;
    otherwise all have its place, and its characters are those of the first.
    """
    rows = sentence.rows.tokens
    for token, blank in zip(sentence.tokens, _spaces(sentence.rows)):
        forms = [rows[i - 1][1] for i in range(token.first, token.beyond)]
        if len(forms) == 1:
            yield token.text, token.start, token.end, blank
        elif "".join(forms) != token.text:
            yield token.text, token.start, token.end, blank
            yield from (("", token.start, token.end, False) for _ in forms[1:])
        else:
            at = token.start
            for i, form in enumerate(forms, 1):
                end = None if at is None else at + len(form)
                yield form, at, end, blank and i == len(forms)
                at = end


def _spaces(sentence: Sentence) -> list[bool]:
    """Return for each token whether white space follows it."""
    found, covered = [], 0
    for row in sentence.rows:
        first, dash, last = row[0].partition("-")
        if "." in row[0] or (not dash and int(first) <= covered):
            continue
        covered = int(last or first)
        found.append(attribute(row[9], "SpaceAfter") != "No")
    return found


def _entity(sentence: Analysed, span: Span, words: Sequence[_Word]) -> Entity:
    start, end = words[0][1], words[-1][2]
    text = None if start is None or end is None else sentence.characters(start, end)
    if text is None:
        text = "".join(form + " " * blank for form, _, _, blank in words).strip()
    return Entity(span.kind, text, start, end, span.start + 1, span.end + 1)
