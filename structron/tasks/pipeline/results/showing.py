"""The trees of a text, or of a sentence of a file beside its gold tree."""

from __future__ import annotations

import itertools
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from structron.cli.draw.trees import draw_tree, tree_svg
from structron.cli.files.streams import opened
from structron.cli.terminal.counting import counted
from structron.errors import DataError, SettingError
from structron.io import Report, Sentence, tree_of
from structron.io.files.streams import writing
from structron.io.formats.raw_text import Paragraph
from structron.tasks.pipeline.document import AnalysedSentence
from structron.tasks.pipeline.reading import read_items

if TYPE_CHECKING:
    from structron.cli.terminal.request import Show
    from structron.io.values.tree_svg import Arcs
    from structron.tasks.pipeline.estimator import Pipeline


def show(pipeline: Pipeline, request: Show) -> Iterator[str]:
    """Yield the lines that `show` prints: a tree for each sentence of a text, or for one of a file."""
    if request.gold is not None:
        raise SettingError("--gold of a pipeline is a file of CoNLL-U; give it with --input")
    gold: Arcs | None = None
    if request.place is not None:
        sentences, gold = _of_file(pipeline, request)
    else:
        text = request.text or ""
        given: Any = text if "segmenter" in pipeline.stages_ else text.split()
        sentences = pipeline(given).sentences
        if not sentences:
            raise SettingError("there are no words; give some between quotes")
    if request.svg is not None:
        chosen = sentences[0] if request.place else _numbered(sentences, request.number)
        words, tags, arcs, spans = chosen.picture
        with writing(request.svg) as put:
            put(tree_svg(words, arcs, tags=tags, gold=gold if arcs[0] else None, spans=spans))
        if request.svg == "-":
            return
    width = min(shutil.get_terminal_size((80, 24)).columns, 120)
    plain = "utf" not in (getattr(sys.stdout, "encoding", None) or "").lower()
    for sentence in sentences:
        words, tags, arcs, spans = sentence.picture
        right = gold if arcs[0] else None
        yield from draw_tree(words, arcs, tags=tags, gold=right, spans=spans, width=width, plain=plain)
        yield ""


def _of_file(pipeline: Pipeline, request: Show) -> tuple[list[AnalysedSentence], Arcs | None]:
    """Return one sentence of a file, and its gold tree if the file has words and a tree."""
    reading, place = request.reading, str(request.place)
    with opened(place) as (_, stream):
        found = itertools.chain.from_iterable(
            _analysed(pipeline, item) for item in read_items(pipeline, stream, reading, Report())
        )
        one = next(itertools.islice(found, request.number - 1, None), None)
    if one is None:
        raise DataError(f"{place}: there is no sentence {request.number}; check the file")
    return [one[0]], one[1]


def _analysed(
    pipeline: Pipeline, item: Sentence | Paragraph
) -> Iterator[tuple[AnalysedSentence, Arcs | None]]:
    """Yield the sentences of a paragraph, or one with words and its gold tree."""
    if isinstance(item, Sentence):
        (sentence,) = pipeline.predict([item])
        yield AnalysedSentence(sentence), _gold(item)
        return
    for _, document in pipeline.analysed_paragraphs([item]).documents():
        yield from ((sentence, None) for sentence in document)


def _gold(sentence: Sentence) -> Arcs | None:
    if any(not row[6].isdecimal() for row in sentence.tokens):
        return None
    tree = tree_of(sentence)
    return tree.heads, tree.labels


def _numbered(sentences: list[AnalysedSentence], number: int) -> AnalysedSentence:
    """Return the sentence of this number; refuse one that is not there."""
    if number > len(sentences):
        found = counted(len(sentences), "sentences")
        raise SettingError(f"--sentence {number}: the text has {found}; give another text or number")
    return sentences[number - 1]
