"""Writing sentences, in the format they came in or in another."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from structron.errors import DataError
from structron.io.files import streams
from structron.io.files.encoding import Encoding, unfit
from structron.io.files.format import Format
from structron.io.files.sentence import Sentence
from structron.io.files.streams import Place
from structron.io.formats import columns, conllu, slash

_RENDER: dict[str, Callable[[Sentence], str]] = {
    "conllu": conllu.render,
    "columns": columns.render,
    "slash": slash.render,
    "text": slash.render,
}


def write(
    sentences: Iterable[Sentence],
    place: Place,
    *,
    format: str | Format | None = None,
    encoding: str | Encoding = "utf-8",
) -> None:
    """Write sentences, one after the other.

    Parameters
    ----------
    sentences
        May be a generator: each sentence is written at once.
    place
        A path (compressed if it ends in ``.gz``, ``.xz``, ``.bz2`` or ``.zst``), ``-`` for standard output,
        or an open file. A path gets its new content only when all went well.
    format
        Without it, or with the name of their own format, sentences are written as they were read.
        Otherwise columns are copied by name, and the target column becomes the target column.
    encoding
        The name of an encoding; or the `Encoding` that was given to `read`, to write the same bytes.
    """
    if isinstance(format, str):
        format = Format(format)
    encoding = Encoding.of(encoding)
    with streams.writing(place, encoding) as put:
        for sentence in sentences:
            out = sentence if format is None else convert(sentence, format)
            try:
                put(_RENDER[out.format.name](out))
            except UnicodeEncodeError as error:
                raise DataError(f"{sentence.place}: {unfit(error)}") from error


def convert(sentence: Sentence, format: Format) -> Sentence:
    """Return the same words in another format; comments are dropped unless the format is the same.

    Raises
    ------
    DataError
        If the sentence lacks a column that the format needs.
    """
    own = sentence.format
    if own == format or (own.name == format.name and format == Format(format.name)):
        return sentence
    taken: list[list[str]] = []
    for name in format.columns:
        if name in own.columns:
            taken.append(sentence.column(name))
        elif name == format.target and own.target is not None:
            taken.append(sentence.column(own.target))
        elif format.name == "conllu":
            taken.append([str(i) if name == "id" else "_" for i in range(1, len(sentence) + 1)])
        else:
            raise DataError(
                f"{sentence.place}: no column {name!r} for format {format.name}; "
                f"the columns are {', '.join(own.columns)}: name the ones to write"
            )
    rows = [list(row) for row in zip(*taken)]
    comments = sentence.comments if own.name == format.name and own.separator == format.separator else []
    return Sentence(rows, format, comments=comments, file=sentence.file, line=sentence.line)
