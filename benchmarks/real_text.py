"""Real text through `en`: every document is written as CoNLL-U, read back and compared.

``python benchmarks/real_text.py [--megabytes N] [--skip N] [--only newsgroups]``; the data folder is
$STRUCTRON_DATA.
For each document it checks that what is read back is what was made, that every token stands where its offsets
say, and that tokens and the white space after them are the text. A message of 20 Newsgroups is a document; in
the other texts a hundred lines are.
"""

from __future__ import annotations

import argparse
import io
import json
import lzma
import os
import re
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import structron
from structron.io import Sentence, read
from structron.tasks.pipeline.document import Document, token_range

LINES = 100
BATCH = 256
NAMES = {
    "newsgroups": ("newsgroups/20news-bydate-train.jsonl.xz", "newsgroups/20news-bydate-test.jsonl.xz"),
    "books": ("text/en/books.txt.xz",),
    "wikipedia": ("text/en/wikipedia.txt.xz",),
    "chinese": ("text/zh/wikipedia.txt.xz",),
}
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))")
_PLAIN = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "p": "|", "\\": "\\"}


def documents(place: Path) -> Iterator[str]:
    """Yield the documents of one file."""
    with lzma.open(place, "rt", encoding="utf-8", newline="") as lines:
        if ".jsonl" in place.name:
            yield from (json.loads(line)["text"] for line in lines)
            return
        while part := "".join(islice(lines, LINES)):
            yield part


def some(texts: Iterator[str], characters: float, skip: float = 0) -> Iterator[str]:
    """Yield documents until they have so many characters together; those of the first `skip` are left out."""
    for text in texts:
        if skip > 0:
            skip -= len(text)
            continue
        yield text
        characters -= len(text)
        if characters <= 0:
            return


def space_after(misc: str) -> str:
    """Return the white space that MISC says stands after a token."""
    for field in misc.split("|"):
        if field == "SpaceAfter=No":
            return ""
        if field.startswith("SpacesAfter="):
            return _ESCAPE.sub(
                lambda m: chr(int(m[1], 16)) if m[1] else _PLAIN[m[2]], field.removeprefix("SpacesAfter=")
            )
    return " "


def faults(document: Document) -> Iterator[str]:
    """Yield what is wrong with a document, in words."""
    text = document.text or ""
    try:
        written = document.to_conllu()
    except structron.StructronError as error:
        yield f"not written: {error}"
        return
    back: list[Sentence] = list(read(io.StringIO(written), format="conllu")) if written else []
    made = [sentence.rows for sentence in document.sentences]
    if [(s.comments, s.rows) for s in back] != [(s.comments, s.rows) for s in made]:
        yield "read back as something else"
    rebuilt = []
    for sentence in document.sentences:
        for token in sentence.tokens:
            if token.start is None or text[token.start : token.end] != token.text:
                yield f"a token is not where it says: {token}"
    for sentence in back:
        covered = 0
        for row in sentence.rows:
            first, _, last = row[0].partition("-")
            if int(first) <= covered:
                continue
            covered = int(last) if last else covered
            begin, end = token_range(row[9])
            rebuilt.append(text[begin:end] + space_after(row[9]))
    if "".join(rebuilt) != text.lstrip() and text.strip():
        yield "tokens and white space are not the text"


def check(name: str, places: list[Path], megabytes: float, skip: float, nlp: structron.Pipeline) -> bool:
    """Return one row: how many documents are fine, and how fast it was; the first faults are told."""
    count = good = tokens = size = 0
    seconds, told = 0.0, 0
    texts = (text for place in places for text in documents(place))
    chosen = some(texts, megabytes * 1e6, skip * 1e6)
    while batch := list(islice(chosen, BATCH)):
        began = time.perf_counter()
        found = list(nlp.pipe(batch))
        seconds += time.perf_counter() - began
        for text, document in zip(batch, found, strict=True):
            count, size = count + 1, size + len(text)
            tokens += sum(len(sentence.tokens) for sentence in document.sentences)
            wrong = list(faults(document)) + ["another text"] * (document.text != text)
            good += not wrong
            if wrong and told < 5:
                told += 1
                print(f"{name}, document {count}: {wrong[0]}", file=sys.stderr)
    speed = tokens / max(seconds, 1e-9)
    print(
        f"{name:12} {count:>8,} documents, {good:>8,} written and read back the same; "
        f"{size / 1e6:7.1f} million characters, {tokens:>10,} tokens, {speed:>9,.0f} tokens/s",
        flush=True,
    )
    return good == count


def main() -> int:
    """Return all rows; 1 if a document failed."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--megabytes", type=float, default=10.0, help="characters of each text, in millions")
    options.add_argument("--skip", type=float, default=0.0, help="millions of characters to pass over first")
    options.add_argument("--only", choices=NAMES)
    given = options.parse_args()
    folder = os.environ.get("STRUCTRON_DATA")
    if not folder or not Path(folder, "newsgroups").is_dir():
        sys.exit("STRUCTRON_DATA: no data folder there; say where it is")
    nlp = structron.load("en")
    fine = [
        check(name, [Path(folder, place) for place in places], given.megabytes, given.skip, nlp)
        for name, places in NAMES.items()
        if given.only in (None, name)
    ]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
