"""The input of a pipeline: paragraphs of raw text, or sentences whose words are given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from structron.cli.files.sentences import read_like
from structron.cli.task_cli import Reading
from structron.errors import DataError, SettingError
from structron.io import Format, Report, Sentence
from structron.io.files import detection
from structron.io.formats.raw_text import Paragraph, read_text
from structron.io.values.trees import as_conllu
from structron.tasks.pipeline.estimator import Pipeline

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream

CONLLU = Format("conllu")


def start_of(pipeline: Pipeline, stream: Stream, reading: Reading) -> str:
    """Return where to start: as the user says, else with the words of CoNLL-U, or with raw text."""
    if reading.start is not None:
        if reading.start == "text" and "segmenter" not in pipeline.stages_:
            raise SettingError("this pipeline has no segmenter; give it words (--from words)")
        return reading.start
    named = reading.format or detection.by_name(str(stream.name))
    if named == "conllu" or "segmenter" not in pipeline.stages_:
        return "words"
    return "text"


def read_items(
    pipeline: Pipeline, stream: Stream, reading: Reading, report: Report
) -> Iterator[Sentence | Paragraph]:
    """Read raw text by paragraphs, or the sentences of a stream."""
    if start_of(pipeline, stream, reading) == "text":
        yield from read_text(stream, reading.encoding)
        return
    for sentence in read_like(stream, reading, report, CONLLU if reading.start else None):
        if sentence.format.name not in ("conllu", "text", "slash"):
            raise DataError(
                f"{sentence.place}: its format is {sentence.format.name}; give CoNLL-U, or a sentence a line"
            )
        if len(sentence):
            yield sentence if sentence.format.name == "conllu" else as_conllu(sentence)
