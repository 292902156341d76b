"""What a pipeline reads: raw text in pieces, or sentences whose words are given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from structron.cli.face import Reading
from structron.cli.sentences import look, read_like
from structron.data import Encoding, Format, Report, Sentence, files, sniff
from structron.data.trees import as_conllu
from structron.errors import DataError, SettingError
from structron.estimators.pipeline import Pipeline

if TYPE_CHECKING:
    from structron.cli.streams import Stream

# So many characters without an empty line are cut at the end of a line: memory is bounded, whatever comes.
LONGEST = 1 << 20
CONLLU = Format("conllu")


def start_of(pipeline: Pipeline, stream: Stream, reading: Reading) -> str:
    """Where to start: as the user says; else with the words of CoNLL-U, or with raw text."""
    if reading.start is not None:
        if reading.start == "text" and "segmenter" not in pipeline.stages_:
            raise SettingError("this pipeline has no segmenter; give it words (--from words)")
        return reading.start
    named = reading.format or sniff.by_name(str(stream.name))
    if named == "conllu" or "segmenter" not in pipeline.stages_:
        return "words"
    return "text"


def read_sentences(
    pipeline: Pipeline, stream: Stream, reading: Reading, report: Report
) -> Iterator[Sentence]:
    """The sentences of a stream; those of raw text are segmented here."""
    if start_of(pipeline, stream, reading) == "text":
        yield from _segmented(pipeline, stream, reading, report)
        return
    if reading.start is not None and (named := look(stream, CONLLU, reading.encoding)) not in (
        "conllu",
        "text",
        "slash",
    ):
        raise DataError(f"{stream.name}: its format is {named}; give CoNLL-U, or a sentence a line")
    for sentence in read_like(stream, reading, report, CONLLU if reading.start else None):
        if len(sentence):
            yield sentence if sentence.format.name == "conllu" else as_conllu(sentence)


def _segmented(pipeline: Pipeline, stream: Stream, reading: Reading, report: Report) -> Iterator[Sentence]:
    """Raw text, paragraph by paragraph; offsets are those in the whole text."""
    begin = 0
    for text in paragraphs(stream, reading, report):
        if text and not text.isspace():
            yield from pipeline.segment(text, begin)
        begin += len(text)


def paragraphs(stream: Stream, reading: Reading, report: Report) -> Iterator[str]:
    """A text in pieces that end with an empty line, or when they are very long; nothing is lost."""
    encoding = Encoding.of(reading.encoding)
    parts: list[str] = []
    size = 0
    with files.reading(stream, encoding) as lines:
        for number, line in enumerate(lines, 1):
            if number in lines.broken:
                said = f"{stream.name}:{number}: {lines.broken[number]}"
                if not reading.skip_bad:
                    raise DataError(said)
                report.add(said)
            end = "\r\n" if encoding.crlf else "\n"
            parts.append(line + end)
            size += len(parts[-1])
            if not line.strip() or size > LONGEST:
                yield "".join(parts)
                parts, size = [], 0
    yield "".join(parts)
