"""Documents: sentences and words with their offsets, as plain objects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from structron.io.formats.conllu import render
from structron.io.values.annotated_text import AnnotatedText, LabelledSpan
from structron.io.values.misc import attribute
from structron.tasks.pipeline.names.entities import Entity, entities_of, written_words
from structron.tasks.pipeline.results.tokens import Token, Word

if TYPE_CHECKING:
    from structron.io import Sentence
    from structron.io.values.tree_svg import Arcs, Spans
    from structron.tasks.pipeline.analysis import Analysis
    from structron.tasks.pipeline.results.noun_chunks import NounChunk


Picture: TypeAlias = "tuple[list[str], list[str], Arcs, Spans]"


class AnalysedSentence:
    """One sentence of a document.

    Parameters
    ----------
    rows
        The sentence as CoNLL-U.
    found, number
        Otherwise, the result that contains it and its position there; its rows are built on demand.
    """

    def __init__(self, rows: Sentence | None, found: Analysis | None = None, number: int = 0) -> None:
        self._found, self._number = found, number
        if rows is not None:
            self.rows = rows

    @cached_property
    def rows(self) -> Sentence:
        """Return the sentence as CoNLL-U."""
        assert self._found is not None
        return self._found.sentence(self._number)

    @cached_property
    def words(self) -> list[Word]:
        """Return the syntactic words."""
        spans = {i: (t.start, t.end) for t in self.tokens for i in range(t.first, t.beyond)}
        return [
            Word(i, form, lemma, upos, xpos, feats, int(head) if head.isdecimal() else None, label, *spans[i])
            for i, (_, form, lemma, upos, xpos, feats, head, label, _, _) in enumerate(self.rows.tokens, 1)
        ]

    @cached_property
    def tokens(self) -> list[Token]:
        """Return the tokens; a multiword token has several words."""
        found, covered = [], 0
        for row in self.rows.rows:
            if "." in row[0]:
                continue
            first, dash, last = row[0].partition("-")
            if not dash and int(first) <= covered:
                continue
            covered = int(last or first)
            found.append(Token(row[1], *token_range(row[9]), int(first), covered + 1))
        if self._found is not None:
            # Rows have one blank for white space inside a token.
            forms = self._found.segments[self._number].forms
            if len(forms) == len(found):
                found = [t if t.text == form else replace(t, text=form) for t, form in zip(found, forms)]
        return found

    @cached_property
    def entities(self) -> list[Entity]:
        """Return the names in it; there are none if no stage finds names."""
        return entities_of(self)

    def characters(self, start: int, end: int) -> str | None:
        """Return the text between two of its places as it stands there; None if it is not known."""
        if self._found is None:
            return None
        own = self._found.segments[self._number]
        return own.text[start - own.start : end - own.start]

    @property
    def noun_chunks(self) -> list[NounChunk]:
        """Return the nouns with what stands before them; none, with a warning, if there is no tree."""
        from structron.tasks.pipeline.results.noun_chunks import chunks_of

        return chunks_of(self.words, self.tokens)

    @property
    def start(self) -> int | None:
        """Return the place in the text where its first token begins."""
        return self.tokens[0].start if self.tokens else None

    @property
    def end(self) -> int | None:
        """Return the place in the text where its last token ends."""
        return self.tokens[-1].end if self.tokens else None

    @property
    def text(self) -> str:
        """Return the sentence as it stands in the text."""
        said = next((c for c in self.rows.comments if c.startswith("# text = ")), None)
        return " ".join(token.text for token in self.tokens) if said is None else said[len("# text = ") :]

    def to_conllu(self) -> str:
        """Return the sentence as CoNLL-U, with the empty line after it."""
        # Once rows have been built, users may have changed them.
        if self._found is None or "rows" in vars(self):
            return render(self.rows)
        return self._found.rendered(self._number)

    @property
    def picture(self) -> Picture:
        """Return the data of a drawing: words, tags, arcs (two empty lists without a tree) and spans."""
        words = self.words
        has_tree = all(word.head is not None for word in words)
        arcs = ([w.head or 0 for w in words], [w.deprel for w in words]) if has_tree else ([], [])
        spans = [(each.first - 1, each.beyond - 1, each.label) for each in self.entities]
        return [w.form for w in words], [w.upos for w in words], arcs, spans

    def to_svg(self) -> str:
        """Draw the tree; without a tree, words and tags alone."""
        from structron.io.values.tree_svg import tree_svg

        words, tags, arcs, spans = self.picture
        return tree_svg(words, arcs, tags=tags, spans=spans)

    @overload
    def __getitem__(self, at: int) -> Word: ...
    @overload
    def __getitem__(self, at: slice) -> list[Word]: ...
    def __getitem__(self, at: int | slice) -> Word | list[Word]:
        return self.words[at]

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.text}>"

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self.to_svg()}</div>'


def token_range(misc: str) -> tuple[int | None, int | None]:
    """Return the place of a token in the text from its MISC: ``TokenRange=4:7``."""
    start, _, end = (attribute(misc, "TokenRange") or "").partition(":")
    return (int(start), int(end)) if start.isdecimal() and end.isdecimal() else (None, None)


class Document:
    """A text with its sentences.

    Parameters
    ----------
    sentences
        Its sentences.
    text
        The text; None if the words were given.
    """

    def __init__(self, sentences: Sequence[AnalysedSentence], text: str | None = None) -> None:
        self.text = text
        self.sentences = list(sentences)

    @classmethod
    def of_rows(cls, sentences: Iterable[Sentence], text: str | None = None) -> Document:
        """Create a document from sentences that are rows already, with offsets in MISC."""
        return cls([AnalysedSentence(sentence) for sentence in sentences], text)

    @property
    def words(self) -> list[Word]:
        """Return the words of all sentences."""
        return [word for sentence in self.sentences for word in sentence.words]

    @property
    def entities(self) -> list[Entity]:
        """Return the names in all sentences; with text, each is ``text[entity.start:entity.end]``."""
        return [entity for sentence in self.sentences for entity in sentence.entities]

    @property
    def noun_chunks(self) -> list[NounChunk]:
        """Return the nouns of all sentences with what stands before them."""
        return [chunk for sentence in self.sentences for chunk in sentence.noun_chunks]

    def annotated(self, offset: int = 0) -> AnnotatedText:
        """Return the text with its names, as `structron.io.annotations` writes it for annotation tools.

        Parameters
        ----------
        offset
            Where this text begins in the one that offsets count in.
        """
        if self.text is not None:
            places = [(each.start, each.end, each.label) for each in self.entities]
            spans = [
                LabelledSpan(s - offset, e - offset, label)
                for s, e, label in places
                if s is not None and e is not None
            ]
            return AnnotatedText(self.text, tuple(spans))
        text, spans = "", []
        for sentence in self.sentences:
            begins: list[int] = []
            ends: list[int] = []
            for characters, blank in written_words(sentence):
                if not characters and begins:  # a word is where the token is that it belongs to
                    begins.append(begins[-1])
                    ends.append(ends[-1])
                    continue
                begins.append(len(text))
                ends.append(len(text) + len(characters))
                text += characters + " " * blank
            spans += [
                LabelledSpan(begins[each.first - 1], ends[each.beyond - 2], each.label)
                for each in sentence.entities
            ]
        return AnnotatedText(text.rstrip(" "), tuple(spans))

    def to_conllu(self) -> str:
        """Return all sentences as CoNLL-U."""
        return "".join([sentence.to_conllu() for sentence in self.sentences])

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: the text, and the sentences with their words, tokens and names."""
        return {
            "text": self.text,
            "sentences": [
                {
                    "text": sentence.text,
                    "start": sentence.start,
                    "end": sentence.end,
                    "tokens": [asdict(token) for token in sentence.tokens],
                    "words": [asdict(word) for word in sentence.words],
                    "entities": [asdict(entity) for entity in sentence.entities],
                }
                for sentence in self.sentences
            ],
        }

    def to_json(self, **options: Any) -> str:
        """Return the document as JSON; options are those of `json.dumps`."""
        return json.dumps(self.to_dict(), **{"ensure_ascii": False} | options)

    @overload
    def __getitem__(self, at: int) -> AnalysedSentence: ...
    @overload
    def __getitem__(self, at: slice) -> Document: ...
    def __getitem__(self, at: int | slice) -> AnalysedSentence | Document:
        # Offsets of a part are those of the whole text.
        return Document(self.sentences[at], self.text) if isinstance(at, slice) else self.sentences[at]

    def __iter__(self) -> Iterator[AnalysedSentence]:
        return iter(self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)

    def __repr__(self) -> str:
        return f"<Document: {len(self.sentences)} sentences, {sum(map(len, self.sentences))} words>"

    def _repr_html_(self) -> str:
        # A long text would block a notebook.
        from html import escape

        shown = "".join(sentence._repr_html_() for sentence in self.sentences[:20])
        more = len(self.sentences) - 20
        return shown + (f"<p>{escape(f'and {more} more sentences')}</p>" if more > 0 else "")
