"""brat: a text, ``x.txt``, and its spans beside it, ``x.ann``."""

from __future__ import annotations

from pathlib import Path

from structron.errors import DataError
from structron.io.files import streams
from structron.io.files.sentence import FIX
from structron.io.values.annotated_text import AnnotatedText, annotated_text


def read_brat(place: str | Path) -> AnnotatedText:
    """Read ``x.ann`` and the text beside it, ``x.txt``.

    Lines that are no text-bound annotations (relations, events, attributes, notes) are skipped. A span in
    several pieces is refused, since labels of words cannot say it.
    """
    file = Path(place)
    beside = file.with_suffix(".txt")
    if not beside.exists():
        raise DataError(f"{file}: the text {beside} is missing; put it beside the annotations")
    text = "".join(streams.decoded(beside, "utf-8"))
    given = []
    for number, line in enumerate("".join(streams.decoded(file, "utf-8")).split("\n"), 1):
        if not line.startswith("T"):
            continue
        where = f"{file}:{number}"
        _, tab, rest = line.partition("\t")
        what, _, said = rest.partition("\t")
        label, _, places = what.partition(" ")
        if ";" in places:
            raise DataError(f"{where}: span {places} has several pieces; mark it as one, or delete the line")
        start, _, end = places.partition(" ")
        if not tab or not start.isdecimal() or not end.isdecimal():
            raise DataError(f"{where}: {line[:60]!r} is not T1 TAB LABEL START END TAB TEXT; {FIX}")
        span = (int(start), int(end), label)
        # brat writes a blank for a line end in a span.
        if said and span[1] <= len(text) and said != text[span[0] : span[1]].replace("\n", " "):
            raise DataError(
                f"{where}: span {span[0]}:{span[1]} should be {said[:60]!r} but is "
                f"{text[span[0] : span[1]][:60]!r}; count characters, and leave the text as it was"
            )
        given.append(list(span))
    found = annotated_text({"text": text, "spans": given}, str(file))
    assert found is not None
    return found


def write_brat(text: AnnotatedText, place: str | Path) -> None:
    """Write ``x.ann`` and, beside it, ``x.txt``."""
    file = Path(place)
    if file.suffix != ".ann":
        raise DataError(f"{file}: brat's annotations are in a file x.ann; give it this ending")
    with streams.writing(file.with_suffix(".txt")) as put:
        put(text.text)
    with streams.writing(file) as put:
        for number, (start, end, label) in enumerate(text.spans, 1):
            said = text.text[start:end].replace("\n", " ")
            put(f"T{number}\t{label} {start} {end}\t{said}\n")
