"""Sentences as a tagger reads them: which columns it reads, and which one it predicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from structron.cli.files.sentences import own_format, read_like
from structron.cli.task_cli import Reading
from structron.errors import DataError
from structron.io import Report, Sentence
from structron.io.files.sentence import missing
from structron.io.values.labels import is_bio
from structron.io.values.misc import SPANS, attribute, with_attribute
from structron.tasks.tagging.inputs import shown_columns

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.tasks.tagging.estimator import Tagger

# Types of chunks (Tjong Kim Sang & Buchholz 2000); all other spans are taken for names.
_CHUNKS = frozenset(["NP", "VP", "PP", "ADJP", "ADVP", "SBAR", "PRT", "CONJP", "INTJ", "LST", "UCP"])


def read_for(tagger: Tagger, stream: Stream, reading: Reading, report: Report) -> Iterator[Sentence]:
    """Yield the sentences of a stream with columns named as in the model's training data."""
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
    """Return the column of a sentence that the tagger predicts, or the one to be added."""
    format, own = sentence.format, own_format(tagger)
    wanted = tagger.target
    if wanted is not None and (
        format.find(wanted) is not None or (own is not None and own.name == format.name == "columns")
    ):
        return wanted
    return format.target or ("label" if format.name == "columns" else "tag")


def attribute_of(tagger: Tagger, sentence: Sentence) -> str | None:
    """Return the attribute of MISC that spans are written to, or None where the labels have a column.

    CoNLL-U has no column for names or chunks: a tagger that learned them elsewhere must not put them over
    parts of speech.
    """
    own, wanted = own_format(tagger), tagger.target
    is_foreign = sentence.format.name == "conllu" and (own is None or own.name != "conllu")
    if not is_foreign or (isinstance(wanted, str) and sentence.format.find(wanted) is not None):
        return None
    if not is_bio(tagger.labels_):
        return None
    types = {label[2:] for label in tagger.labels_ if label != "O"}
    return "Span" if types <= {""} else "Chunk" if types <= _CHUNKS else SPANS


def labelled(tagger: Tagger, sentence: Sentence, labels: Sequence[str]) -> Sentence:
    """Return a sentence with predicted labels in their column, or spans in MISC."""
    name = attribute_of(tagger, sentence)
    if name is None:
        return sentence.with_column(target_column(tagger, sentence), labels)
    notes = [
        with_attribute(before, name, None if label == "O" else label)
        for before, label in zip(sentence.column("misc"), labels)
    ]
    return sentence.with_column("misc", notes)


def gold_labels(tagger: Tagger, sentence: Sentence) -> list[str] | None:
    """Return the labels that a sentence has already, or None if it has none."""
    name = attribute_of(tagger, sentence)
    if name is None:
        column = target_column(tagger, sentence)
        if sentence.format.find(column) is None:
            return None
        if error := missing(sentence, column):
            raise error
        return sentence.column(column)
    found = [attribute(misc, name) or "O" for misc in sentence.column("misc")]
    return found if any(label != "O" for label in found) else None


def check_columns(tagger: Tagger, place: str, shown: int) -> None:
    """Refuse words where the model also reads further columns, such as parts of speech."""
    needed = tagger.model_.task.columns
    if shown < needed:
        own = own_format(tagger)
        names = f" ({' '.join(own.columns)})" if own is not None else ""
        is_or_are = "is" if shown == 1 else "are"
        raise DataError(
            f"{place}: the model reads {needed} columns of each token but there {is_or_are} {shown}; "
            f"give it columns like those it was trained on{names}"
        )
