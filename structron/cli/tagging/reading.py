"""Sentences in the model's own terms: which columns it reads, and which one it predicts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from structron.cli.face import Reading
from structron.cli.sentences import own_format, read_like
from structron.data import Report, Sentence
from structron.errors import DataError
from structron.estimators.tagging.inputs import shown_columns

if TYPE_CHECKING:
    from structron.cli.streams import Stream
    from structron.estimators.tagging import Tagger


def read_for(tagger: Tagger, stream: Stream, reading: Reading, report: Report) -> Iterator[Sentence]:
    """The sentences of a stream with columns named as in the model's training data."""
    own = own_format(tagger)
    if tagger.target is None and own is not None and own.name == "columns":
        # Input for prediction may lack the labels; its last column is then one to be read.
        tagger.target = own.target
    known = frozenset(tagger.labels_)
    for sentence in read_like(stream, reading, report, own, labels=known, blanks=reading.blanks):
        if len(sentence):
            check_columns(tagger, sentence.place, len(shown_columns(sentence, tagger.target)))
        yield sentence


def target_column(tagger: Tagger, sentence: Sentence) -> str | int:
    """The column of a sentence that the tagger predicts, or the one to be added."""
    format, own = sentence.format, own_format(tagger)
    wanted = tagger.target
    if wanted is not None and (
        format.find(wanted) is not None or (own is not None and own.name == format.name == "columns")
    ):
        return wanted
    return format.target or ("label" if format.name == "columns" else "tag")


def check_columns(tagger: Tagger, place: str, shown: int) -> None:
    """Refuse words where the model also reads further columns, such as parts of speech."""
    needed = tagger.model_.task.columns
    if shown < needed:
        own = own_format(tagger)
        names = f" ({' '.join(own.columns)})" if own is not None else ""
        raise DataError(
            f"{place}: the model reads {needed} columns of each token but there are {shown}; "
            f"give it columns like those it was trained on{names}"
        )
