"""What a share of the labels is worth, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from report import Entry, cell, fill, select, table

from partial.plan import CORPORA, SHARES, WAYS

HEADS = {
    "sentences": "sentences, random",
    "selected": "sentences, select",
    "words": "words, random",
    "unsure": "words, least sure",
}
NAMES = {2: "a half", 10: "a tenth", 50: "a fiftieth"}


def shares(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return the scores of one corpus, a row for each share of the labels."""
    whole = cell([entry["test"] for entry in select(entries, corpus=corpus, way="all")])
    rows = [["labels", *(HEADS[way] for way in WAYS)], ["all", whole, *[""] * (len(WAYS) - 1)]]
    for of in SHARES:
        found = (select(entries, corpus=corpus, way=way, one_in=of) for way in WAYS)
        rows.append([NAMES[of], *(cell([entry["test"] for entry in each]) for each in found)])
    return table(rows)


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write a table for each corpus into OUT/README.md."""
    fill(out / "README.md", {f"labels {corpus}": shares(entries, corpus) for corpus in CORPORA})
