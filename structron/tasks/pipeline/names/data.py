"""Labelled names from files, as CoNLL-U sentences with labels in MISC, or as texts with spans."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from structron.errors import DataError, warn
from structron.io import Format, Report, Sentence, read
from structron.io.annotations.brat import read_brat
from structron.io.annotations.labels import labels_of_spans
from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.streams import name_of
from structron.io.values.annotated_text import AnnotatedText, LabelledSpan, looks_annotated, parse_annotated
from structron.io.values.labels import is_kind, is_span_label, spans
from structron.tasks.pipeline.document import AnalysedSentence
from structron.tasks.pipeline.names.entities import labels_of, put_labels, word_places

if TYPE_CHECKING:
    from structron.io import Place
    from structron.segments.segmented_text import SegmentedSentence

Item = Sentence | AnnotatedText
Given = str | Path | Sequence[str | Path | Item]
_CONLLU = Format("conllu")
_LEFT_OUT = "its sentence is left out"


def read_names(
    place: Place, encoding: str | Encoding = "utf-8", *, skip_bad: bool = False, report: Report | None = None
) -> Iterator[Item]:
    """Read a file of labelled names: columns, CoNLL-U with ``NER=`` in MISC, or JSON with offsets.

    In columns the labels are the last column that marks spans in every sentence, and the words are the first
    that is no number of a row. A path ``x.ann`` is one of brat's, with its text beside it.
    """
    if Path(name_of(place)).suffix == ".ann":
        yield read_brat(name_of(place))
        return
    report, content, file = report or Report(), "".join(streams.decoded(place, encoding)), name_of(place)
    if looks_annotated(content):
        for found in parse_annotated(content, file):
            if not isinstance(found, DataError):
                yield found
            elif not skip_bad:
                raise found
            else:
                report.add(str(found))
        return
    again = io.StringIO(content)
    again.name = file  # for messages
    yield from in_misc(list(read(again, skip_bad=skip_bad, report=report)))


def names_of(given: Given) -> list[Item]:
    """Return the labelled names that a setting means: files, or sentences and texts themselves."""
    if isinstance(given, (str, Path)):
        given = () if str(given) == "none" else str(given).split(",")
    if not isinstance(given, (list, tuple)):
        raise DataError(f"names are of type {type(given).__name__}; name a file, or give labelled sentences")
    found: list[Item] = []
    for each in given:
        if isinstance(each, (str, Path)):
            found += read_names(each)
        elif isinstance(each, Sentence):
            found += in_misc([each])
        elif isinstance(each, AnnotatedText):
            found.append(each)
        else:
            raise DataError(f"names has an item of type {type(each).__name__}; give files or sentences")
    return found


def in_misc(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return labelled sentences as CoNLL-U with labels in MISC; those of columns have nothing else."""
    for sentence in sentences:
        if sentence.format.name == "conllu":
            labels_of(sentence)
        elif sentence.format.name != "columns":
            raise DataError(
                f"{sentence.place}: its format is {sentence.format.name}; give names in columns, in CoNLL-U "
                "(NER= in MISC), or as JSON with offsets"
            )
    columns = [sentence for sentence in sentences if sentence.format.name == "columns" and len(sentence)]
    if not columns:
        return [sentence for sentence in sentences if len(sentence)]
    form, label = _form_column(columns), _label_column(columns)
    return [
        _of_columns(sentence, form, label) if sentence.format.name == "columns" else sentence
        for sentence in sentences
        if len(sentence)
    ]


def _label_column(sentences: Sequence[Sentence]) -> int:
    width = len(sentences[0].names)
    for i in reversed(range(width)):
        if all(is_span_label(row[i]) for sentence in sentences for row in sentence.tokens):
            return i
    first, last = sentences[0], width - 1
    labels = (row[last] for sentence in sentences for row in sentence.tokens)
    wrong = next(label for label in labels if not is_span_label(label))
    raise DataError(
        f"{first.file}: no column marks spans; {wrong!r} in the last one is no label such as O or B-PER"
    )


def _form_column(sentences: Sequence[Sentence]) -> int:
    numbered = len(sentences[0].names) > 2 and all(
        [row[0] for row in sentence.tokens] == [str(i) for i in range(1, len(sentence) + 1)]
        for sentence in sentences
    )
    return 1 if numbered else 0


def _of_columns(sentence: Sentence, form: int, label: int) -> Sentence:
    """Return a sentence of columns as CoNLL-U, with labels in which every name begins with B."""
    labels = as_bio([row[label] for row in sentence.tokens], sentence.place)
    made = Sentence.of([row[form] for row in sentence.tokens], format=_CONLLU)
    put_labels(made.rows, labels)
    return Sentence(made.rows, _CONLLU, file=sentence.file, line=sentence.line, tokens=made.tokens)


def as_bio(labels: Sequence[str], place: str) -> list[str]:
    """Return labels of any scheme in the one in which every span begins with B."""
    found = ["O"] * len(labels)
    for start, end, kind in spans(labels):
        if not is_kind(kind):
            raise DataError(f"{place}: label {kind!r} cannot stand in a file; give one without blanks or |")
        found[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
    return found


def cut_names(
    text: AnnotatedText, sentences: Iterable[SegmentedSentence]
) -> Iterator[tuple[Sentence, list[str]]]:
    """Yield the sentences of a text with labels, and for each what does not fit its spans.

    A span fits if it begins and ends where words do, within one sentence.
    """
    left = list(text.spans)
    for segment in sentences:
        rows = segment.sentence()
        end = segment.end
        own = [span for span in left if span.start < end]
        left = left[len(own) :]
        over = [span for span in own if span.end > end]
        inside = AnnotatedText(text.text, tuple(span for span in own if span.end <= end), text.place)
        labels, wrong = labels_of_spans(inside, word_places(AnalysedSentence(rows)))
        wrong = [*wrong, *(_too_long(text, span, end) for span in over)]
        put_labels(rows.tokens, labels)
        rows.file = text.place
        yield rows, [f"{problem}; {_LEFT_OUT}" for problem in wrong]


def _too_long(text: AnnotatedText, span: LabelledSpan, end: int) -> str:
    shown = f"{text.place}: span {span.start}:{span.end} {text.text[span.start : span.end][:60]!r}"
    return f"{shown} goes over the end of a sentence at {end}"


def as_sentences(items: Sequence[Item], segmenter: Any) -> list[Sentence]:
    """Return labelled sentences; texts are cut by the pipeline's own segmenter.

    A sentence with a span that does not fit its words teaches nothing, and a warning says why. If that is
    most of them, the data are refused.
    """
    texts = [item for item in items if isinstance(item, AnnotatedText)]
    if texts and segmenter is None:
        raise DataError(
            f"{texts[0].place}: names stand in texts here, and the pipeline has no segmenter to cut them; "
            "give names in columns, or train one with it"
        )
    cut = iter(segmenter.predict([text.text for text in texts]) if texts else ())
    found: list[Sentence] = []
    misfits: list[str] = []
    for item in items:
        if isinstance(item, Sentence):
            found.append(item)
            continue
        for sentence, wrong in cut_names(item, next(cut)):
            misfits += wrong
            if not wrong:
                found.append(sentence)
    if 2 * len(misfits) > sum(len(text.spans) for text in texts):
        raise DataError(
            f"{misfits[0]}, and {len(misfits) - 1} of {len(texts)} texts like it; check the offsets"
        )
    for message in misfits:
        warn(message)
    return found


def checksum_of_names(items: Iterable[Item]) -> str:
    """Return twelve hex digits of all labelled names."""
    digest = hashlib.sha256()
    for item in items:
        said = (item.text, item.spans) if isinstance(item, AnnotatedText) else (item.words(), labels_of(item))
        digest.update(repr(said).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
