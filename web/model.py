"""The model of the page without a server: learns it, and writes it as the page's engine reads it.

A word's tag is the one that it has most often, or that its ending has, so that a page needs no tagger: the
parser learns from such tags, and from their mistakes. Run from the checkout, with the data folder in
STRUCTRON_DATA: ``python web/model.py web/built``.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from structron import Parser
from structron.io import read, tree_of
from structron.tasks.parsing.transitions.task import ParsingTask

MAGIC = 0x31575453
COMMON, RARE, SURE = (
    2,
    3,
    3,
)  # a word in the list, one whose ending counts, and how often an ending must be seen
ENDINGS = (3, 2, 1)
STEPS = 127
SETTINGS: dict[str, Any] = {
    "system": "arc-standard",
    "templates": "fast_tags",
    "search": "beam:4",
    "epochs": 6,
    "cut": 6,
    "min_weight": 1.0,
}


def endings(word: str) -> Iterator[str]:
    """Yield what may tell the tag of an unknown word, the surest first: how it is written and how it ends."""
    kind = "0" if any(each.isdigit() for each in word) else "A" if word[:1].isupper() else "a"
    for length in ENDINGS:
        if len(word) >= length:
            yield kind + word.lower()[-length:]
    yield kind


class Tags:
    """The usual tag of each word."""

    def __init__(self, tagged: list[tuple[str, str]]) -> None:
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for word, tag in tagged:
            seen[word][tag] += 1
        ends: dict[str, Counter[str]] = defaultdict(Counter)
        for word, tags in seen.items():
            if tags.total() <= RARE:
                for end in endings(word):
                    ends[end].update(tags)
        self.words = {word: _most(tags) for word, tags in seen.items() if tags.total() >= COMMON}
        self.ends = {end: _most(tags) for end, tags in ends.items() if tags.total() >= SURE}

    def of(self, word: str) -> str:
        """Return the tag of a word."""
        return self.words.get(word) or next(self.ends[end] for end in endings(word) if end in self.ends)


def _most(tags: Counter[str]) -> str:
    return min(tags, key=lambda tag: (-tags[tag], tag))


def packed(task: ParsingTask, rows: Any) -> bytes:
    """Return templates, actions and weights as web/parser.cpp reads them; weights in 127 steps."""
    keys, offsets, columns, weights, _ = rows.arrays()
    scale = float(np.abs(weights).max()) / STEPS
    steps = np.rint(weights / scale).astype(np.int8)
    kept = steps != 0
    lengths = np.add.reduceat(kept, offsets[:-1])
    has = lengths > 0
    program, names, system, single, actions, _ = task._engine()
    out = [struct.pack("<6I", MAGIC, program.columns, system, single, len(names), len(actions))]
    out += [struct.pack("<2i", kind, label) for kind, label in actions]
    out.append(_templates(task))
    out.append(struct.pack("<2If", int(has.sum()), int(kept.sum()), scale))
    out += [keys[has].astype("<u8").tobytes(), lengths[has].astype(np.uint8).tobytes()]
    out += [columns[kept].astype(np.uint8).tobytes(), steps[kept].tobytes()]
    return b"".join(out)


def _templates(task: ParsingTask) -> bytes:
    from structron.tasks.parsing.transitions.task import _compiled

    out = [struct.pack("<I", len(task.parsed))]
    for template in task.parsed:
        out.append(struct.pack("<QI", template.base, len(template.atoms)))
        for atom in template.atoms:
            sight, place, other, look, length, column, multiplier = _compiled(atom)
            numbers = (sight, *place, *other, look, length, column)
            out.append(struct.pack("<10iQ", *numbers, multiplier))
    return b"".join(out)


def main(folder: Path) -> None:
    """Learn the model, and write it and what the page must know of it."""
    ewt = Path(os.environ["STRUCTRON_DATA"]) / "ud" / "UD_English-EWT"
    train, dev = (
        [each for each in read(str(ewt / f"en_ewt-ud-{part}.conllu.gz")) if len(each)]
        for part in ("train", "dev")
    )
    tags = Tags([pair for each in train for pair in zip(each.words(), each.column("xpos"))])
    X, Xd = ([[(word, tags.of(word)) for word in each.words()] for each in part] for part in (train, dev))
    y, yd = ([(list(tree.heads), list(tree.labels)) for tree in map(tree_of, part)] for part in (train, dev))
    parser = Parser(**SETTINGS).fit(X, y, dev=(Xd, yd))
    task = parser.model_.task
    folder.mkdir(parents=True, exist_ok=True)
    parser.save(folder / "parser.model")
    (folder / "parser.bin").write_bytes(packed(task, parser.model_.rows))
    about = {"labels": task.labels, "actions": task.transitions, "words": tags.words, "ends": tags.ends}
    (folder / "parser.json").write_text(json.dumps(about, ensure_ascii=False, separators=(",", ":")), "utf-8")
    print(f"{parser.score(Xd, yd):.4f} of the relations right on dev")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
