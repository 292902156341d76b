"""What users hand over, and what the engine takes: words, columns, ready features, sentences from files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from structron.data import Sentence
from structron.errors import DataError


@dataclass(frozen=True)
class Inputs:
    """Sentences as the engine takes them.

    Attributes
    ----------
    tokens
        Each token a str, a tuple of columns, or ready features.
    ready
        Whether tokens are ready features: a dict or a list of str each.
    columns
        How many columns every token has.
    sources
        The sentences as they were read, where they came from files: for messages with file and line.
    """

    tokens: list[Sequence[Any]]
    ready: bool
    columns: int
    sources: list[Sentence] | None

    def place(self, sentence: int, token: int | None = None) -> str:
        """Where a sentence (from 0) or one of its tokens stands, for messages."""
        if self.sources is not None:
            source = self.sources[sentence]
            return source.place if token is None else source.place_of(token)
        return f"sentence {sentence + 1}" + ("" if token is None else f", token {token + 1}")


def read_inputs(X: Iterable[Any], target: str | int | None = None) -> Inputs:
    """Look at the first token to see what the sentences are made of.

    Parameters
    ----------
    X
        Sentences: lists of str, lists of tuples of str (word, then further columns), lists of dicts or of
        lists of str (ready features), or `Sentence` objects.
    target
        For `Sentence` objects, the column that is predicted; it is never shown to the templates.
    """
    if isinstance(X, str | bytes):
        raise DataError("X is a single string; give a list of sentences, each a list of words")
    items = list(X)
    if any(isinstance(item, Sentence) for item in items):
        return _from_sentences(items, target)
    for number, sentence in enumerate(items, 1):
        if isinstance(sentence, str | bytes):
            raise DataError(f"sentence {number} is a string; split it into a list of words")
    first = next((token for sentence in items for token in sentence), "")
    ready = isinstance(first, dict | list)
    columns = len(first) if isinstance(first, tuple) else 1
    return Inputs(items, ready, columns, None)


def _from_sentences(items: list[Any], target: str | int | None) -> Inputs:
    tokens: list[Sequence[Any]] = []
    width = 0
    for item in items:
        if not isinstance(item, Sentence):
            raise DataError("X mixes sentences from files with lists; give one kind")
        names = shown_columns(item, target)
        width = len(names) if not tokens else min(width, len(names))
        columns = [item.column(name) for name in names]
        tokens.append(columns[0] if len(columns) == 1 else list(zip(*columns)))
    return Inputs(tokens, False, max(width, 1), items)


def shown_columns(sentence: Sentence, target: str | int | None) -> list[str]:
    """The columns that templates may read: the words, then all but the target; in CoNLL-U the words alone."""
    if sentence.format.name != "columns":
        return ["form"]
    hidden = sentence.format.find(sentence.format.target or "label" if target is None else target)
    form = sentence.format.find("form")
    return ["form", *(name for i, name in enumerate(sentence.names) if i not in (form, hidden))]


def read_labels(
    inputs: Inputs, y: Iterable[Sequence[str]] | None, target: str | int | None = None
) -> list[list[str]]:
    """Gold labels, as many as tokens; taken from the sentences themselves if they came from files."""
    if y is None:
        if inputs.sources is None:
            raise DataError("y is missing; give the labels of each sentence")
        return [_column(sentence, target) for sentence in inputs.sources]
    labels = [list(tags) for tags in y]
    if len(labels) != len(inputs.tokens):
        raise DataError(
            f"{len(inputs.tokens)} sentences but {len(labels)} lists of labels; give one list each"
        )
    for i, (tokens, tags) in enumerate(zip(inputs.tokens, labels)):
        if len(tokens) != len(tags):
            raise DataError(
                f"{inputs.place(i)}: {len(tokens)} tokens but {len(tags)} labels; give one label each"
            )
    return labels


def _column(sentence: Sentence, target: str | int | None) -> list[str]:
    name = sentence.format.target if target is None else target
    if name is None:
        raise DataError(f"{sentence.place}: there are no labels in this format; use one that has them")
    return sentence.column(name)


def checksum(tokens: Iterable[Sequence[Any]], labels: Iterable[Sequence[str]]) -> str:
    """Twelve hex digits of the data, so that a number can say what it was measured on."""
    digest = hashlib.sha256()
    for sentence, tags in zip(tokens, labels):
        digest.update(repr((list(sentence), list(tags))).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
