"""Sentences as a parser reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from structron.cli.files.sentences import own_format, read_like
from structron.cli.task_cli import Reading
from structron.errors import DataError
from structron.io import Report, Sentence, Tree, tree_of
from structron.io.values.trees import NO_LABEL, as_conllu, tree_columns

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.tasks.parsing.estimator import Parser


def read_for(parser: Parser, stream: Stream, reading: Reading, report: Report) -> Iterator[Sentence]:
    """Yield the sentences of a stream, columns named as in the training data; bad trees only if they
    matter."""
    for sentence in read_like(stream, reading, report, own_format(parser)):
        if reading.skip_bad and has_tree(sentence):
            try:
                own_tree(parser, sentence)
            except DataError as error:
                report.add(str(error))
                continue
        yield sentence


def own_tree(parser: Parser, sentence: Sentence) -> Tree:
    """Return the gold tree of a sentence, as far as the parser predicts it: relations only if it knows
    any."""
    labelled = list(parser.labels_) != [NO_LABEL]
    return tree_of(sentence, one_root=parser.roots != "many", labelled=labelled)


def has_tree(sentence: Sentence) -> bool:
    """Return whether the sentence came with heads, be they right or wrong."""
    column = tree_columns(sentence.format).head
    return column is not None and any(head not in ("", "_") for head in sentence.column(column))


def with_tags(sentence: Sentence, tags: Mapping[str, Sequence[Sequence[str]]], index: int) -> Sentence:
    """Return the sentence with what the model's taggers say of it; a line of words becomes CoNLL-U."""
    if sentence.format.name in ("slash", "text"):
        sentence = as_conllu(sentence)
    for name, values in tags.items():
        column: str | int = name
        if sentence.format.find(name) is None or sentence.format.name != "conllu":
            place = tree_columns(sentence.format).tag
            column = "tag" if place is None else place
        sentence = sentence.with_column(column, values[index])
    return sentence
