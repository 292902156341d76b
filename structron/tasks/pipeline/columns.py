"""Sentences and their columns, which stages of a pipeline read and fill."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import TYPE_CHECKING, Any

from structron.errors import DataError
from structron.io import Format, Sentence

if TYPE_CHECKING:
    from structron.tasks.pipeline.task import Stage

Column = list[list[str]]
Columns = dict[str, Column]
BETWEEN = "\t"  # separates the values of one label; no value contains it


def zip_columns(columns: Columns, names: Sequence[str]) -> list[list[Any]]:
    """Return sentences of words, each a text or a tuple of these columns."""
    if len(names) == 1:
        return columns[names[0]]
    return [list(zip(*each)) for each in zip(*(columns[name] for name in names))]


def join_labels(stage: Stage, columns: Columns) -> Column:
    """Return the labels of a tagger: values of its column, or of several columns at once."""
    if len(stage.fills) == 1:
        return columns[stage.fills[0]]
    return [
        [BETWEEN.join(values) for values in zip(*each)] for each in zip(*(columns[c] for c in stage.fills))
    ]


def split_labels(stage: Stage, labels: Column) -> Columns:
    """Return the columns that labels stand for."""
    if len(stage.fills) == 1:
        return {stage.fills[0]: labels}
    parts = {label: label.split(BETWEEN) for label in set(chain.from_iterable(labels))}
    found = {}
    for i, name in enumerate(stage.fills):
        value = {label: values[i] for label, values in parts.items()}.__getitem__
        found[name] = [[*map(value, each)] for each in labels]
    return found


def of_words(words: Sequence[str]) -> Sentence:
    """Return a CoNLL-U sentence of these words."""
    is_list = isinstance(words, Iterable) and not isinstance(words, (str, bytes, Mapping, Set))
    listed = list(words) if is_list else None
    if not listed or not all(isinstance(word, str) and word and not word.isspace() for word in listed):
        shown = str(words if listed is None else listed)[:60]
        raise DataError(f"{shown}: give a text, or a sentence as a list of words that are not empty")
    if wrong := next((word for word in listed if any(c in word for c in "\t\n\r")), None):
        raise DataError(f"word {wrong[:60]!r} holds a tab or a line end; give words without")
    return Sentence.of(listed, format=Format("conllu"))


def sentences_of(given: Iterable[Sentence], name: str = "X") -> list[Sentence]:
    """Return all of them as a list; refuse what is no sentence."""
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        sentences = list(given)
        wrong = next((i for i, s in enumerate(sentences, 1) if not isinstance(s, Sentence)), None)
        if wrong is None:
            return sentences
        found = f"{name}, sentence {wrong}, is of type {type(sentences[wrong - 1]).__name__}"
    else:
        found = f"{name} is of type {type(given).__name__}"
    raise DataError(f"{found}; give sentences, as structron.io.read('FILE.conllu') has them")


def sentences_or_words(X: Iterable[Sentence | Sequence[str]]) -> list[Sentence]:
    """Convert lists of words to sentences; leave sentences as they are."""
    if isinstance(X, str):
        raise DataError("X is a single string; give sentences, or call the pipeline itself with a text")
    return [each if isinstance(each, Sentence) else of_words(each) for each in X]


def stripped(sentence: Sentence, start: str) -> Sentence:
    """Return the sentence without what is to be predicted: gold never helps."""
    first = 6 if start == "tags" else 3

    def bare(row: list[str]) -> list[str]:
        filled = row[3:first] if row[0].isdecimal() else row[3:6]
        return [*row[:2], "_", *filled, *["_"] * (8 - first if row[0].isdecimal() else 2), "_", row[9]]

    return Sentence(
        [bare(row) for row in sentence.rows],
        sentence.format,
        comments=sentence.comments,
        file=sentence.file,
        line=sentence.line,
    )


def checksum_of(sentences: Iterable[Sentence]) -> str:
    """Return twelve hex digits of all rows."""
    digest = hashlib.sha256()
    for sentence in sentences:
        digest.update(repr(sentence.rows).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
