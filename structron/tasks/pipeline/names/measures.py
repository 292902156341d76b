"""Precision, recall and F1 of names by the characters that they cover, however words are cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from structron.io import Sentence
from structron.io.values.annotated_text import AnnotatedText
from structron.metrics.spans import Score, Span, score_of_spans, spans
from structron.tasks.pipeline.document import AnalysedSentence
from structron.tasks.pipeline.names.entities import labels_of

if TYPE_CHECKING:
    from structron.tasks.pipeline.estimator import Pipeline
    from structron.tasks.pipeline.names.data import Item


def score_of_names(pipeline: Pipeline, gold: Sequence[Item], start: str) -> Score:
    """Score what a pipeline finds in labelled sentences, of which it sees only the start, and in texts."""
    sentences = [item for item in gold if isinstance(item, Sentence)]
    texts = [item for item in gold if isinstance(item, AnnotatedText)]
    said = [(characters(sentences), characters(pipeline.analysed(sentences, start)))] if sentences else []
    for item, document in zip(texts, pipeline.pipe([item.text for item in texts])):
        right = {Span(*span) for span in item.spans}
        found = {Span(e.start or 0, e.end or 0, e.label) for e in document.entities}
        said.append((right, found))
    return score_of_spans(said)


def is_treebank(sentence: Sentence) -> bool:
    """Return True if a word has a tag, a lemma or a head: the sentence is more than words with names."""
    return any(value not in ("_", "") for row in sentence.tokens for value in row[2:8])


def characters(sentences: Iterable[Sentence]) -> set[Span]:
    """Return the names of sentences by the characters that they cover; white space does not count."""
    found, begin = set[Span](), 0
    for sentence in sentences:
        places = list(_places(sentence, begin))
        for first, beyond, kind in spans(labels_of(sentence)):
            found.add(Span(places[first][0], places[beyond - 1][1], kind))
        begin = max((end for _, end in places), default=begin)
    return found


def _places(sentence: Sentence, begin: int) -> Iterator[tuple[int, int]]:
    """Yield where each word begins and ends; words that are not the characters of their token have its."""
    rows = sentence.tokens
    for token in AnalysedSentence(sentence).tokens:
        forms = ["".join(rows[i - 1][1].split()) for i in range(token.first, token.beyond)]
        size = len("".join(token.text.split()))
        if len(forms) > 1 and sum(map(len, forms)) != size:
            yield from [(begin, begin + size)] * len(forms)
        else:
            at = begin
            for form in forms:
                yield at, at + len(form)
                at += len(form)
        begin += size
