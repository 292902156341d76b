"""The survey: all that a tagger must know of its data before the first update, from one pass over files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from structron.errors import DataError, StructronError
from structron.fit import Stage
from structron.fit.data.signature import Checksum
from structron.fit.streaming.examples import Stream, StreamedExamples
from structron.fit.streaming.store import Item
from structron.io import Format, Sentence
from structron.io.files.atomic_write import write_atomically
from structron.io.files.training_files import Files, Position
from structron.io.values.labels import illegal
from structron.tasks.tagging.inputs import Inputs, shown_columns

EVERY = 4096  # sentences between two reports of progress


@dataclass(frozen=True)
class Survey:
    """The results of one pass over the files.

    Attributes
    ----------
    steps
        The pairs of labels in a row; None stands before the first and after the last.
    columns
        The number of columns of every token.
    sentences, tokens, checksum
        The size of the data, and a checksum of it.
    format
        The format of the first sentence: name, separator, columns.
    bad, first_bad
        The number of sentences left out, and the problem of the first.
    outside, letters
        The number of tokens outside of spans, and of tokens that are one character.
    """

    steps: list[list[str | None]]
    columns: int
    sentences: int
    tokens: int
    checksum: str
    format: tuple[str, str, list[str]]
    bad: int = 0
    first_bad: str = ""
    outside: int = 0
    letters: int = 0

    @property
    def labels(self) -> set[str]:
        """Return all labels."""
        return {label for step in self.steps for label in step if label is not None}


def streamed(files: Files, stream: Stream, stage: Stage | None) -> StreamedExamples[Inputs]:
    """Return the examples of files with their survey, which is saved in the folder."""
    digests, folder = files.digests(), stream.made()
    survey = _known(folder, digests, files) or _kept(folder, digests, files, survey_of(files, stage))
    name, separator, columns = survey.format
    shown = Sentence([], Format(name, separator, tuple(columns)), file=files.names[0])
    source = Inputs([], False, survey.columns, [shown], streams=True)
    size = survey.sentences, survey.tokens
    place = f"{len(files.names)} files" if len(files.names) > 1 else files.names[0]
    stream.tell(f"{place}: {size[0]:,} sentences, {size[1]:,} tokens")
    if survey.bad:
        stream.tell(f"{place}: left out {survey.bad:,} bad sentences; the first: {survey.first_bad}")
    return StreamedExamples(
        (), (), source, source.place, survey.checksum,
        (), files, read_items, tuple(digests), stream, *size, survey, stage,
    )  # fmt: skip


def survey_of(files: Files, stage: Stage | None = None) -> Survey:
    """Survey the files in one pass."""
    steps: set[tuple[str | None, str | None]] = set()
    checksum = Checksum()
    width, sentences, tokens, outside, letters = 0, 0, 0, 0, 0
    format: Format | None = None
    for sentence in files:
        x, y, shown = example_of(sentence, files)
        format = format or sentence.format
        width = shown if not sentences else min(width, shown)
        sentences += 1
        tokens += len(y)
        outside += y.count("O")
        letters += sum(map(is_letter, x))
        steps.update(zip([None, *y], [*y, None]))
        checksum.add(x, y)
        if stage is not None and sentences % EVERY == 0:
            stage("reading", sentences, 0)
    if format is None or not tokens:
        raise DataError("there is nothing to learn from; give at least one labelled token")
    listed = sorted(([*step] for step in steps if step != (None, None)), key=str)
    kept = (format.name, format.separator, list(format.columns))
    left_out = files.report.bad, "".join(files.report.messages[:1])
    return Survey(listed, max(width, 1), sentences, tokens, str(checksum), kept, *left_out, outside, letters)


def is_letter(token: object) -> bool:
    """Return True if a token's word is one character."""
    word = token[0] if isinstance(token, tuple) else token
    return isinstance(word, str) and len(word) == 1


def example_of(sentence: Sentence, files: Files) -> tuple[list[object], list[str], int]:
    """Return tokens and labels of a sentence, and the number of columns.

    They are as `read_inputs` and `read_labels` return them.
    """
    names = shown_columns(sentence, files.target)
    columns = [sentence.column(name) for name in names]
    target = sentence.format.target if files.target is None else files.target
    labels = sentence.column(target)  # type: ignore[arg-type]  # `Files` has checked that there is one
    return list(columns[0] if len(columns) == 1 else zip(*columns)), labels, len(columns)


def read_items(files: Files, position: Position) -> Iterator[Item]:
    """Yield the examples after a position, for packing."""
    for after, sentence in files.since(position):
        x, y, _ = example_of(sentence, files)
        yield after, x, y, partial(getattr, sentence, "place")


def out_of_place(files: Files, rules: str) -> str | None:
    """Find the first label in the files that breaks the rules; return its place and None if there is none."""
    for sentence in files:
        _, tags, _ = example_of(sentence, files)
        at = illegal(tags, rules)
        if at is not None:
            what = f"label {tags[at]!r} is" if at < len(tags) else "the end is"
            return f"{sentence.place_of(min(at, len(tags) - 1))}: {what} out of place in {rules}"
    return None


def _key(digests: list[str], files: Files) -> str:
    return hashlib.sha256(json.dumps([digests, files.reading()], sort_keys=True).encode()).hexdigest()


def _kept(folder: Path, digests: list[str], files: Files, survey: Survey) -> Survey:
    write_atomically(
        folder / "survey.json", json.dumps({"of": _key(digests, files), **asdict(survey)}) + "\n"
    )
    return survey


def _known(folder: Path, digests: list[str], files: Files) -> Survey | None:
    """Return the survey of the same files from the folder, if it is complete."""
    try:
        said = json.loads((folder / "survey.json").read_text(encoding="utf-8"))
        if said.pop("of") != _key(digests, files):
            return None
        survey = Survey(**said)
        name, separator, columns = survey.format
        Format(name, separator, tuple(columns))
        whole = all(isinstance(n, int) and n > 0 for n in (survey.columns, survey.sentences, survey.tokens))
        texts = all(isinstance(label, str | None) for step in survey.steps for label in step)
        paired = all(len(step) == 2 for step in survey.steps)
        counted = "outside" in said and isinstance(survey.outside, int) and isinstance(survey.letters, int)
        said_so = counted and isinstance(survey.checksum, str) and isinstance(survey.bad, int)
        return survey if whole and texts and paired and said_so else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, StructronError):
        return None
