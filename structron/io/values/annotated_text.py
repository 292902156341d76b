"""Texts in which spans of characters have labels, an object of JSON a line, as annotation tools write them.

Each object has ``text`` and its spans, as one of::

    {"text": "...", "spans": [{"start": 0, "end": 4, "label": "PER"}]}                        Prodigy
    {"text": "...", "label": [[0, 4, "PER"]]}  or  "entities": [[0, 4, "PER"]]                 doccano, spaCy
    {"text": "...", "entities": [{"start_offset": 0, "end_offset": 4, "label": "PER"}]}       doccano
    {"text": "...", "label": [{"start": 0, "end": 4, "labels": ["PER"]}]}                      Label Studio
    {"data": {"text": "..."}, "annotations": [{"result": [{"value": {"start": 0, ...}}]}]}     Label Studio
    ["...", {"entities": [[0, 4, "PER"]]}]                                                     spaCy

What an annotator has not accepted is left out. A file may also be one list of such objects. Offsets count
characters (code points).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from structron.errors import DataError
from structron.io.files.sentence import FIX
from structron.io.values.labels import is_kind
from structron.records import dataclass

_LISTS = ("spans", "entities", "label", "labels")
_STARTS, _ENDS, _LABELS = ("start", "start_offset"), ("end", "end_offset"), ("label", "labels", "type")


class LabelledSpan(NamedTuple):
    """The characters from `start` up to but not including `end`, with a label."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class AnnotatedText:
    """A text with its spans in order, none of which overlap, and its place for messages."""

    text: str
    spans: tuple[LabelledSpan, ...]
    place: str = "(memory)"

    def __len__(self) -> int:
        return len(self.text)


def looks_annotated(text: str) -> bool:
    """Return True if a file that begins so has texts with spans."""
    return re.match(r"\s*(\{|\[\s*[\[{\"])", text) is not None


def parse_annotated(content: str, file: str) -> Iterator[AnnotatedText | DataError]:
    """Yield the texts of a file; instead of one that is not possible the error that says why."""
    lines = enumerate(content.split("\n"), 1)
    for where, value in _values([(i, line) for i, line in lines if line and not line.isspace()], file):
        try:
            found = value if isinstance(value, DataError) else annotated_text(value, where)
        except DataError as error:
            found = error
        if found is not None:
            yield found


def _values(lines: Sequence[tuple[int, str]], file: str) -> Iterator[tuple[str, Any]]:
    """Yield the value of each line, or those of one list that is the whole file, with their places."""
    whole = None
    if lines and lines[0][1].lstrip().startswith("["):
        try:
            whole = json.loads("\n".join(line for _, line in lines))
        except ValueError:
            whole = None  # each line is a list
    if isinstance(whole, list) and not (len(lines) == 1 and _is_pair(whole)):
        yield from ((f"{file}, item {i}", value) for i, value in enumerate(whole, 1))
        return
    for number, line in lines:
        where = f"{file}:{number}"
        try:
            yield where, json.loads(line)
        except (ValueError, RecursionError) as error:
            yield where, DataError(f"{where}: this is not JSON ({error}); {FIX}")


def _is_pair(value: Sequence[Any]) -> bool:
    return len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], Mapping)


def annotated_text(value: Any, where: str) -> AnnotatedText | None:
    """Return the text that a value of JSON stands for; None if its annotator has not accepted it."""
    if isinstance(value, list) and _is_pair(value):
        value = {"text": value[0], **value[1]}
    if not isinstance(value, Mapping):
        raise DataError(f'{where}: this is no object with "text" and "spans"; {FIX}')
    if value.get("answer", "accept") != "accept":
        return None
    inner = value.get("data")
    text = inner.get("text") if isinstance(inner, Mapping) else value.get("text")
    if not isinstance(text, str):
        raise DataError(f'{where}: there is no "text"; {FIX}')
    given = _results(value["annotations"]) if "annotations" in value else _listed(value)
    if given is None:
        raise DataError(f'{where}: there are no spans, such as "spans": [[0, 4, "PER"]]; {FIX}')
    found = sorted({_span(each, text, where) for each in given})
    for before, after in pairwise(found):
        if after.start < before.end:
            shown = f"{text[before.start : before.end]!r} and {text[after.start : after.end]!r}"
            raise DataError(f"{where}: spans {shown} overlap; leave one of them out or pass --skip-bad")
    return AnnotatedText(text, tuple(found), where)


def _listed(value: Mapping[str, Any]) -> list[Any] | None:
    return next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)


def _results(annotations: Any) -> list[Any] | None:
    """Return the spans of Label Studio's first annotation."""
    match annotations:
        case [{"result": [*results]}, *_]:
            spans = [each["value"] for each in results if isinstance(each, Mapping) and "value" in each]
            return [each for each in spans if isinstance(each, Mapping) and "start" in each]
    return [] if annotations == [] else None


def _span(given: Any, text: str, where: str) -> LabelledSpan:
    said = None
    match given:
        case [start, end, label]:
            pass
        case {**fields}:
            start, end, label = (
                next((fields[name] for name in names if fields.get(name) is not None), None)
                for names in (_STARTS, _ENDS, _LABELS)
            )
            label, said = label[0] if isinstance(label, list) and label else label, fields.get("text")
        case _:
            start = end = label = None
    if not all(isinstance(each, int) and not isinstance(each, bool) for each in (start, end)):
        raise DataError(f'{where}: span {str(given)[:80]} has no start and end; write [0, 4, "PER"]')
    if not isinstance(label, str) or not is_kind(label):
        raise DataError(
            f"{where}: label {label!r} of span {start}:{end} is not possible; give a text without blanks or |"
        )
    if not 0 <= start < end <= len(text):
        raise DataError(f"{where}: span {start}:{end} is not in the text of {len(text)} characters; {FIX}")
    if isinstance(said, str) and said != text[start:end]:
        raise DataError(
            f"{where}: span {start}:{end} should be {said[:60]!r} but is {text[start:end][:60]!r}; "
            "count characters, not bytes or units of UTF-16"
        )
    while text[start].isspace() and start + 1 < end:
        start += 1
    while text[end - 1].isspace() and start + 1 < end:
        end -= 1
    return LabelledSpan(start, end, label)
