"""JSON with offsets, an object a line, as Prodigy, doccano and Label Studio read it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from structron.errors import DataError, SettingError
from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.streams import Place, name_of
from structron.io.values.annotated_text import AnnotatedText, parse_annotated

TOOLS = ("prodigy", "doccano", "label-studio")


def json_of(
    text: AnnotatedText, tool: str, places: Sequence[tuple[int, int]] | None = None
) -> dict[str, Any]:
    """Return a text with spans as a tool reads it.

    Parameters
    ----------
    tool
        ``prodigy``, ``doccano`` or ``label-studio``; the latter takes spans as predictions, to be accepted.
    places
        Where tokens begin and end, which Prodigy marks spans by.
    """
    if tool == "doccano":
        return {"text": text.text, "label": [list(span) for span in text.spans]}
    if tool == "label-studio":
        results = [
            {
                "from_name": "label",
                "to_name": "text",
                "type": "labels",
                "value": {
                    "start": span.start,
                    "end": span.end,
                    "text": text.text[span.start : span.end],
                    "labels": [span.label],
                },
            }
            for span in text.spans
        ]
        return {
            "data": {"text": text.text},
            "predictions": [{"model_version": "structron", "result": results}],
        }
    if tool != "prodigy":
        raise SettingError(f"there is no tool {tool!r}; choose one of {', '.join(TOOLS)}")
    spans: list[dict[str, Any]] = [span._asdict() for span in text.spans]
    found: dict[str, Any] = {"text": text.text, "spans": spans}
    if places is None:
        return found
    first = {start: i for i, (start, _) in enumerate(places)}
    last = {end: i for i, (_, end) in enumerate(places)}
    for span in spans:
        if span["start"] in first and span["end"] in last:
            span |= {"token_start": first[span["start"]], "token_end": last[span["end"]]}
    found["tokens"] = [
        {
            "text": text.text[start:end],
            "start": start,
            "end": end,
            "id": i,
            "ws": text.text[end : end + 1].isspace(),
        }
        for i, (start, end) in enumerate(places)
    ]
    return found


def read_annotated(place: Place, encoding: str | Encoding = "utf-8") -> Iterator[AnnotatedText]:
    """Yield the texts of a file of any of these tools, or of spaCy; what was not accepted is left out."""
    content = "".join(streams.decoded(place, encoding))
    for found in parse_annotated(content, name_of(place)):
        if isinstance(found, DataError):
            raise found
        yield found


def write_annotated(texts: Iterable[AnnotatedText], place: Place, tool: str = "prodigy") -> None:
    """Write texts for a tool: one list for Label Studio, otherwise an object a line."""
    if tool not in TOOLS:
        raise SettingError(f"there is no tool {tool!r}; choose one of {', '.join(TOOLS)}")
    lines = (json.dumps(json_of(text, tool), ensure_ascii=False) for text in texts)
    with streams.writing(place) as put:
        if tool != "label-studio":
            for line in lines:
                put(f"{line}\n")
            return
        put("[")
        for number, line in enumerate(lines):
            put(f"{',' * bool(number)}\n{line}")
        put("\n]\n")
