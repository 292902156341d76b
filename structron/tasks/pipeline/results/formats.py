"""The formats of a pipeline's results: CoNLL-U, lines of text, JSON, and a page of trees."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from structron.io import Sentence
from structron.io.annotations.json_lines import TOOLS, json_of
from structron.io.formats.raw_text import Paragraph
from structron.records import dataclass
from structron.tasks.pipeline.analysis import Analysis
from structron.tasks.pipeline.document import AnalysedSentence, Document

FORMATS = ("conllu", "json", "text", "html", *TOOLS)
NOTES = ("rank", "score", "confidence")  # comments that commands add, and JSON has as keys

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Trees</title><style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem; color-scheme: light dark; }
figure { margin: 0 0 2rem; overflow-x: auto; } figcaption { position: sticky; left: 0; }
</style></head><body>
"""  # the end of a page may be left out, so that it can grow sentence by sentence


@dataclass(frozen=True)
class AnalysedText:
    """The paragraphs of a text with what was found in them."""

    found: Analysis
    pieces: Sequence[Paragraph]

    def documents(self) -> Iterator[tuple[Paragraph, Document]]:
        """Yield each paragraph as a document, whose offsets are those of the whole text."""
        ends = accumulate(piece.sentences for piece in self.pieces)
        for piece, end in zip(self.pieces, ends):
            own = range(end - piece.sentences, end)
            yield piece, Document([AnalysedSentence(None, self.found, i) for i in own], piece.text)


Result = AnalysedText | Sentence


def formatted(results: Iterable[Result], format: str) -> Iterator[Result | str]:
    """Yield results in one of the formats; JSON has a line for each paragraph, or sentence of words."""
    for each in results:
        if format == "conllu":
            yield each
        elif isinstance(each, Sentence):
            yield _written(None, Document.of_rows([each]), format)
        else:
            for piece, document in each.documents():
                yield _written(piece, document, format)


def _written(piece: Paragraph | None, document: Document, format: str) -> str:
    if format == "json":
        return json.dumps(_plain(piece, document), ensure_ascii=False) + "\n"
    if format == "html":
        return "".join(map(_figure, document))
    if format in TOOLS:
        places = [(token.start, token.end) for sentence in document for token in sentence.tokens]
        known = [(start, end) for start, end in places if start is not None and end is not None]
        from_text = None if piece is None else [(s - piece.offset, e - piece.offset) for s, e in known]
        named = document.annotated(0 if piece is None else piece.offset)
        return json.dumps(json_of(named, format, from_text), ensure_ascii=False) + "\n"
    return "".join(_line(sentence.rows) for sentence in document)


def _plain(piece: Paragraph | None, document: Document) -> dict[str, Any]:
    """Return a document as plain data, with what commands have noted of a sentence."""
    found = document.to_dict()
    if piece is not None:
        return {"text": found["text"], "start": piece.offset} | found
    (sentence,) = document
    notes = dict(_notes(sentence.rows))
    sure = [_confidences(row[9]) for row in sentence.rows.tokens]
    if any(sure):
        (plain,) = found["sentences"]
        for word, own in zip(plain["words"], sure):
            word["confidence"] = own
    return notes | found


def _notes(sentence: Sentence) -> Iterator[tuple[str, Any]]:
    for comment in sentence.comments:
        name, _, value = comment.removeprefix("# ").partition(" = ")
        if name in NOTES:
            yield name, int(value) if name == "rank" else _confidences(value) or float(value)


def _confidences(text: str) -> dict[str, float]:
    """Return the confidence of each stage as MISC attributes: ``ConfUpos=0.98|ConfParser=0.91``."""
    pairs = (part.partition("=") for part in text.split("|"))
    return {name[4:].lower(): float(value) for name, _, value in pairs if name.startswith("Conf")}


def _line(sentence: Sentence) -> str:
    notes = [str(value) for name, value in _notes(sentence) if name in ("rank", "score")]
    return "\t".join([*notes, " ".join(word.replace(" ", "_") for word in sentence.words())]) + "\n"


def _figure(sentence: AnalysedSentence) -> str:
    from html import escape

    notes = ", ".join(f"{name} {value}" for name, value in _notes(sentence.rows))
    said = f"{sentence.text} ({notes})" if notes else sentence.text
    return f"<figure>{sentence.to_svg()}<figcaption>{escape(said)}</figcaption></figure>\n"
